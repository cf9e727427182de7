import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  operatorsChange,
  operatorsChangeOwnPassword,
  operatorsCreate,
  operatorsList,
  operatorsResetPassword,
} from '../../contract/console/operators.ts';
import {
  accountsChange,
  accountsCreate,
  accountsDetail,
  accountsList,
  type CreatedPartner,
  clientsChange,
  clientsCreate,
  clientsList,
  logisticsKeysChange,
  logisticsKeysCreate,
  logisticsKeysList,
  partnersAddresses,
  secretsRotate,
  storesCreate,
  storesList,
  tenantsChange,
  tenantsCreate,
  warehousesChange,
  warehousesCreate,
  warehousesList,
} from '../../contract/console/partners.ts';
import { sessionsList } from '../../contract/console/sessions.ts';
import { applyOne } from '../../server/domain/partners/apply-one.ts';
import { applyProvisioning } from '../../server/domain/partners/apply-provisioning.ts';
import { dumpTables } from '../partners/dump.ts';
import { startTestApp } from '../support/app.ts';
import { actionsOf, column, operators, provisionOperators, signIn, startConsole } from '../support/console.ts';
import { makeTestStore, type TestStore } from '../support/database.ts';
import { until } from '../support/worker.ts';

const { app, admin, viewer } = await startConsole();

const tea = { sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 };
const stocks = {};

function secretOf(answer: CreatedPartner, kind: string): string {
  assert.equal(answer.kind, 'created', JSON.stringify(answer));
  return (answer as Extract<CreatedPartner, { kind: 'created' }>).secrets.find((secret) => secret.kind === kind)!.value;
}

async function lastAction(action: string) {
  return (await actionsOf(app, action)).at(-1);
}

test('a new account shows its secret once, and can call with it at once', async () => {
  const created = await admin.ask(accountsCreate, { account_no: 'GAMMA', name: '格瑪選品', environment: 'uat' });
  const secret = secretOf(created, 'account_secret');
  assert.match(secret, /^las_/);
  assert.equal((await app.callWarehouse('/product/sync', tea, { accountNo: 'GAMMA', secret })).status, 200);
  assert.deepEqual(await lastAction('accounts/create'), {
    username: 'boss',
    subject: 'GAMMA',
    details: { name: '格瑪選品', environment: 'uat' },
    outcome: 'created',
  });

  const detail = await viewer.ask(accountsDetail, { account_no: 'GAMMA' });
  assert.deepEqual(
    [detail.name, detail.environment, detail.enabled, detail.warehouse_api, detail.secret.previous_valid_until],
    ['格瑪選品', 'uat', true, true, null],
  );
  assert.ok(detail.secret.since);
  assert.deepEqual(
    detail.history.map(({ who, subject_kind, subject, change, fields }) => [
      who,
      subject_kind,
      subject,
      change,
      fields.find(({ field }) => field === 'secret')?.after,
    ]),
    [['boss', 'account', 'GAMMA', 'created', 'set']],
  );
  await assertNowhere(secret);
});

async function partnersNow() {
  const { account, tenant, client, logistics_key, warehouse, store, operator, secret, partner_change } =
    await dumpTables(app.store.database);
  return { account, tenant, client, logistics_key, warehouse, store, operator, secret, partner_change };
}

/** In no answer of a list, in no table and in no log line. */
async function assertNowhere(secret: string): Promise<void> {
  const answers = [
    ...(await Promise.all(
      [accountsList, clientsList, logisticsKeysList, warehousesList, storesList, operatorsList].map((call) =>
        admin.ask(call, {}),
      ),
    )),
    await admin.ask(accountsDetail, { account_no: 'GAMMA' }),
    (await admin.send('/audit-log/search', {})).json,
    (await dumpTables(app.store.database)) as object,
    await app.store.database.read((sql) => sql`select * from operator_action`),
    app.logLines,
  ];
  assert.ok(answers.every((answer) => !JSON.stringify(answer).includes(secret)));
}

