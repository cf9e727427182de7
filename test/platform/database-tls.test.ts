import assert from 'node:assert/strict';
import { createPrivateKey } from 'node:crypto';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openStore } from '../../server/open-store.ts';
import { mistakeIn } from '../../server/platform/postgres/connection-target.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { providePostgresBinaries } from '../../server/platform/postgres/embedded/binaries.ts';
import { databaseUserFor, runsAsRoot } from '../../server/platform/postgres/embedded/database-user.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startTestApp, testConfig } from '../support/app.ts';
import { makeAuthority } from '../support/certificates.ts';
import { patienceSeconds } from '../support/database.ts';
import { startPostgres } from '../support/replicated-postgres.ts';
import { until } from '../support/worker.ts';

const folder = mkdtempSync(join(tmpdir(), 'lading-tls-'));
const [ours, others] = [makeAuthority('our authority'), makeAuthority('another authority')];
const [certificate, client, stranger] = [
  ours.issue('db.example', ['db.example', '127.0.0.1']),
  ours.issue('lading client'),
  others.issue('stranger'),
];
const programs = await providePostgresBinaries(folder, databaseUserFor(folder), () => {});
const server = await startPostgres({
  folder,
  programs,
  settings: { ssl_cert_file: 'server.crt', ssl_key_file: 'server.key', ssl_ca_file: 'clients.crt' },
  files: {
    'server.crt': certificate.certificate,
    'server.key': certificate.key,
    'clients.crt': ours.certificate,
    'pg_hba.conf': [
      'hostnossl all only_plain all trust',
      'hostssl all only_encrypted all trust',
      'hostssl all with_certificate all trust clientcert=verify-ca',
      'host all lading,either all trust',
    ].join('\n'),
  },
});
after(async () => {
  await server.stop('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const role of ['only_plain', 'only_encrypted', 'with_certificate', 'either'])
  await server.ask((sql) => sql.unsafe(`create role ${role} login`));

function file(name: string, text: string, mode = 0o600): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}
const roots = file('roots.crt', `Comments are allowed.\n${ours.certificate}`);
const strangeRoots = file('strange-roots.crt', others.certificate);
const clientFiles = `&sslcert=${file('client.crt', client.certificate)}&sslkey=${file('client.key', client.key)}`;

/** `host` is the name that is verified. */
function urlOf(role: string, parameters: string, host = '127.0.0.1'): string {
  return `postgres://${role}@${host}:${server.port}/lading?hostaddr=127.0.0.1${parameters && `&${parameters}`}`;
}

async function switchTls(state: 'on' | 'off'): Promise<void> {
  await server.ask(async (sql) => {
    await sql.unsafe(`alter system set ssl = ${state}`);
    await sql.unsafe('select pg_reload_conf()');
  });
  await until(`ssl is ${state}`, () => server.ask(async (sql) => (await sql.unsafe('show ssl'))[0]!.ssl === state));
}

/** Whether a connection is encrypted, or why there is none. */
async function encryptionOf(url: string): Promise<boolean | string> {
  assert.equal(mistakeIn(url), null);
  const database = openDatabase(url, { max: 1, deadlineSeconds: patienceSeconds });
  try {
    const [row] = await database.read(
      noAccounts,
      (sql) => sql<{ ssl: boolean }[]>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`,
    );
    return row!.ssl;
  } catch (error) {
    return (error as Error).message;
  } finally {
    await database.close();
  }
}

const unknownAuthority = 'TLS: no authority in sslrootcert has signed the certificate of the database server';
const wrongName = 'TLS: the certificate of the database server has another host name, and sslmode is verify-full';
const onlyEncrypted = 'TLS: the database server accepts no login without encryption: check sslmode';
const notOffered = (mode: string) => `TLS: the database server does not offer it, and sslmode is ${mode}`;

test('a server without TLS is used in the modes that do not insist on it', async () => {
  assert.equal(await encryptionOf(urlOf('either', '')), false);
  assert.equal(await encryptionOf(urlOf('either', 'sslmode=prefer')), false);
  assert.equal(await encryptionOf(urlOf('either', 'sslmode=allow')), false);
  assert.equal(await encryptionOf(urlOf('either', 'sslmode=require')), notOffered('require'));
  assert.equal(
    await encryptionOf(urlOf('either', `sslmode=verify-full&sslrootcert=${roots}`)),
    notOffered('verify-full'),
  );
});

test('a node that starts names TLS while it waits, and starts when the server offers it', async () => {
  const lines: string[] = [];
  const config = testConfig({
    DATABASE_URL: urlOf('lading', `sslmode=verify-full&sslrootcert=${roots}`, 'db.example'),
    MASTER_KEY: Buffer.alloc(32).toString('base64'),
  });
  const opening = openStore(config, {
    migrations: 'apply',
    deadlineSeconds: patienceSeconds,
    onProgress: (line) => void lines.push(line),
  });
  await until('the node waits', () => lines.length > 0);
  assert.deepEqual(lines, [`waiting for the database of DATABASE_URL (${notOffered('verify-full')})`]);
  await switchTls('on');
  await (await opening).close();
});

test('each mode encrypts and verifies as in libpq', async () => {
  const cases: [parameters: string, expected: boolean | string, host?: string][] = [
    ['sslmode=disable', false],
    ['sslmode=allow', false],
    ['', true],
    ['sslmode=prefer', true],
    ['sslmode=require', true],
    // With known authorities every mode verifies, except that "prefer" goes on without encryption.
    [`sslmode=require&sslrootcert=${roots}`, true, 'other.example'],
    [`sslmode=require&sslrootcert=${strangeRoots}`, unknownAuthority],
    [`sslmode=prefer&sslrootcert=${strangeRoots}`, false],
    [`sslmode=verify-ca&sslrootcert=${roots}`, true, 'other.example'],
    [`sslmode=verify-ca&sslrootcert=${strangeRoots}`, unknownAuthority],
    [`sslmode=verify-full&sslrootcert=${roots}`, true],
    [`sslmode=verify-full&sslrootcert=${roots}`, true, 'db.example'],
    [`sslmode=verify-full&sslrootcert=${roots}`, wrongName, 'other.example'],
    ['sslrootcert=system', unknownAuthority],
  ];
  for (const [parameters, expected, host] of cases)
    assert.equal(await encryptionOf(urlOf('either', parameters, host)), expected, `${parameters} ${host}`);
});

test('prefer and allow try the other way if the server rejects the login', async () => {
  assert.equal(await encryptionOf(urlOf('only_plain', 'sslmode=prefer')), false);
  assert.equal(await encryptionOf(urlOf('only_encrypted', 'sslmode=allow')), true);
  assert.equal(await encryptionOf(urlOf('only_encrypted', 'sslmode=disable')), onlyEncrypted);
});

test('a client certificate is sent, and its absence or rejection is named', async () => {
  const require = 'sslmode=require';
  assert.equal(
    await encryptionOf(urlOf('with_certificate', require)),
    'TLS: the database server requires a client certificate (sslcert and sslkey)',
  );
  assert.equal(await encryptionOf(urlOf('with_certificate', require + clientFiles)), true);
  const locked = createPrivateKey(client.key).export({
    type: 'pkcs8',
    format: 'pem',
    cipher: 'aes-256-cbc',
    passphrase: 'open sesame',
  });
  const withPassword = clientFiles.replace('client.key', 'locked.key');
  file('locked.key', locked as string);
  assert.equal(
    await encryptionOf(urlOf('with_certificate', `${require}${withPassword}&sslpassword=open%20sesame`)),
    true,
  );

  const strange = `&sslcert=${file('stranger.crt', stranger.certificate)}&sslkey=${file('stranger.key', stranger.key)}`;
  assert.equal(
    await encryptionOf(urlOf('with_certificate', require + strange)),
    'TLS: the database server rejects the client certificate in sslcert',
  );
});

test('a file that cannot be used is a mistake that names its parameter', () => {
  const [crt, key] = [join(folder, 'client.crt'), join(folder, 'client.key')];
  const exposed = file('exposed.key', client.key, 0o644);
  const groupReads = file('group.key', client.key, 0o640);
  const others = 'has an sslkey that others may read: its mode must be 0600, or 0640 if it belongs to root';
  const cases: [parameters: string, mistake: string | null][] = [
    ['sslmode=verify-ca&sslrootcert=/none', 'has an sslrootcert that cannot be read (ENOENT)'],
    [`sslmode=verify-ca&sslrootcert=${folder}`, 'has an sslrootcert that cannot be read (EISDIR)'],
    [`sslmode=verify-ca&sslrootcert=${key}`, 'has an sslrootcert that holds no certificate in the PEM format'],
    ['sslmode=require&sslrootcert=system', 'has sslrootcert=system, which needs sslmode=verify-full'],
    [
      'sslmode=verify-full',
      'has sslmode=verify-full without sslrootcert: name the file with the certificates of the authorities, or use sslrootcert=system with verify-full',
    ],
    [`sslcert=${crt}`, 'has only one of sslcert and sslkey: a client certificate needs both'],
    [`sslcert=${crt}&sslkey=/none`, 'has an sslkey that cannot be read (ENOENT)'],
    [`sslcert=${crt}&sslkey=${exposed}`, others],
    [`sslcert=${crt}&sslkey=${groupReads}`, runsAsRoot() ? null : others],
    [
      `sslcert=${crt}&sslkey=${join(folder, 'locked.key')}&sslpassword=wrong`,
      'has an sslkey that holds no private key, or that sslpassword does not open',
    ],
    [
      `sslcert=${crt}&sslkey=${file('other.key', stranger.key)}`,
      'has an sslkey that does not belong to the certificate in sslcert',
    ],
    // Without encryption none of the files is needed.
    ['sslmode=disable&sslrootcert=/none', null],
  ];
  for (const [parameters, mistake] of cases) assert.equal(mistakeIn(urlOf('either', parameters)), mistake, parameters);
  if (!runsAsRoot()) return;
  chownSync(groupReads, 1, 1);
  assert.equal(mistakeIn(urlOf('either', `sslcert=${crt}&sslkey=${groupReads}`)), others);
});

test('readiness names TLS when it is the cause, and no host', async () => {
  const database = openDatabase(urlOf('either', `sslmode=verify-ca&sslrootcert=${strangeRoots}`), {
    max: 1,
    deadlineSeconds: patienceSeconds,
  });
  const app = await startTestApp({ database: () => database });
  after(() => database.close());
  const ready = await app.http.inject('/health/ready');
  assert.deepEqual(
    [ready.statusCode, ready.json()],
    [503, { status: 'not_ready', reasons: [`database: ${unknownAuthority}`] }],
  );
});
