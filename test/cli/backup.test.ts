import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Connection } from '../../server/platform/postgres/connection.ts';
import { connect } from '../../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../../server/platform/postgres/embedded/embedded-postgres.ts';
import { openOwnerSession } from '../../server/platform/postgres/embedded/owner-session.ts';
import { stopServer } from '../../server/platform/postgres/embedded/server-process.ts';
import { runLading, startLading } from '../support/command.ts';
import { freePort } from '../support/free-port.ts';
import { form, item, shippingOrder } from '../support/logistics.ts';
import { until } from '../support/worker.ts';
import { makeRunHere } from './run-here.ts';

// The tests run in order, on one service that archives and backs up. Started as root, it runs as nobody.
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-backup-'));
chmodSync(folder, 0o755);
const dataDir = join(folder, 'data');
const backupDir = join(folder, 'backups');
const passphraseFile = join(folder, 'passphrase');
const passphrase = 'correct horse battery staple';
writeFileSync(passphraseFile, `${passphrase}\n`);
const settings = { DATA_DIR: dataDir, BACKUP_DIR: backupDir };
const { run, json } = makeRunHere({ DATA_DIR: dataDir });
const sealed = ['--passphrase-file', passphraseFile];
/** Deriving a key from the passphrase takes half a second on purpose. */
const withoutKey = ['--without-master-key'];
let service: ChildProcess;
let url: string;
let session: Connection;

after(async () => {
  session?.destroy();
  service?.kill('SIGKILL');
  for (const name of ['data', 'restored', 'moment', 'latest', 'again'])
    await stopServer({ folder: join(folder, name, 'pg') });
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
});

async function post(path: string, body: object): Promise<void> {
  const answer = await fetch(`${url}/logistics${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'the-logistics-key-of-the-backup-test' },
    body: JSON.stringify(body),
  });
  assert.equal(answer.status, 200, await answer.text());
}

async function order(number: string): Promise<void> {
  await post('/orders/order', shippingOrder(number, [item('TEA-1', 1)]));
}

async function ask<Value>(text: string): Promise<Value> {
  const [row] = await session.sql.unsafe<{ value: Value }[]>(`select ${text} as value`);
  return row!.value;
}

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^lading_backup_${name} (.*)$`, 'm').exec(text)![1]);
}

/** Ends the current file of the log, and waits until it is in the archive. */
async function archive(): Promise<void> {
  const file = await ask<string>('pg_walfile_name(pg_current_wal_insert_lsn())');
  await ask('pg_switch_wal()::text');
  await until('the log is archived', async () => existsSync(join(backupDir, 'wal', file)));
}

/** The numbers of the orders in a restored data folder. */
async function ordersIn(restored: string): Promise<string[]> {
  const server = await openEmbeddedPostgres({ dataDir: restored });
  const sql = connect(server.connection, 1);
  const rows = await sql<{ number: string }[]>`select partner_number as number from orders`;
  await sql.end();
  await server.close();
  return rows.map(({ number }) => number).toSorted();
}

/** For data folders that were restored without their key. */
function masterKeyOf(original: string): Record<string, string> {
  return { MASTER_KEY: readFileSync(join(original, 'master.key'), 'utf8').trim() };
}