test('a rotation shows the new secret once, and the account how long the old one is valid; an unknown owner is not found', async () => {
  const created = await admin.ask(accountsCreate, { account_no: 'DELTA', environment: 'uat' });
  const before = secretOf(created, 'account_secret');
  const works = async (secret: string) =>
    (await app.callWarehouse('/product/sync', tea, { accountNo: 'DELTA', secret })).status === 200;
  const rotated = await admin.ask(secretsRotate, { kind: 'account_secret', owner: 'DELTA', overlap_s: 3600 });
  assert.ok(rotated.kind === 'rotated');
  const { value } = rotated.secret;
  assert.deepEqual([await works(value), await works(before)], [true, true]);
  const { secret } = await viewer.ask(accountsDetail, { account_no: 'DELTA' });
  assert.equal(new Date(secret.previous_valid_until!).getTime(), new Date(rotated.previous_valid_until!).getTime());
  assert.deepEqual((await lastAction('secrets/rotate'))?.details, { kind: 'account_secret', overlap_s: 3600 });

  const again = await admin.ask(secretsRotate, { kind: 'account_secret', owner: 'DELTA', overlap_s: 0 });
  assert.ok(again.kind === 'rotated' && again.previous_valid_until === null);
  assert.deepEqual(await admin.ask(secretsRotate, { kind: 'account_secret', owner: 'NOBODY', overlap_s: 0 }), {
    kind: 'not_found',
  });
  await assertNowhere(value);
});

test('a client can do what its permissions say, from the next call on; disabled, it and its tokens are refused', async () => {
  const created = await admin.ask(clientsCreate, {
    client_id: 'gamma-erp',
    account_no: 'GAMMA',
    permissions: ['stocks.read'],
  });
  const caller = { clientId: 'gamma-erp', checkValue: secretOf(created, 'check_value') };
  const status = async (path: string) => (await app.callMain(path, stocks, { as: caller })).status;
  assert.deepEqual([await status('/getStocksData/searchList'), await status('/getOrdersData/searchList')], [200, 403]);

  const changed = await admin.ask(clientsChange, { client_id: 'gamma-erp', permissions: ['orders.read'] });
  assert.deepEqual(changed, { kind: 'changed', fields: ['permissions'], secrets: [] });
  await until('the permission is gone', async () => (await status('/getStocksData/searchList')) === 403);
  assert.equal(await status('/getOrdersData/searchList'), 200);
  assert.deepEqual(await admin.ask(clientsChange, { client_id: 'gamma-erp', permissions: ['orders.read'] }), {
    kind: 'unchanged',
  });

  await admin.ask(clientsChange, { client_id: 'gamma-erp', enabled: false });
  await until('the client is refused', async () => (await status('/getOrdersData/searchList')) === 401);
  const [row] = (await viewer.ask(clientsList, {})).rows.filter(({ client_id }) => client_id === 'gamma-erp');
  assert.deepEqual(
    [row!.account_no, row!.enabled, row!.account_enabled, row!.permissions],
    ['GAMMA', false, true, ['orders.read']],
  );
  await assertNowhere(caller.checkValue);
});

