import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleInboundForm } from '../../../contract/logistics/inbound-form.ts';
import { exampleShippingOrder } from '../../../contract/logistics/shipping-order.ts';
import { openDatabase } from '../../../server/platform/database.ts';
import { alpha, startTestApp, type TestAnswer, type TestApp } from '../../support/app.ts';
import { startDatabaseProxy } from '../../support/database-proxy.ts';
import { form, formPath, item, orderPath, shippingOrder, stopForm, take, unchanged } from '../../support/logistics.ts';
import { assertNotDone, retvalOf } from '../../support/main.ts';

const app = await startTestApp();
const renamed = await startTestApp({ env: { LOGISTICS_SEGMENT: 'wms-hooks', CALLBACK_ALLOW_CIDRS: '10.0.0.0/8' } });
const limited = await startTestApp({ env: { RATE_LIMIT: '1' } });
const proxy = await startDatabaseProxy();
const cutOff = await startTestApp({
  database: ({ connection }) => openDatabase(proxy.through(connection), { max: 2, deadlineSeconds: 1 }),
});

const endpoints: [path: string, body: object, needed: string][] = [
  [orderPath, shippingOrder('EVERY', [item('TEA', 1)]), 'internal_name'],
  [formPath, form('EVERY', [{ sku: 'TEA', quantity: 1 }]), 'form_no'],
];

interface Sent {
  method?: 'GET' | 'PUT' | 'POST' | 'DELETE' | 'PATCH' | 'HEAD';
  url: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
}

async function send(on: TestApp, { method = 'POST', url, headers = {}, body = '' }: Sent): Promise<TestAnswer> {
  const answer = await on.http.inject({ method, url, headers, payload: body });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.payload ? answer.json() : null };
}

const json = { 'content-type': 'application/json', authorization: alpha.apiKey };
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

for (const [path, body, needed] of endpoints) {
  const written = JSON.stringify(body);
  const url = `/logistics${path}`;

  test(`${path}: other methods are 405 with Allow, in the envelope`, async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
      const answer = await unchanged(app, () => send(app, { method, url, headers: json, body: method === 'GET' ? '' : written }));
      assertNotDone(answer, { status: 405, msg: 'this path takes POST only' });
      assert.equal(answer.headers.allow, 'POST');
    }
  });

  test(`${path}: what is not JSON is 415, in the envelope`, async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=big5', 'text/json', '']) {
      assertNotDone(await unchanged(app, () => send(app, { url, headers: { ...json, 'content-type': type }, body: written })), {
        status: 415,
      });
    }
    const encoded = { ...json, 'content-encoding': 'gzip' };
    assertNotDone(await unchanged(app, () => send(app, { url, headers: encoded, body: written })), { status: 415 });
  });

  test(`${path}: a body of 1 MiB is read, one byte more is 413, in the envelope`, async () => {
    const padded = (bytes: number) => Buffer.concat([Buffer.from(written), Buffer.alloc(bytes - Buffer.byteLength(written), ' ')]);
    const tooLarge = await unchanged(app, () => app.callLogistics(path, padded(1_048_577)));
    assertNotDone(tooLarge, { status: 413, msg: 'the body is larger than 1048576 bytes' });
    retvalOf(await app.callLogistics(path, padded(1_048_576)));
  });

  const brokenBodies: [string, string | Buffer][] = [
    ['nothing', ''],
    ['half of a document', written.slice(0, -1)],
    ['two documents', written + written],
    ['a list', `[${written}]`],
    ['null', 'null'],
    ['a key twice', written.replace('{', `{"${needed}":"TWICE",`)],
    ['a key twice, once escaped', written.replace('{', `{"\\u00${needed.charCodeAt(0).toString(16)}${needed.slice(1)}":"TWICE",`)],
    ['a key of an item twice', written.replace('"sku":', '"sku":"TWICE","sku":')],
    ['a __proto__ key', written.replace('{', '{"__proto__":{"a":1},')],
    ['a __proto__ key in an item', written.replace('"sku":', '"__proto__":{"quantity":5},"sku":')],
    ['a constructor key', written.replace('{', '{"constructor":1,')],
    ['invalid UTF-8', Buffer.from(written.replace('{', '{"x":"\u00e9",'), 'latin1')],
    ['a byte order mark', `\ufeff${written}`],
    ['a number that cannot be kept', written.replace('{', '{"x":9007199254740993,')],
    ['a fraction that cannot be kept', written.replace('{', '{"x":0.1234567890123456789,')],
    ['NUL', written.replace('{', '{"x":"\\u0000",')],
    ['half of a surrogate pair', written.replace('{', '{"x":"\\ud800",')],
    ['33 levels', written.replace('{', `{"x":${'['.repeat(33)}${']'.repeat(33)},`)],
    ['a comment', `/* */${written}`],
    ['NaN', written.replace('{', '{"x":NaN,')],
  ];
  test(`${path}: refused with 400 in the envelope and nothing changed: bodies that are no JSON to rely on`, async () => {
    await unchanged(app, async () => {
      for (const [name, broken] of brokenBodies) {
        const answer = await app.callLogistics(path, broken);
        assert.equal(answer.status, 400, `${name}: ${answer.text}`);
        assert.deepEqual([Object.keys(answer.json), answer.json.done], [['done', 'msg', 'retval'], false], name);
        assert.ok(answer.json.msg.length > 0, name);
      }
    });
  });

  test(`${path}: a trace-id of its own with every answer, also with a refusal`, async () => {
    const answers = [
      await app.callLogistics(path, body),
      await app.callLogistics(path, body),
      await app.callLogistics(path, {}),
      await app.callLogistics(path, body, { apiKey: 'wrong' }),
      await send(app, { method: 'GET', url }),
    ];
    for (const { headers } of answers) assert.match(String(headers['trace-id']), uuid);
    assert.equal(new Set(answers.map(({ headers }) => headers['trace-id'])).size, answers.length);
  });
}

