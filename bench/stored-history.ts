import type { Sql } from '../server/platform/postgres/sql.ts';
import { consignee } from './order-shapes.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface History {
  accountId: number;
  /** The prefix of all numbers, so that several histories can coexist. */
  numbersBeginWith: string;
  products: number;
  lots: number;
  orders: number;
  /** Lines per order, with one unit each. */
  lines: number;
  inbounds: number;
  callbacks: number;
}

/** The number of orders in each state per thousand; the rest is delivered. */
const unfinished = {
  awaiting_stock: 0,
  pending_warehouse_transfer: 40,
  in_warehouse: 5,
  picking: 3,
  packed: 2,
  shipped: 10,
  cancelled: 20,
};
const counts = Object.values(unfinished);
const boundaries = Object.keys(unfinished).map(
  (status, index) => [status, counts.slice(0, index + 1).reduce((sum, count) => sum + count)] as const,
);
const chunk = 100_000;

/**
 * Creates a year of documents with set-based statements: products, lots, orders, inbound documents, callbacks. Balances
 * are the sums of their movements, so that an audit finds nothing.
 */
export async function storeHistory(sql: Sql, history: History, onProgress: (line: string) => void): Promise<void> {
  const { accountId, numbersBeginWith: begin, products, lots, orders, inbounds, callbacks } = history;
  const at = (index: string, count: number) =>
    `now() - interval '365 days' * (1 - ${index}::float8 / ${count}) - interval '1 hour'`;

  // A production account, because orders of a UAT account are never completed.
  await sql`update account set environment = 'production' where account_id = ${accountId}`;
  await sql.unsafe(`
    insert into product (account_id, sku_id, name, storage_type, created_at, updated_at)
    select ${accountId}, '${begin}SKU-' || n, 'Product ' || md5(n::text), (array['ambient', 'air_conditioned', 'frozen', 'chilled'])[1 + n % 4],
      ${at('n', products)}, ${at('n', products)} + interval '1 minute' * (n % 60)
    from generate_series(1, ${products}) n`);
  await sql.unsafe(`
    insert into inbound_document (account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no, store_no, receiving, status,
      original_order_number, created_at, updated_at)
    select ${accountId}, 'warehouse', kind, '${begin}IN-' || n, 'si_' || substr(md5('${begin}' || n), 1, 20), '', 1 + n % 3, 1 + n % 2, 'on_create', 'received',
      case when kind = 'return' then '${begin}OUT-' || n end, ${at('n', inbounds)}, ${at('n', inbounds)}
    from (select n, case when n % 20 = 0 then 'return' else 'inbound' end as kind from generate_series(1, ${inbounds}) n) numbered`);
  onProgress(`${products} products and ${inbounds} inbound documents`);

  await sql.unsafe(`
    create temporary table made_lot as
    select nextval('lot_id_seq') as lot_id, n, p.product_id, p.sku_id, 1000 + n % 1000 as qty, d.inbound_id
    from generate_series(1, ${lots}) n join product p on p.account_id = ${accountId} and p.sku_id = '${begin}SKU-' || (1 + n % ${products})
    join inbound_document d on d.account_id = ${accountId} and d.channel <> 'logistics' and d.partner_number = '${begin}IN-' || (1 + n % ${inbounds})`);
  await sql.unsafe('create unique index on made_lot (n)');
  await sql.unsafe('analyze made_lot');
  await sql.unsafe(`
    insert into lot (lot_id, account_id, warehouse_no, product_id, sku_id, stock_type, batch_id, expire_date, on_hand, locked)
    select lot_id, ${accountId}, 1 + n % 3, product_id, sku_id, case when n % 50 = 0 then 'bad' else 'good' end, 'B' || n / 1000, date '2027-01-01' + n % 700,
      qty, 0 from made_lot`);
  await sql.unsafe(`
    insert into inbound_line (inbound_id, line_no, account_id, product_id, batch_id, expire_date, qty)
    select inbound_id, row_number() over (partition by inbound_id order by n), ${accountId}, product_id, 'B' || n / 1000, date '2027-01-01' + n % 700, qty
    from made_lot`);
  await sql.unsafe(`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, inbound_id, actor)
    select ${accountId}, lot_id, 'receive', qty, 0, inbound_id, 'history'
    from made_lot`);
  onProgress(`${lots} lots`);

  await withoutIndexes(sql, ['orders', 'movement'], async () => {
    for (let first = 1; first <= orders; first += chunk) {
      const last = Math.min(orders, first + chunk - 1);
      await storeOrders(sql, history, first, last, at('n', orders));
      onProgress(`${last} orders`);
    }
  });
  await sql.unsafe(`
    update lot set on_hand = moved.on_hand, locked = moved.locked
    from (select lot_id, sum(on_hand_delta) as on_hand, sum(locked_delta) as locked from movement where account_id = ${accountId} group by lot_id) moved
    where lot.account_id = ${accountId} and moved.lot_id = lot.lot_id and (lot.on_hand, lot.locked) is distinct from (moved.on_hand, moved.locked)`);
  await sql.unsafe('drop table made_lot');
  await sql.unsafe(`
    insert into callback (account_id, event_id, event, document_type, document_no, url, status, occurred_at, created_at, updated_at, document_id,
      sequence, key_name, receiver_id, body)
    select ${accountId}, gen_random_uuid(), 'order.shipped', 'order', '${begin}OUT-' || n, 'https://partner.example/callback',
      case when n % 100 = 0 then 'failed' else 'delivered' end, ${at('n', callbacks)}, ${at('n', callbacks)}, ${at('n', callbacks)},
      ${accountId} * 100000000 + n, 1, 'wms', '00000000-0000-4000-8000-000000000000', '{}'
    from generate_series(1, ${callbacks}) n`);
  onProgress(`${callbacks} callbacks`);
}

