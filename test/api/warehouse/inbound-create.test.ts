import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp } from '../../support/app.ts';
import {
  assertBalancesAreSums,
  assertRefused,
  assertRefusedUnchanged,
  cancelInbounds,
  createInbound,
  dataOf,
  dump,
  emptyRow,
  goodRow,
  inboundBody,
  inboundRow,
  movementsOf,
  order,
  stockOf,
  syncProducts,
  waysToSayNoExpiry,
  wrongIdentifiers,
  wrongQuantities,
} from '../../support/warehouse.ts';

const app = await startTestApp();
const path = '/inbound/create';

const secondTenant = { ...alpha, warehouseTpwId: 'TPW-A2' };
const throughExpiry = { ...alpha, warehouseTpwId: 'TPW-EXPIRY' };
const confirming = { ...alpha, warehouseTpwId: 'TPW-CONFIRM' };
const production = { accountNo: 'LIVE', secret: 'live-secret', warehouseTpwId: 'TPW-LIVE' };
await app.provision({
  warehouses: [{ warehouse_no: 2, name: 'Kaohsiung' }],
  stores: [{ store_no: 20, name: 'Second' }],
  accounts: [
    {
      account_no: alpha.accountNo,
      tenants: [
        { warehouse_tpw_id: secondTenant.warehouseTpwId, warehouse_no: 2, store_no: 20 },
        { warehouse_tpw_id: throughExpiry.warehouseTpwId, warehouse_no: 1, store_no: 10, sellable_days_before_expiry: 0 },
        { warehouse_tpw_id: confirming.warehouseTpwId, warehouse_no: 2, store_no: 10, receiving: 'on_confirm' },
        { warehouse_tpw_id: 'TPW-DISABLED', warehouse_no: 1, store_no: 10, enabled: false },
      ],
    },
    {
      account_no: production.accountNo,
      environment: 'production',
      secret: production.secret,
      tenants: [{ warehouse_tpw_id: production.warehouseTpwId, warehouse_no: 1, store_no: 10 }],
    },
  ],
});
await syncProducts(app, ['TEA', 'MILK', 'RICE']);

async function linesOf(number: string) {
  const rows = await app.store.database.read(
    (sql) => sql`
      select sku_id, l.batch_id, l.expire_date, l.qty
      from inbound_line l join inbound_document using (inbound_id) join product using (product_id)
      where partner_number = ${number} order by line_no`,
  );
  return rows.map(({ sku_id, batch_id, expire_date, qty }) => [sku_id, batch_id, expire_date, qty]);
}

test('a new document is answered with a stock_in_no that begins with si_, its own number and its warehouse', async () => {
  const data = dataOf(await app.callWarehouse(path, inboundBody('IN-NEW', { TEA: [['2030-01-31', 5]] })));

  assert.deepEqual(Object.keys(data), ['success', 'stock_in_no', 'stock_in_sn', 'warehouse_no']);
  assert.equal(data.success, true);
  assert.match(data.stock_in_no, /^si_\S+$/);
  assert.equal(data.stock_in_sn, 'IN-NEW');
  assert.equal(data.warehouse_no, 1);
});

test('the document is kept with its lines, its tenant and its arrival time', async () => {
  await syncProducts(app, ['KEPT-1', 'KEPT-2']);
  const stock: Parameters<typeof inboundBody>[1] = {
    'KEPT-1': [
      ['2030-02-28', 2],
      ['2028-02-29', 3],
    ],
    'KEPT-2': [['9999-12-31', 1]],
  };
  const answer = await app.callWarehouse(path, { ...inboundBody('IN-KEPT', stock), estimated_arrival_time: 1_772_337_906_789 });

  const row = await inboundRow(app, 'IN-KEPT');
  assert.deepEqual(
    [row?.account_no, row?.channel, row?.kind, row?.warehouse_no, row?.store_no, row?.receiving, row?.status, row?.original_order_number],
    ['ALPHA', 'warehouse', 'inbound', 1, 10, 'on_create', 'received', null],
  );
  assert.equal(row?.document_no, answer.json.data.stock_in_no);
  assert.equal(row?.trace_id, answer.json.trace_id);
  assert.deepEqual(row?.estimated_arrival_at, new Date('2026-03-01T04:05:06.789Z'));
  assert.deepEqual(await linesOf('IN-KEPT'), [
    ['KEPT-1', '', '2030-02-28', 2],
    ['KEPT-1', '', '2028-02-29', 3],
    ['KEPT-2', '', '9999-12-31', 1],
  ]);
});

