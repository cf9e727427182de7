import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Errors } from 'typebox/schema';
import { parse } from 'yaml';
import { serveCommand } from '../../cli/serve.ts';
import { readConfig } from '../../server/config.ts';
import { settings } from '../../server/settings.ts';
import { type ComposeFile, type ComposeService, composeSchema } from './compose-schema.ts';
import { findProgram } from './start-proxy.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const deploy = join(root, 'deploy');
const read = (path: string) => readFileSync(join(deploy, path), 'utf8');
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const folder = mkdtempSync(join(tmpdir(), 'lading-deploy-'));
after(() => rmSync(folder, { recursive: true }));

const settingNames = new Set<string>(
  settings.flatMap((setting) => ('secret' in setting ? [setting.name, `${setting.name}_FILE`] : [setting.name])),
);
const secretNames = new Set<string>(settings.flatMap((setting) => ('secret' in setting ? [setting.name] : [])));

/** The service must accept these settings, in which secrets can only be files. */
function checkSettings(where: string, env: Record<string, string>): void {
  const unknown = Object.keys(env).filter((name) => !settingNames.has(name) || secretNames.has(name));
  assert.deepEqual(unknown, [], where);
  const plain = Object.entries(env).filter(([name]) => !name.endsWith('_FILE'));
  const reading = readConfig(Object.fromEntries(plain));
  assert.deepEqual(reading.kind === 'mistakes' ? reading.mistakes : [], [], where);
}

/** A command line of the service must name options that it has. */
function checkCommand(words: string[]): void {
  const [command, ...options] = words;
  assert.ok(command === 'serve' || command === 'migrate', command);
  const known = command === 'serve' ? serveCommand().options.map(({ long }) => long) : [];
  for (const option of options.filter((word) => word.startsWith('--'))) assert.ok(known.includes(option), option);
}

test('the version of the chart and of the images is that of package.json', () => {
  const chart = parse(read('helm/lading/Chart.yaml'));
  assert.deepEqual([chart.version, chart.appVersion], [version, version]);
  for (const file of ['compose.yaml', 'compose-patroni.yaml']) {
    const named = [...read(file).matchAll(/localhost\/lading:([^}]+)\}/g)].map(([, tag]) => tag);
    assert.deepEqual([named.length > 0, named.every((tag) => tag === version)], [true, true], file);
  }
});

test('the image has the port of the service, a user without root whom the other files know, and its own files', () => {
  const text = read('Containerfile');
  const { config } = readConfig({}) as Extract<ReturnType<typeof readConfig>, { kind: 'config' }>;
  assert.deepEqual([/^EXPOSE (.*)$/m.exec(text)![1], / PORT=(\d+) /.exec(text)![1]], ['8080', String(config.port)]);
  assert.equal(/^USER (.*)$/m.exec(text)![1], '10001:10001');
  assert.match(read('make-secrets'), /^ {2}chown 10001 /m);
  checkCommand(JSON.parse(/^CMD (\[.*\])$/m.exec(text)![1]!));
  const [health] = /\/health\/\w+/.exec(read('healthcheck.mjs'))!;
  assert.match(readFileSync(join(root, 'server/api/health.ts'), 'utf8'), new RegExp(`app\\.get\\('${health}'`));

  const copied = [...read('Containerfile.dockerignore').matchAll(/^!(.+)$/gm)].map(([, path]) => path!);
  assert.deepEqual(
    copied.filter((path) => !existsSync(join(root, path))),
    [],
  );
  // Folders that the program imports from, or reads at run time.
  for (const path of ['bin', 'cli', 'contract', 'docs', 'messages', 'migrations', 'reference', 'sdk', 'server'])
    assert.ok(copied.includes(path), path);
});

/** Replaces ${NAME}, ${NAME:-default} and ${NAME:?message} like compose. */
function readCompose(file: string, env: Record<string, string>): ComposeFile {
  const used = new Set<string>();
  const text = read(file).replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name, kind, fallback) => {
    used.add(name);
    assert.ok(name in env || kind === '-', `${file}: ${name} has no value`);
    return env[name] ?? fallback;
  });
  assert.deepEqual(
    [...used].filter((name) => !name.startsWith('LADING_')),
    [],
    file,
  );
  const whole = parse(text, { merge: true }) as Record<string, unknown>;
  const own = Object.fromEntries(Object.entries(whole).filter(([key]) => !key.startsWith('x-')));
  assert.deepEqual(Errors(composeSchema, own), [true, []], file);
  return own as unknown as ComposeFile;
}

function checkReferences({ services, networks, volumes, secrets }: ComposeFile): void {
  const listed = (given: string[] | Record<string, unknown> = []) =>
    Array.isArray(given) ? given : Object.keys(given);
  const used = { networks: new Set<string>(), volumes: new Set<string>(), secrets: new Set<string>() };
  for (const service of Object.values(services)) {
    for (const name of listed(service.depends_on)) assert.ok(name in services, name);
    for (const name of listed(service.networks)) used.networks.add(name);
    for (const name of service.secrets ?? []) used.secrets.add(name);
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':') as [string];
      if (!/^[./]/.test(source)) used.volumes.add(source);
      else if (source.startsWith('.')) assert.ok(existsSync(join(deploy, source)), source);
    }
    if (service.build) assert.ok(existsSync(join(deploy, service.build.context, service.build.dockerfile)));
  }
  const sorted = (names: Iterable<string>) => [...names].sort();
  assert.deepEqual(sorted(used.networks), sorted(Object.keys(networks)));
  assert.deepEqual(sorted(used.volumes), sorted(Object.keys(volumes)));
  assert.deepEqual(sorted(used.secrets), sorted(Object.keys(secrets)));
}

