import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatMessage } from '../../messages/format-message.ts';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { describeFinding, type Finding } from '../../server/domain/audit/finding.ts';
import { references } from '../../server/domain/audit/reference-queries.ts';
import { repairAll } from '../../server/domain/audit/repair-stock.ts';
import { rowValues, type Tx, type Value } from '../../server/platform/postgres/sql.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { assertAuditClean } from '../support/purge.ts';
import { order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
const { database, service } = app.store;

type Row = Record<string, Value>;

/** The ids of an account's own rows. */
interface Ids {
  account: number;
  product: number;
  lot: number;
  inbound: number;
  order: number;
  count: number;
  callback: number;
  receiver: string;
}

const receivers = {
  [alpha.accountNo]: '00000000-0000-4000-8000-00000000000a',
  [beta.accountNo]: '00000000-0000-4000-8000-00000000000b',
};

/** Makes documents of an account, with one callback. */
async function prepare(caller: typeof alpha): Promise<Ids> {
  const number = await receive(app, { SHARED: [['2030-01-01', 9]] }, caller);
  await order(app, 'SHARED', [['SHARED', 2]], caller);
  return await database.transaction(async (tx) => {
    const [ids] = await tx<Ids[]>`
      select account_id as account, product_id as product,
        (select lot_id from lot l where l.account_id = a.account_id) as lot,
        (select inbound_id from inbound_document d where d.account_id = a.account_id and partner_number = ${number}) as inbound,
        (select order_id from orders o where o.account_id = a.account_id) as order, nextval('callback_id_seq') as callback, nextval('stock_count_id_seq') as count,
        ${receivers[caller.accountNo]!} as receiver
      from account a join product using (account_id) where account_no = ${caller.accountNo}`;
    await insert(tx, 'stock_count', {
      account_id: ids!.account,
      count_id: ids!.count,
      request_id: ids!.receiver,
      warehouse_no: 1,
      scope: 'warehouse',
      created_by: 'packer',
    });
    await insert(tx, 'callback_receiver', {
      account_id: ids!.account,
      receiver_id: ids!.receiver,
      address: 'https://a.example',
    });
    await insert(tx, 'callback', callbackOf(ids!, 'order', ids!.order, { callback_id: ids!.callback }));
    return ids!;
  });
}

async function insert(tx: Tx, table: string, row: Row): Promise<void> {
  await tx`insert into ${tx(table)} ${rowValues(row)}`;
}

let callbacks = 0;

function callbackOf({ account, receiver }: Ids, document_type: string, document_id: number, other: Row = {}): Row {
  callbacks++;
  return {
    account_id: account,
    event_id: `00000000-0000-4000-8000-${String(callbacks).padStart(12, '0')}`,
    event: 'order.shipped',
    document_type,
    document_id,
    document_no: 'SHARED',
    sequence: callbacks,
    key_name: 'wms',
    url: 'https://a.example',
    receiver_id: receiver,
    body: '{}',
    status: 'failed',
    occurred_at: new Date(),
    ...other,
  };
}

/** A row with wrong references, and the findings that show them; null: one finding shows it with others. */
type Planted = [table: string, row: Row, found: string | string[] | null];

/** Rows of an account, each with one reference to a row that only another account has. */
function wrongRows(own: Ids, other: Ids): Planted[] {
  return [
    ...wrongProducts(own, other),
    ...wrongParts(own, other),
    ...wrongMovements(own, other),
    ...wrongCallbacks(own, other),
    ...wrongDocuments(other),
  ];
}

const scan = { scan_id: '00000000-0000-4000-8000-000000000001', parcel_no: 1, qty: 1, packed_by: 'test' };

function wrongProducts(own: Ids, { product }: Ids): Planted[] {
  const line = { product_id: product, line_no: 99, qty: 1 };
  const task = { order_id: own.order, batch_id: 1, qty: 1 };
  const counted = { product_id: product, stock_type: 'good', expire_date: '2030-01-01' };
  const lot = { stock_type: 'good', expire_date: '2030-01-01', on_hand: 0, locked: 0, sku_id: 'SHARED' };
  return [
    ['lot', { lot_id: 900001, product_id: product, warehouse_no: 1, ...lot }, `lot_id 900001 product ${product}`],
    ['inbound_line', { inbound_id: own.inbound, ...line }, `inbound_id ${own.inbound} product ${product}`],
    ['order_line', { order_id: own.order, ...line }, `order_id ${own.order} product ${product}`],
    ['waiting_line', { order_id: own.order, warehouse_no: 1, ...line }, `order_id ${own.order} product ${product}`],
    ['pick_batch_order', { order_id: own.order, batch_id: 1, slot: 1 }, []],
    ['pick_task', { lot_id: own.lot, product_id: product, ...task }, `order_id ${own.order} product ${product}`],
    ['pick_task', { lot_id: 999998, product_id: own.product, ...task }, `order_id ${own.order} lot 999998`],
    [
      'pick_task',
      { lot_id: own.lot, product_id: own.product, ...task, batch_id: 7 },
      `order_id ${own.order} pick_batch_order 7`,
    ],
    ['product_code', { code: 'C', product_id: product, units: 1 }, `product_id ${product} product ${product}`],
    [
      'product_location',
      { product_id: product, warehouse_no: 1, location: 'A' },
      `product_id ${product} product ${product}`,
    ],
    ['packed_unit', { order_id: own.order, product_id: product, ...scan }, `order_id ${own.order} product ${product}`],
    ['stock_count_line', { count_id: own.count, ...counted }, `count_id ${own.count} product ${product}`],
    [
      'stock_count_entry',
      { count_id: own.count, scan_id: own.receiver, round: 1, units: 1, counted_by: 'packer', ...counted },
      `count_id ${own.count} product ${product}`,
    ],
    [
      'short_line',
      { order_id: own.order, product_id: product, qty: 1 },
      [`order_id ${own.order} product ${product}`, `order_id ${own.order} parcel ${own.order}`],
    ],
  ];
}

function wrongParts(own: Ids, { inbound, order, count }: Ids): Planted[] {
  const line = { product_id: own.product, line_no: 99, qty: 1 };
  const toOrder = `order_id ${order} orders ${order}`;
  const plan = { shipments: '[]', allow_repeat: false, is_final: false, due_at: '2026-01-01', planned_by: 'test' };
  const toInbound = `inbound_id ${inbound} inbound_document ${inbound}`;
  const counted = { product_id: own.product, stock_type: 'good', expire_date: '2030-01-01' };
  const form = { internal_form_no: 'F', shipping_type: 'vendor_pickup' };
  const transfer = { transfer_id: own.receiver, status: 'waiting', warehouse_no: 1 };
  const named = { partner_number: 'R', document_no: 'R', payload_digest: '\\x00', warehouse_no: 1, store_no: 10 };
  const returned = { channel: 'warehouse', kind: 'return', receiving: 'on_confirm', status: 'expected', ...named };
  return [
    [
      'inbound_document',
      { inbound_id: 900009, original_order_id: order, ...returned },
      `inbound_id 900009 orders ${order}`,
    ],
    ['inbound_line', { inbound_id: inbound, ...line }, toInbound],
    ['inbound_form', { inbound_id: inbound, ...form }, toInbound],
    ['receipt', { inbound_id: inbound, receipt_no: 'R', payload_digest: '\\x00' }, toInbound],
    ['order_line', { order_id: order, ...line }, toOrder],
    ['stock_count_line', { count_id: count, ...counted }, `count_id ${count} stock_count ${count}`],
    [
      'stock_count_entry',
      { count_id: count, scan_id: own.receiver, round: 1, units: 1, counted_by: 'packer', ...counted },
      `count_id ${count} stock_count ${count}`,
    ],
    ['shipping_order', { order_id: order, customer_name: 'C', delivery_charge: 0 }, toOrder],
    ['waiting_line', { order_id: order, warehouse_no: 1, ...line }, toOrder],
    ['parcel', { order_id: order, parcel_no: 1, shipment_no: 'S', carrier: '' }, toOrder],
    ['short_line', { order_id: order, product_id: own.product, qty: 1 }, toOrder],
    ['packed_unit', { order_id: order, product_id: own.product, ...scan }, toOrder],
    ['planned_shipment', { order_id: order, ...plan }, toOrder],
    ['pick_batch_order', { order_id: order, batch_id: 1, slot: 1 }, toOrder],
    ['pick_task', { order_id: order, batch_id: 1, lot_id: own.lot, product_id: own.product, qty: 1 }, toOrder],
    ['parcel_item', { order_id: order, parcel_no: 1, lot_id: 900001, qty: 1 }, toOrder],
    [
      'parcel_item',
      { order_id: own.order, parcel_no: 7, lot_id: 999998, qty: 1 },
      [`order_id ${own.order} lot 999998`, `order_id ${own.order} parcel 7`],
    ],
    ['transfer', { order_id: order, ...transfer }, toOrder],
    ['order_print', { order_id: order, document: 'D', prints: 1, print_id: own.receiver, printed_by: 'test' }, toOrder],
    ['order_change', { order_id: order, kind: 'hold', state: 'made', actor: 'test', fields: '{}' }, toOrder],
  ];
}

/** Their units add up to nothing, so only the references are wrong. */
function wrongMovements(own: Ids, { inbound, order }: Ids): Planted[] {
  const moved = (onHand: number, locked: number) => ({
    lot_id: own.lot,
    on_hand_delta: onHand,
    locked_delta: locked,
    actor: 'test',
  });
  return [
    ['movement', { order_id: order, kind: 'lock', ...moved(0, 1) }, `order_id ${order} orders ${order}`],
    ['movement', { order_id: order, kind: 'unlock', ...moved(0, -1) }, null],
    [
      'movement',
      { inbound_id: inbound, kind: 'receive', ...moved(1, 0) },
      `inbound_id ${inbound} inbound_document ${inbound}`,
    ],
    ['movement', { inbound_id: inbound, kind: 'retract', ...moved(-1, 0) }, null],
  ];
}

function wrongCallbacks(own: Ids, { inbound, order, callback, receiver }: Ids): Planted[] {
  const queued = {
    document_type: 'order',
    document_id: own.order,
    sequence: 1,
    due_at: 'infinity',
    give_up_at: 'infinity',
  };
  const planted = (callback_id: number, type: string, id: number, other: Row = {}) =>
    callbackOf(own, type, id, { callback_id, ...other });
  const toCallback = `callback_id ${callback} callback ${callback}`;
  const toReceiver = `callback_receiver ${receiver}`;
  return [
    ['callback', planted(900002, 'order', order), `callback_id 900002 orders ${order}`],
    ['callback', planted(900003, 'inbound', inbound), `callback_id 900003 inbound_document ${inbound}`],
    ['callback', planted(900004, 'return', inbound), `callback_id 900004 inbound_document ${inbound}`],
    ['callback', planted(900006, 'order', -1, { test_of: order }), `callback_id 900006 orders ${order}`],
    [
      'callback',
      planted(900007, 'inbound', -2, { test_of: inbound }),
      `callback_id 900007 inbound_document ${inbound}`,
    ],
    ['callback', planted(900008, 'return', -3, { test_of: inbound }), `callback_id 900008 inbound_document ${inbound}`],
    ['callback', planted(900005, 'order', own.order, { receiver_id: receiver }), `callback_id 900005 ${toReceiver}`],
    ['callback_attempt', { callback_id: callback, attempt_no: 1, duration_ms: 1 }, toCallback],
    ['callback_delivery', { callback_id: callback, receiver_id: own.receiver, ...queued }, toCallback],
    [
      'callback_delivery',
      { callback_id: own.callback, receiver_id: receiver, ...queued },
      `callback_id ${own.callback} ${toReceiver}`,
    ],
  ];
}

function wrongDocuments({ inbound, order }: Ids): Planted[] {
  const ofOrder = { document_type: 'order', document_id: order };
  const ofInbound = { document_type: 'inbound', document_id: inbound };
  const ofReturn = { document_type: 'return', document_id: inbound };
  const target = { key_name: 'wms', url: 'https://a.example' };
  const change = { event: 'cancel', from_state: 'a', to_state: 'b', actor: 'test' };
  const note = { author: 'test', text: 'planted' };
  const toOrder = `document_id ${order} orders ${order}`;
  const toInbound = `document_id ${inbound} inbound_document ${inbound}`;
  return [
    ['callback_target', { ...ofOrder, ...target }, toOrder],
    ['callback_target', { ...ofInbound, ...target }, toInbound],
    ['callback_target', { ...ofReturn, ...target }, toInbound],
    ['state_change', { ...ofOrder, ...change }, toOrder],
    ['state_change', { ...ofInbound, ...change }, toInbound],
    ['document_note', { ...ofOrder, ...note }, toOrder],
    ['document_note', { ...ofInbound, ...note }, toInbound],
  ];
}

function textOf(finding: Finding): string {
  assert.ok(finding.kind === 'reference', finding.kind);
  const { accountNo, table, idColumn, id, target, targetId } = finding;
  return `${accountNo} ${table} ${idColumn} ${id} ${target} ${targetId}`;
}

test('a reference of each kind to a row of another account is found, and left to a person', async () => {
  const own = await prepare(alpha);
  const other = await prepare(beta);
  await assertAuditClean(app);

  const planted = wrongRows(own, other);
  await app.store.database.transaction(async (tx) => {
    for (const [table, row] of planted) await insert(tx, table, { account_id: own.account, ...row });
  });
  const { findings } = await auditStock(service);

  const expected = planted.flatMap(([table, , found]) => [found ?? []].flat().map((text) => `ALPHA ${table} ${text}`));
  assert.deepEqual(findings.map(textOf).toSorted(), expected.toSorted());
  assert.equal(expected.length, references.length);
  assert.equal(
    formatMessage(describeFinding(findings[0]!)),
    `lot with lot_id 900001 of ALPHA refers to product ${other.product}, which does not exist`,
  );
  const repairs = await repairAll(service, findings, 'test');
  assert.deepEqual(new Set(repairs.map(({ outcome }) => outcome.kind)), new Set(['needs_a_person']));
});

// This test comes last: movements cannot be removed.
test('movements in a lot of another account are found as movements of a lot that does not exist', async () => {
  const [lot] = await database.read(
    (sql) => sql<{ account_id: number; lot_id: number }[]>`
      select a.account_id, lot_id from lot l, account a
      where l.account_id = (select account_id from account where account_no = 'BETA') and account_no = 'ALPHA'`,
  );
  const { account_id, lot_id } = lot!;
  const row = {
    account_id,
    lot_id,
    kind: 'adjust',
    on_hand_delta: 3,
    locked_delta: 0,
    actor: 'test',
    reason: 'planted',
  };
  await database.transaction((tx) => insert(tx, 'movement', row));
  const { findings } = await auditStock(service);
  const balances = findings.filter(({ kind }) => kind === 'balance');
  assert.deepEqual(
    balances.map((finding) => formatMessage(describeFinding(finding))),
    [`lot ${lot_id} of ALPHA does not exist, but has movements`],
  );
});