test('in uat the units are on hand as good stock as soon as the document is created, each by one movement', async () => {
  await syncProducts(app, ['AT-ONCE']);
  const answer = await app.callWarehouse(
    path,
    inboundBody('IN-AT-ONCE', {
      'AT-ONCE': [
        ['2031-06-30', 4],
        ['2030-06-30', 6],
      ],
    }),
  );

  assert.deepEqual(await stockOf(app, 'AT-ONCE'), [goodRow('AT-ONCE', '2030-06-30', 6), goodRow('AT-ONCE', '2031-06-30', 4)]);
  const movements = await movementsOf(app, 'IN-AT-ONCE');
  const moved = { kind: 'receive', sku_id: 'AT-ONCE', batch_id: '', locked_delta: 0 };
  assert.deepEqual(
    movements.toSorted((a, b) => a.on_hand_delta - b.on_hand_delta),
    [
      { ...moved, expire_date: '2031-06-30', on_hand_delta: 4 },
      { ...moved, expire_date: '2030-06-30', on_hand_delta: 6 },
    ],
  );
  const [written] = await app.store.database.read(
    (sql) => sql`
      select distinct m.trace_id, m.actor from movement m join inbound_document using (inbound_id)
      where partner_number = 'IN-AT-ONCE'`,
  );
  assert.equal(written?.trace_id, answer.json.trace_id);
  assert.ok(written?.actor);
});

test('the same sku in several details, and the same date in several expires, add up', async () => {
  await syncProducts(app, ['SUM']);
  const details = [
    {
      sku_id: 'SUM',
      qty: 3,
      expires: [
        { expire_date: '2030-01-01', qty: 1 },
        { expire_date: '2030-01-01', qty: 2 },
      ],
    },
    { sku_id: 'SUM', expires: [{ expire_date: '2030-01-01', qty: 10 }] },
  ];
  dataOf(await app.callWarehouse(path, { ...inboundBody('IN-SUM', {}), details }));

  assert.deepEqual(await stockOf(app, 'SUM'), [goodRow('SUM', '2030-01-01', 13)]);
});

test('units of the same date join those that are there already', async () => {
  await syncProducts(app, ['JOIN']);
  await createInbound(app, 'IN-JOIN-1', { JOIN: [['2030-01-01', 1]] });
  await createInbound(app, 'IN-JOIN-2', { JOIN: [['2030-01-01', 2]] });

  assert.deepEqual(await stockOf(app, 'JOIN'), [goodRow('JOIN', '2030-01-01', 3)]);
});

test('a date that has passed is received as it is', async () => {
  await syncProducts(app, ['PAST']);
  await createInbound(app, 'IN-PAST', { PAST: [['2001-02-03', 1]] });
  assert.deepEqual(await stockOf(app, 'PAST'), [goodRow('PAST', '2001-02-03', 1)]);
});

for (const [name, withoutExpiry] of waysToSayNoExpiry) {
  test(`goods whose expire_date is ${name} do not expire: they join one lot, are sold last, and sell for ever`, async () => {
    const sku = `NEVER-${name}`;
    await syncProducts(app, [sku], throughExpiry);
    await createInbound(app, `IN-${sku}-1`, { [sku]: [['2030-06-30', 1]] }, throughExpiry);
    const body = inboundBody(`IN-${sku}-2`, {}, throughExpiry);
    const details = [{ sku_id: sku, qty: 5, expires: [{ ...withoutExpiry, qty: 2 }, { qty: 3 }] }];
    dataOf(await app.callWarehouse(path, { ...body, details }));

    const neverRow = goodRow(sku, null, 5);
    assert.deepEqual(await stockOf(app, sku), [goodRow(sku, '2030-06-30', 1), neverRow]);
    assert.deepEqual(await linesOf(`IN-${sku}-2`), [
      [sku, '', null, 2],
      [sku, '', null, 3],
    ]);
    await order(app, `OUT-${sku}-1`, [[sku, 2]], throughExpiry);
    assert.deepEqual(
      (await movementsOf(app, `OUT-${sku}-1`)).map(({ expire_date, locked_delta }) => [expire_date, locked_delta]),
      [
        ['2030-06-30', 1],
        [null, 1],
      ],
    );
    try {
      app.clock.set(new Date('2200-12-31T00:00:00Z'));
      await order(app, `OUT-${sku}-2`, [[sku, 4]], throughExpiry);
    } finally {
      app.clock.set(null);
    }
  });

  test(`a repeat that says no expiry another way than ${name} is the same body`, async () => {
    const body = (expiry: object) => ({
      ...inboundBody(`IN-SAME-${name}`, {}),
      details: [{ sku_id: 'TEA', expires: [{ ...expiry, qty: 1 }] }],
    });
    dataOf(await app.callWarehouse(path, body(withoutExpiry)));
    for (const [, other] of waysToSayNoExpiry) {
      const { json } = await app.callWarehouse(path, body(other));
      assert.deepEqual([json.code, 'payload_differs' in json.data], ['LST-TPW-2001', false]);
    }
  });
}

