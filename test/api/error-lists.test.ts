import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes, type PublicErrorCode } from '../../contract/errors/codes.ts';
import { LadingError, MainClient } from '../../sdk/client.ts';
import { alpha, startTestApp, type TestAnswer, type TestApp } from '../support/app.ts';
import { addressOf, clientsOf } from '../support/clients.ts';
import { errorItem } from '../support/errors.ts';
import { form, formPath, item, orderPath, shippingOrder, stopForm } from '../support/logistics.ts';
import { dumpAll } from '../support/main.ts';
import { order, orderBody, receive } from '../support/warehouse.ts';

const app = await startTestApp();
const throttled = await startTestApp({ env: { RATE_LIMIT: '1', PUBLIC_URL: 'https://lading.example/oms/' } });
await throttled.tokenOf();
/** The clients sign with the time of the machine. */
const clients = await clientsOf(app);
await receive(app, { TEA: [['2030-01-01', 5]] });

type ContractName = 'warehouse' | 'main' | 'logistics';
type Item = ReturnType<typeof errorItem>;

const prefixes = { warehouse: '/warehouse/v1', main: '/api/v2/default', logistics: '/logistics' };
const paths = { warehouse: '/outbound/create', main: '/orders/create', logistics: orderPath };

/** Sends a request with the credentials of its contract. */
async function call(contract: ContractName, path: string, body: unknown, on: TestApp = app): Promise<TestAnswer> {
  if (contract === 'warehouse') return await on.callWarehouse(path, body);
  return contract === 'main' ? await on.callMain(path, body) : await on.callLogistics(path, body);
}

/** The list where its contract has it, and nowhere else. */
function errorsOf(contract: ContractName, { json }: TestAnswer): Item[] {
  const { errors, data, retval } = json;
  const lists = { warehouse: data?.errors, main: errors, logistics: retval?.errors };
  const { [contract]: own, ...others } = lists;
  assert.deepEqual(Object.values(others), [undefined, undefined], JSON.stringify(json));
  return own;
}

async function unchanged<T>(work: () => Promise<T>): Promise<T> {
  const before = await dumpAll(app);
  const result = await work();
  assert.deepEqual(await dumpAll(app), before);
  return result;
}

const contracts: ContractName[] = ['warehouse', 'main', 'logistics'];
const unsent = { warehouse: 'account-no', main: 'authorization', logistics: 'authorization' };
const unauthorized: Record<ContractName, [PublicErrorCode, string]> = {
  warehouse: ['signature_invalid', 'authentication failed'],
  main: ['token_missing', 'the header Authorization is missing; it must be: Bearer <access token>'],
  logistics: ['api_key_invalid', 'authentication failed'],
};

for (const contract of contracts) {
  const path = paths[contract];

  test(`an unreadable body, a wrong type, an unknown path and missing credentials have one error each: ${contract}`, async () => {
    const url = `${prefixes[contract]}${path}`;
    const send = async (options: object) => {
      const answer = await app.http.inject({ method: 'POST', url, ...options });
      return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
    };
    const [code, message] = unauthorized[contract];
    const rejections: [answer: TestAnswer, status: number, expected: Item][] = [
      [await call(contract, path, '{"a":'), 400, unreadable],
      [await call(contract, '/nowhere', {}), 404, errorItem('unknown_path', '', 'no such path')],
      [await send({ method: 'GET' }), 405, errorItem('method_not_allowed', '', 'this path takes POST only')],
      [await send({ payload: Buffer.alloc(1_048_577), headers: json }), 413, tooLarge],
      [await send({ payload: '{}', headers: { ...json, [unsent[contract]]: '' } }), 401, errorItem(code, '', message)],
    ];
    for (const [answer, status, expected] of rejections)
      assert.deepEqual([answer.status, errorsOf(contract, answer)], [status, [expected]]);
  });
}

const json = { 'content-type': 'application/json' };
const unreadable = errorItem('body_unreadable', '', 'The body is not valid JSON: it ends too early.');
const tooLarge = errorItem('body_too_large', '', 'the body is larger than 1048576 bytes');

