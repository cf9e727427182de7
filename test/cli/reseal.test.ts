import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
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
import { sealedTables } from '../../server/domain/master-key/sealed-queries.ts';
import { issueSecrets } from '../../server/domain/onboarding/issue-secrets.ts';
import { openLink } from '../../server/domain/onboarding/open-link.ts';
import { removeNode, signNode } from '../../server/domain/overview/node-queries.ts';
import { openSecret, type SecretKind } from '../../server/domain/partners/secret.ts';
import { openStore } from '../../server/open-store.ts';
import { type Keyring, makeKeyring } from '../../server/platform/keyring.ts';
import { openEmbeddedPostgres } from '../../server/platform/postgres/embedded/embedded-postgres.ts';
import { dumpTables } from '../partners/dump.ts';
import { alpha, startTestApp, testConfig } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { item, orderPath, shippingOrder } from '../support/logistics.ts';
import { order, receive } from '../support/warehouse.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const { database } = app.store;
const { DATABASE_URL: url = '', MASTER_KEY: firstKey = '' } = settingsFor(app.store);
/** The master key of the database; each test leaves the latest one. */
let key = firstKey;
const newKey = () => randomBytes(32).toString('base64');
const idOf = (key: string) => makeKeyring(Buffer.from(key, 'base64')).currentKeyId;
await app.provision({
  warehouses: [
    {
      warehouse_no: 7,
      connector: {
        type: 'http',
        url: 'https://warehouse.example',
        secret: 'the secret of the connector of a warehouse',
      },
    },
  ],
  operators: [{ username: 'boss', role: 'admin', password: 'a long password of the boss' }],
});
await receive(app, { TEA: [['2030-01-01', 100]] });
await app.tokenOf();
const handover = await issueSecrets(
  app.store.service,
  app.store.keyring,
  { accountNo: 'BETA', secrets: [{ kind: 'account_secret', owner: 'BETA' }], actor: 'test', overlapSeconds: 0 },
  { requestId: randomUUID(), requestDigest: '', username: 'boss', hours: 1, language: 'en' },
);

/** Columns with bytes that no key of ours protects. */
const notSealed = [
  'handover_link.token_digest',
  'inbound_document.payload_digest',
  'operator_recovery_code.digest',
  'operator_session.token_digest',
  'orders.payload_digest',
  'receipt.payload_digest',
  // It stays under the key that made it; its key is kept in retired_master_key.
  'secret.digest',
];

test('every column with bytes is resealed, or known to hold no sealed secret, and every master_key_id belongs to one', async () => {
  const columns = await database.read(
    (sql) => sql<{ name: string; type: string }[]>`
      select relname || '.' || attname as name, format_type(atttypid, null) as type from pg_attribute
      join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and attnum > 0
        and not attisdropped and (atttypid = 'bytea'::regtype or attname = 'master_key_id') order by 1`,
  );
  const sealed = sealedTables.map(({ name, sealed }) => `${name}.${sealed}`);
  assert.deepEqual(
    columns.filter(({ type }) => type === 'bytea').map(({ name }) => name),
    [...sealed, ...notSealed].toSorted(),
  );
  assert.deepEqual(
    columns.filter(({ type }) => type !== 'bytea').map(({ name }) => name),
    [...sealedTables.map(({ name }) => `${name}.master_key_id`), 'node.master_key_id'].toSorted(),
  );
});

/** The master keys that the rows name, and how many rows name each. */
async function keysInRows(): Promise<Record<string, number>> {
  const rows = await database.read((sql) =>
    sql.unsafe<{ key: string; count: number }[]>(
      `select key, count(*) as count from (${sealedTables
        .map(({ name, sealed }) => `select '${name} ' || master_key_id as key from ${name} where ${sealed} is not null`)
        .join(' union all ')}) as named group by key`,
    ),
  );
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]));
}

/** The tables that a reseal may change. */
async function dumpOfKeys(): Promise<unknown> {
  const { secret, token_key, retired_master_key, partner_change } = await dumpTables(database);
  return { secret, token_key, retired_master_key, partner_change };
}