test('the first run of the schedule makes a verified backup, sealed, and the metrics show its age', async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const place = { warehouse_no: 1, store_no: 1, receiving: 'on_create' };
  const provisioning = {
    warehouses: [{ warehouse_no: 1 }],
    stores: [{ store_no: 1 }],
    accounts: [{ account_no: 'ALPHA', environment: 'uat' }],
    logistics_keys: [{ name: 'wms', key: 'the-logistics-key-of-the-backup-test', account_no: 'ALPHA', ...place }],
  };
  writeFileSync(join(folder, 'provisioning.json'), JSON.stringify(provisioning));
  service = startLading(['serve', '--apply', join(folder, 'provisioning.json')], {
    ...settings,
    PORT: String(port),
    DRAIN_S: '0',
    BACKUP_EVERY_H: '24',
    BACKUP_KEEP: '2',
    BACKUP_PASSPHRASE_FILE: passphraseFile,
  });
  let log = '';
  for (const stream of [service.stdout!, service.stderr!])
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  const isServing = () =>
    fetch(`${url}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('it serves or has ended', async () => service.exitCode !== null || (await isServing()));
  assert.equal(service.exitCode, null, log);
  session = await openOwnerSession(dataDir, 'test');

  await until('there is a verified backup', async () => (await metric('last_verified_timestamp_seconds')) > 0);
  const [name] = readdirSync(backupDir).filter((one) => /^\d/.test(one));
  const manifest = JSON.parse(readFileSync(join(backupDir, name!, 'manifest.json'), 'utf8'));
  assert.equal(await metric('last_verified_timestamp_seconds'), Date.parse(manifest.ended_at) / 1000);
  assert.deepEqual([manifest.master_key.kind, manifest.timeline], ['sealed', 1]);
  assert.equal(manifest.system_identifier, await ask('(select system_identifier::text from pg_control_system())'));
  const text = readFileSync(join(backupDir, name!, 'manifest.json'), 'utf8');
  assert.ok(!text.includes(readFileSync(join(dataDir, 'master.key'), 'utf8').trim()));
  assert.equal(statSync(join(backupDir, name!)).uid, statSync(join(dataDir, 'pg')).uid);
});

test('BACKUP_DIR belongs to one database, and its disk must be there', async () => {
  const other = join(folder, 'stranger');
  const refusal = (dir: string, to: string) =>
    openEmbeddedPostgres({ dataDir: dir, backupDir: to }).then(
      () => 'accepted',
      (error: Error) => error.message,
    );
  assert.match(await refusal(other, backupDir), /^BACKUP_DIR .* has the backups of another database/);
  assert.match(await refusal(other, join(other, 'backups')), /^BACKUP_DIR must not be inside of DATA_DIR/);
  assert.match(
    await refusal(dataDir, join(folder, 'none')),
    /^Another process has started PostgreSQL .* with another BACKUP_DIR/,
  );
  assert.deepEqual(
    readdirSync(backupDir)
      .filter((name) => !/^\d/.test(name))
      .toSorted(),
    ['cluster', 'wal'],
  );
  assert.equal(existsSync(join(folder, 'none')), false);
});

test('a log that cannot be archived makes a warning and is counted, and is archived later', async () => {
  renameSync(join(backupDir, 'wal'), join(backupDir, 'elsewhere'));
  await ask('pg_switch_wal()::text');
  const warnings = async () =>
    ((await (await fetch(`${url}/health/ready`)).json()) as { warnings?: string[] }).warnings;
  await until('readiness warns', async () => (await warnings()) !== undefined);
  assert.deepEqual(await warnings(), [
    'backup: the write-ahead log cannot be archived in BACKUP_DIR; PostgreSQL tries again',
  ]);
  assert.ok((await metric('archive_failures')) >= 1);
  renameSync(join(backupDir, 'elsewhere'), join(backupDir, 'wal'));
  await ask("pg_logical_emit_message(true, 'test', '')::text");
  await archive();
  await until('readiness is clean', async () => (await warnings()) === undefined);
});

const backups = { beside: '' };
const accepted = { before: [] as string[], during: [] as string[] };

test('a backup beside a service that takes orders has every order that was accepted before it', async () => {
  await post('/purchases/purchase', form('PO-1', [item('TEA-1', 5000)]));
  for (let number = 0; number < 10; number++) {
    await order(`B-${number}`);
    accepted.before.push(`B-${number}`);
  }
  let isMade = false;
  const making = runLading(['backup', '--json', ...sealed], settings).finally(() => {
    isMade = true;
  });
  while (!isMade) {
    await order(`D-${accepted.during.length}`);
    accepted.during.push(`D-${accepted.during.length}`);
  }
  const { code, stdout, stderr } = await making;
  assert.equal(code, 0, stderr);
  const made = JSON.parse(stdout);
  assert.deepEqual([made.verification, made.master_key, made.removed.backups], ['verified', 'sealed', 0]);
  assert.equal(await metric('last_verified_timestamp_seconds'), Date.parse(made.ended_at) / 1000);
  assert.deepEqual(
    readdirSync(backupDir).filter((name) => name.startsWith('.')),
    [],
  );
  backups.beside = made.folder;

  const target = join(folder, 'restored');
  const answer = await json(['restore', made.folder, '--data-dir', target, ...sealed]);
  const found = await ordersIn(target);
  assert.deepEqual(
    [answer.clean, answer.timeline, answer.orders, answer.inbounds, answer.master_key],
    [true, 2, found.length, 1, 'restored'],
  );
  assert.deepEqual(
    found.filter((number) => number.startsWith('B')),
    accepted.before.toSorted(),
  );
  // The orders of the meantime are there up to one moment.
  const during = found.filter((number) => number.startsWith('D'));
  assert.deepEqual(during.toSorted(), accepted.during.slice(0, during.length).toSorted());
  assert.deepEqual(readFileSync(join(target, 'master.key')), readFileSync(join(dataDir, 'master.key')));
  assert.deepEqual(
    readdirSync(target).filter((name) => /restor/.test(name)),
    [],
  );
  const audit = await makeRunHere({ DATA_DIR: target }).json('audit');
  assert.equal(audit.clean, true);
});

test('a restore to a moment has what was committed up to it and nothing later', async () => {
  await order('M-1');
  const moment = await ask<string>(`to_char(clock_timestamp() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`);
  await order('M-2');
  await archive();
  const target = join(folder, 'moment');
  const answer = await json(['restore', backupDir, '--to', moment, '--data-dir', target, ...withoutKey]);
  const expected = [...accepted.before, ...accepted.during, 'M-1'].toSorted();
  assert.deepEqual([answer.clean, answer.timeline, answer.orders], [true, 2, expected.length]);
  assert.ok(Date.parse(answer.last_transaction_at) <= Date.parse(moment));
  assert.deepEqual(await ordersIn(target), expected);
});

test('a moment outside of the archive is refused, and nothing stays behind', async () => {
  const target = join(folder, 'never', 'data');
  const restore = (to: string) => run(['restore', backupDir, '--to', to, '--data-dir', target, ...withoutKey]);
  const early = await restore('2026-01-01 00:00:00');
  assert.deepEqual([early.code, early.stdout], [1, '']);
  assert.match(
    early.stderr,
    /2026-01-01 00:00:00\.000000\+08:00 is before the end of backup .*; choose an older backup/,
  );
  const late = await restore('2099-01-01T00:00:00Z');
  assert.equal(late.code, 1);
  assert.match(late.stderr, /the archive .*\/wal ends before 2099-01-01 00:00:00\.000000\+00:00; its last transaction/);
  const unclear = await restore('yesterday');
  assert.equal(unclear.code, 2);
  assert.equal(existsSync(join(folder, 'never')), false);
});

test('nothing is written for a wrong passphrase, a damaged or half backup, or a folder in use', async () => {
  const target = join(folder, 'never');
  const backup = backups.beside;
  const restore = async (into = target, options = withoutKey) => {
    const { code, stderr } = await run(['restore', backup, '--data-dir', into, ...options]);
    return [code, stderr.split('\n').find((line) => line.startsWith('lading: '))];
  };
  const wrong = join(folder, 'wrong');
  writeFileSync(wrong, 'another passphrase');
  assert.deepEqual(await restore(target, ['--passphrase-file', wrong]), [
    1,
    'lading: the passphrase is wrong; nothing was restored',
  ]);

  const damaged = join(backup, 'pg', 'global', 'pg_filenode.map');
  const whole = readFileSync(damaged);
  writeFileSync(damaged, Buffer.concat([Buffer.from([whole[0]! ^ 1]), whole.subarray(1)]));
  assert.deepEqual(await restore(), [1, `lading: ${damaged} is damaged: its checksum is not the one in the backup`]);
  rmSync(damaged);
  assert.deepEqual(await restore(), [1, `lading: ${damaged} is missing in the backup`]);
  writeFileSync(damaged, whole);

  const manifest = join(backup, 'manifest.json');
  const text = readFileSync(manifest, 'utf8');
  writeFileSync(manifest, text.replace('"timeline": 1', '"timeline": 2'));
  assert.deepEqual(await restore(), [1, `lading: ${manifest} is damaged: its checksum is wrong`]);
  rmSync(manifest);
  assert.deepEqual(await restore(), [1, `lading: ${backup} is not a complete backup: it has no manifest.json`]);
  writeFileSync(manifest, text);
  assert.equal(existsSync(target), false);

  const used = join(folder, 'used');
  mkdirSync(used);
  writeFileSync(join(used, 'notes.txt'), 'mine');
  assert.deepEqual(await restore(used), [1, `lading: ${used} is not empty; restore into an empty folder`]);
  assert.deepEqual(readdirSync(used), ['notes.txt']);
  assert.deepEqual(await restore(dataDir), [
    1,
    `lading: a server is running on ${dataDir}; restore into an empty folder`,
  ]);
});

test('the operator must say what happens to the master key', async () => {
  const unclear = await run(['backup', join(folder, 'none')]);
  assert.equal(unclear.code, 2);
  assert.match(unclear.stderr, /say what happens to the master key: .*--passphrase-file .*--without-master-key/);
  assert.equal(existsSync(join(folder, 'none')), false);
});

test('a stopped service has archived everything', async () => {
  await order('L-1');
  session.destroy();
  service.kill('SIGTERM');
  assert.deepEqual(await once(service, 'exit'), [0, null]);
  const target = join(folder, 'latest');
  const answer = await json(['restore', backupDir, '--to', 'latest', '--data-dir', target, ...withoutKey]);
  assert.deepEqual(
    [answer.clean, answer.orders, answer.master_key],
    [true, accepted.before.length + accepted.during.length + 3, 'not restored'],
  );
});

test('a restored database has its own timeline in the archive, and its backup can be restored', async () => {
  const dataDirs = { restored: join(folder, 'moment'), again: join(folder, 'again') };
  const open = () => openEmbeddedPostgres({ dataDir: dataDirs.restored, backupDir });
  // A copy that is only tried must not continue the archive of the original.
  await assert.rejects(
    open,
    /^EmbeddedPostgresError: BACKUP_DIR .* has the backups of .*\/data, and this data folder is /,
  );
  assert.equal(readdirSync(join(backupDir, 'wal')).includes('00000002.history'), false);
  rmSync(join(backupDir, 'cluster'));
  const server = await open();
  const isArchived = (name: RegExp) => readdirSync(join(backupDir, 'wal')).some((one) => name.test(one));
  const restored = makeRunHere({ DATA_DIR: dataDirs.restored, ...masterKeyOf(dataDir) });
  const backUp = async () => {
    await until('the new timeline is archived', () => isArchived(/^00000002\.history$/));
    return await restored.json(['backup', join(folder, 'other'), ...withoutKey, '--no-verify']);
  };
  const made = await backUp().finally(() => server.close());
  const wal = ['--to', 'latest', '--wal', join(backupDir, 'wal')];
  const answer = await json(['restore', made.folder, ...wal, '--data-dir', dataDirs.again, ...withoutKey]);
  assert.deepEqual(
    [answer.clean, answer.timeline, answer.orders],
    [true, 3, accepted.before.length + accepted.during.length + 1],
  );
  // Without verification a backup is recorded as not verified.
  assert.deepEqual([made.verification, made.master_key], ['skipped', 'excluded']);
  const verification = JSON.parse(readFileSync(join(made.folder, 'verification.json'), 'utf8'));
  assert.equal(verification.state, 'skipped');
});
