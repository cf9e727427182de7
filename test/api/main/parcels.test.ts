import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMessage } from '../../../messages/format-message.ts';
import type { AdvanceReport, AdvanceResult, OrderRow } from '../../../sdk/client.ts';
import { auditStock } from '../../../server/domain/audit/audit-stock.ts';
import { describeFinding } from '../../../server/domain/audit/finding.ts';
import { startTestApp } from '../../support/app.ts';
import { clientsOf } from '../../support/clients.ts';
import { live, provisionLive } from '../../support/live.ts';
import { assertBooksInOrder, unchanged } from '../../support/logistics.ts';
import { goodRow, order, receive, stockOf } from '../../support/warehouse.ts';

const app = await startTestApp();
await provisionLive(app);
const { main } = await clientsOf(app, live);
await receive(app, { TEA: [['2030-01-01', 3]] }, live);
await receive(app, { TEA: [['2031-01-01', 1000]], RICE: [[null, 1000]] }, live);

async function ordered(number: string, lines: [string, number][]): Promise<void> {
  await order(app, number, lines, live);
}

async function report(outbound_short_id: string, what: Partial<AdvanceReport>): Promise<AdvanceResult> {
  const [result] = await main.fulfilmentAdvance([{ outbound_short_id, status: 'shipped', ...what }]);
  return result!;
}

/** The status after a report, or the reason for its refusal; nothing may change then. */
async function refusal(number: string, what: Partial<AdvanceReport>): Promise<string | undefined> {
  const { status, message } = await unchanged(app, () => report(number, what));
  assert.equal(status, 'refused');
  return message;
}

async function rowOf(number: string): Promise<OrderRow> {
  const [row] = await Array.fromAsync(main.searchOrders({ 'orders.outbound_short_id': number }));
  return row!;
}

const parcel = (shipment_no: string, items?: [string, number, object?][], carrier?: string) => ({
  shipment_no,
  ...(carrier ? { carrier } : {}),
  ...(items ? { items: items.map(([sku_id, qty, other = {}]) => ({ sku_id, qty, ...other })) } : {}),
});
const partly = (...parcels: ReturnType<typeof parcel>[]) => ({ status: 'partially_shipped' as const, parcels });

async function contentOf(number: string): Promise<unknown[]> {
  const { parcels } = await rowOf(number);
  return parcels.map(({ shipment_no, carrier, items }) => [
    shipment_no,
    carrier,
    items.map(({ sku_id, qty, expire_date }) => [sku_id, qty, expire_date]),
  ]);
}

test('a parcel that names sku and quantity takes the units that expire first; an expiry date chooses', async () => {
  await ordered('LOTS', [
    ['TEA', 5],
    ['RICE', 2],
  ]);
  assert.equal((await report('LOTS', partly(parcel('L-1', [['TEA', 1]])))).status, 'partially_shipped');
  await report('LOTS', partly(parcel('L-2', [['TEA', 1, { expire_date: '2031-01-01' }]], 'tcat')));
  assert.deepEqual((await stockOf(app, ['TEA'], live)).slice(0, 2), [
    goodRow('TEA', '2030-01-01', 2, 2),
    goodRow('TEA', '2031-01-01', 999, 1),
  ]);
  assert.equal((await report('LOTS', { parcels: [parcel('L-3')] })).status, 'shipped');
  assert.deepEqual(await contentOf('LOTS'), [
    ['L-1', null, [['TEA', 1, '2030-01-01']]],
    ['L-2', 'tcat', [['TEA', 1, '2031-01-01']]],
    [
      'L-3',
      null,
      [
        ['TEA', 2, '2030-01-01'],
        ['TEA', 1, '2031-01-01'],
        ['RICE', 2, null],
      ],
    ],
  ]);
  const row = await rowOf('LOTS');
  assert.deepEqual([row.shipment_no, row.carrier, row.short], ['L-1', null, []]);
  assert.deepEqual(
    row.timeline.slice(1).map(({ event, to }) => [event, to]),
    [
      ['ship_part', 'partially_shipped'],
      ['ship', 'shipped'],
    ],
  );
});

test('an order of which everything has left is shipped, also if the last report says partially', async () => {
  await ordered('ALL', [['RICE', 2]]);
  assert.deepEqual(await report('ALL', partly(parcel('A-1', [['RICE', 2]]))), {
    outbound_short_id: 'ALL',
    status: 'shipped',
  });
});