for (const contract of contracts) {
  test(`a throttled request has one error, which links to the URL of the service: ${contract}`, async () => {
    let answer: TestAnswer;
    do answer = await call(contract, paths[contract], {}, throttled);
    while (answer.status !== 429);
    const message = 'too many requests; try again in 1 s';
    const expected = errorItem('rate_limited', '', message, 'https://lading.example/oms/docs');
    assert.deepEqual(errorsOf(contract, answer), [expected]);
  });
}

const missing = 'is missing';
const notString = 'must be string';
const severalMistakes: Record<ContractName, [body: object, errors: Item[]]> = {
  warehouse: [
    { ...orderBody('X', [['TEA', 0]]), consignee_country: 'JP', outbound_short_id: 7 },
    [
      errorItem('field_invalid', 'outbound_short_id', notString),
      errorItem('field_invalid', 'consignee_country', 'must be one of TW'),
      errorItem('field_invalid', 'details[0].qty', 'must be >= 1'),
    ],
  ],
  main: [
    { ...orderBody('X', []), warehouse_tpw_id: undefined, details: [{ qty: 1 }, 1] },
    [
      errorItem('field_missing', 'warehouse_tpw_id', missing),
      errorItem('field_missing', 'details[0].sku_id', missing),
      errorItem('field_invalid', 'details[1]', 'must be object'),
    ],
  ],
  logistics: [
    { ...shippingOrder('X', [item('TEA', 1.5)]), phone: undefined, callback_url: 'http://10.0.0.1/' },
    [
      errorItem('field_missing', 'phone', missing),
      errorItem('field_invalid', 'products[0].quantity', 'must be integer'),
      errorItem('field_invalid', 'callback_url', 'must not point to a private or reserved address'),
    ],
  ],
};

for (const contract of contracts) {
  test(`several wrong fields have one error each, and nothing changes: ${contract}`, async () => {
    const [body, errors] = severalMistakes[contract];
    const answer = await unchanged(() => call(contract, paths[contract], body));
    assert.equal(answer.status, 400);
    assert.deepEqual(errorsOf(contract, answer), errors);
  });
}

const mapping = 'unknown ship_method mapping';
const shipMethod = (path: string, values: string) =>
  errorItem('unknown_ship_method', path, `${mapping}: must be one of ${values}`);
const otherOrder = (change: object) => ({ ...orderBody('REFUSED', [['TEA', 1]]), ...change });
const refusedOrders: [name: string, body: object, message: string, errors: Item[]][] = [
  [
    'the tenant',
    otherOrder({ warehouse_tpw_id: 'NOWHERE' }),
    'unknown tenant',
    [errorItem('unknown_tenant', 'warehouse_tpw_id', 'unknown tenant')],
  ],
  [
    'each unknown product',
    orderBody('REFUSED', [
      ['NONE', 1],
      ['TEA', 1],
      ['NEITHER', 1],
    ]),
    'sku_id not found',
    [0, 2].map((index) => errorItem('unknown_sku', `details[${index}].sku_id`, 'sku_id not found')),
  ],
  [
    'the express type that does not fit',
    otherOrder({ logistics_type: 'csvs', express_type: 'tcat' }),
    mapping,
    [shipMethod('express_type', 'pcsc, family, hilife')],
  ],
  [
    'the logistics type that does not exist',
    otherOrder({ logistics_type: 'air', express_type: 'hct' }),
    mapping,
    [shipMethod('logistics_type', 'home')],
  ],
  [
    'both halves if neither exists',
    otherOrder({ logistics_type: 'air', express_type: 'mail' }),
    mapping,
    [shipMethod('logistics_type', 'home, csvs'), shipMethod('express_type', 'tcat, hct, post, pcsc, family, hilife')],
  ],
  [
    'the quantity',
    orderBody('REFUSED', [['TEA', 6]]),
    'sku TEA available=5 < requested=6',
    [errorItem('insufficient_stock', 'details[0].qty', 'sku TEA available=5 < requested=6')],
  ],
];

