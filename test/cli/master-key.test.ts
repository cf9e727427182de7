import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runLading } from '../support/command.ts';
import { makeRunHere } from './run-here.ts';

// The user that PostgreSQL runs as must be able to reach the folder.
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-master-key-'));
chmodSync(folder, 0o755);
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
const dataDir = join(folder, 'data');
const keyFile = join(dataDir, 'master.key');
const settings = { DATA_DIR: dataDir, PORT: '0' };
const here = makeRunHere(settings);
const newKey = () => randomBytes(32).toString('base64');

test('a missing master.key is made again while the database holds no secret', async () => {
  assert.equal((await here.run(['store', 'create', '1'])).code, 0);
  const first = readFileSync(keyFile, 'utf8');
  rmSync(keyFile);

  assert.equal((await here.run(['store', 'list'])).code, 0);
  assert.notEqual(readFileSync(keyFile, 'utf8'), first);
});

test('a missing master.key beside a database with secrets stops every command and the service, and is not replaced', async () => {
  await here.json(['account', 'create', 'ALPHA', '--environment', 'uat']);
  const key = readFileSync(keyFile, 'utf8').trim();
  renameSync(keyFile, `${keyFile}.away`);

  const message =
    `lading: ${keyFile} is missing, and the secrets in the database cannot be decrypted without it. ` +
    'Put the file back from a backup, or give the key that was in it as MASTER_KEY.\n';
  for (const args of [['account', 'list'], ['migrate'], ['sign', '{}', '--account', 'ALPHA']])
    assert.deepEqual(await here.run(args), { code: 3, stdout: '', stderr: message }, args.join(' '));
  const served = await runLading(['serve'], settings);
  assert.deepEqual([served.code, served.stdout], [3, '']);
  assert.ok(served.stderr.endsWith(message), served.stderr);
  assert.equal(existsSync(keyFile), false);

  // The key itself, given another way, is as good as the file.
  assert.equal((await makeRunHere({ DATA_DIR: dataDir, MASTER_KEY: key }).run(['account', 'list'])).code, 0);
  renameSync(`${keyFile}.away`, keyFile);
  assert.equal((await here.run(['account', 'list'])).code, 0);
});

test('another key in master.key or in MASTER_KEY is refused with where it came from, and one that cannot be read is named', async () => {
  const needed = /^lading: the secrets in the database are protected by master key [0-9a-f]{8}, but /;
  const given = await makeRunHere({ DATA_DIR: dataDir, MASTER_KEY: newKey() }).run(['account', 'list']);
  assert.equal(given.code, 3);
  assert.match(given.stderr, needed);
  assert.match(
    given.stderr,
    /, but MASTER_KEY is [0-9a-f]{8}; give the right one, or the former one as MASTER_KEY_PREVIOUS\n$/,
  );

  const own = readFileSync(keyFile, 'utf8');
  writeFileSync(keyFile, `${newKey()}\n`);
  const replaced = await here.run(['account', 'list']);
  assert.equal(replaced.code, 3);
  assert.match(replaced.stderr, needed);
  assert.ok(replaced.stderr.includes(`, but ${keyFile} holds `), replaced.stderr);

  writeFileSync(keyFile, 'no key\n');
  const unreadable = await here.run(['account', 'list']);
  assert.deepEqual(unreadable, {
    code: 3,
    stdout: '',
    stderr: `lading: ${keyFile} does not contain 32 bytes in base64\n`,
  });
  writeFileSync(keyFile, own);
  assert.equal((await here.run(['account', 'list'])).code, 0);
});