test('shipped with fewer units than ordered needs final; the rest is free again and listed as short', async () => {
  await ordered('SHORT', [['RICE', 5]]);
  const [before] = await stockOf(app, ['RICE'], live);
  const two = { parcels: [parcel('S-1', [['RICE', 2]])] };
  assert.equal(
    await refusal('SHORT', two),
    '3 units of the order have not left; set final if they will not be shipped',
  );
  assert.equal((await report('SHORT', { ...two, final: true })).status, 'shipped');
  await unchanged(app, () => report('SHORT', { ...two, final: true }));

  const [rice] = await stockOf(app, ['RICE'], live);
  assert.deepEqual([rice!.qty, rice!.qty_lock], [before!.qty - 2, before!.qty_lock - 5]);
  assert.deepEqual((await rowOf('SHORT')).short, [{ sku_id: 'RICE', qty: 3 }]);
  assert.equal(
    await refusal('SHORT', { parcels: [parcel('S-2', [['RICE', 1]])] }),
    'the order is shipped; its last parcel has been reported',
  );
});

test('a report without parcels closes a partial shipment: with a number as one more parcel, or short', async () => {
  await ordered('REST', [['RICE', 3]]);
  await report('REST', partly(parcel('R-1', [['RICE', 1]])));
  assert.equal(await refusal('REST', {}), 'shipment_no is missing: what is shipped has one');
  assert.equal((await report('REST', { shipment_no: 'R-2', carrier: 'post' })).status, 'shipped');
  assert.deepEqual(await contentOf('REST'), [
    ['R-1', null, [['RICE', 1, null]]],
    ['R-2', 'post', [['RICE', 2, null]]],
  ]);
  await unchanged(app, () => report('REST', { shipment_no: 'R-2' }));

  await ordered('NO-MORE', [['RICE', 3]]);
  await report('NO-MORE', partly(parcel('N-1', [['RICE', 1]])));
  assert.equal((await report('NO-MORE', { final: true })).status, 'shipped');
  assert.deepEqual((await rowOf('NO-MORE')).short, [{ sku_id: 'RICE', qty: 2 }]);
});

test('the old form is one parcel with everything', async () => {
  await ordered('OLD', [['RICE', 2]]);
  await report('OLD', { status: 'packed', shipment_no: 'O-1', carrier: 'tcat' });
  assert.deepEqual(await contentOf('OLD'), []);
  await report('OLD', {});
  assert.deepEqual(await contentOf('OLD'), [['O-1', 'tcat', [['RICE', 2, null]]]]);
  await report('OLD', { carrier: 'post' });
  assert.deepEqual(await contentOf('OLD'), [['O-1', 'post', [['RICE', 2, null]]]]);

  await ordered('OLD-2', [['RICE', 1]]);
  await main.fulfilmentAdvance([
    { outbound_short_id: 'OLD-2', status: 'shipped', shipment_no: 'O-2', carrier: 'tcat' },
    { outbound_short_id: 'OLD-2', status: 'delivered', carrier: 'post' },
  ]);
  assert.deepEqual(await contentOf('OLD-2'), [['O-2', 'post', [['RICE', 1, null]]]]);
});

test('an order that an earlier version shipped has one parcel, and its number is used', async () => {
  await ordered('EARLIER', [['RICE', 2]]);
  await report('EARLIER', { shipment_no: 'E-1', carrier: 'tcat' });
  // The earlier version wrote no parcels.
  await app.store.database.transaction(async (tx) => {
    await tx`delete from parcel where shipment_no = 'E-1'`;
    await tx`delete from parcel_item where order_id = (select order_id from orders where partner_number = 'EARLIER')`;
  });
  assert.deepEqual(await contentOf('EARLIER'), [['E-1', 'tcat', [['RICE', 2, null]]]]);
  await ordered('AFTER', [['RICE', 1]]);
  assert.equal(
    await refusal('AFTER', { shipment_no: 'E-1', carrier: 'tcat' }),
    'another order has left with shipment_no E-1',
  );
  assert.equal((await report('EARLIER', { status: 'undelivered', reason: 'refused' })).status, 'undelivered');
  assert.equal((await rowOf('EARLIER')).returns.length, 1);
});

test('a repeated parcel changes nothing; the same number with other units is refused', async () => {
  await ordered('AGAIN', [['RICE', 3]]);
  const first = partly(parcel('G-1', [['RICE', 1]], 'tcat'));
  await report('AGAIN', first);
  await unchanged(app, () => report('AGAIN', first));
  await unchanged(app, () => report('AGAIN', partly(parcel('G-1', [['RICE', 1]]))));
  const differs = 'parcel G-1 has left with other units, which stay';
  assert.equal(await refusal('AGAIN', partly(parcel('G-1', [['RICE', 2]], 'tcat'))), differs);
  assert.equal(await refusal('AGAIN', { shipment_no: 'G-1' }), differs);
  assert.equal((await report('AGAIN', { parcels: [parcel('G-1', [['RICE', 1]]), parcel('G-2')] })).status, 'shipped');
  await report('AGAIN', { status: 'delivered' });
  assert.deepEqual(await unchanged(app, () => report('AGAIN', first)), {
    outbound_short_id: 'AGAIN',
    status: 'delivered',
  });
});