test('1.0 is 1, and 1,000,000,000 is the most', async () => {
  await syncProducts(app, ['EXACT']);
  const text = (number: string, qty: string) =>
    `{"inbound_short_id":"${number}","warehouse_tpw_id":"TPW-A","details":[{"sku_id":"EXACT","qty":${qty},` +
    `"expires":[{"expire_date":"2030-01-01","qty":${qty}}]}]}`;
  dataOf(await app.callWarehouse(path, text('IN-EXACT-1', '1.0')));
  dataOf(await app.callWarehouse(path, text('IN-EXACT-2', '1e9')));

  assert.deepEqual(await stockOf(app, 'EXACT'), [goodRow('EXACT', '2030-01-01', 1_000_000_001)]);
});

test('what may be left out may also be null', async () => {
  const body = inboundBody('IN-NULL', { TEA: [['2030-01-01', 1]] });
  const details = body.details.map((detail) => ({ ...detail, qty: null }));
  dataOf(await app.callWarehouse(path, { ...body, details, estimated_arrival_time: null }));
  assert.equal((await inboundRow(app, 'IN-NULL'))?.estimated_arrival_at, null);
});

test('warehouse and store follow from the account and warehouse_tpw_id, whatever else the body names', async () => {
  await syncProducts(app, ['ELSEWHERE']);
  const body = { ...inboundBody('IN-SECOND', { ELSEWHERE: [['2030-01-01', 7]] }, secondTenant), warehouse_no: 1, store_no: 10 };
  const data = dataOf(await app.callWarehouse(path, body));

  assert.equal(data.warehouse_no, 2);
  const row = await inboundRow(app, 'IN-SECOND');
  assert.deepEqual([row?.warehouse_no, row?.store_no], [2, 20]);
  const lots = await app.store.database.read((sql) => sql`select warehouse_no, on_hand from lot where sku_id = 'ELSEWHERE'`);
  assert.deepEqual([...lots], [{ warehouse_no: 2, on_hand: 7 }]);
});

test('an account_no in the body has no effect: the document is that of the header', async () => {
  const body = { ...inboundBody('IN-HEADER', { TEA: [['2030-01-01', 1]] }), account_no: beta.accountNo, colour: 'green' };
  dataOf(await app.callWarehouse(path, body));
  assert.equal((await inboundRow(app, 'IN-HEADER'))?.account_no, 'ALPHA');
});

for (const [name, caller] of [
  ['a tenant that receives on_confirm', confirming],
  ['production, by default', production],
] as const) {
  test(`nothing is on hand until the warehouse confirms: ${name}`, async () => {
    const sku = `LATER-${caller.warehouseTpwId}`;
    await syncProducts(app, [sku], caller);
    const data = await createInbound(app, `IN-${sku}`, { [sku]: [['2030-01-01', 5]] }, caller);

    assert.match(data.stock_in_no, /^si_/);
    const row = await inboundRow(app, `IN-${sku}`);
    assert.deepEqual([row?.receiving, row?.status], ['on_confirm', 'expected']);
    assert.deepEqual(await linesOf(`IN-${sku}`), [[sku, '', '2030-01-01', 5]]);
    assert.deepEqual(await stockOf(app, sku, caller), [emptyRow(sku)]);
    assert.deepEqual(await movementsOf(app, `IN-${sku}`), []);
  });
}

