import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountsChange, accountsCreate, accountsDetail, accountsList } from '../../contract/console/accounts.ts';
import type { AnswerOf } from '../../contract/console/console-call.ts';
import {
  operatorsChange,
  operatorsChangeOwnPassword,
  operatorsCreate,
  operatorsList,
  operatorsResetPassword,
} from '../../contract/console/operators.ts';
import { partnersAddresses } from '../../contract/console/partner-addresses.ts';
import { clientsChange, clientsCreate, clientsList } from '../../contract/console/partner-clients.ts';
import { logisticsKeysChange, logisticsKeysCreate, logisticsKeysList } from '../../contract/console/partner-keys.ts';
import { storesCreate, storesList, warehousesChange, warehousesCreate, warehousesList } from '../../contract/console/partner-places.ts';
import { tenantsChange, tenantsCreate } from '../../contract/console/partner-tenants.ts';
import type { CreatedPartner } from '../../contract/console/partner-values.ts';
import { secretsRotate } from '../../contract/console/secrets-rotate.ts';
import { sessionsList } from '../../contract/console/session.ts';
import { applyOne } from '../../server/domain/partners/apply-one.ts';
import { dumpTables } from '../partners/dump.ts';
import { alpha, startTestApp, type TestApp } from '../support/app.ts';
import { operators, provisionOperators, signIn } from '../support/console.ts';
import { patienceSeconds } from '../support/database.ts';

const app = await startTestApp();
await provisionOperators(app);
const [admin, staff, viewer] = [await signIn(app, 'admin'), await signIn(app, 'staff'), await signIn(app, 'viewer')];

const tea = { sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 };
const stocks = {};

function secretOf(answer: CreatedPartner, kind: string): string {
  assert.equal(answer.kind, 'created', JSON.stringify(answer));
  return (answer as Extract<CreatedPartner, { kind: 'created' }>).secrets.find((secret) => secret.kind === kind)!.value;
}

async function untilEquals<T>(look: () => Promise<T>, wanted: T): Promise<void> {
  const deadline = performance.now() + patienceSeconds * 1000;
  while ((await look()) !== wanted) {
    assert.ok(performance.now() < deadline, `it did not become ${wanted}`);
    await sleep(50);
  }
}

async function lastAction(action: string) {
  const [row] = await app.store.database.read(
    (sql) =>
      sql`select username, subject, account_no, details, outcome from operator_action where action = ${action} order by operator_action_id desc limit 1`,
  );
  return row && { ...row };
}

