import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotateSecret } from '../../../server/domain/partners/rotate-secret.ts';
import { alpha, beta, startTestApp, type TestAnswer } from '../../support/app.ts';
import { form, formPath, item, orderPath, orderStatus, ship, shippingOrder, take, unchanged } from '../../support/logistics.ts';
import { assertNotDone, retvalOf } from '../../support/main.ts';
import { listenRaw, rawRequest } from '../../support/raw-http.ts';
import { startSecondNode } from '../../support/second-node.ts';

const app = await startTestApp();
const secondNode = await startSecondNode(app);

let numbers = 0;
const nextNumber = () => `KEY-${++numbers}`;

/** A call with just these headers. */
async function call(headers: Record<string, string>, body: object = shippingOrder(nextNumber(), [item('TEA', 1)])): Promise<TestAnswer> {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/logistics${orderPath}`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
}

/** Refused as any other that is not let in; the reason stands in the request log only. */
async function assertNotLetIn(answer: TestAnswer, reason: string, accountNo: string | null = null): Promise<void> {
  assert.equal(answer.status, 401);
  assert.equal(answer.text, '{"done":false,"msg":"authentication failed","retval":null}');
  assert.equal(answer.headers['www-authenticate'], undefined);
  const line = await app.requestLine(String(answer.headers['trace-id']));
  assert.equal(line?.reason, reason);
  assert.deepEqual([line?.status, line?.contract, line?.account_no, line?.document_no], [401, 'logistics', accountNo, null]);
}

for (const [how, value] of [
  ['the key itself', alpha.apiKey],
  ['Bearer before it', `Bearer ${alpha.apiKey}`],
  ['bearer before it', `bearer ${alpha.apiKey}`],
  ['BEARER and several spaces before it', `BEARER   ${alpha.apiKey}`],
]) {
  test(`let in: ${how}`, async () => {
    assert.equal((await call({ authorization: value! })).status, 200);
  });
}

test('what is let in is in the request log with its account and its number', async () => {
  const answer = await call({ authorization: alpha.apiKey }, shippingOrder('KEY-LOGGED', [item('TEA', 1)]));
  const line = await app.requestLine(String(answer.headers['trace-id']));
  assert.deepEqual(
    [line?.status, line?.contract, line?.account_no, line?.document_no, line?.endpoint],
    [200, 'logistics', 'ALPHA', 'KEY-LOGGED', '/logistics/orders/order'],
  );
});

const refusals: [string, Record<string, string>, string][] = [
  ['no header', {}, 'header Authorization is missing'],
  ['an empty header', { authorization: '' }, 'header Authorization is missing'],
  ['another key', { authorization: 'alpha-api-kez' }, 'no such API key'],
  ['the key in another case', { authorization: 'ALPHA-API-KEY' }, 'no such API key'],
  ['the key cut short', { authorization: 'alpha-api-ke' }, 'no such API key'],
  ['the key and something behind it', { authorization: `${alpha.apiKey}x` }, 'no such API key'],
  ['the scheme alone', { authorization: 'Bearer' }, 'no such API key'],
  ['the scheme and spaces', { authorization: 'Bearer   ' }, 'no such API key'],
  ['the scheme twice', { authorization: `Bearer Bearer ${alpha.apiKey}` }, 'no such API key'],
  ['another scheme', { authorization: `Basic ${alpha.apiKey}` }, 'no such API key'],
  ['the scheme glued to the key', { authorization: `Bearer${alpha.apiKey}` }, 'no such API key'],
  ['the key in another header', { 'x-api-key': alpha.apiKey }, 'header Authorization is missing'],
  ['the secret of the warehouse API', { authorization: alpha.secret }, 'no such API key'],
  [
    'the secret of callbacks',
    { authorization: alpha.callbackSecret },
    'no such API key; what came looks like a callback secret, not a logistics API key',
  ],
  ['text beyond ASCII', { authorization: 'clé' }, 'no such API key'],
];
for (const [how, headers, reason] of refusals) {
  test(`401, the reason in the request log only, nothing changed: ${how}`, async () => {
    await assertNotLetIn(await unchanged(app, () => call(headers)), reason);
  });
}

test('401 comes before anything is said about the body, and a token of the main API is no key', async () => {
  const token = await app.tokenOf();
  const looksLikeToken = 'no such API key; what came looks like an access token of the main API, not a logistics API key';
  for (const [authorization, reason] of [
    [`Bearer ${token}`, looksLikeToken],
    ['wrong', 'no such API key'],
  ] as const) {
    const answer = await unchanged(app, () => call({ authorization, 'content-type': 'text/plain' }, { not: 'an order' }));
    await assertNotLetIn(answer, reason);
  }
});

test('a key does not open the other interfaces', async () => {
  for (const authorization of [alpha.apiKey, `Bearer ${alpha.apiKey}`]) {
    const main = await app.callMain('/getOrdersData/searchList', {}, { headers: { authorization } });
    assertNotDone(main, { status: 401 });
  }
});

test('a header Authorization that comes twice is refused, whichever of the two is right', async () => {
  const connect = await listenRaw(app);
  for (const values of [
    [alpha.apiKey, 'wrong'],
    ['wrong', alpha.apiKey],
    [alpha.apiKey, beta.apiKey],
  ]) {
    const connection = await connect();
    const headers = [['content-type', 'application/json'], ...values.map((value) => ['authorization', value])] as [string, string][];
    const answer = await unchanged(app, () => {
      connection.send(rawRequest('POST', `/logistics${orderPath}`, headers, JSON.stringify(shippingOrder('TWICE', [item('TEA', 1)]))));
      return connection.answer();
    });
    assert.deepEqual([answer?.status, answer?.json.done, answer?.json.retval], [401, false, null], answer?.text);
  }
});

test("what comes with a key is its account's, its warehouse's and its store's", async () => {
  await app.provision({
    warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
    stores: [{ store_no: 20, name: 'Second' }],
    logistics_keys: [{ name: 'south', key: 'alpha-south', account_no: 'ALPHA', warehouse_no: 2, store_no: 20 }],
  });
  const placed: unknown[] = [];
  for (const apiKey of [alpha.apiKey, 'alpha-south', beta.apiKey]) {
    const number = nextNumber();
    await ship(app, number, [item('WHERE', 1)], {}, apiKey);
    const [row] = await app.store.database.read(
      (sql) =>
        sql`select account_no, warehouse_no, store_no, channel from orders join account using (account_id) where partner_number = ${number}`,
    );
    placed.push({ ...row });
  }
  assert.deepEqual(placed, [
    { account_no: 'ALPHA', warehouse_no: 1, store_no: 10, channel: 'logistics' },
    { account_no: 'ALPHA', warehouse_no: 2, store_no: 20, channel: 'logistics' },
    { account_no: 'BETA', warehouse_no: 1, store_no: 10, channel: 'logistics' },
  ]);
});

test('stock of another warehouse is not for orders of a key', async () => {
  await app.provision({
    warehouses: [{ warehouse_no: 3 }],
    stores: [{ store_no: 30 }],
    logistics_keys: [{ name: 'east', key: 'alpha-east', account_no: 'ALPHA', warehouse_no: 3, store_no: 30 }],
  });
  await take(app, formPath, form('EAST-IN', [{ sku: 'EAST', quantity: 1 }]), 'alpha-east');
  assert.equal(await ship(app, 'WEST-OUT', [item('EAST', 1)]), 'awaiting_stock');
  assert.equal(await ship(app, 'EAST-OUT', [item('EAST', 1)], {}, 'alpha-east'), 'pending_warehouse_transfer');
});

test('a number is its account’s, whichever of its keys sends it', async () => {
  const body = shippingOrder('KEY-BOTH', [item('TEA', 1)]);
  assert.equal((await take(app, orderPath, body)).idempotent, false);
  assert.equal((await take(app, orderPath, body, 'alpha-south')).idempotent, true);
  assert.equal((await take(app, orderPath, body, beta.apiKey)).idempotent, false);
});

test('a key made just now is known at once, on both nodes', async () => {
  for (const [index, node] of [app, secondNode, app, secondNode].entries()) {
    const apiKey = `made-just-now-${index}`;
    await app.provision({ logistics_keys: [{ name: `new-${index}`, key: apiKey, account_no: 'BETA', warehouse_no: 1, store_no: 10 }] });
    retvalOf(await node.callLogistics(orderPath, shippingOrder(nextNumber(), [item('TEA', 1)]), { apiKey }));
  }
});

test('the issued key is the one that opens, where the file names none', async () => {
  const issued = await app.provision({ logistics_keys: [{ name: 'issued', account_no: 'ALPHA', warehouse_no: 1, store_no: 10 }] });
  const { value } = issued.find(({ kind }) => kind === 'logistics_key')!;
  assert.equal((await call({ authorization: value })).status, 200);
});

/** Waits until both nodes have taken in what was changed: the contract gives them 5 s. */
async function refusedOnBothNodes(apiKey: string): Promise<void> {
  const deadline = performance.now() + 5000;
  for (const node of [app, secondNode]) {
    for (;;) {
      const { status } = await node.callLogistics(orderPath, shippingOrder(nextNumber(), [item('TEA', 1)]), { apiKey });
      if (status === 401) break;
      assert.ok(performance.now() < deadline, 'it is still let in after 5 s');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

test('a disabled key and the keys of a disabled account are refused within 5 s, other keys go on; enabled again they are let in at once', async () => {
  const account = { account_no: 'GAMMA', environment: 'uat' as const, secret: 'gamma-secret' };
  const place = { warehouse_no: 1, store_no: 10 };
  const key = { name: 'off', key: 'off-key', account_no: 'ALPHA', ...place };
  await app.provision({ accounts: [account], logistics_keys: [key, { name: 'wms', key: 'gamma-key', account_no: 'GAMMA', ...place }] });
  for (const authorization of ['off-key', 'gamma-key']) assert.equal((await call({ authorization })).status, 200);
  await app.provision({ accounts: [{ ...account, enabled: false }], logistics_keys: [{ ...key, enabled: false }] });
  await Promise.all(['off-key', 'gamma-key'].map(refusedOnBothNodes));

  await assertNotLetIn(await unchanged(app, () => call({ authorization: 'off-key' })), 'key off is disabled', 'ALPHA');
  await assertNotLetIn(await unchanged(app, () => call({ authorization: 'gamma-key' })), 'the account is disabled', 'GAMMA');
  assert.equal((await call({ authorization: alpha.apiKey })).status, 200);
  await app.provision({ accounts: [{ ...account, enabled: true }], logistics_keys: [{ ...key, enabled: true }] });
  for (const authorization of ['off-key', 'gamma-key']) assert.equal((await call({ authorization })).status, 200);
});

test('a key is good although the warehouse API is off for its account', async () => {
  await app.provision({
    accounts: [{ account_no: 'ONLY-LOGISTICS', environment: 'uat', secret: 'only', warehouse_api: false }],
    logistics_keys: [{ name: 'wms', key: 'only-key', account_no: 'ONLY-LOGISTICS', warehouse_no: 1, store_no: 10 }],
  });
  assert.equal((await call({ authorization: 'only-key' })).status, 200);
});

test('a rotated key: the old one and the new one are good during the overlap, on both nodes; then only the new one', async () => {
  const { database, keyring } = app.store;
  await app.provision({ logistics_keys: [{ name: 'turn', key: 'old-key', account_no: 'ALPHA', warehouse_no: 1, store_no: 10 }] });
  const outcome = await rotateSecret(
    database,
    keyring,
    { kind: 'logistics_key', owner: 'ALPHA/turn' },
    { actor: 'test', overlapSeconds: 3600 },
  );
  assert.equal(outcome.kind, 'rotated');
  if (outcome.kind !== 'rotated') return;
  const newKey = outcome.issued.value;

  for (const node of [app, secondNode]) {
    for (const apiKey of [newKey, 'old-key']) {
      retvalOf(await node.callLogistics(orderPath, shippingOrder(nextNumber(), [item('TEA', 1)]), { apiKey }));
    }
  }
  app.clock.set(new Date(outcome.previousValidUntil.getTime() - 1));
  assert.equal((await call({ authorization: 'old-key' })).status, 200);
  app.clock.set(outcome.previousValidUntil);
  for (const node of [app, secondNode]) {
    const refused = await unchanged(app, () =>
      node.callLogistics(orderPath, shippingOrder('KEY-LATE', [item('TEA', 1)]), { apiKey: 'old-key' }),
    );
    assert.equal(refused.status, 401);
    retvalOf(await node.callLogistics(orderPath, shippingOrder(nextNumber(), [item('TEA', 1)]), { apiKey: newKey }));
  }
  await assertNotLetIn(await call({ authorization: 'old-key' }), 'no such API key');
  app.clock.set(null);
});

test('a key that the file replaces is refused at once on a node that has seen the change, the new one is good', async () => {
  const key = { name: 'replaced', key: 'first-key', account_no: 'ALPHA', warehouse_no: 1, store_no: 10 };
  await app.provision({ logistics_keys: [key] });
  assert.equal((await call({ authorization: 'first-key' })).status, 200);
  await app.provision({ logistics_keys: [{ ...key, key: 'second-key' }] });
  assert.equal((await call({ authorization: 'second-key' })).status, 200);
  await assertNotLetIn(await unchanged(app, () => call({ authorization: 'first-key' })), 'no such API key');
});

test('no key and no secret of it is in a log line or in the request log', async () => {
  await app.requestLog.flush();
  const [row] = await app.store.database.read((sql) => sql`select string_agg(r::text, ' ') as text from request_log r`);
  for (const secret of [alpha.apiKey, 'old-key', 'first-key', 'off-key', alpha.callbackSecret]) {
    assert.ok(!row!.text.includes(secret), secret);
    assert.ok(!app.logLines.some((line) => line.includes(secret)), secret);
  }
});

test('orders of the rotated, disabled and replaced keys have stayed', async () => {
  assert.equal(await orderStatus(app, 'KEY-1'), 'awaiting_stock');
});