for (const [name, body, message, errors] of refusedOrders) {
  test(`a refused order names ${name} in both APIs, under the fixed message, and nothing changes`, async () => {
    for (const contract of ['warehouse', 'main'] as const) {
      const answer = await unchanged(() => call(contract, paths[contract], body));
      assert.deepEqual([answer.status, answer.json.message ?? answer.json.msg], [400, message]);
      assert.deepEqual(errorsOf(contract, answer), errors);
    }
  });
}

test('a number that is used already, one that is unknown, and a request that comes too late name the number', async () => {
  const goods = form('FORM', [item('TEA', 1)]);
  assert.equal((await app.callLogistics(formPath, goods)).status, 200);
  assert.equal((await app.callLogistics(orderPath, shippingOrder('SHIP', [item('TEA', 1)]))).status, 200);
  const rejections: [path: string, body: object, status: number, expected: Item][] = [
    [formPath, { ...goods, shipping_type: 1 }, 409, reused('form_no')],
    [orderPath, shippingOrder('SHIP', [item('TEA', 2)]), 409, reused('internal_name')],
    [formPath, stopForm('UNKNOWN'), 400, errorItem('not_found', 'form_no', 'not found')],
    [formPath, stopForm('FORM'), 400, errorItem('too_late', 'form_no', closed)],
  ];
  for (const [path, body, status, expected] of rejections) {
    const answer = await unchanged(() => app.callLogistics(path, body));
    assert.deepEqual([answer.status, errorsOf('logistics', answer)], [status, [expected]]);
  }
  const stopped = await unchanged(() => app.callMain('/inbounds/stop', { form_no: 'FORM' }));
  assert.deepEqual(errorsOf('main', stopped), [errorItem('too_late', 'form_no', closed)]);
});

const closed = 'is received already; receiving cannot be stopped';
const reused = (field: string) => errorItem('number_conflict', field, `${field} was used before with another body`);

test('a refused entry of a batch has its code', async () => {
  await order(app, 'ENTRY', [['TEA', 1]]);
  const { json: body } = await app.callMain('/fulfilment/advance', {
    orders: [
      { outbound_short_id: 'ENTRY', status: 'packed' },
      { outbound_short_id: 'NONE', status: 'packed' },
    ],
  });
  const message = 'orders of a UAT account stay in pending_warehouse_transfer';
  assert.deepEqual(body.retval.results, [
    { outbound_short_id: 'ENTRY', status: 'refused', code: 'not_in_uat', message },
    { outbound_short_id: 'NONE', status: 'not_found' },
  ]);
});

test('every code has a page, to which the errors of responses link, and a section of the error guide, to which they linked before', async () => {
  const { payload: guide } = await app.http.inject('/docs/guides/errors');
  for (const [code, { meaning, todo }] of Object.entries(errorCodes)) {
    assert.ok(guide.includes(`<h3 id="${code}">`), code);
    const page = await app.http.inject(errorItem(code as keyof typeof errorCodes, '', '').doc_url);
    assert.equal(page.statusCode, 200, code);
    const text = (await app.http.inject(`/docs/errors/${code}.md`)).payload;
    assert.ok(text.startsWith(`# \`${code}\`\n\n${meaning} ${todo}\n`), text.slice(0, 200));
    assert.match(text, /\n## Messages\n\n### .*\n\n\|/, code);
  }
});

test('the clients give the errors of a rejection in every API, also if they get no token', async () => {
  const unknownClient = new MainClient({ url: await addressOf(app), clientId: alpha.clientId, checkValue: 'wrong' });
  const notFound = errorItem('not_found', 'form_no', 'not found');
  const refusals: [call: () => Promise<unknown>, first: Item][] = [
    [() => clients.warehouse.productSync({} as never), errorItem('field_missing', 'sku_id', missing)],
    [() => clients.main.inboundsStop({ form_no: 'NO' }), notFound],
    [() => clients.logistics.inboundForm(stopForm('NO')), notFound],
    [
      () => unknownClient.ordersCancel({ outbound_short_ids: ['A'] }),
      errorItem('credentials_invalid', '', 'invalid ClientId or CheckValue'),
    ],
  ];
  for (const [call, first] of refusals) {
    const error: unknown = await call().catch((thrown) => thrown);
    assert.ok(error instanceof LadingError);
    assert.deepEqual(error.errors[0], first);
  }
});