test('a tenant and a key are created and changed; a disabled account refuses its key', async () => {
  const tenant = { account_no: 'GAMMA', warehouse_tpw_id: '台北一倉' };
  assert.deepEqual(await admin.ask(tenantsCreate, { ...tenant, warehouse_no: 1, store_no: 10 }), {
    kind: 'created',
    secrets: [],
  });
  assert.deepEqual(
    await admin.ask(tenantsChange, { ...tenant, sellable_days_before_expiry: 30, receiving: 'on_confirm' }),
    { kind: 'changed', fields: ['sellable_days_before_expiry', 'receiving'], secrets: [] },
  );
  const created = await admin.ask(logisticsKeysCreate, {
    account_no: 'GAMMA',
    name: 'wms',
    warehouse_no: 1,
    store_no: 10,
  });
  const key = { account_no: 'GAMMA', name: 'wms', sellable_days_before_expiry: null };
  assert.deepEqual(await admin.ask(logisticsKeysChange, key), {
    kind: 'changed',
    fields: ['sellable_days_before_expiry'],
    secrets: [],
  });
  const apiKey = secretOf(created, 'logistics_key');
  assert.match(secretOf(created, 'callback_secret'), /^whsec_/);
  const status = async () => (await app.callLogistics('/orders/order', {}, { apiKey })).status;
  assert.equal(await status(), 400);

  const { tenant_rows, key_rows, tenants, keys, history } = await viewer.ask(accountsDetail, { account_no: 'GAMMA' });
  const [{ created_at, ...row }] = tenant_rows as [(typeof tenant_rows)[number]];
  assert.ok(created_at);
  assert.deepEqual(row, {
    ...tenant,
    warehouse_no: 1,
    warehouse_name: 'Taoyuan',
    store_no: 10,
    store_name: 'Upload test',
    ...{ receiving: 'on_confirm', sellable_days_before_expiry: 30, over_delivery_percent: 0, enabled: true },
    callback_url: null,
    callback_secret: {
      ...{ kind: 'tenant_callback_secret', owner: 'GAMMA/台北一倉', is_weak: false },
      ...{ since: null, previous_valid_until: null },
    },
  });
  assert.deepEqual([tenants, keys, key_rows[0]!.name, key_rows[0]!.key.owner], [1, 1, 'wms', 'GAMMA/wms']);
  assert.equal(key_rows[0]!.sellable_days_before_expiry, null);
  assert.deepEqual(
    history.find(({ subject, change }) => subject === 'GAMMA/台北一倉' && change === 'changed')!.fields,
    [
      { field: 'receiving', before: 'on_create', after: 'on_confirm' },
      { field: 'sellable_days_before_expiry', before: 0, after: 30 },
    ],
  );

  await admin.ask(accountsChange, { account_no: 'GAMMA', enabled: false });
  await until('the key is refused', async () => (await status()) === 401);
  await admin.ask(accountsChange, { account_no: 'GAMMA', enabled: true });
  assert.equal(await status(), 400);
});

test('warehouses and stores are created and changed; the secret of an http connector is shown once', async () => {
  assert.deepEqual(await admin.ask(storesCreate, { store_no: 88, name: '官網' }), { kind: 'created', secrets: [] });
  const created = await admin.ask(warehousesCreate, {
    warehouse_no: 8,
    name: '林口倉',
    connector: { type: 'http', url: 'https://wms.example/orders' },
    transfer_every_s: 300,
  });
  await assertNowhere(secretOf(created, 'connector_secret'));
  const changed = await admin.ask(warehousesChange, { warehouse_no: 8, connector: { type: 'manual' } });
  assert.deepEqual([changed.kind, changed.kind === 'changed' && changed.fields], ['changed', ['connector']]);
  const warehouse = (await viewer.ask(warehousesList, {})).rows.find(({ warehouse_no }) => warehouse_no === 8)!;
  assert.deepEqual(
    [warehouse.name, warehouse.connector, warehouse.transfer_every_s],
    ['林口倉', { type: 'manual' }, 300],
  );
  assert.ok((await viewer.ask(storesList, {})).rows.some(({ store_no, name }) => store_no === 88 && name === '官網'));
  const { docs_url, warehouse_url } = await viewer.ask(partnersAddresses, {});
  assert.match(docs_url, /\/docs$/);
  assert.match(warehouse_url, /\/warehouse\/v1$/);
});