/** A node with these keys; each kind of secret must do its work there. */
async function startNode(keyring: Keyring): Promise<(number: string) => Promise<void>> {
  const node = await startTestApp({ store: { ...app.store, keyring, close: async () => {} } });
  return async (number) => {
    await order(node, number, [['TEA', 1]]);
    assert.equal((await node.callMain('/getStocksData/searchList', {})).status, 200);
    const shipped = await node.callLogistics(orderPath, shippingOrder(number, [item('TEA', 1)]));
    assert.equal(shipped.status, 200, shipped.text);
  };
}

/** The service, started with these keys. */
async function assertEverythingWorks(settings: Record<string, string>, number: string): Promise<void> {
  const config = testConfig({ DATABASE_URL: url, ...settings });
  const opened = await openStore(config, { migrations: 'refuse', deadlineSeconds: null, onProgress() {} });
  await opened.close();
  const callAll = await startNode(opened.keyring);
  await callAll(number);
  const secrets = await database.read(
    (sql) => sql<{ kind: SecretKind; owner: string; sealed: Buffer; master_key_id: string }[]>`
      select kind, owner, sealed, master_key_id from secret where sealed is not null order by 1, 2`,
  );
  const values = secrets.map((row) => openSecret(opened.keyring, row.kind, row.owner, row));
  for (const value of [alpha.secret, alpha.callbackSecret, 'the secret of the connector of a warehouse'])
    assert.ok(values.includes(value), value);
}

test('a reseal needs the former key, and then everything works with the new key alone; so does a second one', async () => {
  const [second, third] = [newKey(), newKey()];
  const before = await dumpOfKeys();
  const wrong = await makeRunHere({ DATABASE_URL: url, MASTER_KEY: second, MASTER_KEY_PREVIOUS: newKey() }).run(
    'reseal',
  );
  assert.equal(wrong.code, 3);
  assert.match(
    wrong.stderr,
    new RegExp(`protected by master key ${idOf(firstKey)}, but MASTER_KEY is ${idOf(second)}`),
  );
  assert.deepEqual(await dumpOfKeys(), before);

  const bytesOf = (given: string) => Buffer.from(given, 'base64');
  const running = await startNode(makeKeyring(bytesOf(second), [bytesOf(firstKey)]));
  await running('BEFORE-THE-RESEAL');
  const secrets = Object.values(await keysInRows()).reduce((sum, count) => sum + count);
  const first = await makeRunHere({ DATABASE_URL: url, MASTER_KEY: second, MASTER_KEY_PREVIOUS: firstKey }).json(
    'reseal',
  );
  assert.deepEqual(first, {
    master_key_id: idOf(second),
    resealed: secrets,
    already_sealed: 0,
    retired_key_ids: [idOf(firstKey)],
  });
  await running('AFTER-THE-RESEAL');
  await assertEverythingWorks({ MASTER_KEY: second }, 'SECOND-KEY');

  const next = await makeRunHere({ DATABASE_URL: url, MASTER_KEY: third, MASTER_KEY_PREVIOUS: second }).json('reseal');
  assert.deepEqual([next.resealed, next.retired_key_ids], [secrets + 1, [idOf(firstKey)]]);
  const named = Object.keys(await keysInRows()).map((key) => key.split(' ')[1]);
  assert.deepEqual([...new Set(named)], [idOf(third)]);
  await assertEverythingWorks({ MASTER_KEY: third }, 'THIRD-KEY');
  const again = await makeRunHere({ DATABASE_URL: url, MASTER_KEY: third }).json('reseal');
  assert.deepEqual([again.resealed, again.already_sealed], [0, secrets + 1]);
  key = third;

  const changes = await database.read(
    (sql) =>
      sql`select subject, change from partner_change where subject_kind = 'master_key' order by partner_change_id`,
  );
  assert.deepEqual(
    changes.map((row) => ({ ...row })),
    [second, third].map((key) => ({ subject: idOf(key), change: 'resealed' })),
  );
});

test('a link that was issued before the reseals opens with the new key, and shows the secret', async () => {
  assert.ok(handover.kind === 'issued');
  const keyring = makeKeyring(Buffer.from(key, 'base64'));
  const opened = await openLink(app.store.service, keyring, { token: handover.link.token!, address: '127.0.0.1' });
  assert.ok(opened.kind === 'opened');
  assert.deepEqual(
    opened.secrets.map(({ kind, owner, value }) => [kind, owner, value.slice(0, 4)]),
    [['account_secret', 'BETA', 'las_']],
  );
});

