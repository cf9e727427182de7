import type { Sql } from '../server/platform/postgres/sql.ts';
import { withoutIndexes } from './without-indexes.ts';

export interface OldDocuments {
  accountId: number;
  count: number;
  /** The number of lots used only by these documents; the same number of lots is shared with the traffic. */
  ownLots: number;
}

const chunk = 50_000;
const inboundUnits = 8;

/**
 * Documents of a UAT account past every retention period, written with set-based statements: out of ten, eight are
 * orders with two lines (three of them cancelled, and one with a delivered callback) and two are inbound documents.
 * Half of them use lots that the traffic uses too. Balances are the sums of their movements, so that an audit finds
 * nothing.
 */
export async function storeOldDocuments(
  sql: Sql,
  documents: OldDocuments,
  onProgress: (line: string) => void,
): Promise<void> {
  const { accountId, count, ownLots } = documents;
  await sql.unsafe(`
    insert into product (account_id, sku_id, name, storage_type) select ${accountId}, 'OLD-' || n, 'Old', 'ambient' from generate_series(1, ${ownLots}) n`);
  await sql.unsafe(`
    insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, expire_date, on_hand, locked)
    select account_id, 1, product_id, sku_id, 'good', '2099-12-31', 0, 0 from product where account_id = ${accountId} and sku_id like 'OLD-%'`);
  await sql.unsafe(`
    create temporary table used_lot as
    select lot_id, product_id, isOwn, row_number() over (partition by isOwn order by lot_id) - 1 as place, count(*) over (partition by isOwn) as places
    from (select lot_id, product_id, sku_id like 'OLD-%' as isOwn from lot where account_id = ${accountId}) lots`);
  await sql.unsafe('create unique index on used_lot (isOwn, place)');
  await sql.unsafe('analyze used_lot');
  await withoutIndexes(sql, ['orders', 'inbound_document', 'movement', 'callback'], async () => {
    for (let first = 1; first <= count; first += chunk) {
      const last = Math.min(count, first + chunk - 1);
      await storeOrders(sql, accountId, first, last);
      await storeInbounds(sql, accountId, first, last);
      onProgress(`${last} old documents`);
    }
  });
  await sql.unsafe(`
    update lot set on_hand = moved.on_hand, locked = moved.locked
    from (select lot_id, sum(on_hand_delta) as on_hand, sum(locked_delta) as locked from movement where account_id = ${accountId} group by lot_id) moved
    where lot.account_id = ${accountId} and moved.lot_id = lot.lot_id and (lot.on_hand, lot.locked) is distinct from (moved.on_hand, moved.locked)`);
  await sql.unsafe('drop table used_lot');
}

/** The lot of the n-th document's line; each lot has the same number of documents of every kind. */
function isLotOf(lineNo: string): string {
  return `used_lot.isOwn = (n % 2 = 0) and used_lot.place = (n / 10 + n % 10 * 137 + ${lineNo}) % used_lot.places`;
}

async function storeOrders(sql: Sql, accountId: number, first: number, last: number): Promise<void> {
  await sql.unsafe(`
    create temporary table made as
    select nextval('order_id_seq') as order_id, n, n % 10 < 3 as is_cancelled, n % 10 = 9 as has_callback,
      now() - interval '60 days' + interval '1 second' * n / 10 as at
    from generate_series(${first}, ${last}) n where n % 10 not in (4, 5)`);
  await sql.unsafe(`
    create temporary table made_line as
    select order_id, line_no, n, is_cancelled, at, lot_id, product_id from made cross join generate_series(1, 2) line_no
    join used_lot on ${isLotOf('line_no')}`);
  await sql.unsafe(`
    insert into orders (order_id, account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment, logistics_type, express_type,
      consignee_country, consignee_name, created_at, updated_at, created_by)
    select order_id, ${accountId}, case when has_callback then 'logistics' else 'warehouse' end, 'OLD-' || n, 'ow_OLD-' || n || '_' || substr(md5(n::text), 1, 10),
      '', 1, 1, case when is_cancelled then 'cancelled' else 'pending_warehouse_transfer' end, 'uat', 'home', 'tcat', 'TW', 'Recipient ' || n, at, at, 'old'
    from made`);
  await sql.unsafe(
    `insert into order_line (order_id, line_no, account_id, product_id, qty) select order_id, line_no, ${accountId}, product_id, 1 from made_line`,
  );
  await sql.unsafe(`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor, at)
    select ${accountId}, lot_id, 'lock', 0, 1, order_id, 'old', at from made_line order by order_id`);
  await sql.unsafe(`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor, at)
    select ${accountId}, lot_id, 'unlock', 0, -1, order_id, 'old', at from made_line where is_cancelled order by order_id`);
  await sql.unsafe(`
    insert into state_change (document_type, document_id, account_id, event, from_state, to_state, at, actor)
    select 'order', order_id, ${accountId}, 'cancel', 'pending_warehouse_transfer', 'cancelled', at, 'old' from made where is_cancelled`);
  await storeCallbacks(sql, accountId);
  await sql.unsafe('drop table made_line');
  await sql.unsafe('drop table made');
}

async function storeCallbacks(sql: Sql, accountId: number): Promise<void> {
  await sql.unsafe(`
    insert into callback_target (document_type, document_id, account_id, key_name, url, callback_count)
    select 'order', order_id, ${accountId}, 'wms', 'https://partner.example/callback', 1 from made where has_callback`);
  await sql.unsafe(`
    with sent as (
      insert into callback (account_id, event_id, event, document_type, document_no, url, status, occurred_at, created_at, updated_at, document_id, sequence,
        key_name, receiver_id, body)
      select ${accountId}, gen_random_uuid(), 'order.cancelled', 'order', 'OLD-' || n, 'https://partner.example/callback', 'delivered', at, at, at, order_id, 1,
        'wms', '00000000-0000-4000-8000-000000000000', repeat('x', 300)
      from made where has_callback returning callback_id)
    insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status) select callback_id, 1, ${accountId}, 20, 200 from sent`);
}

async function storeInbounds(sql: Sql, accountId: number, first: number, last: number): Promise<void> {
  await sql.unsafe(`
    create temporary table made as
    select nextval('inbound_id_seq') as inbound_id, n, now() - interval '60 days' + interval '1 second' * n / 10 as at, lot_id, product_id
    from generate_series(${first}, ${last}) n join used_lot on ${isLotOf('0')} where n % 10 in (4, 5)`);
  await sql.unsafe(`
    insert into inbound_document (inbound_id, account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no, store_no, receiving, status,
      created_at, updated_at, created_by)
    select inbound_id, ${accountId}, 'warehouse', 'inbound', 'OLD-IN-' || n, 'si_' || substr(md5(n::text), 1, 20), '', 1, 1, 'on_create', 'received', at, at, 'old'
    from made`);
  await sql.unsafe(`
    insert into inbound_line (inbound_id, line_no, account_id, product_id, expire_date, qty)
    select inbound_id, 1, ${accountId}, product_id, '2099-12-31', ${inboundUnits} from made`);
  await sql.unsafe(`
    insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, inbound_id, actor, at)
    select ${accountId}, lot_id, 'receive', ${inboundUnits}, 0, inbound_id, 'old', at from made order by inbound_id`);
  await sql.unsafe('drop table made');
}