function checkLading({ command, environment = {}, secrets = [], ...service }: ComposeService): void {
  checkCommand(command!);
  checkSettings(command!.join(' '), environment);
  const files = Object.entries(environment).filter(([name]) => name.endsWith('_FILE'));
  assert.deepEqual(files.map(([, path]) => path).sort(), secrets.map((name) => `/run/secrets/${name}`).sort());
  assert.deepEqual([service.read_only, service.cap_drop], [true, ['ALL']]);
}

const made = join(folder, 'secrets');
const makeSecrets = () => execFileSync(join(deploy, 'make-secrets'), [made, 'db1,db2'], { stdio: 'pipe' });

test('deploy/make-secrets creates every secret of the compose files, which the service accepts, and keeps them', () => {
  makeSecrets();
  const secret = (name: string) => readFileSync(join(made, name), 'utf8');
  const before = readdirSync(made).map(secret);
  makeSecrets();
  assert.deepEqual(readdirSync(made).map(secret), before);
  for (const name of readdirSync(made)) assert.equal(statSync(join(made, name)).mode & 0o777, 0o600, name);
  const names = ['database_owner_url', 'database_url', 'master_key'];
  const env = Object.fromEntries(names.map((name) => [`${name.toUpperCase()}_FILE`, join(made, name)]));
  const reading = readConfig(env);
  assert.equal(reading.kind, 'config', JSON.stringify(reading));
});

test('the compose files have known fields, files that exist, settings of the service, and databases without a way out', () => {
  makeSecrets();
  const env = { LADING_HOST: 'oms.example.com', LADING_CERTIFICATE: '/etc/ssl/lading/lading.pem' };
  for (const [file, nodes] of [
    ['compose.yaml', ['migrate', 'lading']],
    ['compose-patroni.yaml', ['migrate', 'lading1', 'lading2']],
  ] as const) {
    const compose = readCompose(file, env);
    checkReferences(compose);
    for (const [name, { file: path }] of Object.entries(compose.secrets)) {
      assert.equal(path, `./secrets/${name}`);
      assert.ok(readdirSync(made).includes(name), name);
    }
    const own = Object.entries(compose.services).filter(([, { image }]) => image === `localhost/lading:${version}`);
    assert.deepEqual(
      own.map(([name]) => name),
      nodes,
    );
    for (const [, service] of own) checkLading(service);
    assert.deepEqual(compose.networks.database, { internal: true });
  }
});

test('the Patroni settings are those that the failover tests use', () => {
  const tested = readFileSync(join(root, 'faults/patroni-cluster.ts'), 'utf8');
  const { dcs } = parse(read('patroni/patroni.yml')).bootstrap;
  const { ttl, postgresql, ...rest } = dcs as { ttl: number; postgresql: object };
  assert.match(tested, new RegExp(`leaderTtlSeconds = ${ttl};`));
  for (const [name, value] of Object.entries(rest)) assert.ok(tested.includes(`  ${name}: ${value},`), name);
  assert.match(JSON.stringify(postgresql), /"use_pg_rewind":true,"use_slots":true,"parameters":\{"wal_log_hints":"on"/);
});

test('the settings of the systemd files exist, and its command too', () => {
  const lines = read('systemd/lading.env')
    .split('\n')
    .filter((line) => /^\w/.test(line));
  checkSettings('lading.env', Object.fromEntries(lines.map((line) => line.split(/=(.*)/) as [string, string])));
  const unit = read('systemd/lading.service');
  checkCommand(/^ExecStart=\/opt\/lading\/bin\/lading (.*)$/m.exec(unit)![1]!.split(' '));
  const named = [unit, read('systemd/lading.service.d/own-postgresql.conf')]
    .flatMap((text) => [...text.matchAll(/^Environment=(\w+)=/gm)])
    .map(([, name]) => name!);
  assert.deepEqual(
    named.filter((name) => !settingNames.has(name)),
    ['NODE_COMPILE_CACHE'],
  );
});

const exposureMax = 2.5;
const analyze = findProgram('systemd-analyze');

test(`systemd finds no mistake in the unit and its drop-in, and rates its exposure below ${exposureMax}`, {
  skip: analyze === null && 'systemd is not installed',
}, () => {
  // The program must exist for the check.
  const unit = join(folder, 'lading.service');
  writeFileSync(unit, read('systemd/lading.service').replaceAll('/opt/lading/bin/lading', join(root, 'bin/lading')));
  cpSync(join(deploy, 'systemd/lading.service.d'), join(folder, 'lading.service.d'), { recursive: true });
  const { status, stderr } = spawnSync(analyze!, ['verify', '--man=no', unit], { encoding: 'utf8' });
  assert.deepEqual([status, stderr], [0, '']);
  const rated = execFileSync(analyze!, ['security', '--offline=true', '--no-pager', unit], { encoding: 'utf8' });
  const exposure = Number(/Overall exposure level for lading\.service: ([\d.]+)/.exec(rated)![1]);
  assert.ok(exposure < exposureMax, `exposure ${exposure}`);
});

test('scripts of deploy/ can be executed and are valid shell', () => {
  for (const name of [
    'build-image',
    'try-image',
    'strip-for-image',
    'make-secrets',
    'patroni/start',
    'patroni/create-database',
  ]) {
    const path = join(deploy, name);
    assert.equal(statSync(path).mode & 0o111, 0o111, name);
    const [, shell] = /^#!(\S+)/.exec(readFileSync(path, 'utf8'))!;
    assert.equal(spawnSync(shell!, ['-n', path]).status, 0, `${name} in ${dirname(path)}`);
  }
});
