import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { dumpTables } from '../partners/dump.ts';
import { settingsFor } from '../support/command.ts';
import { makeTestStore } from '../support/database.ts';
import { makeRunHere } from './run-here.ts';

const store = await makeTestStore();
const folder = mkdtempSync(join(tmpdir(), 'partner-commands-'));
after(async () => {
  rmSync(folder, { recursive: true });
  await store.close();
});
const { run, json } = makeRunHere(settingsFor(store));
const user = userInfo().username;

const passwordFile = join(folder, 'password');
writeFileSync(passwordFile, 'boss-password\n');

test('each kind of partner is created by its own command, with the secrets that were made', async () => {
  const created = [
    ...(await Promise.all([
      json([
        'warehouse',
        'create',
        '1',
        '--name',
        'Taoyuan',
        '--connector',
        'http',
        '--url',
        'https://w.example',
        '--transfer-every',
        '30',
      ]),
      json(['store', 'create', '10', '--name', 'Upload test', '--type', 'upload']),
      json(['account', 'create', 'ALPHA', '--environment', 'production', '--name', 'Alpha', '--no-warehouse-api']),
      json(['operator', 'create', 'boss', '--role', 'admin', '--password-file', passwordFile]),
    ])),
    ...(await Promise.all([
      json(['tenant', 'create', 'ALPHA', 'TPW-A', '--warehouse', '1', '--store', '10', '--receiving', 'on_create', '--sellable-days', '7']),
      json(['client', 'create', 'erp', '--account', 'ALPHA', '--permission', 'stocks.read', 'orders.read']),
      json(['key', 'create', 'wms', '--account', 'ALPHA', '--warehouse', '1', '--store', '10', '--sellable-days', 'none']),
    ])),
  ];

  assert.deepEqual(
    created.flatMap(({ changes }) => changes.map(({ kind, name, change }: Record<string, string>) => [kind, name, change])),
    [
      ['warehouse', '1', 'created'],
      ['store', '10', 'created'],
      ['account', 'ALPHA', 'created'],
      ['operator', 'boss', 'created'],
      ['tenant', 'ALPHA/TPW-A', 'created'],
      ['client', 'erp', 'created'],
      ['logistics_key', 'ALPHA/wms', 'created'],
    ],
  );
  assert.deepEqual(
    created.flatMap(({ secrets }) => secrets.map(({ kind, owner, value }: Record<string, string>) => [kind, owner, value!.slice(0, 4)])),
    [
      ['connector_secret', '1', 'whse'],
      ['account_secret', 'ALPHA', 'las_'],
      ['check_value', 'erp', 'lcv_'],
      ['logistics_key', 'ALPHA/wms', 'llk_'],
      ['callback_secret', 'ALPHA/wms', 'whse'],
    ],
  );
});

