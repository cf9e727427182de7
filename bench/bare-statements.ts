/**
 * The baseline for requests: well-written, straightforward statements with the same effect, sent directly through the
 * same driver.
 */
import { randomUUID } from 'node:crypto';
import type { YardstickSql } from './one-transaction-per-order.ts';
import { consignee } from './order-shapes.ts';

const warehouseNo = 1;
const storeNo = 1;
const actor = 'bench';
const digest = Buffer.alloc(32);

export interface Unit {
  skuId: string;
  qty: number;
}

export async function syncProduct(sql: YardstickSql, accountId: number, skuId: string): Promise<void> {
  await sql`
    insert into product (account_id, sku_id, name, storage_type) values (${accountId}, ${skuId}, ${`Bench ${skuId}`}, 'ambient')
    on conflict (account_id, sku_id) do update set name = excluded.name, storage_type = excluded.storage_type, updated_at = now()
    returning product_id`;
}

export async function createInbound(
  sql: YardstickSql,
  accountId: number,
  number: string,
  units: Unit[],
): Promise<void> {
  await sql.begin(async (tx) => {
    const [known] =
      await tx`select inbound_id from inbound_document where account_id = ${accountId} and partner_number = ${number} and channel <> 'logistics'`;
    if (known) throw new Error(`${number} exists`);
    const skuIds = units.map((unit) => unit.skuId);
    const [document] = await tx<{ inbound_id: number }[]>`
      insert into inbound_document (account_id, channel, kind, partner_number, document_no, payload_digest, warehouse_no, store_no, receiving, status,
        trace_id, created_by)
      values (${accountId}, 'warehouse', 'inbound', ${number}, ${`si_${number}`}, ${digest}, ${warehouseNo}, ${storeNo}, 'on_create', 'received',
        ${randomUUID()}, ${actor})
      returning inbound_id`;
    const lots = await tx<{ lot_id: number; sku_id: string }[]>`
      insert into lot (account_id, warehouse_no, product_id, sku_id, stock_type, expire_date, on_hand, locked)
      select p.account_id, ${warehouseNo}::integer, product_id, p.sku_id, 'good', date '2099-12-31', qty, 0
      from unnest(${skuIds}::text[], ${units.map((unit) => unit.qty)}::bigint[]) as given(sku_id, qty)
      join product p on p.account_id = ${accountId} and p.sku_id = given.sku_id
      order by product_id
      on conflict on constraint lot_key do update set on_hand = lot.on_hand + excluded.on_hand
      returning lot_id, sku_id`;
    const qtyOf = new Map(units.map((unit) => [unit.skuId, unit.qty]));
    await Promise.all([
      tx`insert into inbound_line (inbound_id, line_no, account_id, product_id, expire_date, qty)
        select ${document!.inbound_id}, line_no, ${accountId}, product_id, date '2099-12-31', qty
        from unnest(${skuIds}::text[], ${units.map((unit) => unit.qty)}::bigint[]) with ordinality as given(sku_id, qty, line_no)
        join product p on p.account_id = ${accountId} and p.sku_id = given.sku_id`,
      tx`insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, inbound_id, actor)
        select ${accountId}, lot_id, 'receive', qty, 0, ${document!.inbound_id}, ${actor}
        from unnest(${lots.map((lot) => lot.lot_id)}::bigint[], ${lots.map((lot) => qtyOf.get(lot.sku_id)!)}::bigint[]) as given(lot_id, qty)`,
    ]);
  });
}

export async function cancelOrders(sql: YardstickSql, accountId: number, numbers: string[]): Promise<void> {
  await sql.begin(async (tx) => {
    const orders = await tx<{ order_id: number }[]>`
      select order_id from orders
      where account_id = ${accountId} and channel <> 'logistics' and partner_number = any(${numbers}) and status = 'pending_warehouse_transfer'
      order by order_id for no key update`;
    const orderIds = orders.map((order) => order.order_id);
    if (orderIds.length !== numbers.length) throw new Error('not all of them can be cancelled');
    await tx`
      select from lot where account_id = ${accountId}
        and lot_id in (select lot_id from movement where account_id = ${accountId} and order_id = any(${orderIds}::bigint[]))
      order by lot_id for no key update`;
    await tx`
      with freed as (
        insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor)
        select account_id, lot_id, 'unlock', 0, -sum(locked_delta), order_id, ${actor}
        from movement where account_id = ${accountId} and order_id = any(${orderIds}::bigint[]) group by account_id, lot_id, order_id having sum(locked_delta) <> 0
        returning lot_id, locked_delta)
      update lot set locked = locked + delta from (select lot_id, sum(locked_delta) as delta from freed group by lot_id) of_lot
      where lot.account_id = ${accountId} and of_lot.lot_id = lot.lot_id`;
    await Promise.all([
      tx`update orders set status = 'cancelled', updated_at = now() where account_id = ${accountId} and order_id = any(${orderIds}::bigint[])`,
      tx`insert into state_change (document_type, document_id, account_id, event, from_state, to_state, actor)
        select 'order', order_id, ${accountId}, 'cancel', 'pending_warehouse_transfer', 'cancelled', ${actor} from unnest(${orderIds}::bigint[]) order_id`,
    ]);
  });
}