async function storeOrders(
  sql: Sql,
  { accountId, numbersBeginWith: begin, lots, lines }: History,
  first: number,
  last: number,
  at: string,
): Promise<void> {
  const status = `case ${boundaries.map(([name, below]) => `when n % 1000 < ${below} then '${name}'`).join(' ')} else 'delivered' end`;
  await sql.unsafe(`
    create temporary table made_order as
    select nextval('order_id_seq') as order_id, n, ${status} as status, ${at} as at, gen_random_uuid() as trace_id
    from generate_series(${first}, ${last}) n`);
  // The factors are coprime, so that the lines of an order use different lots.
  await sql.unsafe(`
    create temporary table made_line as
    select order_id, made_order.n, line_no, status, at, trace_id, lot_id, product_id
    from made_order cross join generate_series(1, ${lines}) line_no
    join made_lot on made_lot.n = 1 + ((made_order.n::bigint * 7919 + line_no * 104729) % ${lots})`);
  await sql.unsafe(`
    insert into orders (order_id, account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment, logistics_type, express_type,
      consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip, shipment_no, created_at, updated_at, name, trace_id, created_by)
    select order_id, ${accountId}, case n % 10 when 0 then 'main' when 5 then 'logistics' else 'warehouse' end, '${begin}OUT-' || n, 'ow_${begin}OUT-' || n || '_' || substr(md5(n::text), 1, 10),
      sha256(n::text::bytea), 1 + n % 3, 1 + n % 2, status, 'production', 'home', 'tcat', 'TW', 'Recipient ' || n, '+886 9' || lpad((n::bigint * 7919 % 100000000)::text, 8, '0'), '${consignee.consignee_address}',
      '${consignee.consignee_zip}', case when status in ('shipped', 'delivered') then '${begin}SHIP-' || n end,
      at, at + interval '1 second' * (n % 86400), case when n % 10 = 5 then '${begin}SHOP-' || n end, trace_id, 'history'
    from made_order order by order_id`);
  await sql.unsafe(`
    insert into shipping_order (order_id, account_id, customer_name, delivery_charge)
    select order_id, ${accountId}, 'Customer ' || n, 60 from made_order where n % 10 = 5`);
  await sql.unsafe(`
    insert into state_change (document_type, document_id, account_id, event, from_state, to_state, at, actor, trace_id)
    select 'order', order_id, ${accountId}, event, from_state, to_state, at, 'history', trace_id
    from made_order join (values ${stateChanges.map((change) => `('${change.join("', '")}')`).join(', ')}) as change(event, from_state, to_state, statuses)
      on status = any(string_to_array(statuses, ' '))
    order by order_id`);
  await sql.unsafe(`
    insert into order_line (order_id, line_no, account_id, product_id, qty)
    select order_id, line_no, ${accountId}, product_id, 1 from made_line order by order_id, line_no`);
  for (const [kind, onHand, locked, statuses] of orderMovements) {
    await sql.unsafe(`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor, at, trace_id)
      select ${accountId}, lot_id, '${kind}', ${onHand}, ${locked}, order_id, 'history', at, trace_id from made_line where ${statuses}`);
  }
  await sql.unsafe('drop table made_line');
  await sql.unsafe('drop table made_order');
}

/** The events of orders, and the states that imply them. */
const stateChanges = [
  ['transfer', 'pending_warehouse_transfer', 'in_warehouse', 'in_warehouse picking packed shipped delivered'],
  ['pick', 'in_warehouse', 'picking', 'picking packed shipped delivered'],
  ['pack', 'picking', 'packed', 'packed shipped delivered'],
  ['ship', 'packed', 'shipped', 'shipped delivered'],
  ['deliver', 'shipped', 'delivered', 'delivered'],
  ['cancel', 'pending_warehouse_transfer', 'cancelled', 'cancelled'],
];

const orderMovements: [kind: string, onHand: number, locked: number, statuses: string][] = [
  ['lock', 0, 1, 'true'],
  ['unlock', 0, -1, "status = 'cancelled'"],
  ['ship', -1, -1, "status in ('shipped', 'delivered')"],
];