test('the number and the code of a call are in the request log', async () => {
  const body = inboundBody('IN-LOGGED', { TEA: [['2030-01-01', 1]] });
  const created = await app.callWarehouse(path, body);
  const repeated = await app.callWarehouse(path, body);

  for (const [answer, status, code] of [
    [created, 200, 'LST-TPW-2000'],
    [repeated, 400, 'LST-TPW-2001'],
  ] as const) {
    const line = await app.requestLine(answer.json.trace_id);
    assert.deepEqual([line?.document_no, line?.account_no, line?.status, line?.code], ['IN-LOGGED', 'ALPHA', status, code]);
  }
});

test('the same number again is 400 LST-TPW-2001 with the numbers of the original, and changes nothing', async () => {
  const body = inboundBody('IN-TWICE', { TEA: [['2030-01-01', 5]] });
  const original = dataOf(await app.callWarehouse(path, body));
  const before = await dump(app);
  const { status, headers, json } = await app.callWarehouse(path, body);

  assert.equal(status, 400);
  assert.deepEqual(Object.keys(json), ['code', 'trace_id', 'message', 'success', 'data']);
  assert.deepEqual([json.code, json.success, json.trace_id], ['LST-TPW-2001', false, headers['trace-id']]);
  assert.ok(json.message.length > 0);
  const { stock_in_no, stock_in_sn, warehouse_no } = json.data;
  assert.deepEqual({ stock_in_no, stock_in_sn, warehouse_no }, { ...withoutSuccess(original) });
  assert.ok(!('payload_differs' in json.data));
  assert.deepEqual(await dump(app), before);
});

test('a repeat is the same body also with its keys in another order, other white space and 5.0 for 5', async () => {
  dataOf(await app.callWarehouse(path, inboundBody('IN-WRITTEN', { TEA: [['2030-01-01', 5]] })));
  const written =
    '{ "details": [ { "expires": [ { "qty": 5.0, "expire_date": "2030-01-01" } ], "sku_id": "\\u0054EA" } ],\n' +
    '  "warehouse_tpw_id": "TPW-A", "inbound_short_id": "IN-WRITTEN" }';
  const { json } = await app.callWarehouse(path, written);

  assert.equal(json.code, 'LST-TPW-2001');
  assert.ok(!('payload_differs' in json.data));
});

const otherBodies: [string, object][] = [
  ['another qty', { details: [{ sku_id: 'TEA', expires: [{ expire_date: '2030-01-01', qty: 6 }] }] }],
  ['another date', { details: [{ sku_id: 'TEA', expires: [{ expire_date: '2030-01-02', qty: 5 }] }] }],
  ['no date', { details: [{ sku_id: 'TEA', expires: [{ qty: 5 }] }] }],
  ['another sku', { details: [{ sku_id: 'MILK', expires: [{ expire_date: '2030-01-01', qty: 5 }] }] }],
  ['another tenant', { warehouse_tpw_id: 'TPW-A2' }],
  ['an arrival time', { estimated_arrival_time: 1_772_337_906_789 }],
  ['a tenant that is not known', { warehouse_tpw_id: 'NOWHERE' }],
  ['a sku that is not known', { details: [{ sku_id: 'UNKNOWN', expires: [{ expire_date: '2030-01-01', qty: 5 }] }] }],
];
for (const [name, change] of otherBodies) {
  test(`a repeat with ${name} is still a duplicate, says that the body differs, and changes nothing`, async () => {
    const number = `IN-DIFFERS ${name}`;
    const body = inboundBody(number, { TEA: [['2030-01-01', 5]] });
    const original = dataOf(await app.callWarehouse(path, body));
    const before = await dump(app);
    const { status, json } = await app.callWarehouse(path, { ...body, ...change });

    assert.deepEqual([status, json.code, json.success], [400, 'LST-TPW-2001', false]);
    const { stock_in_no, stock_in_sn, warehouse_no, payload_differs } = json.data;
    assert.deepEqual({ stock_in_no, stock_in_sn, warehouse_no }, withoutSuccess(original));
    assert.equal(payload_differs, true);
    assert.deepEqual(await dump(app), before);
  });
}

