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
writeFileSync(passwordFile, 'a phrase for boss only\n');

test('each kind of partner is created by its own command, with new secrets', async () => {
  const place = '--account ALPHA --warehouse 1 --store 10';
  const created = [
    await json('warehouse create 1 --name Taoyuan --connector http --url https://w.example --transfer-every 30'),
    await json('store create 10 --type upload --name', 'Upload test'),
    await json('account create ALPHA --environment production --name Alpha --no-warehouse-api'),
    await json(`operator create boss --role admin --password-file ${passwordFile}`),
    await json('tenant create ALPHA TPW-A --warehouse 1 --store 10 --receiving on_create --sellable-days 7'),
    await json('client create erp --account ALPHA --permission stocks.read orders.read'),
    await json(`key create wms ${place} --sellable-days none`),
  ];
  assert.deepEqual(
    created.flatMap(({ changes }) =>
      changes.map(({ kind, name, change }: Record<string, string>) => `${change} ${kind} ${name}`),
    ),
    [
      ...['created warehouse 1', 'created store 10', 'created account ALPHA', 'created operator boss'],
      ...['created tenant ALPHA/TPW-A', 'created client erp', 'created logistics_key ALPHA/wms'],
    ],
  );
  assert.deepEqual(
    created.flatMap(({ secrets }) =>
      secrets.map(({ kind, owner, value }: Record<string, string>) => `${kind} ${owner} ${value!.slice(0, 4)}`),
    ),
    [
      ...['connector_secret 1 whse', 'account_secret ALPHA las_', 'check_value erp lcv_'],
      ...['logistics_key ALPHA/wms llk_', 'callback_secret ALPHA/wms whse'],
    ],
  );
});