test('the trace-id of a call is in what it has made', async () => {
  const order = await app.callLogistics(orderPath, shippingOrder('TRACED', [item('TRACED', 1)]));
  const inbound = await app.callLogistics(formPath, form('TRACED', [{ sku: 'TRACED', quantity: 1 }]));
  const [row] = await app.store.database.read(
    (sql) => sql`
      select (select trace_id from orders where partner_number = 'TRACED') as order_trace,
        (select trace_id from inbound_document where partner_number = 'TRACED') as form_trace,
        (select m.trace_id from movement m join inbound_document using (inbound_id) where partner_number = 'TRACED') as movement_trace`,
  );
  const [ofOrder, ofForm] = [order.headers['trace-id'], inbound.headers['trace-id']];
  assert.deepEqual({ ...row }, { order_trace: ofOrder, form_trace: ofForm, movement_trace: ofForm });
});

test('paths that are not known are 404 in the envelope', async () => {
  for (const path of [
    '',
    '/',
    '/orders',
    '/orders/order/',
    '/Orders/order',
    '/orders/orders',
    '/purchases',
    '/purchase',
    '//orders/order',
    '/orders/order/1',
  ]) {
    const answer = await unchanged(app, () => send(app, { url: `/logistics${path}`, headers: json, body: '{}' }));
    assertNotDone(answer, { status: 404, msg: 'no such path' });
  }
});

test('a query is no part of the contract and changes nothing', async () => {
  const number = 'QUERY';
  const answer = await send(app, {
    url: `/logistics${orderPath}?form_type=3&internal_name=X`,
    headers: json,
    body: JSON.stringify(shippingOrder(number, [item('TEA', 1)])),
  });
  assert.equal(retvalOf(answer).document_no, number);
});

test('LOGISTICS_SEGMENT renames the first segment, and only the new one is served', async () => {
  for (const [path, body] of endpoints) {
    assert.equal(retvalOf(await renamed.callLogistics(path, body)).document_no, 'EVERY');
    const old = await unchanged(renamed, () => send(renamed, { url: `/logistics${path}`, headers: json, body: JSON.stringify(body) }));
    assertNotDone(old, { status: 404 });
  }
  assert.equal((await renamed.callLogistics(orderPath, {}, { apiKey: 'wrong' })).status, 401);
  assertNotDone(await send(renamed, { method: 'GET', url: '/wms-hooks/orders/order' }), { status: 405 });
});

test('addresses that the operator allows are taken, others are not', async () => {
  const body = shippingOrder('ALLOWED', [item('TEA', 1)]);
  retvalOf(await renamed.callLogistics(orderPath, { ...body, callback_url: 'http://10.1.2.3/callbacks' }));
  const answer = await unchanged(renamed, () =>
    renamed.callLogistics(orderPath, { ...body, internal_name: 'NOT', callback_url: 'http://192.168.1.1/' }),
  );
  assert.equal(answer.status, 400);
});

test('the examples of the reference are accepted', async () => {
  const ofForm = await renamed.callLogistics(formPath, exampleInboundForm);
  assert.deepEqual(retvalOf(ofForm), { document_no: exampleInboundForm.form_no, status: 'received', idempotent: false });
  const ofOrder = await renamed.callLogistics(orderPath, exampleShippingOrder);
  assert.deepEqual(retvalOf(ofOrder), {
    document_no: exampleShippingOrder.internal_name,
    status: 'pending_warehouse_transfer',
    idempotent: false,
  });
});

test('too many calls are 429 with Retry-After, in the envelope, and nothing of them is done', async () => {
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => limited.callLogistics(orderPath, shippingOrder(`LIMIT-${index}`, [item('TEA', 1)]))),
  );
  const refused = answers.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.length < answers.length, `${refused.length} refused`);
  for (const answer of refused) {
    assertNotDone(answer, { status: 429 });
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
  }
  const [row] = await limited.store.database.read((sql) => sql`select count(*)::int as orders from orders`);
  assert.equal(row!.orders, answers.length - refused.length);
});

test('a database out of reach is 503 with Retry-After, in the envelope, within 5 s; afterwards the same call is done once', async () => {
  const bodies: [string, object][] = [
    [orderPath, shippingOrder('CUT', [item('CUT', 1)])],
    [formPath, form('CUT', [{ sku: 'CUT', quantity: 1 }])],
    [formPath, stopForm('CUT')],
  ];
  retvalOf(await cutOff.callLogistics(orderPath, shippingOrder('CUT-0', [item('CUT', 1)])));
  await proxy.refuse();
  const started = performance.now();
  for (const answer of await Promise.all(bodies.map(([path, body]) => cutOff.callLogistics(path, body)))) {
    assertNotDone(answer, { status: 503, msg: 'the database is out of reach; try again shortly' });
    assert.equal(answer.headers['retry-after'], '1');
  }
  assert.ok(performance.now() - started < 5000);
  await proxy.heal();
  for (const [path, body] of bodies.slice(0, 2)) {
    for (;;) {
      const answer = await cutOff.callLogistics(path, body);
      if (answer.status === 503) continue;
      assert.equal(retvalOf(answer).idempotent, false);
      break;
    }
    assert.equal((await take(cutOff, path, body as never)).idempotent, true);
  }
});