test('a cancelled document keeps its number: the same again is a duplicate and brings nothing', async () => {
  await syncProducts(app, ['CANCELLED']);
  const original = await createInbound(app, 'IN-CANCELLED', { CANCELLED: [['2030-01-01', 5]] });
  assert.deepEqual(await cancelInbounds(app, ['IN-CANCELLED']), [{ stock_in_sn: 'IN-CANCELLED', status: 'cancelled' }]);
  const { status, json } = await app.callWarehouse(path, inboundBody('IN-CANCELLED', { CANCELLED: [['2030-01-01', 5]] }));

  assert.deepEqual([status, json.code, json.data.stock_in_no], [400, 'LST-TPW-2001', original.stock_in_no]);
  assert.ok(!('payload_differs' in json.data));
  assert.deepEqual(await stockOf(app, 'CANCELLED'), [emptyRow('CANCELLED')]);
});

test('a repeat must have valid fields all the same', async () => {
  const body = inboundBody('IN-REPEAT-WRONG', { TEA: [['2030-01-01', 5]] });
  dataOf(await app.callWarehouse(path, body));
  await assertRefusedUnchanged(app, path, { ...body, details: [] }, { paths: ['details'] });
});

test("a number of another account is in use, and nothing of that account's document is shown", async () => {
  const body = inboundBody('IN-THEIRS', { TEA: [['2030-01-01', 5]] });
  const original = dataOf(await app.callWarehouse(path, body));
  const refusal = { message: 'inbound_short_id already in use' };
  for (const change of [
    {},
    { warehouse_tpw_id: beta.warehouseTpwId },
    { details: inboundBody('', { NONE: [['2030-01-01', 1]] }).details },
  ]) {
    const { text } = await assertRefusedUnchanged(app, path, { ...body, ...change }, refusal, beta);
    assert.ok(!text.includes(original.stock_in_no));
    assert.ok(!text.includes('warehouse_no'));
    assert.ok(!text.includes('payload_differs'));
  }
});

test('numbers are compared exactly: another case, another form of the same letter is another document', async () => {
  const numbers = ['in-exact', 'IN-exact', 'caf\u00e9', 'cafe\u0301', '號', '号', '1', '01'];
  const answers = [];
  for (const number of numbers) answers.push(await createInbound(app, number, { TEA: [['2030-01-01', 1]] }));

  assert.deepEqual(
    answers.map(({ stock_in_sn }) => stock_in_sn),
    numbers,
  );
  assert.equal(new Set(answers.map(({ stock_in_no }) => stock_in_no)).size, numbers.length);
});

test('a number of 125 characters is accepted, however many bytes they take, and echoed', async () => {
  for (const number of ['號'.repeat(125), '📦'.repeat(125), `"\\'%_{}<&> ${'x'.repeat(114)}`]) {
    assert.equal((await createInbound(app, number, { TEA: [['2030-01-01', 1]] })).stock_in_sn, number);
  }
});

test('fifty simultaneous creates of one number: exactly one creates, the others are told of it', async () => {
  await syncProducts(app, ['RACE']);
  const body = inboundBody('IN-RACE', { RACE: [['2030-01-01', 5]] });
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.callWarehouse(path, body)));

  const [created, ...others] = answers.toSorted((a, b) => a.status - b.status);
  const { stock_in_no } = dataOf(created!);
  for (const { status, json } of others) {
    assert.deepEqual([status, json.code, json.data.stock_in_no], [400, 'LST-TPW-2001', stock_in_no]);
  }
  assert.deepEqual(await stockOf(app, 'RACE'), [goodRow('RACE', '2030-01-01', 5)]);
  assert.equal((await movementsOf(app, 'IN-RACE')).length, 1);
});

test('two accounts race for one number: one has it, the other learns nothing of it', async () => {
  await syncProducts(app, ['TEA'], beta);
  for (let round = 1; round <= 5; round++) {
    const number = `IN-TWO-RACE-${round}`;
    const answers = await Promise.all(
      [alpha, beta].map((caller) => app.callWarehouse(path, inboundBody(number, { TEA: [['2030-01-01', 1]] }, caller), caller)),
    );
    const [created, refused] = answers.toSorted((a, b) => a.status - b.status);
    dataOf(created!);
    assertRefused(refused!, { message: 'inbound_short_id already in use' });
    assert.ok(!refused!.text.includes(created!.json.data.stock_in_no));
  }
});