test('list shows each kind of partner with its fields, and no secret; in words it is a table', async () => {
  const kinds = ['warehouse', 'store', 'account', 'tenant', 'client', 'key', 'operator'];
  const lists: Record<string, unknown>[][] = await Promise.all(kinds.map((kind) => json(`${kind} list`)));
  const place = { account_no: 'ALPHA', warehouse_no: 1, store_no: 10, over_delivery_percent: 0, enabled: true };
  assert.deepEqual(
    lists.flat().map(({ created_at, ...partner }) => {
      assert.match(created_at as string, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      return partner;
    }),
    [
      {
        ...{ warehouse_no: 1, name: 'Taoyuan', connector: { type: 'http', url: 'https://w.example' } },
        ...{ transfer_every_s: 30, cut_off: null, working_days: ['mon', 'tue', 'wed', 'thu', 'fri'] },
      },
      { store_no: 10, name: 'Upload test', type: 'upload' },
      {
        ...{ account_no: 'ALPHA', name: 'Alpha', environment: 'production', warehouse_api: false, enabled: true },
        callback_url: null,
      },
      {
        ...place,
        warehouse_tpw_id: 'TPW-A',
        receiving: 'on_create',
        sellable_days_before_expiry: 7,
        callback_url: null,
      },
      { client_id: 'erp', account_no: 'ALPHA', permissions: ['orders.read', 'stocks.read'], enabled: true },
      { ...place, name: 'wms', receiving: 'on_confirm', receive_after_s: 0, sellable_days_before_expiry: null },
      {
        username: 'boss',
        role: 'admin',
        warehouse_nos: null,
        enabled: true,
        totp: false,
        oidc: false,
        weak_password: false,
      },
    ],
  );

  const { code, stdout, stderr } = await run('store list');
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(
    stdout,
    /^store_no {2}name {9}type {4}created_at\n10 {8}Upload test {2}upload {2}\d{4}-\d\d-\d\d [\d:]{8}\n$/,
  );
});

const refused: [command: string, code: number, message: string][] = [
  ['account create ALPHA --environment uat', 1, 'nothing was changed:\n  account ALPHA already exists'],
  ['tenant create NOBODY T --warehouse 1 --store 10', 1, 'nothing was changed:\n  account NOBODY does not exist'],
  [
    'key create k --account ALPHA --warehouse 2 --store 3',
    1,
    'nothing was changed:\n  warehouse 2 does not exist\n  store 3 does not exist',
  ],
  ['client disable nobody', 1, 'nothing was changed:\n  client nobody does not exist'],
  ['operator create mei --role staff --warehouse 1 9', 1, 'nothing was changed:\n  warehouse 9 does not exist'],
  ['operator warehouses nobody --all', 1, 'nothing was changed:\n  operator nobody does not exist'],
  ['operator warehouses boss', 2, 'give either --only or --all'],
  ['operator history nobody', 1, 'operator nobody does not exist'],
  ['warehouse create one', 2, 'nothing was changed:\n  warehouse_no: must be a whole number between 1 and 2147483647'],
  ['store create 0', 2, 'nothing was changed:\n  store_no: must be a whole number between 1 and 2147483647'],
  ['account rotate NOBODY', 1, 'there is no account secret of NOBODY; nothing was changed'],
  [
    'account create 茶 --environment uat',
    2,
    'nothing was changed:\n  account_no: must be 1-64 visible ASCII characters without spaces',
  ],
  ['warehouse create 2 --connector http', 1, 'nothing was changed:\n  a connector of type http needs a url'],
];

test('a command that is refused says why with its exit code, and changes nothing', async () => {
  const before = await dumpTables(store.database);
  for (const [command, code, message] of refused)
    assert.deepEqual(await run(command), { code, stdout: '', stderr: `lading: ${message}\n` });
  assert.deepEqual(await dumpTables(store.database), before);
});

test('disable and enable change only that; disabled twice is no change', async () => {
  const enabledOf = async () => {
    const [row] = await store.database.read(
      (sql) => sql`
        select account.enabled as account, tenant.enabled as tenant, client.enabled as client, k.enabled as key, operator.enabled as operator
        from account, tenant, client, logistics_key k, operator`,
    );
    return { ...row };
  };
  const disabled = { account: false, tenant: false, client: false, key: false, operator: false };
  const owners = ['account disable ALPHA', 'tenant disable ALPHA TPW-A', 'client disable erp'];
  for (const command of [...owners, 'key disable wms --account ALPHA', 'operator disable boss']) {
    const { changes, secrets } = await json(command);
    assert.deepEqual([changes.length, changes[0].change, changes[0].fields, secrets], [1, 'changed', ['enabled'], []]);
  }
  assert.deepEqual(await enabledOf(), disabled);

  assert.deepEqual(await run('client disable erp'), { code: 0, stdout: 'no changes\n', stderr: '' });
  const enabled = await run('account enable ALPHA');
  assert.deepEqual(enabled, { code: 0, stdout: 'changed account ALPHA: enabled\n', stderr: '' });
  assert.deepEqual(await enabledOf(), { ...disabled, account: true });
});

/** How long the secrets of a kind stay valid, in seconds after the newest was made. */
async function endsOf(kind: string): Promise<(number | null)[]> {
  const rows = await store.database.read(
    (sql) => sql`
      select extract(epoch from valid_until - (select max(created_at) from secret s where s.kind = secret.kind))::int as seconds
      from secret where kind = ${kind} and (valid_until is null or valid_until > now()) order by valid_until nulls first`,
  );
  return rows.map(({ seconds }) => seconds);
}

const rotations: [command: string, kind: string, issued: string, ends: (number | null)[]][] = [
  ['account rotate ALPHA', 'account_secret', 'ALPHA las_', [null, 24 * 3600]],
  ['key rotate wms --account ALPHA --overlap 30m', 'logistics_key', 'ALPHA/wms llk_', [null, 30 * 60]],
  [
    'key rotate wms --account ALPHA --callback-secret --overlap 7d',
    'callback_secret',
    'ALPHA/wms whse',
    [null, 7 * 24 * 3600],
  ],
  ['client rotate erp --overlap 0', 'check_value', 'erp lcv_', [null]],
];
test('rotate shows a new secret once; the previous one stays valid for the overlap', async () => {
  for (const [command, kind, issued, ends] of rotations) {
    const rotated = await json(command);
    assert.deepEqual([rotated.kind, `${rotated.owner} ${rotated.value.slice(0, 4)}`], [kind, issued]);
    assert.deepEqual(await endsOf(kind), ends, command);
  }
});

test('rotate in words says how long the previous secret stays valid; a password has no overlap unless asked for', async () => {
  const [warehouse, operator] = [await run('warehouse rotate 1 --overlap 90s'), await run('operator rotate boss')];
  assert.deepEqual([warehouse.code, warehouse.stderr, operator.code, operator.stderr], [0, '', 0, '']);
  assert.match(
    warehouse.stdout,
    /^new connector secret of 1, shown only once: whsec_[A-Za-z0-9+/]{43}=\nthe previous one remains valid until \d{4}-\d\d-\d\d [\d:]{8}\n$/,
  );
  assert.match(
    operator.stdout,
    /^new password of boss, shown only once: lop_[A-Za-z0-9_-]{43}\nthe previous one is no longer valid\n$/,
  );
  assert.deepEqual(await endsOf('operator_password'), [null]);
});

test('history shows every change of a partner: its time, command, user and fields, without secrets', async () => {
  const changes = await json('account history ALPHA');
  const shown = ({ actor, subject_kind, subject, change }: Record<string, string>) =>
    `${actor}: ${subject_kind} ${subject} ${change}`;
  assert.deepEqual(changes.map(shown), [
    `account create (${user}): account ALPHA created`,
    `account disable (${user}): account ALPHA changed`,
    `account enable (${user}): account ALPHA changed`,
    `account rotate (${user}): account ALPHA rotated`,
  ]);
  const fields = { name: 'Alpha', environment: 'production', warehouse_api: false, enabled: true, secret: 'set' };
  assert.deepEqual([changes[0].fields, changes[1].fields], [fields, { enabled: false }]);
  for (const { changed_at } of changes) assert.match(changed_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);

  const { code, stdout, stderr } = await run('key history wms --account ALPHA');
  assert.deepEqual([code, stderr], [0, '']);
  const [head, ...lines] = stdout.trimEnd().split('\n');
  assert.match(head!, /^changed_at +actor +change +fields$/);
  assert.equal(lines.length, 4);
  assert.ok(lines[0]!.includes(`key create (${user})`) && lines[0]!.includes('"callback_secret":"set"'), lines[0]);
});

test('reset-totp removes the codes of an operator, and break-glass allows a password for a while; both are in the history', async () => {
  assert.deepEqual(await run('operator reset-totp boss'), {
    code: 1,
    stdout: '',
    stderr: 'lading: operator boss has no one-time codes; nothing was changed\n',
  });
  await store.database.transaction(async (tx) => {
    await tx`insert into operator_totp (username, last_step) values ('boss', 1)`;
    await tx`insert into operator_recovery_code (username, digest) values ('boss', '\\x00')`;
  });
  assert.deepEqual(await json('operator reset-totp boss'), { username: 'boss', sessions_ended: 0 });
  const left = await store.database.read(
    (sql) => sql`select from operator_totp union all select from operator_recovery_code`,
  );
  assert.equal(left.length, 0);

  const { password_until } = await json('operator break-glass boss --for 2h');
  const [until] = await store.database.read(
    (sql) => sql`select password_until, password_until > now() + interval '90 minutes' as is_later from operator`,
  );
  assert.deepEqual([until!.password_until.toISOString(), until!.is_later], [password_until, true]);
  assert.deepEqual(await json('operator break-glass boss --for 0'), { username: 'boss', password_until: null });
  const nobody = await run('operator break-glass nobody');
  assert.deepEqual([nobody.code, nobody.stderr], [1, 'lading: operator nobody has no password; nothing was changed\n']);
  const history = (await json('operator history boss')).slice(-3);
  assert.deepEqual(
    history.map(({ actor, fields }: { actor: string; fields: object }) => [actor, fields]),
    [
      [`operator reset-totp (${user})`, { totp: 'removed' }],
      [`operator break-glass (${user})`, { password_until }],
      [`operator break-glass (${user})`, { password_until: null }],
    ],
  );
});

test('an operator is restricted to warehouses when created or later, and the restriction can end', async () => {
  const warehousesOf = async () => {
    const rows: Record<string, unknown>[] = await json('operator list');
    return rows.find(({ username }) => username === 'packer')?.warehouse_nos;
  };
  await json('operator create packer --role staff --warehouse 1');
  assert.deepEqual(await warehousesOf(), [1]);
  await json('operator warehouses packer --all');
  assert.equal(await warehousesOf(), null);
  await json('operator warehouses packer --only 1');
  assert.deepEqual(await warehousesOf(), [1]);
  await json('operator disable packer');
});