test('a reseal is refused while a node seals with another key, or if a secret does not open, and changes nothing', async () => {
  const reseal = () => makeRunHere({ DATABASE_URL: url, MASTER_KEY: newKey(), MASTER_KEY_PREVIOUS: key }).run('reseal');
  const refused = async (reason: RegExp) => {
    const before = await dumpOfKeys();
    const { code, stderr } = await reseal();
    assert.match(stderr, reason);
    assert.equal(code, 1);
    assert.deepEqual(await dumpOfKeys(), before);
  };
  const node = {
    nodeId: randomUUID(),
    host: 'shop-1',
    pid: 4711,
    role: 'api',
    version: '1',
    masterKeyId: idOf(key),
  } as const;
  await database.transaction((tx) => signNode(tx, node));
  await refused(/^lading: nothing was changed: these nodes do not have the new key as MASTER_KEY: shop-1:4711 \(/);
  await database.transaction((tx) => removeNode(tx, node.nodeId));

  const spoil = () =>
    database.transaction(
      (tx) => tx<{ id: string }[]>`
        update secret set sealed = set_byte(sealed, 30, get_byte(sealed, 30) # 1)
        where kind = 'account_secret' and owner = 'ALPHA' and valid_until is null returning secret_id::text as id`,
    );
  const [spoiled] = await spoil();
  await refused(new RegExp(`these records do not open with their key, so they are damaged: secret ${spoiled!.id}\\n$`));
  await spoil();
  assert.equal((await reseal()).code, 0);
});

test('the key in DATA_DIR is replaced and the former one kept; whenever a reseal is interrupted, the next one finishes it', async (t) => {
  // The user that PostgreSQL runs as must be able to reach the folder.
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-reseal-'));
  chmodSync(folder, 0o755);
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
  const dataDir = join(folder, 'data');
  const here = makeRunHere({ DATA_DIR: dataDir });
  const file = join(dataDir, 'master.key');
  const next = `${file}.next`;
  const none = await here.run('reseal');
  assert.deepEqual([none.code, none.stderr], [1, `lading: there is no ${file}, so there is no key to change\n`]);
  assert.equal(existsSync(dataDir), false);

  // Keeps PostgreSQL running between the commands.
  const postgres = await openEmbeddedPostgres({ dataDir });
  t.after(() => postgres.close());
  await here.json(['account', 'create', 'ALPHA', '--environment', 'uat']);
  const first = readFileSync(file, 'utf8').trim();
  const given = newKey();
  writeFileSync(join(folder, 'new.key'), given);
  const resealed = await here.json(['reseal', '--new-key-file', join(folder, 'new.key')]);
  assert.deepEqual([resealed.master_key_id, resealed.resealed], [idOf(given), 1]);
  assert.deepEqual(
    [readFileSync(file, 'utf8').trim(), statSync(file).mode & 0o777, existsSync(next)],
    [given, 0o600, false],
  );
  assert.equal(readFileSync(`${file}.${idOf(first)}`, 'utf8').trim(), first);

  // Interrupted after the commit, before the file was replaced.
  renameSync(file, next);
  copyFileSync(`${file}.${idOf(first)}`, file);
  const between = await here.run(['account', 'list']);
  assert.equal(between.code, 3);
  assert.match(between.stderr, /holds [0-9a-f]{8}; a change of the key was interrupted: run "lading reseal" again\n$/);
  writeFileSync(join(folder, 'other.key'), newKey());
  const other = await here.run(['reseal', '--new-key-file', join(folder, 'other.key')]);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /an earlier change of the key was interrupted, and its key is in .*master\.key\.next/);
  assert.deepEqual([(await here.json('reseal')).resealed, readFileSync(file, 'utf8').trim()], [0, given]);

  // Interrupted before the commit: the key that was made then is used.
  const made = newKey();
  writeFileSync(next, `${made}\n`, { mode: 0o600 });
  assert.equal((await here.run(['account', 'list'])).code, 0);
  assert.equal((await here.json('reseal')).resealed, 1);
  assert.deepEqual([readFileSync(file, 'utf8').trim(), existsSync(next)], [made, false]);
  assert.equal((await here.run(['sign', '{}', '--account', 'ALPHA'])).code, 0);
});