test('forty simultaneous documents of the same skus in opposite orders all arrive, and their units add up', async () => {
  await syncProducts(app, ['CROSS-1', 'CROSS-2']);
  const skus = ['CROSS-1', 'CROSS-2'];
  await Promise.all(
    Array.from({ length: 40 }, (_, index) => {
      const ordered = index % 2 === 0 ? skus : skus.toReversed();
      return createInbound(app, `IN-CROSS-${index}`, Object.fromEntries(ordered.map((sku) => [sku, [['2030-01-01', 1]]])));
    }),
  );
  assert.deepEqual(await stockOf(app, skus), [goodRow('CROSS-1', '2030-01-01', 40), goodRow('CROSS-2', '2030-01-01', 40)]);
});

const unknownTenants: [string, string, typeof alpha][] = [
  ['one that does not exist', 'NOWHERE', alpha],
  ['one in another case', 'tpw-a', alpha],
  ["another account's", beta.warehouseTpwId, alpha],
  ['a disabled one', 'TPW-DISABLED', alpha],
];
for (const [name, warehouseTpwId, caller] of unknownTenants) {
  test(`unknown tenant, before the skus are looked at: ${name}`, async () => {
    const body = { ...inboundBody('IN-NO-TENANT', { UNKNOWN: [['2030-01-01', 1]] }), warehouse_tpw_id: warehouseTpwId };
    await assertRefusedUnchanged(app, path, body, { message: 'unknown tenant', paths: ['warehouse_tpw_id'] }, caller);
  });
}

test('sku_id not found: every detail whose product was not synced is named, and nothing arrives', async () => {
  const stock: Parameters<typeof inboundBody>[1] = { TEA: [['2030-01-01', 1]], 'NO-1': [['2030-01-01', 1]], 'NO-2': [['2030-01-01', 1]] };
  const body = inboundBody('IN-NO-SKU', stock);
  const details = [...body.details, body.details[1]];
  const paths = ['details[1].sku_id', 'details[2].sku_id', 'details[3].sku_id'];
  await assertRefusedUnchanged(app, path, { ...body, details }, { message: 'sku_id not found', paths });
});

test("sku_id not found: another account's product, and the same letters in another case, are not ours", async () => {
  await syncProducts(app, ['BETA-ONLY'], beta);
  for (const sku of ['BETA-ONLY', 'tea', 'TEA\u0301']) {
    const body = inboundBody('IN-NOT-OURS', { [sku]: [['2030-01-01', 1]] });
    await assertRefusedUnchanged(app, path, body, { message: 'sku_id not found', paths: ['details[0].sku_id'] });
  }
});

test('a number that was refused is still free', async () => {
  await assertRefusedUnchanged(app, path, inboundBody('IN-SECOND-TRY', { LATE: [['2030-01-01', 1]] }), { message: 'sku_id not found' });
  await syncProducts(app, ['LATE']);
  dataOf(await app.callWarehouse(path, inboundBody('IN-SECOND-TRY', { LATE: [['2030-01-01', 1]] })));
});

const detail = { sku_id: 'TEA', expires: [{ expire_date: '2030-01-01', qty: 1 }] };
const expiry = { expire_date: '2030-01-01', qty: 1 };
const withDetail = (change: object) => ({ details: [{ ...detail, ...change }] });
const withExpiry = (change: object) => withDetail({ expires: [{ ...expiry, ...change }] });

