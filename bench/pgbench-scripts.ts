/** The same order as a pgbench script in two variants: for the service's own tables, and for minimal tables. */
import type { Sql } from '../server/platform/postgres/sql.ts';
import { consignee, orderedSkuIds, type Shape, shipMethod, spreadSkus } from './order-shapes.ts';

export type PgbenchTables = 'same tables' | 'bare tables';

/** Order numbers created by pgbench. As in the service, they are short and ascending for each client. */
export const pgbenchNumbers = 'P';
const nextNumber = '\\set count :count + 1';
const number = `'${pgbenchNumbers}' || :run || '-' || :client_id || '-' || :count`;

/** Products and lots are numbered in the order of the skus, starting from these numbers. */
export interface FirstIds {
  accountId: number;
  productId: number;
  lotId: number;
}

export async function findFirstIds(sql: Sql, accountId: number): Promise<FirstIds> {
  const lots = await sql<{ lot_id: number; product_id: number }[]>`
    select lot_id, product_id from lot where account_id = ${accountId} and sku_id = any(${orderedSkuIds})
    order by array_position(${orderedSkuIds}::text[], sku_id::text)`;
  const [first] = lots;
  const isInOrder = lots.every(
    ({ lot_id, product_id }, index) => lot_id === first!.lot_id + index && product_id === first!.product_id + index,
  );
  if (lots.length !== orderedSkuIds.length || !isInOrder)
    throw new Error('lots and products are not numbered in the order of their skus');
  return { accountId, productId: first!.product_id, lotId: first!.lot_id };
}

export async function makeBareTables(sql: Sql, { lotId }: FirstIds): Promise<void> {
  await sql`create table bare_order (order_id bigint generated always as identity primary key, number text not null unique, consignee text not null)`;
  await sql`create table bare_line (order_id bigint, line_no integer, lot_id bigint not null, qty bigint not null, primary key (order_id, line_no))`;
  await sql`create table bare_stock (lot_id bigint primary key, on_hand bigint not null, locked bigint not null) with (fillfactor = 50)`;
  await sql`create table bare_allocation (order_id bigint, lot_id bigint, qty bigint not null, primary key (order_id, lot_id))`;
  await sql`insert into bare_stock select ${lotId}::bigint + n, 1000000000, 0 from generate_series(0, ${orderedSkuIds.length - 1}::integer) n`;
}

export function pgbenchScript(tables: PgbenchTables, shape: Shape, ids: FirstIds): string {
  const lines = shape === 'hot' ? ['one'] : ['one', 'other'];
  const write = tables === 'same tables' ? writeOrder : writeBareOrder;
  return `${shape === 'hot' ? hotChoice : spreadChoice}\n${nextNumber}\nbegin;\n${write(lines, ids)}\ncommit;\n`;
}

const hotChoice = `\\set one ${spreadSkus}`;
/** Two different lots, the lower one first to avoid deadlocks. */
const spreadChoice = `\\set a random(0, ${spreadSkus - 1})
\\set b (:a + random(1, ${spreadSkus - 1})) % ${spreadSkus}
\\set one least(:a, :b)
\\set other greatest(:a, :b)`;

function writeOrder(lines: string[], { accountId, productId, lotId }: FirstIds): string {
  const { consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip } = consignee;
  const receiver = [consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip]
    .map((text) => `'${text}'`)
    .join(', ');
  return `insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment, logistics_type, express_type, consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip, trace_id, created_by) select ${accountId}, 'warehouse', number, 'ow_' || number || '_1', sha256(number::bytea), 1, 1, 'pending_warehouse_transfer', 'uat', '${shipMethod.logistics_type}', '${shipMethod.express_type}', ${receiver}, gen_random_uuid(), 'bench' from (select ${number} as number) made returning order_id \\gset
insert into order_line (order_id, line_no, account_id, product_id, qty) values ${lines.map((line, index) => `(:order_id, ${index + 1}, ${accountId}, ${productId} + :${line}, 1)`).join(', ')};
${lines.map((line) => `update lot set locked = locked + 1 where account_id = ${accountId} and lot_id = ${lotId} + :${line};`).join('\n')}
insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor) values ${lines.map((line) => `(${accountId}, ${lotId} + :${line}, 'lock', 0, 1, :order_id, 'bench')`).join(', ')};`;
}

function writeBareOrder(lines: string[], { lotId }: FirstIds): string {
  return `insert into bare_order (number, consignee) values (${number}, '${consignee.consignee_name}') returning order_id \\gset
insert into bare_line values ${lines.map((line, index) => `(:order_id, ${index + 1}, ${lotId} + :${line}, 1)`).join(', ')};
${lines.map((line) => `update bare_stock set locked = locked + 1 where lot_id = ${lotId} + :${line};`).join('\n')}
insert into bare_allocation values ${lines.map((line) => `(:order_id, ${lotId} + :${line}, 1)`).join(', ')};`;
}
