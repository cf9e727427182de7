import type { Sql } from '../server/platform/postgres/sql.ts';
import { withoutIndexes } from './without-indexes.ts';

/** The documents of one account, for benchmarks of the office pages. */
export interface OfficeData {
  accountId: number;
  /** The prefix of all numbers, so that several accounts can be told apart. */
  numbersBeginWith: string;
  orders: number;
  products?: number;
  /** The orders are spread evenly over this many days, up to an hour ago. */
  days?: number;
}

/** The number of orders in each state per thousand; the rest is delivered. */
const unfinished = {
  awaiting_stock: 4,
  pending_warehouse_transfer: 30,
  in_warehouse: 6,
  picking: 4,
  packed: 4,
  partially_shipped: 2,
  shipped: 20,
  arrived: 10,
  undelivered: 5,
  cancelled: 15,
};
/** The carriers and chains of twenty orders. */
const carriers = [
  ...Array<string>(8).fill('home tcat'),
  ...Array<string>(4).fill('home hct'),
  'home post',
  ...Array<string>(4).fill('csvs pcsc'),
  ...Array<string>(2).fill('csvs family'),
  'csvs hilife',
];
const families = [...'陳林黃張李王吳劉蔡楊許鄭謝郭洪邱曾廖賴徐'];
const givenNames = [...'怡君志明淑芬俊傑雅婷家豪美玲宗翰'];
const goods = ['高山烏龍茶', '鳳梨酥禮盒', '冷凍水餃', '牛肉麵調理包', '保濕面膜', '無糖豆漿', '手工皂', '咖啡豆'];
const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled'];
/** One order in this many has a callback, a second line, a parcel of its own; older orders have no parcels either. */
const every = { callback: 10, secondLine: 5, parcel: 10, rejected: 300, inbound: 50 };
const receiverId = '00000000-0000-4000-8000-000000000000';
const chunk = 250_000;

/**
 * Stores orders with lines, recipients, carriers, rejected transfers, shipments and callbacks, and inbound documents,
 * with set-based statements. It stores no stock and no movements, so it is for pages that only read documents;
 * `storeHistory` is slower and stores everything.
 */
export async function storeOfficeData(sql: Sql, data: OfficeData, onProgress: (line: string) => void): Promise<void> {
  const { accountId, orders } = data;
  // A production account, because orders of a UAT account are never shipped.
  await sql`update account set environment = 'production' where account_id = ${accountId}`;
  await storeProducts(sql, data);
  const tables = ['orders', 'order_line', 'state_change', 'callback', 'inbound_document', 'parcel', 'transfer'];
  await withoutIndexes(sql, tables, async () => {
    for (let first = 1; first <= orders; first += chunk) {
      const last = Math.min(orders, first + chunk - 1);
      await makeOrders(sql, data, first, last);
      await storeOrders(sql, data);
      await storeLines(sql, data);
      await storeProgress(sql, data);
      await storeCallbacks(sql, data);
      await storeInbounds(sql, data);
      await sql.unsafe('drop table made');
      onProgress(`${last} orders`);
    }
  });
  await sql.unsafe('drop table made_product');
}

async function storeProducts(sql: Sql, { accountId, numbersBeginWith: begin, products = 500 }: OfficeData) {
  await sql.unsafe(`
    insert into product (account_id, sku_id, name, storage_type)
    select ${accountId}, '${begin}SKU-' || n, ${oneOf(goods, 'n')} || ' ' || n, ${oneOf(storageTypes, 'n')}
    from generate_series(1, ${products}) n`);
  await sql.unsafe(`
    create temporary table made_product as
    select product_id, row_number() over (order by product_id) - 1 as place, count(*) over () as places
    from product where account_id = ${accountId} and sku_id like '${begin}SKU-%'`);
  await sql.unsafe('create unique index on made_product (place)');
  await sql.unsafe('analyze made_product');
}

/** The n-th value, and again from the first one on. */
function oneOf(values: string[], n: string): string {
  return `(array[${values.map((value) => `'${value}'`).join(', ')}])[1 + (${n}) % ${values.length}]`;
}

/** A number below 2^31 that looks random but is the same in every run. */
const mixed = `(n::bigint * 2654435761 % 2147483647)`;

async function makeOrders(sql: Sql, { orders, days = 365 }: OfficeData, first: number, last: number): Promise<void> {
  let below = 0;
  const states = Object.entries(unfinished).map(([status, perThousand]) => {
    below += perThousand;
    return `when ${mixed} % 1000 < ${below} then '${status}'`;
  });
  await sql.unsafe(`
    create temporary table made as
    select nextval('order_id_seq') as order_id, n, ${mixed} as mixed, gen_random_uuid() as trace_id,
      case ${states.join(' ')} else 'delivered' end as status, string_to_array(${oneOf(carriers, `${mixed} / 1000`)}, ' ') as sent_by,
      now() - interval '1 day' * ${days} * (1 - n::float8 / ${orders}) - interval '1 hour' as at
    from generate_series(${first}, ${last}) n`);
}

const hasLeft = `status in ('partially_shipped', 'shipped', 'arrived', 'delivered', 'undelivered')`;