test('a shipment number is used once for each carrier, unless the report allows the repeat', async () => {
  for (const number of ['U-1', 'U-2', 'U-3', 'U-4']) await ordered(number, [['RICE', 1]]);
  await report('U-1', { shipment_no: 'SAME', carrier: 'tcat' });
  assert.equal(
    await refusal('U-2', { shipment_no: 'SAME', carrier: 'tcat' }),
    'another order has left with shipment_no SAME',
  );
  assert.equal((await report('U-2', { shipment_no: 'SAME', carrier: 'post' })).status, 'shipped');
  assert.equal((await report('U-3', { shipment_no: 'SAME', carrier: 'tcat', allow_repeat: true })).status, 'shipped');
  // Two reports of one call are compared, too.
  await ordered('U-5', [['RICE', 1]]);
  const results = await main.fulfilmentAdvance(
    ['U-4', 'U-5'].map((outbound_short_id) => ({ outbound_short_id, status: 'shipped', shipment_no: 'TWICE' })),
  );
  assert.deepEqual(
    results.map(({ status }) => status),
    ['shipped', 'refused'],
  );
  // A correction that would use the number twice is left out; the report itself stays a repeat.
  assert.equal((await report('U-2', { carrier: 'tcat' })).status, 'shipped');
  assert.deepEqual(await contentOf('U-2'), [['SAME', 'post', [['RICE', 1, null]]]]);
  assert.equal((await report('U-2', { carrier: 'tcat', allow_repeat: true })).status, 'shipped');
  assert.deepEqual(await contentOf('U-2'), [['SAME', 'tcat', [['RICE', 1, null]]]]);
  // A carrier without another parcel of this number ends the repeat, so that the number is used there.
  await report('U-2', { carrier: 'hct' });
  await ordered('U-6', [['RICE', 1]]);
  assert.equal(
    await refusal('U-6', { shipment_no: 'SAME', carrier: 'hct' }),
    'another order has left with shipment_no SAME',
  );
});

test('a parcel has only units that the order holds, and its fields belong to the reported status', async () => {
  await ordered('WRONG', [['TEA', 2]]);
  const messages = [
    [partly(parcel('W', [['TEA', 3]])), 'parcel W: the order holds 2 units of sku TEA that fit, not 3'],
    [partly(parcel('W', [['RICE', 1]])), 'parcel W: the order holds 0 units of sku RICE that fit, not 1'],
    [
      partly(parcel('W', [['TEA', 1, { batch_id: 'NONE' }]])),
      'parcel W: the order holds 0 units of sku TEA that fit, not 1',
    ],
    [
      { parcels: [parcel('W', [['TEA', 2]]), parcel('V')] },
      'parcel V: nothing is left for it, because other parcels have all units',
    ],
    // The error catalogue must find a message whose number has the character that separates errors.
    [
      { parcels: [parcel('W', [['TEA', 2]]), parcel('V;1 ; 2')] },
      'parcel V;1 ; 2: nothing is left for it, because other parcels have all units',
    ],
    [{ parcels: [parcel('W'), parcel('W')] }, 'parcel W has left with other units, which stay'],
    [{ shipment_no: 'W', parcels: [parcel('W')] }, 'name the shipments in parcels or in shipment_no, not in both'],
    [{ status: 'partially_shipped' }, 'parcels is missing: a partial shipment lists its parcels'],
    [{ status: 'packed', parcels: [parcel('W')] }, 'parcels belongs to the status partially_shipped, shipped'],
    [{ ...partly(parcel('W')), final: true }, 'final belongs to the status shipped'],
    [{ shipment_no: 'W', reason: 'lost' }, 'reason belongs to the status undelivered'],
    [{ status: 'undelivered' }, 'reason is missing: not_collected, refused, lost or damaged'],
    [{ status: 'arrived' }, 'the order is pending_warehouse_transfer; it must be shipped before it is arrived'],
  ] as const;
  for (const [what, message] of messages) assert.equal(await refusal('WRONG', what as never), message);
});