test('list shows each kind of partner with what it has, and no secret', async () => {
  const words = ['warehouse', 'store', 'account', 'tenant', 'client', 'key', 'operator'];
  const lists: Record<string, unknown>[][] = await Promise.all(words.map((word) => json([word, 'list'])));

  assert.deepEqual(
    lists.flat().map(({ created_at, ...partner }) => {
      assert.match(created_at as string, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      return partner;
    }),
    [
      { warehouse_no: 1, name: 'Taoyuan', connector: { type: 'http', url: 'https://w.example' }, transfer_every_s: 30 },
      { store_no: 10, name: 'Upload test', type: 'upload' },
      { account_no: 'ALPHA', name: 'Alpha', environment: 'production', warehouse_api: false, enabled: true },
      {
        account_no: 'ALPHA',
        warehouse_tpw_id: 'TPW-A',
        warehouse_no: 1,
        store_no: 10,
        receiving: 'on_create',
        sellable_days_before_expiry: 7,
        over_delivery_percent: 0,
        enabled: true,
      },
      { client_id: 'erp', account_no: 'ALPHA', permissions: ['orders.read', 'stocks.read'], enabled: true },
      {
        name: 'wms',
        account_no: 'ALPHA',
        warehouse_no: 1,
        store_no: 10,
        receiving: 'on_confirm',
        sellable_days_before_expiry: null,
        over_delivery_percent: 0,
        enabled: true,
      },
      { username: 'boss', role: 'admin', enabled: true },
    ],
  );
});

test('in words, a list is a table', async () => {
  const { code, stdout, stderr } = await run(['store', 'list']);
  assert.deepEqual([code, stderr], [0, '']);
  const [head, row, ...rest] = stdout.trimEnd().split('\n');
  assert.match(head!, /^store_no {2}name {9}type {4}created_at$/);
  assert.match(row!, /^10 {8}Upload test {2}upload {2}\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  assert.deepEqual(rest, []);
});

const refused: [args: string[], code: number, message: string][] = [
  [['account', 'create', 'ALPHA', '--environment', 'uat'], 1, 'lading: nothing was changed:\n  account ALPHA already exists\n'],
  [
    ['tenant', 'create', 'NOBODY', 'T', '--warehouse', '1', '--store', '10'],
    1,
    'lading: nothing was changed:\n  account NOBODY does not exist\n',
  ],
  [
    ['key', 'create', 'k', '--account', 'ALPHA', '--warehouse', '2', '--store', '3'],
    1,
    'lading: nothing was changed:\n  warehouse 2 does not exist\n  store 3 does not exist\n',
  ],
  [['client', 'disable', 'nobody'], 1, 'lading: nothing was changed:\n  client nobody does not exist\n'],
  [['operator', 'history', 'nobody'], 1, 'lading: operator nobody does not exist\n'],
  [['warehouse', 'create', 'one'], 2, 'lading: nothing was changed:\n  warehouse_no: must be integer\n'],
  [['store', 'create', '0'], 2, 'lading: nothing was changed:\n  store_no: must be >= 1\n'],
  [['account', 'rotate', 'NOBODY'], 1, 'lading: there is no account secret of NOBODY; nothing was changed\n'],
  [
    ['account', 'create', 'TWO WORDS', '--environment', 'uat'],
    2,
    'lading: nothing was changed:\n  account_no: must be 1-64 visible ASCII characters without spaces\n',
  ],
  [['warehouse', 'create', '2', '--connector', 'http'], 1, 'lading: nothing was changed:\n  a connector of type http needs a url\n'],
];

test('what cannot be done is refused with its reason and exit code, and nothing is changed', async () => {
  const before = await dumpTables(store.database);
  const results = await Promise.all(refused.map(([args]) => run(args)));

  assert.deepEqual(
    results,
    refused.map(([, code, stderr]) => ({ code, stdout: '', stderr })),
  );
  assert.deepEqual(await dumpTables(store.database), before);
});

test('disable and enable change that, and nothing else; disabled twice is no change', async () => {
  const enabledOf = async () => {
    const [row] = await store.database.read(
      (sql) => sql`
        select account.enabled as account, tenant.enabled as tenant, client.enabled as client, k.enabled as key, operator.enabled as operator
        from account, tenant, client, logistics_key k, operator`,
    );
    return { ...row };
  };
  const disabled = await Promise.all([
    json(['account', 'disable', 'ALPHA']),
    json(['tenant', 'disable', 'ALPHA', 'TPW-A']),
    json(['client', 'disable', 'erp']),
    json(['key', 'disable', 'wms', '--account', 'ALPHA']),
    json(['operator', 'disable', 'boss']),
  ]);
  for (const { changes, secrets } of disabled) {
    assert.deepEqual([changes.length, changes[0].change, changes[0].fields, secrets], [1, 'changed', ['enabled'], []]);
  }
  assert.deepEqual(await enabledOf(), { account: false, tenant: false, client: false, key: false, operator: false });

  const [again, enabled] = await Promise.all([run(['client', 'disable', 'erp']), run(['account', 'enable', 'ALPHA'])]);
  assert.deepEqual(again, { code: 0, stdout: 'no changes\n', stderr: '' });
  assert.deepEqual(enabled, { code: 0, stdout: 'changed account ALPHA: enabled\n', stderr: '' });
  assert.deepEqual(await enabledOf(), { account: true, tenant: false, client: false, key: false, operator: false });
});

async function endsOf(kind: string): Promise<(number | null)[]> {
  const rows = await store.database.read(
    (sql) => sql`
      select extract(epoch from valid_until - (select max(created_at) from secret s where s.kind = secret.kind))::int as seconds
      from secret where kind = ${kind} and (valid_until is null or valid_until > now()) order by valid_until nulls first`,
  );
  return rows.map(({ seconds }) => seconds);
}

test('rotate shows a new secret once; the one before stays valid for the overlap', async () => {
  const [account, key, callback, client] = await Promise.all([
    json(['account', 'rotate', 'ALPHA']),
    json(['key', 'rotate', 'wms', '--account', 'ALPHA', '--overlap', '30m']),
    json(['key', 'rotate', 'wms', '--account', 'ALPHA', '--callback-secret', '--overlap', '7d']),
    json(['client', 'rotate', 'erp', '--overlap', '0']),
  ]);

  assert.deepEqual(
    [account, key, callback, client].map(({ kind, owner, value }) => [kind, owner, value.slice(0, 4)]),
    [
      ['account_secret', 'ALPHA', 'las_'],
      ['logistics_key', 'ALPHA/wms', 'llk_'],
      ['callback_secret', 'ALPHA/wms', 'whse'],
      ['check_value', 'erp', 'lcv_'],
    ],
  );
  assert.deepEqual(await endsOf('account_secret'), [null, 24 * 3600]);
  assert.deepEqual(await endsOf('logistics_key'), [null, 30 * 60]);
  assert.deepEqual(await endsOf('callback_secret'), [null, 7 * 24 * 3600]);
  assert.deepEqual(await endsOf('check_value'), [null]);
});

test('rotate in words says what becomes of the one before; a password has no overlap unless one is asked for', async () => {
  const [warehouse, operator] = await Promise.all([
    run(['warehouse', 'rotate', '1', '--overlap', '90s']),
    run(['operator', 'rotate', 'boss']),
  ]);

  assert.deepEqual([warehouse.code, warehouse.stderr, operator.code, operator.stderr], [0, '', 0, '']);
  assert.match(
    warehouse.stdout,
    /^new connector secret of 1, shown this once: whsec_[A-Za-z0-9+/]{43}=\nthe one before stays valid until \d{4}-\d\d-\d\dT[\d:.]+Z\n$/,
  );
  assert.match(operator.stdout, /^new password of boss, shown this once: lop_[A-Za-z0-9_-]{43}\nthe one before is no longer valid\n$/);
  assert.deepEqual(await endsOf('operator_password'), [null]);
});

test('history shows every change of a partner: when, by which command of whom, and what, without secrets', async () => {
  const [asJson, words] = await Promise.all([json(['account', 'history', 'ALPHA']), run(['key', 'history', 'wms', '--account', 'ALPHA'])]);

  assert.deepEqual(
    asJson.map(({ actor, subject_kind, subject, change }: Record<string, string>) => [actor, subject_kind, subject, change]),
    [
      [`account create (${user})`, 'account', 'ALPHA', 'created'],
      [`account disable (${user})`, 'account', 'ALPHA', 'changed'],
      [`account enable (${user})`, 'account', 'ALPHA', 'changed'],
      [`account rotate (${user})`, 'account', 'ALPHA', 'rotated'],
    ],
  );
  assert.deepEqual(asJson[0].fields, { name: 'Alpha', environment: 'production', warehouse_api: false, enabled: true, secret: 'set' });
  assert.deepEqual(asJson[1].fields, { enabled: false });
  for (const { changed_at } of asJson) assert.match(changed_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  assert.deepEqual([words.code, words.stderr], [0, '']);
  const [head, ...lines] = words.stdout.trimEnd().split('\n');
  assert.match(head!, /^changed_at +actor +change +fields$/);
  assert.equal(lines.length, 4);
  assert.ok(lines[0]!.includes(`key create (${user})`) && lines[0]!.includes('"callback_secret":"set"'), lines[0]);
});