const wrong: [string, object, string[]][] = [
  ...wrongIdentifiers.flatMap(([name, value]): [string, object, string[]][] => [
    [`inbound_short_id ${name}`, { inbound_short_id: value }, ['inbound_short_id']],
    [`warehouse_tpw_id ${name}`, { warehouse_tpw_id: value }, ['warehouse_tpw_id']],
    [`sku_id ${name}`, withDetail({ sku_id: value }), ['details[0].sku_id']],
  ]),
  ...wrongQuantities.flatMap(([name, value]): [string, object, string[]][] => [
    [`qty of an expiry ${name}`, withExpiry({ qty: value }), ['details[0].expires[0].qty']],
    [`qty of a detail ${name}`, withDetail({ qty: value }), ['details[0].qty']],
  ]),
  ['qty of an expiry missing', withExpiry({ qty: undefined }), ['details[0].expires[0].qty']],
  ['qty of an expiry null', withExpiry({ qty: null }), ['details[0].expires[0].qty']],
  ['qty of a detail above the sum of its expires', withDetail({ qty: 2 }), ['details[0].qty']],
  ['qty of a detail below the sum of its expires', withDetail({ qty: 1, expires: [expiry, expiry] }), ['details[0].qty']],
  ['details missing', { details: undefined }, ['details']],
  ['details null', { details: null }, ['details']],
  ['details empty', { details: [] }, ['details']],
  ['details no array', { details: detail }, ['details']],
  ['details more than 500', { details: Array(501).fill(detail) }, ['details']],
  ['a detail no object', { details: [detail, 'TEA'] }, ['details[1]']],
  ['a detail null', { details: [null] }, ['details[0]']],
  ['expires missing', withDetail({ expires: undefined }), ['details[0].expires']],
  ['expires empty', withDetail({ expires: [] }), ['details[0].expires']],
  ['expires no array', withDetail({ expires: expiry }), ['details[0].expires']],
  ['expires more than 100', withDetail({ expires: Array(101).fill(expiry) }), ['details[0].expires']],
  ['an expiry no object', withDetail({ expires: [expiry, 1] }), ['details[0].expires[1]']],
  ['expire_date a space', withExpiry({ expire_date: ' ' }), ['details[0].expires[0].expire_date']],
  ['expire_date an empty list', withExpiry({ expire_date: [] }), ['details[0].expires[0].expire_date']],
  ['expire_date a number', withExpiry({ expire_date: 20300101 }), ['details[0].expires[0].expire_date']],
  ['expire_date with a time', withExpiry({ expire_date: '2030-01-01T00:00:00Z' }), ['details[0].expires[0].expire_date']],
  ['expire_date with slashes', withExpiry({ expire_date: '2030/01/01' }), ['details[0].expires[0].expire_date']],
  ['expire_date without its zeros', withExpiry({ expire_date: '2030-1-1' }), ['details[0].expires[0].expire_date']],
  ['expire_date with a line feed behind', withExpiry({ expire_date: '2030-01-01\n' }), ['details[0].expires[0].expire_date']],
  ['expire_date 30 February', withExpiry({ expire_date: '2030-02-30' }), ['details[0].expires[0].expire_date']],
  ['expire_date 29 February of a common year', withExpiry({ expire_date: '2100-02-29' }), ['details[0].expires[0].expire_date']],
  ['expire_date 31 April', withExpiry({ expire_date: '2030-04-31' }), ['details[0].expires[0].expire_date']],
  ['expire_date in month 13', withExpiry({ expire_date: '2030-13-01' }), ['details[0].expires[0].expire_date']],
  ['expire_date on day 0', withExpiry({ expire_date: '2030-01-00' }), ['details[0].expires[0].expire_date']],
  ['expire_date in year 0', withExpiry({ expire_date: '0000-01-01' }), ['details[0].expires[0].expire_date']],
  ['expire_date infinity', withExpiry({ expire_date: 'infinity' }), ['details[0].expires[0].expire_date']],
  ['estimated_arrival_time text', { estimated_arrival_time: '1772337906789' }, ['estimated_arrival_time']],
  ['estimated_arrival_time a fraction', { estimated_arrival_time: 1.5 }, ['estimated_arrival_time']],
  ['estimated_arrival_time negative', { estimated_arrival_time: -1 }, ['estimated_arrival_time']],
  ['estimated_arrival_time beyond the calendar', { estimated_arrival_time: Number.MAX_SAFE_INTEGER }, ['estimated_arrival_time']],
  [
    'several mistakes at once, and those of the tenant and the sku not yet',
    {
      inbound_short_id: '',
      warehouse_tpw_id: 'NOWHERE',
      estimated_arrival_time: 'soon',
      details: [
        { sku_id: 'UNKNOWN', expires: [expiry, { expire_date: '2030-02-30', qty: 0 }] },
        { sku_id: ' ', expires: [] },
        { ...detail, qty: 9 },
      ],
    },
    [
      'inbound_short_id',
      'estimated_arrival_time',
      'details[0].expires[1].expire_date',
      'details[0].expires[1].qty',
      'details[1].sku_id',
      'details[1].expires',
      'details[2].qty',
    ],
  ],
];
for (const [name, change, paths] of wrong) {
  test(`refused with PARAM_INVALID and nothing changed: ${name}`, async () => {
    const body = { ...inboundBody('IN-WRONG', { TEA: [['2030-01-01', 1]] }), ...change };
    await assertRefusedUnchanged(app, path, body, { paths });
  });
}

