import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotateSecret } from '../../../server/domain/partners/rotate-secret.ts';
import { alpha, beta, startTestApp, type TestAnswer, type TestApp } from '../../support/app.ts';
import {
  form,
  formPath,
  item,
  orderPath,
  ship,
  shippingOrder,
  take,
  textsOf,
  unchanged,
} from '../../support/logistics.ts';
import { assertNotDone, retvalOf } from '../../support/main.ts';
import { eventually } from '../../support/nodes.ts';
import { startSecondNode } from '../../support/second-node.ts';

const app = await startTestApp();
const secondNode = await startSecondNode(app);
const nodes = [app, secondNode];

let numbers = 0;
const nextNumber = () => `KEY-${++numbers}`;
const place = { warehouse_no: 1, store_no: 10 };

/** An order, with just these headers. */
async function call(headers: Record<string, string>): Promise<TestAnswer> {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/logistics${orderPath}?internal_name=A-QUERY-HAS-NO-EFFECT`,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(shippingOrder(nextNumber(), [item('TEA', 1)])),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
}

const statusOf = async (apiKey: string, node: TestApp = app): Promise<number> =>
  (await node.callLogistics(orderPath, shippingOrder(nextNumber(), [item('TEA', 1)]), { apiKey })).status;

/** The 401 of every refused key; only the request log has the reason. */
async function assertNotLetIn(
  headers: Record<string, string>,
  reason: string,
  accountNo: string | null = null,
): Promise<void> {
  const answer = await unchanged(app, () => call(headers));
  assert.deepEqual(
    [answer.status, answer.text, answer.headers['www-authenticate']],
    [401, '{"done":false,"msg":"authentication failed","retval":null}', undefined],
  );
  const line = await app.requestLine(String(answer.headers['trace-id']));
  assert.deepEqual(
    [line?.reason, line?.status, line?.contract, line?.account_no, line?.document_no],
    [reason, 401, 'logistics', accountNo, null],
  );
}

test('a key is accepted alone and after the scheme Bearer; the request log has its account and its document', async () => {
  for (const scheme of ['', 'Bearer ', 'bearer ', 'BEARER   ']) {
    const answer = await call({ authorization: `${scheme}${alpha.apiKey}` });
    const document_no = `KEY-${numbers}`;
    assert.deepEqual(retvalOf(answer), { document_no, status: 'awaiting_stock', idempotent: false });
    const line = await app.requestLine(String(answer.headers['trace-id']));
    assert.deepEqual(
      [line?.status, line?.contract, line?.account_no, line?.document_no, line?.endpoint],
      [200, 'logistics', 'ALPHA', document_no, '/logistics/orders/order'],
    );
  }
});

const [missing, unknown] = ['header Authorization is missing', 'no such API key'];
const looksLike = (what: string) => `${unknown}; the value sent looks like ${what}, not a logistics API key`;
const refusals: [how: string, headers: Record<string, string>, reason: string][] = [
  ['no header', { 'x-api-key': alpha.apiKey }, missing],
  ['an empty header', { authorization: '' }, missing],
  ['the key in another case', { authorization: 'ALPHA-API-KEY' }, unknown],
  ['the key cut short', { authorization: 'alpha-api-ke' }, unknown],
  ['the key with a character more', { authorization: `${alpha.apiKey}x` }, unknown],
  ['the scheme alone', { authorization: 'Bearer' }, unknown],
  ['the scheme twice', { authorization: `Bearer Bearer ${alpha.apiKey}` }, unknown],
  ['another scheme', { authorization: `Basic ${alpha.apiKey}` }, unknown],
  ['no space after the scheme', { authorization: `Bearer${alpha.apiKey}` }, unknown],
  ['the secret of the warehouse API', { authorization: alpha.secret }, unknown],
  ['a callback secret', { authorization: alpha.callbackSecret }, looksLike('a callback secret')],
  [
    'a token of the main API',
    { authorization: `Bearer ${await app.tokenOf()}` },
    looksLike('an access token of the main API'),
  ],
  ['text beyond ASCII', { authorization: 'clé' }, unknown],
  ['a body that is not JSON', { authorization: 'wrong', 'content-type': 'text/plain' }, unknown],
];
for (const [how, headers, reason] of refusals) {
  test(`401, the reason in the request log only, nothing changed: ${how}`, () => assertNotLetIn(headers, reason));
}

test('an order belongs to the account, the warehouse and the store of its key; all keys of an account share its numbers', async () => {
  await app.provision({
    warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
    stores: [{ store_no: 20, name: 'Second' }],
    logistics_keys: [
      {
        name: 'south',
        key: 'alpha-south-of-thirty-two-characters-or-more',
        account_no: 'ALPHA',
        warehouse_no: 2,
        store_no: 20,
      },
    ],
  });
  for (const [index, apiKey] of [alpha.apiKey, 'alpha-south-of-thirty-two-characters-or-more', beta.apiKey].entries())
    await ship(app, `PLACED-${index}`, [item('WHERE', 1)], {}, apiKey);
  const placed = await textsOf(
    app,
    `select concat_ws(' ', account_no, warehouse_no, store_no, channel) as place from orders join account using (account_id)
    where partner_number like 'PLACED-%' order by partner_number`,
    [],
  );
  assert.deepEqual(
    placed.map(({ place }) => place),
    ['ALPHA 1 10 logistics', 'ALPHA 2 20 logistics', 'BETA 1 10 logistics'],
  );
  const body = shippingOrder('PLACED-0', [item('WHERE', 1)]);
  assert.equal((await take(app, orderPath, body, 'alpha-south-of-thirty-two-characters-or-more')).idempotent, true);
  assert.equal((await take(app, orderPath, body, beta.apiKey)).idempotent, false);
});

test('a new key is accepted at once, on both nodes, also if the warehouse API is off for its account', async () => {
  const account_no = 'ONLY-LOGISTICS';
  await app.provision({
    accounts: [
      { account_no, environment: 'uat', secret: 'only-of-thirty-two-characters-or-more', warehouse_api: false },
    ],
  });
  for (const [index, node] of nodes.entries()) {
    const issued = await app.provision({ logistics_keys: [{ name: `new-${index}`, account_no, ...place }] });
    assert.equal(await statusOf(issued.find(({ kind }) => kind === 'logistics_key')!.value, node), 200);
  }
});

test('a disabled key and the keys of a disabled account are refused within 5 s, other keys are not; enabled again they are accepted at once', async () => {
  const account = {
    account_no: 'GAMMA',
    environment: 'uat' as const,
    secret: 'gamma-secret-of-thirty-two-characters-or-more',
  };
  const key = { name: 'off', key: 'off-key-of-thirty-two-characters-or-more', account_no: 'ALPHA', ...place };
  await app.provision({
    accounts: [account],
    logistics_keys: [
      key,
      { name: 'wms', key: 'gamma-key-of-thirty-two-characters-or-more', account_no: 'GAMMA', ...place },
    ],
  });
  for (const apiKey of ['off-key-of-thirty-two-characters-or-more', 'gamma-key-of-thirty-two-characters-or-more'])
    assert.equal(await statusOf(apiKey), 200);
  await app.provision({ accounts: [{ ...account, enabled: false }], logistics_keys: [{ ...key, enabled: false }] });
  for (const node of nodes)
    for (const apiKey of ['off-key-of-thirty-two-characters-or-more', 'gamma-key-of-thirty-two-characters-or-more'])
      await eventually(async () => (await statusOf(apiKey, node)) === 401);

  await assertNotLetIn({ authorization: 'off-key-of-thirty-two-characters-or-more' }, 'key off is disabled', 'ALPHA');
  await assertNotLetIn(
    { authorization: 'gamma-key-of-thirty-two-characters-or-more' },
    'the account is disabled',
    'GAMMA',
  );
  assert.equal(await statusOf(alpha.apiKey), 200);
  await app.provision({ accounts: [{ ...account, enabled: true }], logistics_keys: [{ ...key, enabled: true }] });
  for (const apiKey of ['off-key-of-thirty-two-characters-or-more', 'gamma-key-of-thirty-two-characters-or-more'])
    assert.equal(await statusOf(apiKey), 200);
});

test('after a rotation both keys are accepted during the overlap, on both nodes; then only the new one', async () => {
  const { service, keyring } = app.store;
  await app.provision({
    logistics_keys: [{ name: 'turn', key: 'old-key-of-thirty-two-characters-or-more', account_no: 'ALPHA', ...place }],
  });
  const owner = { kind: 'logistics_key', owner: 'ALPHA/turn' } as const;
  const outcome = await rotateSecret(service, keyring, owner, { actor: 'test', overlapSeconds: 3600 });
  assert.ok(outcome.kind === 'rotated');
  const newKey = outcome.issued.value;
  const statuses = async () => {
    const found = [];
    for (const node of nodes)
      for (const apiKey of ['old-key-of-thirty-two-characters-or-more', newKey])
        found.push(await statusOf(apiKey, node));
    return found;
  };

  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  app.clock.set(new Date(outcome.previousValidUntil.getTime() - 1));
  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  app.clock.set(outcome.previousValidUntil);
  assert.deepEqual(await statuses(), [401, 200, 401, 200]);
  await assertNotLetIn({ authorization: 'old-key-of-thirty-two-characters-or-more' }, unknown);
  app.clock.set(null);
});

test('a key that the file replaces is refused at once on a node that has seen the change, and the new one is accepted', async () => {
  const key = { name: 'replaced', key: 'first-key-of-thirty-two-characters-or-more', account_no: 'ALPHA', ...place };
  await app.provision({ logistics_keys: [key] });
  assert.equal(await statusOf('first-key-of-thirty-two-characters-or-more'), 200);
  await app.provision({ logistics_keys: [{ ...key, key: 'second-key-of-thirty-two-characters-or-more' }] });
  assert.equal(await statusOf('second-key-of-thirty-two-characters-or-more'), 200);
  await assertNotLetIn({ authorization: 'first-key-of-thirty-two-characters-or-more' }, unknown);
});

const bodies: [path: string, body: object][] = [
  [orderPath, shippingOrder('EVERY', [item('TEA', 1)])],
  [formPath, form('EVERY', [{ sku: 'TEA', quantity: 1 }])],
];
for (const [path, body] of bodies) {
  test(`${path}: a wrong method, a wrong type, too large and unreadable bodies are refused in the envelope, and nothing changes`, async () => {
    const written = JSON.stringify(body);
    const send = (payload: string, headers = {}) => app.callLogistics(path, payload, { headers });
    await unchanged(app, async () => {
      const { statusCode, headers, payload } = await app.http.inject({ method: 'PUT', url: `/logistics${path}` });
      const answer = { status: statusCode, headers, text: payload, json: JSON.parse(payload) };
      assertNotDone(answer, { status: 405, msg: 'this path takes POST only' });
      assert.equal(headers.allow, 'POST');
      assertNotDone(await send(written, { 'content-type': 'text/plain' }), { status: 415 });
      const tooLarge = 'the body is larger than 1048576 bytes';
      assertNotDone(await send(written.padEnd(1_048_577)), { status: 413, msg: tooLarge });
      const inItem = written.replace('"sku":', '"__proto__":{"quantity":5},"sku":');
      for (const broken of ['', written.slice(0, -1), inItem]) assertNotDone(await send(broken));
    });
    retvalOf(await send(written.padEnd(1_048_576)));
  });
}

test('neither log contains a key or its callback secret', async () => {
  await app.requestLog.flush();
  const [row] = await app.store.database.read((sql) => sql`select string_agg(r::text, ' ') as text from request_log r`);
  for (const secret of [
    alpha.apiKey,
    'old-key-of-thirty-two-characters-or-more',
    'first-key-of-thirty-two-characters-or-more',
    'off-key-of-thirty-two-characters-or-more',
    alpha.callbackSecret,
  ]) {
    assert.ok(!row!.text.includes(secret), secret);
    assert.ok(!app.logLines.some((line) => line.includes(secret)), secret);
  }
});