test('a partially shipped order can be neither cancelled nor marked as arrived', async () => {
  await ordered('BEGUN', [['RICE', 2]]);
  await report('BEGUN', partly(parcel('B-1', [['RICE', 1]])));
  const [result] = await unchanged(app, () => main.ordersCancel({ outbound_short_ids: ['BEGUN'] }));
  assert.equal(result!.status, 'cannot_cancel_after_picking');
  assert.equal(
    await refusal('BEGUN', { status: 'arrived' }),
    'the order is partially_shipped; it must be shipped before it is arrived',
  );
  assert.equal(
    await refusal('BEGUN', { status: 'packed' }),
    'the order is partially_shipped already; it cannot go back to packed',
  );
});

test('what was not delivered is expected back once, as it left, unless it is lost', async () => {
  await ordered('BACK', [['RICE', 3]]);
  await report('BACK', { parcels: [parcel('K-1', [['RICE', 2]])], final: true });
  await report('BACK', { status: 'arrived' });
  const failed = { status: 'undelivered', reason: 'not_collected' } as const;
  assert.equal((await report('BACK', failed)).status, 'undelivered');
  await unchanged(app, () => report('BACK', failed));
  assert.equal(
    await refusal('BACK', { ...failed, reason: 'lost' }),
    'it was reported with the reason not_collected, which stays',
  );

  const { undelivered_reason, returns } = await rowOf('BACK');
  assert.equal(undelivered_reason, 'not_collected');
  assert.deepEqual(
    returns.map(({ status }) => status),
    ['expected'],
  );
  const [back] = await Array.fromAsync(main.searchInbounds({ 'inbounds.outbound_short_id': 'BACK' }));
  assert.deepEqual(
    [back!.kind, back!.stock_in_no, back!.details.map(({ sku_id, qty }) => [sku_id, qty])],
    ['return', returns[0]!.stock_in_no, [['RICE', 2]]],
  );

  await ordered('LOST', [['RICE', 1]]);
  await report('LOST', { shipment_no: 'K-2' });
  await report('LOST', { status: 'undelivered', reason: 'lost' });
  assert.deepEqual((await rowOf('LOST')).returns, []);
});

test('the audit finds parcels that are not the shipped units, and short units that were not unlocked', async () => {
  await assertBooksInOrder(app);
  const finding = async (change: string) => {
    await app.store.database.transaction((tx) => tx.unsafe(change));
    const { findings } = await auditStock(app.store.service);
    return findings.map((one) => formatMessage(describeFinding(one)));
  };
  const idOf = (number: string) => `(select order_id from orders where partner_number = '${number}')`;
  assert.deepEqual(await finding(`update parcel_item set qty = qty + 1 where order_id = ${idOf('SHORT')}`), [
    'order SHORT (shipped) of LIVE has 3 of sku RICE in parcels and 2 shipped, 3 short and 3 unlocked, of 5 ordered',
  ]);
  assert.deepEqual(
    await finding(`
      update parcel_item set qty = qty - 1 where order_id = ${idOf('SHORT')};
      update short_line set qty = 1 where order_id = ${idOf('SHORT')}`),
    ['order SHORT (shipped) of LIVE has 2 of sku RICE in parcels and 2 shipped, 1 short and 3 unlocked, of 5 ordered'],
  );
  assert.deepEqual(await finding(`update short_line set qty = 3 where order_id = ${idOf('SHORT')}`), []);
});

test('a page of orders is cut before their parcels make it too large, and the next page continues', async () => {
  const skus = Array.from({ length: 61 }, (_, index) => `MANY-${index}`);
  await receive(app, Object.fromEntries(skus.map((sku): [string, [null, number][]] => [sku, [[null, 200]]])), live);
  for (const number of ['MANY-A', 'MANY-B']) {
    await ordered(
      number,
      skus.map((sku): [string, number] => [sku, 100]),
    );
    const parcels = Array.from({ length: 100 }, (_, index) =>
      parcel(
        `${number}-${index}`,
        skus.map((sku): [string, number] => [sku, 1]),
      ),
    );
    assert.equal((await report(number, { parcels })).status, 'shipped');
  }
  const body = { 'orders.outbound_short_id': ['MANY-A', 'MANY-B'] };
  const pageOf = async (paging: object): Promise<{ rows: OrderRow[]; next_cursor: string | null }> =>
    (await app.callMain('/getOrdersData/searchList', { ...body, ...paging }, { as: live })).json.retval;
  const first = await pageOf({});
  const second = await pageOf({ cursor: first.next_cursor });
  const rows = [first, second].map((page) => page.rows.map((row) => [row.outbound_short_id, unitsIn(row)]));
  assert.deepEqual([rows, second.next_cursor], [[[['MANY-B', 6100]], [['MANY-A', 6100]]], null]);
});

function unitsIn({ parcels }: OrderRow): number {
  return parcels.flatMap(({ items }) => items).reduce((sum, { qty }) => sum + qty, 0);
}