for (const body of ['null', '[]', '"IN"', '7']) {
  test(`refused with PARAM_INVALID and nothing changed: the body ${body}`, async () => {
    await assertRefusedUnchanged(app, path, body, {});
  });
}

test('500 details, and 100 expires in one of them, are accepted', async () => {
  await syncProducts(app, ['MANY-1', 'MANY-2']);
  const details = Array.from({ length: 499 }, () => ({ sku_id: 'MANY-1', expires: [expiry] }));
  const expires = Array.from({ length: 100 }, (_, index) => ({ expire_date: `${2030 + index}-01-01`, qty: 2 }));
  dataOf(await app.callWarehouse(path, { ...inboundBody('IN-MANY', {}), details: [...details, { sku_id: 'MANY-2', qty: 200, expires }] }));

  assert.deepEqual(await stockOf(app, 'MANY-1'), [goodRow('MANY-1', '2030-01-01', 499)]);
  assert.deepEqual(
    await stockOf(app, 'MANY-2'),
    expires.map(({ expire_date }) => goodRow('MANY-2', expire_date, 2)),
  );
});

test('an arrival time is kept to the millisecond, in any year', async () => {
  await syncProducts(app, ['ARRIVES']);
  for (const [index, ms] of [0, 1, 8_640_000_000_123, 138_118_726_740_990, 253_402_300_799_999].entries()) {
    const number = `IN-ARRIVES-${index}`;
    dataOf(await app.callWarehouse(path, { ...inboundBody(number, { ARRIVES: [['2030-01-01', 1]] }), estimated_arrival_time: ms }));
    const [row] = await app.store.database.read(
      (sql) =>
        sql`select (extract(epoch from estimated_arrival_at) * 1000000)::text as us from inbound_document where partner_number = ${number}`,
    );
    assert.equal(Number(row!.us), ms * 1000);
  }
});

test('more units than a lot can ever hold are refused, not an internal error, and nothing arrives', async () => {
  await syncProducts(app, ['TOO-MUCH']);
  const most = { sku_id: 'TOO-MUCH', expires: Array(100).fill({ expire_date: '2030-01-01', qty: 1_000_000_000 }) };
  await assertRefusedUnchanged(app, path, { ...inboundBody('IN-TOO-MUCH', {}), details: Array(11).fill(most) }, {});
  assert.deepEqual(await stockOf(app, 'TOO-MUCH'), [emptyRow('TOO-MUCH')]);
});

/** 100 to a detail, each of a day of its own. */
function detailsWith(expiresCount: number) {
  const expires = Array.from({ length: expiresCount }, (_, index) => ({
    expire_date: new Date(Date.UTC(2030, 0, 1 + index)).toISOString().slice(0, 10),
    qty: 1 + (index % 7),
  }));
  return Array.from({ length: Math.ceil(expiresCount / 100) }, (_, index) => ({
    sku_id: 'RICE',
    expires: expires.slice(index * 100, (index + 1) * 100),
  }));
}

test('5,001 expires in one document are refused, however few a detail has, and nothing changes', async () => {
  const message = 'must not have more than 5000 expires in all';
  const body = { ...inboundBody('IN-LARGE', {}), details: detailsWith(5001) };
  const { json } = await assertRefusedUnchanged(app, path, body, { message: `details ${message}` });
  assert.deepEqual(json.data.errors, [{ path: 'details', message }]);
});

test('5,000 expires in one document are received whole, each into a lot of its own', async () => {
  const details = detailsWith(5000);
  dataOf(await app.callWarehouse(path, { ...inboundBody('IN-LARGE', {}), details }));

  const expires = details.flatMap((detail) => detail.expires);
  assert.deepEqual(
    await linesOf('IN-LARGE'),
    expires.map(({ expire_date, qty }) => ['RICE', '', expire_date, qty]),
  );
  assert.deepEqual(
    await stockOf(app, 'RICE'),
    expires.map(({ expire_date, qty }) => goodRow('RICE', expire_date, qty)),
  );
  assert.equal((await movementsOf(app, 'IN-LARGE')).length, 5000);
});

test('balances are the sums of the movements, after all of this', async () => {
  await assertBalancesAreSums(app);
});

function withoutSuccess({ stock_in_no, stock_in_sn, warehouse_no }: { stock_in_no: string; stock_in_sn: string; warehouse_no: number }) {
  return { stock_in_no, stock_in_sn, warehouse_no };
}