test('an account that is created is shown its secret once, and can call with it at once', async () => {
  const created = await admin.ask(accountsCreate, { account_no: 'GAMMA', name: '格瑪選品', environment: 'uat' });
  const secret = secretOf(created, 'account_secret');
  assert.match(secret, /^las_/);
  assert.equal((await app.callWarehouse('/product/sync', tea, { accountNo: 'GAMMA', secret })).status, 200);
  assert.deepEqual(await lastAction('accounts/create'), {
    username: 'boss',
    subject: 'GAMMA',
    account_no: 'GAMMA',
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
  const { account, tenant, client, logistics_key, warehouse, store, operator, secret, partner_change } = await dumpTables(
    app.store.database,
  );
  return { account, tenant, client, logistics_key, warehouse, store, operator, secret, partner_change };
}

/** In no answer of a list, in no table and in no log line. */
async function assertNowhere(secret: string): Promise<void> {
  const answers = [
    ...(await Promise.all(
      [accountsList, clientsList, logisticsKeysList, warehousesList, storesList, operatorsList].map((call) => admin.ask(call, {})),
    )),
    await admin.ask(accountsDetail, { account_no: 'GAMMA' }),
    (await admin.send('/audit-log/search', {})).json,
    (await dumpTables(app.store.database)) as object,
    await app.store.database.read((sql) => sql`select * from operator_action`),
    app.logLines,
  ];
  assert.ok(answers.every((answer) => !JSON.stringify(answer).includes(secret)));
}

test('rotated with an overlap both secrets work, and after it only the new one; without one the old one ends at once', async () => {
  const before = secretOf(await admin.ask(accountsCreate, { account_no: 'DELTA', environment: 'uat' }), 'account_secret');
  const works = async (secret: string) => (await app.callWarehouse('/product/sync', tea, { accountNo: 'DELTA', secret })).status === 200;
  assert.ok(await works(before));

  const rotated = await admin.ask(secretsRotate, { kind: 'account_secret', owner: 'DELTA', overlap_s: 3600 });
  assert.ok(rotated.kind === 'rotated');
  const { value } = rotated.secret;
  assert.deepEqual([await works(value), await works(before)], [true, true]);
  const { secret } = await viewer.ask(accountsDetail, { account_no: 'DELTA' });
  assert.equal(new Date(secret.previous_valid_until!).getTime(), new Date(rotated.previous_valid_until!).getTime());
  assert.deepEqual((await lastAction('secrets/rotate'))?.details, { kind: 'account_secret', overlap_s: 3600 });

  app.clock.set(new Date(Date.now() + 3_601_000));
  assert.deepEqual([await works(value), await works(before)], [true, false]);
  app.clock.set(null);

  const again = await admin.ask(secretsRotate, { kind: 'account_secret', owner: 'DELTA', overlap_s: 0 });
  assert.ok(again.kind === 'rotated' && again.previous_valid_until === null);
  assert.ok(await works(again.secret.value));
  await untilEquals(() => works(value), false);
  assert.deepEqual(await admin.ask(secretsRotate, { kind: 'account_secret', owner: 'NOBODY', overlap_s: 0 }), { kind: 'not_found' });
  await assertNowhere(value);
});

test('a client can do what its permissions say, from the next call on; disabled, it and its tokens are refused', async () => {
  const created = await admin.ask(clientsCreate, { client_id: 'gamma-erp', account_no: 'GAMMA', permissions: ['stocks.read'] });
  const caller = { clientId: 'gamma-erp', checkValue: secretOf(created, 'check_value') };
  const status = async (path: string) => (await app.callMain(path, stocks, { as: caller })).status;
  assert.deepEqual([await status('/getStocksData/searchList'), await status('/getOrdersData/searchList')], [200, 403]);

  const changed = await admin.ask(clientsChange, { client_id: 'gamma-erp', permissions: ['orders.read'] });
  assert.deepEqual(changed, { kind: 'changed', fields: ['permissions'], secrets: [] });
  await untilEquals(() => status('/getStocksData/searchList'), 403);
  assert.equal(await status('/getOrdersData/searchList'), 200);
  assert.deepEqual(await admin.ask(clientsChange, { client_id: 'gamma-erp', permissions: ['orders.read'] }), { kind: 'unchanged' });

  await admin.ask(clientsChange, { client_id: 'gamma-erp', enabled: false });
  await untilEquals(() => status('/getOrdersData/searchList'), 401);
  const [row] = (await viewer.ask(clientsList, {})).rows.filter(({ client_id }) => client_id === 'gamma-erp');
  assert.deepEqual([row!.account_no, row!.enabled, row!.account_enabled, row!.permissions], ['GAMMA', false, true, ['orders.read']]);
  await assertNowhere(caller.checkValue);
});

test('a tenant and a key are created and changed; a disabled account refuses its key', async () => {
  const tenant = { account_no: 'GAMMA', warehouse_tpw_id: '台北一倉' };
  assert.deepEqual(await admin.ask(tenantsCreate, { ...tenant, warehouse_no: 1, store_no: 10 }), { kind: 'created', secrets: [] });
  assert.deepEqual(await admin.ask(tenantsChange, { ...tenant, sellable_days_before_expiry: 30, receiving: 'on_confirm' }), {
    kind: 'changed',
    fields: ['sellable_days_before_expiry', 'receiving'],
    secrets: [],
  });
  const created = await admin.ask(logisticsKeysCreate, { account_no: 'GAMMA', name: 'wms', warehouse_no: 1, store_no: 10 });
  const key = { account_no: 'GAMMA', name: 'wms', sellable_days_before_expiry: null };
  assert.deepEqual(await admin.ask(logisticsKeysChange, key), { kind: 'changed', fields: ['sellable_days_before_expiry'], secrets: [] });
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
    receiving: 'on_confirm',
    sellable_days_before_expiry: 30,
    over_delivery_percent: 0,
    enabled: true,
  });
  assert.deepEqual([tenants, keys, key_rows[0]!.name, key_rows[0]!.key.owner], [1, 1, 'wms', 'GAMMA/wms']);
  assert.equal(key_rows[0]!.sellable_days_before_expiry, null);
  assert.deepEqual(history.find(({ subject, change }) => subject === 'GAMMA/台北一倉' && change === 'changed')!.fields, [
    { field: 'receiving', before: 'on_create', after: 'on_confirm' },
    { field: 'sellable_days_before_expiry', before: 0, after: 30 },
  ]);

  await admin.ask(accountsChange, { account_no: 'GAMMA', enabled: false });
  await untilEquals(status, 401);
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
  assert.deepEqual([warehouse.name, warehouse.connector, warehouse.transfer_every_s], ['林口倉', { type: 'manual' }, 300]);
  assert.ok((await viewer.ask(storesList, {})).rows.some(({ store_no, name }) => store_no === 88 && name === '官網'));
  const { docs_url, warehouse_url } = await viewer.ask(partnersAddresses, {});
  assert.match(docs_url, /\/docs$/);
  assert.match(warehouse_url, /\/warehouse\/v1$/);
});

test('what cannot be is refused with its reason, is audited, and changes nothing', async () => {
  const before = await partnersNow();
  const reasons = async (answer: Promise<{ kind: string; problems?: { reason: string; field: string | null }[] }>) => {
    const { kind, problems = [] } = await answer;
    return [kind, ...problems.map(({ reason, field }) => `${reason} ${field}`)];
  };
  assert.deepEqual(await reasons(admin.ask(accountsCreate, { account_no: 'ALPHA', environment: 'uat' }) as never), [
    'refused',
    'exists null',
  ]);
  assert.equal((await lastAction('accounts/create'))?.outcome, 'refused');
  assert.deepEqual(await reasons(admin.ask(clientsCreate, { client_id: 'new', account_no: 'NOBODY', permissions: [] }) as never), [
    'refused',
    'unknown account_no',
  ]);
  assert.deepEqual(await reasons(admin.ask(clientsChange, { client_id: 'nobody', enabled: false }) as never), ['refused', 'unknown null']);
  const key = { account_no: 'ALPHA', name: 'other', warehouse_no: 404, store_no: 405 };
  assert.deepEqual(await reasons(admin.ask(logisticsKeysCreate, key) as never), ['refused', 'unknown warehouse_no', 'unknown store_no']);
  for (const [path, body] of [
    ['/accounts/create', { account_no: 'TWO WORDS', environment: 'uat' }],
    ['/accounts/change', { account_no: 'ALPHA', environment: 'production' }],
    ['/accounts/create', { account_no: 'EPSILON', environment: 'uat', secret: 'chosen' }],
    ['/warehouses/create', { warehouse_no: 9, connector: { type: 'http' } }],
    ['/secrets/rotate', { kind: 'operator_password', owner: 'boss', overlap_s: 0 }],
  ] as const) {
    assert.equal((await admin.send(path, body)).status, 400, path);
  }
  assert.equal((await admin.send('/accounts/detail', { account_no: 'NOBODY' })).status, 404);
  assert.deepEqual(await partnersNow(), before);
});

test('everybody may look; only an admin may change, see operators or the audit log; a refused call changes nothing', async () => {
  const before = await partnersNow();
  const changes: [path: string, body: object][] = [
    ['/accounts/create', { account_no: 'ZETA', environment: 'uat' }],
    ['/accounts/change', { account_no: 'ALPHA', enabled: false }],
    ['/tenants/create', { account_no: 'ALPHA', warehouse_tpw_id: 'T', warehouse_no: 1, store_no: 10 }],
    ['/tenants/change', { account_no: 'ALPHA', warehouse_tpw_id: 'TPW-A', enabled: false }],
    ['/clients/create', { client_id: 'z', account_no: 'ALPHA', permissions: [] }],
    ['/clients/change', { client_id: alpha.clientId, enabled: false }],
    ['/logistics-keys/create', { account_no: 'ALPHA', name: 'z', warehouse_no: 1, store_no: 10 }],
    ['/logistics-keys/change', { account_no: 'ALPHA', name: 'wms', enabled: false }],
    ['/warehouses/create', { warehouse_no: 99 }],
    ['/warehouses/change', { warehouse_no: 1, name: 'Elsewhere' }],
    ['/stores/create', { store_no: 99 }],
    ['/stores/change', { store_no: 10, name: 'Elsewhere' }],
    ['/secrets/rotate', { kind: 'account_secret', owner: 'ALPHA', overlap_s: 0 }],
    ['/operators/create', { username: 'z', role: 'admin' }],
    ['/operators/change', { username: 'packer', role: 'admin' }],
    ['/operators/reset-password', { username: 'boss' }],
    ['/operators/list', {}],
    ['/audit-log/search', {}],
  ];
  for (const user of [staff, viewer]) {
    for (const [path, body] of changes) assert.equal((await user.send(path, body)).status, 403, path);
    for (const path of [
      '/accounts/list',
      '/clients/list',
      '/logistics-keys/list',
      '/warehouses/list',
      '/stores/list',
      '/partners/addresses',
    ]) {
      assert.equal((await user.send(path, {})).status, 200, path);
    }
  }
  assert.deepEqual(await partnersNow(), before);
});

test('the lists say when an account, a client and a key last called; a refused call does not count', async () => {
  const counted = await startTestApp();
  await provisionOperators(counted);
  const looker = await signIn(counted, 'viewer');
  const lastUsed = async () => {
    await counted.partnerUse.flush();
    const [accounts, clients, keys] = [
      await looker.ask(accountsList, {}),
      await looker.ask(clientsList, {}),
      await looker.ask(logisticsKeysList, {}),
    ];
    return [accounts, clients, keys].map(({ rows }) => rows.map(({ last_used_at }) => last_used_at && new Date(last_used_at).getTime()));
  };
  const at = (seconds: number) => {
    const instant = new Date(Date.parse('2026-11-16T08:00:00Z') + seconds * 1000);
    counted.clock.set(instant);
    return instant.getTime();
  };
  at(0);
  await counted.callWarehouse('/product/sync', tea, { secret: 'wrong' });
  await counted.callLogistics('/orders/order', {}, { apiKey: 'nobodys' });
  assert.deepEqual(await lastUsed(), [
    [null, null],
    [null, null],
    [null, null],
  ]);
  const signed = at(10);
  await counted.callWarehouse('/product/sync', tea);
  assert.deepEqual((await lastUsed())[0], [signed, null]);
  const called = at(20);
  await counted.callMain('/getStocksData/searchList', stocks);
  assert.deepEqual(await lastUsed(), [
    [called, null],
    [called, null],
    [null, null],
  ]);
  const pushed = at(30);
  await counted.callLogistics('/orders/order', {});
  assert.deepEqual(await lastUsed(), [
    [pushed, null],
    [called, null],
    [pushed, null],
  ]);
  counted.clock.set(null);
});

test('an operator is created with a password that is shown once; reset, the old one and all sessions end', async () => {
  const password = secretOf(await admin.ask(operatorsCreate, { username: 'night-shift', role: 'staff' }), 'operator_password');
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

async function adminsOf({ database }: TestApp['store']): Promise<string[]> {
  const rows = await database.read((sql) => sql`select username from operator where role = 'admin' and enabled order by username`);
  return rows.map(({ username }) => username);
}

test('of ten admins who are all demoted or disabled at once, exactly one is left', async () => {
  const { store, provision } = await startTestApp();
  const usernames = Array.from({ length: 10 }, (_, index) => `admin-${index}`);
  await provision({ operators: usernames.map((username) => ({ username, role: 'admin', password: 'one for them all' })) });

  // Not through the front door, where the first change of the admin who asks would turn the others away.
  const outcomes = await Promise.all(
    usernames.map((username, index) => {
      const operator = index % 2 === 0 ? { username, enabled: false } : { username, role: 'staff' };
      const options = { actor: 'test', expect: { kind: 'operator', state: 'existing' }, keepsAnAdmin: true } as const;
      return applyOne(store.database, store.keyring, { operators: [operator] }, options);
    }),
  );
  assert.deepEqual(outcomes.map(({ kind }) => kind).toSorted(), [...Array(9).fill('applied'), 'refused']);
  const refused = outcomes.findIndex(({ kind }) => kind === 'refused');
  assert.deepEqual(await adminsOf(store), [usernames[refused]]);
});

test('a hundred guesses at one’s own password at the same instant are ten guesses, and no password changes', async () => {
  const desk = await signIn(app, 'staff');
  const startedAt = performance.now();
  const kinds = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const given = { old_password: `guess ${index}`, new_password: 'a longer password' };
      return (await desk.ask(operatorsChangeOwnPassword, given)).kind;
    }),
  );
  assert.deepEqual(new Set(kinds), new Set(['wrong_password', 'throttled']));
  // One more for every 6 s that this took; on a machine that stands still, some may have waited too long for their turn.
  const evaluated = kinds.filter((kind) => kind === 'wrong_password').length;
  assert.ok(evaluated <= 10 + (performance.now() - startedAt) / 6000, `${evaluated} guesses were evaluated`);
  await signIn(app, 'staff');
});