export async function cancelInbounds(sql: YardstickSql, accountId: number, numbers: string[]): Promise<void> {
  await sql.begin(async (tx) => {
    const documents = await tx<{ inbound_id: number }[]>`
      select inbound_id from inbound_document
      where account_id = ${accountId} and channel <> 'logistics' and partner_number = any(${numbers}) and status = 'received'
      order by inbound_id for no key update`;
    const inboundIds = documents.map((document) => document.inbound_id);
    if (inboundIds.length !== numbers.length) throw new Error('not all of them can be cancelled');
    await tx`
      select from lot where account_id = ${accountId}
        and lot_id in (select lot_id from movement where account_id = ${accountId} and inbound_id = any(${inboundIds}::bigint[]))
      order by lot_id for no key update`;
    await tx`
      with retracted as (
        insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, inbound_id, actor)
        select account_id, lot_id, 'retract', -sum(on_hand_delta), 0, inbound_id, ${actor}
        from movement where account_id = ${accountId} and inbound_id = any(${inboundIds}::bigint[]) group by account_id, lot_id, inbound_id having sum(on_hand_delta) <> 0
        returning lot_id, on_hand_delta)
      update lot set on_hand = on_hand + delta from (select lot_id, sum(on_hand_delta) as delta from retracted group by lot_id) of_lot
      where lot.account_id = ${accountId} and of_lot.lot_id = lot.lot_id`;
    await Promise.all([
      tx`update inbound_document set status = 'cancelled', updated_at = now() where account_id = ${accountId} and inbound_id = any(${inboundIds}::bigint[])`,
      tx`insert into state_change (document_type, document_id, account_id, event, from_state, to_state, actor)
        select 'inbound', inbound_id, ${accountId}, 'cancel', 'received', 'cancelled', ${actor} from unnest(${inboundIds}::bigint[]) inbound_id`,
    ]);
  });
}

export async function createShippingOrder(
  sql: YardstickSql,
  accountId: number,
  number: string,
  skuIds: string[],
): Promise<void> {
  await sql.begin(async (tx) => {
    const [known] =
      await tx`select order_id from orders where account_id = ${accountId} and partner_number = ${number} and channel = 'logistics'`;
    if (known) throw new Error(`${number} exists`);
    const lots = await tx<{ lot_id: number; product_id: number }[]>`
      select l.lot_id, l.product_id from lot l join product p using (account_id, product_id)
      where account_id = ${accountId} and p.sku_id = any(${skuIds}) and warehouse_no = ${warehouseNo} and stock_type = 'good' and on_hand > locked
        and not exists (select from waiting_line w where w.account_id = ${accountId} and w.product_id = l.product_id and w.warehouse_no = l.warehouse_no)
      order by lot_id for no key update of l`;
    if (lots.length !== skuIds.length) throw new Error(`${number}: short of stock`);
    const [order] = await tx<{ order_id: number }[]>`
      insert into orders (account_id, channel, partner_number, order_no, payload_digest, warehouse_no, store_no, status, environment, name, consignee_name,
        consignee_phone, consignee_address, trace_id, created_by)
      values (${accountId}, 'logistics', ${number}, ${`ow_${number}_1`}, ${digest}, ${warehouseNo}, ${storeNo}, 'pending_warehouse_transfer', 'uat', ${number},
        ${consignee.consignee_name}, ${consignee.consignee_phone}, ${consignee.consignee_address}, ${randomUUID()}, ${actor})
      returning order_id`;
    const orderId = order!.order_id;
    const lotIds = lots.map((lot) => lot.lot_id);
    await Promise.all([
      tx`insert into shipping_order (order_id, account_id, customer_name, delivery_charge) values (${orderId}, ${accountId}, ${consignee.consignee_name}, 60)`,
      tx`insert into order_line (order_id, line_no, account_id, product_id, qty, item_storage_type)
        select ${orderId}, line_no, ${accountId}, product_id, 1, 'ambient'
        from unnest(${lots.map((lot) => lot.product_id)}::bigint[]) with ordinality line (product_id, line_no)`,
      tx`insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor)
        select ${accountId}, lot_id, 'lock', 0, 1, ${orderId}, ${actor} from unnest(${lotIds}::bigint[]) lot_id`,
      tx`update lot set locked = locked + 1 where account_id = ${accountId} and lot_id = any(${lotIds})`,
    ]);
  });
}