test('an impossible change is refused with its reason, is in the audit log, and changes nothing', async () => {
  const before = await partnersNow();
  const key = { account_no: 'ALPHA', name: 'other', warehouse_no: 404, store_no: 405 };
  for (const [path, body, reasons] of [
    ['/accounts/create', { account_no: 'ALPHA', environment: 'uat' }, ['exists null']],
    ['/clients/create', { client_id: 'new', account_no: 'NOBODY', permissions: [] }, ['unknown account_no']],
    ['/clients/change', { client_id: 'nobody', enabled: false }, ['unknown null']],
    ['/logistics-keys/create', key, ['unknown warehouse_no', 'unknown store_no']],
  ] as const) {
    const { json } = await admin.send(path, body);
    const problems = json.problems as { reason: string; field: string | null }[];
    assert.deepEqual([json.kind, problems.map(({ reason, field }) => `${reason} ${field}`)], ['refused', reasons]);
    assert.equal((await lastAction(path.slice(1)))?.outcome, 'refused');
  }
  for (const [path, body] of [
    ['/accounts/change', { account_no: 'ALPHA', environment: 'production' }],
    [
      '/accounts/create',
      { account_no: 'EPSILON', environment: 'uat', secret: 'chosen-of-thirty-two-characters-or-more' },
    ],
    ['/warehouses/create', { warehouse_no: 9, connector: { type: 'http' } }],
    ['/secrets/rotate', { kind: 'operator_password', owner: 'boss', overlap_s: 0 }],
  ] as const) {
    assert.equal((await admin.send(path, body)).status, 400, path);
  }
  assert.equal((await admin.send('/accounts/detail', { account_no: 'NOBODY' })).status, 404);
  assert.deepEqual(await partnersNow(), before);
});

test('the lists say when an account, a client and a key last called; a refused call does not count', async () => {
  const counted = await startTestApp();
  await provisionOperators(counted);
  const looker = await signIn(counted, 'viewer');
  /** Of ALPHA, its client and its key; BETA never calls. */
  const lastUsed = async () => {
    await counted.partnerUse.flush();
    const lists = await Promise.all([accountsList, clientsList, logisticsKeysList].map((call) => looker.ask(call, {})));
    return lists.map(({ rows }) => {
      const [ofAlpha, ofBeta] = rows;
      assert.equal(ofBeta!.last_used_at, null);
      return ofAlpha!.last_used_at && new Date(ofAlpha!.last_used_at).getTime();
    });
  };
  const at = (seconds: number) => {
    const instant = new Date(Date.parse('2026-11-16T08:00:00Z') + seconds * 1000);
    counted.clock.set(instant);
    return instant.getTime();
  };
  at(0);
  await counted.callWarehouse('/product/sync', tea, { secret: 'wrong' });
  await counted.callLogistics('/orders/order', {}, { apiKey: 'nobodys-of-thirty-two-characters-or-more' });
  assert.deepEqual(await lastUsed(), [null, null, null]);
  const signed = at(10);
  await counted.callWarehouse('/product/sync', tea);
  assert.deepEqual(await lastUsed(), [signed, null, null]);
  const called = at(20);
  await counted.callMain('/getStocksData/searchList', stocks);
  assert.deepEqual(await lastUsed(), [called, called, null]);
  const pushed = at(30);
  await counted.callLogistics('/orders/order', {});
  assert.deepEqual(await lastUsed(), [pushed, called, pushed]);
});

test('an operator is created with a password that is shown once; reset, the old one and all sessions end', async () => {
  const password = secretOf(
    await admin.ask(operatorsCreate, { username: 'night-shift', role: 'staff' }),
    'operator_password',
  );
  const signInWith = async (given: string) => {
    const payload = { username: 'night-shift', password: given };
    return (await app.http.inject({ method: 'POST', url: '/console/api/session/sign-in', payload })).json().kind;
  };
  assert.equal(await signInWith(password), 'signed_in');
  const row = async () => (await admin.ask(operatorsList, {})).rows.find(({ username }) => username === 'night-shift')!;
  assert.deepEqual([(await row()).role, (await row()).enabled, (await row()).open_sessions], ['staff', true, 1]);

  const reset = await admin.ask(operatorsResetPassword, { username: 'night-shift' });
  assert.ok(reset.kind === 'reset');
  assert.equal((await row()).open_sessions, 0);
  assert.deepEqual([await signInWith(password), await signInWith(reset.secret.value)], ['refused', 'signed_in']);
  assert.deepEqual(await admin.ask(operatorsResetPassword, { username: 'boss' }), { kind: 'own' });
  assert.deepEqual(await admin.ask(operatorsResetPassword, { username: 'nobody' }), { kind: 'not_found' });
  await assertNowhere(password);
  await assertNowhere(reset.secret.value);

  await admin.ask(operatorsChange, { username: 'night-shift', role: 'read-only', enabled: false });
  assert.equal(await signInWith(reset.secret.value), 'refused');
});