test('one’s own password is changed with the old one: this session goes on, the others end, guesses are throttled', async () => {
  const [here, there] = [await signIn(app, 'viewer'), await signIn(app, 'viewer')];
  const change = (old_password: string, new_password: string) => here.ask(operatorsChangeOwnPassword, { old_password, new_password });
  const { password } = operators.viewer;
  assert.deepEqual(await change('not this one', 'a longer password'), { kind: 'wrong_password' });
  assert.deepEqual(await change(password, password), { kind: 'same_password' });
  assert.equal((await there.send('/sessions/list', {})).status, 200);

  const changed = await change(password, '新密碼 with spaces');
  assert.ok(changed.kind === 'changed' && changed.sessions_ended >= 1, JSON.stringify(changed));
  assert.equal((await there.send('/sessions/list', {})).status, 401);
  assert.deepEqual(
    (await here.ask(sessionsList, {})).sessions.map(({ is_current }) => is_current),
    [true],
  );
  const kinds: AnswerOf<typeof operatorsChangeOwnPassword>['kind'][] = [];
  for (let guesses = 0; guesses < 11; guesses++) kinds.push((await change(`guess ${guesses}`, 'a longer password')).kind);
  assert.deepEqual(kinds, [...Array(10).fill('wrong_password'), 'throttled']);
  assert.deepEqual(await lastAction('operators/change-own-password'), {
    username: 'viewer',
    subject: null,
    account_no: null,
    details: {},
    outcome: 'throttled',
  });
  await assertNowhere('新密碼');
});
