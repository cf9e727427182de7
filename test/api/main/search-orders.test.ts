import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import type { SearchList, SearchPage } from '../../../contract/main/search-list.ts';
import { recordSearch } from '../../../server/domain/operators/record-search.ts';
import { alpha, startTestApp } from '../../support/app.ts';
import { actionsOf } from '../../support/console.ts';
import { assertNotDone, lists, type Row, retvalOf, searchAll } from '../../support/main.ts';
import { orderBody, receive } from '../../support/warehouse.ts';

const app = await startTestApp();
const sets = { TEA: [['2030-01-01', 100]], CUP: [['2030-01-01', 100]] };
await receive(app, sets as never);
const person = { consignee_name: '王小明', consignee_phone: '+886 912-345-678' };

const order = async (number: string, lines: [string, number][], recipient: object) =>
  assert.equal(
    (await app.callWarehouse('/outbound/create', { ...orderBody(number, lines as never, alpha), ...recipient }, alpha))
      .status,
    200,
  );
const search = async (list: SearchList, body: object) =>
  retvalOf<SearchPage<Row>>(await app.callMain(list.path, body, { as: alpha }));

const numbersOf = async (body: object) =>
  (await searchAll(app, lists.orders, body)).map((row) => row.outbound_short_id);

test('orders are found by phone digits, the last four, the beginning of a name, and a product', async () => {
  await order(
    'FIND-1',
    [
      ['TEA', 1],
      ['TEA', 1],
      ['CUP', 1],
    ],
    person,
  );
  await order('FIND-2', [['CUP', 1]], { consignee_name: '王大明', consignee_phone: '0912345678' });
  await order('FIND-3', [['TEA', 1]], { consignee_name: 'Wang', consignee_phone: '12 34' });
  const by = (filters: Record<string, unknown>) =>
    numbersOf(Object.fromEntries(Object.entries(filters).map(([name, value]) => [`orders.${name}`, value])));
  assert.deepEqual(await by({ consignee_phone: '5678' }), ['FIND-2', 'FIND-1']);
  assert.deepEqual(await by({ consignee_phone: '886912345678' }), ['FIND-1']);
  assert.deepEqual(await by({ consignee_phone: ['0912345678', '1234'] }), ['FIND-3', 'FIND-2']);
  assert.deepEqual(await by({ consignee_phone: '345678' }), [], 'neither all digits nor the last four');
  assert.deepEqual((await by({ consignee_name: { prefix: '王' } })).toSorted(), ['FIND-1', 'FIND-2']);
  assert.deepEqual(await by({ consignee_name: { prefix: '王' }, consignee_phone: '0912345678' }), ['FIND-2']);
  assert.deepEqual(await by({ sku_id: 'TEA' }), ['FIND-3', 'FIND-1'], 'an order with two lines comes once');
  assert.deepEqual(await by({ sku_id: ['TEA', 'CUP'], consignee_phone: '5678' }), ['FIND-2', 'FIND-1']);
  assert.deepEqual(await by({ sku_id: 'NOBODY' }), []);
});

test('a recipient filter needs its permission, and every use is in the audit log without the value', async () => {
  const client = { clientId: 'plain', checkValue: 'plain-check-value-of-thirty-two-characters-or-more' };
  await app.provision({
    clients: [
      {
        client_id: client.clientId,
        check_value: client.checkValue,
        account_no: alpha.accountNo,
        permissions: ['orders.read'],
      },
    ],
  });
  const action = 'orders/search-by-recipient';
  const before = (await actionsOf(app, action)).length;
  for (const filter of [{ 'orders.consignee_phone': '5678' }, { 'orders.consignee_name': { prefix: '王' } }]) {
    const refused = await app.callMain(lists.orders.path, filter, { as: client });
    assert.equal(refused.status, 403);
    assertNotDone(refused, { status: 403, msg: 'this client lacks the permission orders.recipients' });
  }
  assert.equal((await actionsOf(app, action)).length, before);
  retvalOf(
    await app.callMain(lists.orders.path, { 'orders.sku_id': 'TEA', 'orders.consignee_phone': null }, { as: client }),
  );

  await search(lists.orders, { 'orders.consignee_phone': '0912345678' });
  const [last] = (await actionsOf(app, action)).slice(-1);
  assert.deepEqual(last, {
    username: `${alpha.accountNo}/${alpha.clientId}`,
    subject: null,
    outcome: 'found 1',
    details: { filters: ['consignee_phone'] },
  });
  const [row] = await app.store.database.read(
    (sql) =>
      sql<
        { text: string }[]
      >`select operator_action::text as text from operator_action where action = ${action} order by operator_action_id desc limit 1`,
  );
  assert.ok(!row!.text.includes('0912345678'));
});

test('a search for a recipient that fails is in the audit log as failed, and the error reaches the caller', async () => {
  const search = { client: 'ALPHA/failing', accountNo: alpha.accountNo, filters: ['consignee_name'], address: '' };
  const error = new Error('the database is gone');
  await assert.rejects(
    recordSearch(app.store.service, { ...search, traceId: randomUUID() }, () => Promise.reject(error)),
    error,
  );
  const { username, outcome } = (await actionsOf(app, 'orders/search-by-recipient')).at(-1)!;
  assert.deepEqual([username, outcome], ['ALPHA/failing', 'failed']);
});