test('the last enabled admin can be neither disabled nor given another role', async () => {
  for (const change of [{ enabled: false }, { role: 'staff' as const }]) {
    const answer = await admin.ask(operatorsChange, { username: 'boss', ...change });
    assert.deepEqual(answer, {
      kind: 'refused',
      problems: [{ reason: 'last_admin', field: null, message: 'no enabled admin would be left' }],
    });
  }
  assert.deepEqual(await adminsOf(app.store), ['boss']);
});

async function adminsOf({ database }: TestStore): Promise<string[]> {
  const rows = await database.read(
    (sql) => sql`select username from operator where role = 'admin' and enabled order by username`,
  );
  return column(rows, 'username');
}

test('of four admins who are all demoted or disabled at once, exactly one is left', async (t) => {
  const store = await makeTestStore();
  t.after(() => store.close());
  const usernames = Array.from({ length: 4 }, (_, index) => `admin-${index}`);
  const admins = usernames.map((username) => ({ username, role: 'admin' as const, password: 'one for them all' }));
  await applyProvisioning(store.service, store.keyring, { operators: admins }, { actor: 'test' });

  // Not through the front door, where the first change of the admin who asks would turn the others away.
  const outcomes = await Promise.all(
    usernames.map((username, index) => {
      const operator = index % 2 === 0 ? { username, enabled: false } : { username, role: 'staff' };
      const options = { actor: 'test', expect: { kind: 'operator', state: 'existing' }, keepsAnAdmin: true } as const;
      return applyOne(store.service, store.keyring, { operators: [operator] }, options);
    }),
  );
  assert.deepEqual(column(outcomes, 'kind').toSorted(), ['applied', 'applied', 'applied', 'refused']);
  const refused = outcomes.findIndex(({ kind }) => kind === 'refused');
  assert.deepEqual(await adminsOf(store), [usernames[refused]]);
});

test('of twenty guesses at one’s own password at once ten are evaluated, and the password stays', async (t) => {
  const desk = await signIn(app, 'staff');
  const nowMs = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => nowMs);
  const kinds = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const given = { old_password: `guess ${index}`, new_password: 'a longer password' };
      return (await desk.ask(operatorsChangeOwnPassword, given)).kind;
    }),
  );
  const expected = [...Array(10).fill('throttled'), ...Array(10).fill('wrong_password')];
  assert.deepEqual(kinds.toSorted(), expected);
  const actions = await actionsOf(app, 'operators/change-own-password');
  assert.deepEqual(column(actions, 'outcome').toSorted(), expected);
  await signIn(app, 'staff');
});

test('operators change their own password with the old one: this session goes on, the others end', async () => {
  const [here, there] = [await signIn(app, 'viewer'), await signIn(app, 'viewer')];
  const change = (old_password: string, new_password: string) =>
    here.ask(operatorsChangeOwnPassword, { old_password, new_password });
  const { password } = operators.viewer;
  assert.deepEqual(await change('not this one', 'a longer password'), { kind: 'wrong_password' });
  assert.deepEqual(await change(password, password), { kind: 'same_password' });
  assert.equal((await there.send('/sessions/list', {})).status, 200);

  const changed = await change(password, '新密碼 with spaces');
  assert.ok(changed.kind === 'changed' && changed.sessions_ended >= 1, JSON.stringify(changed));
  assert.equal((await there.send('/sessions/list', {})).status, 401);
  assert.deepEqual(column((await here.ask(sessionsList, {})).sessions, 'is_current'), [true]);
  await assertNowhere('新密碼');
});
