/**
 * The baseline: a well-written, straightforward implementation that creates each order in one transaction, without
 * HTTP.
 */
import { createHash } from 'node:crypto';
import type { ConnectionTarget } from '../server/platform/postgres/connection-target.ts';
import { connect } from '../server/platform/postgres/database.ts';
import { consignee, shipMethod } from './order-shapes.ts';

export type YardstickSql = ReturnType<typeof connectYardstick>;

/** The driver of the service, with the default plans of PostgreSQL. */
export function connectYardstick(target: ConnectionTarget, connections: number) {
  return connect(target, connections, { settings: { plan_cache_mode: 'auto' } });
}

const warehouseNo = 1;
const storeNo = 1;

/** Six round trips, including begin and commit; statements are combined where possible. */
export async function createOrder(
  sql: YardstickSql,
  accountId: number,
  order: { number: string; skuIds: string[] },
): Promise<void> {
  await sql.begin(async (tx) => {
    const [known] =
      await tx`select order_id from orders where account_id = ${accountId} and partner_number = ${order.number} and channel <> 'logistics'`;
    if (known) throw new Error(`order ${order.number} exists`);
    const lots = await tx<{ lot_id: number; product_id: number; available: number }[]>`
      select l.lot_id, l.product_id, l.on_hand - l.locked as available
      from lot l join product p on p.account_id = l.account_id and p.product_id = l.product_id
      where l.account_id = ${accountId} and p.sku_id = any(${order.skuIds}) and l.warehouse_no = ${warehouseNo}
        and l.stock_type = 'good' and l.on_hand > 0
      order by l.lot_id
      for update of l`;

    if (lots.length !== order.skuIds.length || lots.some((lot) => lot.available < 1))
      throw new Error(`order ${order.number}: short of stock`);

    const [row] = await tx<{ order_id: number }[]>`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment, logistics_type,
        express_type, consignee_country, consignee_name, consignee_phone, consignee_address, consignee_zip)
      values (${accountId}, 'warehouse', ${order.number}, ${`ow_${order.number}_1`}, ${digestOf(order)}, ${warehouseNo}, ${storeNo},
        'pending_warehouse_transfer', 'uat', ${shipMethod.logistics_type}, ${shipMethod.express_type}, ${consignee.consignee_country},
        ${consignee.consignee_name}, ${consignee.consignee_phone}, ${consignee.consignee_address}, ${consignee.consignee_zip})
      returning order_id`;
    const orderId = row!.order_id;
    const lotIds = lots.map((lot) => lot.lot_id);
    await Promise.all([
      tx`insert into order_line (order_id, line_no, account_id, product_id, qty)
        select ${orderId}, line_no, ${accountId}, product_id, 1
        from unnest(${lots.map((lot) => lot.product_id)}::bigint[]) with ordinality line (product_id, line_no)`,
      tx`insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor)
        select ${accountId}, lot_id, 'lock', 0, 1, ${orderId}, 'bench' from unnest(${lotIds}::bigint[]) lot_id`,
      tx`update lot set locked = locked + 1 where account_id = ${accountId} and lot_id = any(${lotIds})`,
    ]);
  });
}

function digestOf(order: { number: string; skuIds: string[] }): Buffer {
  return createHash('sha256').update(JSON.stringify(order)).digest();
}