async function storeOrders(sql: Sql, { accountId, numbersBeginWith: begin }: OfficeData): Promise<void> {
  const name = `${oneOf(families, 'mixed')} || ${oneOf(givenNames, 'mixed / 20')} || ${oneOf(givenNames, 'mixed / 400')}`;
  await sql.unsafe(`
    insert into orders (order_id, account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status,
      environment, logistics_type, express_type, consignee_country, consignee_name, consignee_phone, consignee_address,
      consignee_zip, shipment_no, carrier, undelivered_reason, created_at, updated_at, trace_id, created_by)
    select order_id, ${accountId}, 'warehouse', '${begin}OUT-' || n, 'ow_${begin}OUT-' || n || '_' || substr(md5(n::text), 1, 10),
      '', 1 + mixed % 3, 1 + mixed % 2, status, 'production', sent_by[1], sent_by[2], 'TW', ${name},
      '09' || lpad((mixed % 100000000)::text, 8, '0'), '台北市信義區市府路45號', '11008',
      case when ${hasLeft} then lpad((900000000000 + n)::text, 12, '0') end, case when ${hasLeft} then sent_by[2] end,
      case when status = 'undelivered' then 'not_collected' end,
      at, least(at + interval '1 second' * (mixed % 172800), now()), trace_id, 'office'
    from made order by order_id`);
}

async function storeLines(sql: Sql, { accountId }: OfficeData): Promise<void> {
  await sql.unsafe(`
    insert into order_line (account_id, order_id, line_no, product_id, qty)
    select ${accountId}, order_id, line_no, product_id, 1 + mixed % 4
    from made cross join generate_series(1, 2) line_no
    join made_product on place = (mixed + line_no * 7) % places
    where line_no = 1 or n % ${every.secondLine} = 0 order by order_id, line_no`);
}

/** The history has only the shipments, and only some orders have parcels. */
async function storeProgress(sql: Sql, { accountId }: OfficeData): Promise<void> {
  await sql.unsafe(`
    insert into state_change (document_type, document_id, account_id, event, from_state, to_state, at, actor, trace_id)
    select 'order', order_id, ${accountId}, 'ship', 'packed', 'shipped', least(at + interval '1 second' * (mixed % 172800), now()),
      'office', trace_id
    from made where ${hasLeft} and status <> 'partially_shipped' order by order_id`);
  await sql.unsafe(`
    insert into parcel (account_id, order_id, parcel_no, shipment_no, carrier, at)
    select ${accountId}, order_id, 1, lpad((900000000000 + n)::text, 12, '0'), sent_by[2], at
    from made where ${hasLeft} and n % ${every.parcel} = 0 order by order_id`);
  await sql.unsafe(`
    insert into transfer (account_id, order_id, transfer_id, warehouse_no, status, attempts, reason)
    select ${accountId}, order_id, gen_random_uuid(), 1 + mixed % 3, 'rejected', 1,
      '{"code":"warehouse_reason","params":{"text":"unknown product"}}'
    from made where status = 'pending_warehouse_transfer' and n % ${every.rejected} = 0 order by order_id`);
}

async function storeCallbacks(sql: Sql, { accountId, numbersBeginWith: begin }: OfficeData): Promise<void> {
  await sql.unsafe(`
    insert into callback_receiver (account_id, receiver_id, address)
    values (${accountId}, '${receiverId}', 'https://partner.example/callback') on conflict do nothing`);
  await sql.unsafe(`
    with sent as (
      insert into callback (account_id, event_id, event, document_type, document_no, url, status, occurred_at, created_at, updated_at,
        document_id, sequence, key_name, receiver_id, body)
      select ${accountId}, gen_random_uuid(), 'order.shipped', 'order', '${begin}OUT-' || n, 'https://partner.example/callback',
        case when mixed % 100 = 0 then 'failed' else 'delivered' end, at, at, at, order_id, 1, 'wms', '${receiverId}', '{}'
      from made where ${hasLeft} and n % ${every.callback} = 0 order by order_id
      returning callback_id, created_at, status)
    insert into callback_attempt (account_id, callback_id, attempt_no, at, duration_ms, http_status)
    select ${accountId}, callback_id, 1, created_at, 20 + callback_id % 200, case when status = 'failed' then 500 else 200 end
    from sent`);
}

async function storeInbounds(sql: Sql, { accountId, numbersBeginWith: begin }: OfficeData): Promise<void> {
  await sql.unsafe(`
    with arrived as (
      insert into inbound_document (account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no, store_no,
        receiving, status, created_at, updated_at)
      select ${accountId}, 'warehouse', 'inbound', '${begin}IN-' || n, 'si_' || substr(md5('${begin}' || n), 1, 20), '',
        1 + mixed % 3, 1 + mixed % 2, 'on_create', case when mixed % 40 = 0 then 'expected' else 'received' end, at, at
      from made where n % ${every.inbound} = 0 order by order_id
      returning inbound_id)
    insert into inbound_line (account_id, inbound_id, line_no, product_id, qty)
    select ${accountId}, inbound_id, 1, product_id, 100 from arrived join made_product on place = inbound_id % places`);
}