test('an erased recipient is never found', async () => {
  await app.store.database.transaction(
    (tx) =>
      tx`update orders set consignee_name = null, consignee_phone = null, recipient_erased_at = now() where partner_number = 'FIND-2'`,
  );
  assert.deepEqual(await numbersOf({ 'orders.consignee_phone': '5678' }), ['FIND-1']);
  assert.deepEqual(await numbersOf({ 'orders.consignee_name': { prefix: '王' } }), ['FIND-1']);
});

test('a date is that whole day in Taipei, and every form of RFC 3339 is a time', async () => {
  await app.store.database.transaction(async (tx) => {
    const at = {
      'FIND-1': '2026-10-31T23:59:59.999999+08:00',
      'FIND-2': '2026-11-01T00:00:00+08:00',
      'FIND-3': '2026-11-01T23:59:59.999999+08:00',
    };
    for (const [number, time] of Object.entries(at))
      await tx`update orders set created_at = ${time} where partner_number = ${number}`;
  });
  const created = async (filter: unknown) =>
    (await numbersOf({ 'orders.created_at': filter, 'orders.sku_id': null })).toSorted();
  const [first, second, third] = ['FIND-1', 'FIND-2', 'FIND-3'];
  assert.deepEqual(await created('2026-11-01'), [second, third]);
  assert.deepEqual(await created({ gte: '2026-11-01', lte: '2026-11-01' }), [second, third]);
  assert.deepEqual(await created({ gt: '2026-10-31', lt: '2026-11-02' }), [second, third]);
  assert.deepEqual(await created({ lt: '2026-11-01' }), [first]);
  assert.deepEqual(await created({ gt: '2026-11-01' }), []);
  assert.deepEqual(await created({ ne: '2026-11-01', lte: '2026-11-30' }), [first]);
  assert.deepEqual(await created(['2026-10-31', '2026-11-01T23:59:59.999999+08:00']), [first, third]);
  assert.deepEqual(await created({ gte: null, lte: null }), await created(null));
  for (const same of [
    '2026-10-31T16:00:00Z',
    '2026-10-31t16:00:00z',
    '2026-10-31 16:00:00.000Z',
    '2026-11-01T00:00:00.000000999+08:00',
    '2026-10-31T15:59:60-00:00',
    '2026-11-01T15:30:00+23:30',
  ])
    assert.deepEqual(await created(same), [second], same);
  assert.deepEqual(await created({ lt: '0000-01-01', gte: '0000-01-01T00:00:00+23:59' }), []);
  for (const wrong of [
    '2026-11-31',
    '2026-11-01T00:00:00',
    '2026-11-01T24:00:00Z',
    '20261101',
    20261101,
    '2026-11-01T00:00:00+24:00',
  ]) {
    const refused = await app.callMain(lists.orders.path, { 'orders.created_at': wrong }, { as: alpha });
    assert.match(
      assertNotDone(refused),
      /^orders\.created_at must be a date \(YYYY-MM-DD, that day in Taipei\), or a time/,
      String(wrong),
    );
  }
});

test('total counts all matching rows of every list, up to 10,000', async () => {
  const all = await search(lists.orders, { total: true, page_size: 1 });
  assert.deepEqual([all.rows.length, all.total, all.total_is_more], [1, 3, false]);
  const { next_cursor: cursor } = all;
  const second = await search(lists.orders, { total: true, page_size: 1, cursor });
  assert.deepEqual(
    [second.total, second.rows.length],
    [3, 1],
    'a cursor goes with and without it, and the total stays',
  );
  assert.deepEqual(Object.keys(await search(lists.orders, { total: false })), ['rows', 'next_cursor']);
  const filters = [
    { 'orders.sku_id': 'TEA' },
    { 'orders.sku_id': ['TEA', 'CUP'] },
    { 'orders.channel': 'warehouse', 'orders.sku_id': 'CUP' },
  ];
  for (const filter of filters)
    assert.equal(
      (await search(lists.orders, { ...filter, total: true })).total,
      (await searchAll(app, lists.orders, filter)).length,
    );
  for (const list of Object.values(lists)) {
    const { rows, total, total_is_more } = await search(list, { total: true });
    assert.deepEqual([total, total_is_more], [rows.length, false], list.prefix);
    assert.match(
      assertNotDone(await app.callMain(list.path, { total: 'yes' }, { as: alpha })),
      /^total must be true or false/,
    );
  }
  await app.store.database.transaction(
    (tx) => tx`insert into product (account_id, sku_id, name, storage_type)
      select account_id, 'MANY-' || i, 'Many', '1' from account, generate_series(1, 10001) i where account_no = ${alpha.accountNo}`,
  );
  const many = await search(lists.products, { 'products.sku_id': { prefix: 'MANY-' }, total: true, page_size: 1 });
  assert.deepEqual([many.total, many.total_is_more], [10_000, true]);
  const exact = { 'products.sku_id': { prefix: 'MANY-', lt: 'MANY-9999' }, total: true, page_size: 1 };
  assert.deepEqual((await search(lists.products, exact)).total_is_more, false);
});

test('an order changed when its last event happened', async () => {
  retvalOf(await app.callMain('/orders/cancel', { outbound_short_ids: ['FIND-3'] }, { as: alpha }));
  const [row] = await searchAll(app, lists.orders, { 'orders.outbound_short_id': 'FIND-3' });
  const timeline = row!.timeline as { event: string; at: string }[];
  assert.deepEqual([timeline.at(-1)!.event, timeline.at(-1)!.at], ['cancel', row!.updated_at]);
});
