import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { inEveryAccount } from '../partners/every-account.ts';
import type { Lot } from '../stock/lot.ts';
import type { OrderChannel, OrderKey, OrderStatus } from './order.ts';
import type { Shelves } from './waiting-queries.ts';

// The parts of an order that the console shows beside its history.

/** The order with a given id. */
export interface OrderById {
  order_id: number;
  account_id: number;
  partner_number: string;
  order_no: string;
  channel: OrderChannel;
  status: OrderStatus;
  warehouse_no: number;
}

/** Pages name orders by their id alone. */
export async function findOrdersById(sql: Sql, orderIds: number[]): Promise<OrderById[]> {
  return await inEveryAccount(
    sql,
    (own, accountId) => own<OrderById[]>`
      select order_id, account_id, partner_number, order_no, channel, status, warehouse_no
      from orders where account_id = ${accountId} and order_id = any(${orderIds})`,
  );
}

const shippedAlikeMax = 20;

/**
 * Orders that were or will be shipped with this number, which is unique only together with its carrier. An order has the
 * number of its first parcel.
 */
export async function findOrdersByShipment(sql: Sql, shipmentNo: string): Promise<OrderKey[]> {
  const found = await inEveryAccount(
    sql,
    (own, accountId) => own<OrderKey[]>`
      select ${camelColumns('account_id, order_id')} from orders where account_id = ${accountId} and shipment_no = ${shipmentNo}
      union
      select account_id, order_id from parcel where account_id = ${accountId} and shipment_no = ${shipmentNo} and parcel_no > 1
      order by "orderId" desc limit ${shippedAlikeMax}`,
  );
  return found.toSorted((one, other) => other.orderId - one.orderId).slice(0, shippedAlikeMax);
}

export type ShippedOrder = OrderById & { shipment_no: string; carrier: string | null };

/** Orders of all accounts that were or will be shipped with one of these numbers; cancelled orders are left out. */
export async function findOrdersOfShipments(sql: Sql, shipmentNos: string[]): Promise<ShippedOrder[]> {
  const max = shipmentNos.length * shippedAlikeMax;
  const found = await inEveryAccount(
    sql,
    (own, accountId) => own<ShippedOrder[]>`
      select order_id, account_id, partner_number, order_no, channel, status, warehouse_no, shipment_no, carrier from orders
      where account_id = ${accountId} and shipment_no = any(${shipmentNos}::text[]) and status <> 'cancelled'
      union all
      select o.order_id, o.account_id, partner_number, order_no, channel, status, warehouse_no, p.shipment_no, nullif(p.carrier, '')
      from parcel p join orders o on o.account_id = p.account_id and o.order_id = p.order_id
      where p.account_id = ${accountId} and p.shipment_no = any(${shipmentNos}::text[]) and parcel_no > 1
      order by order_id desc limit ${max}`,
  );
  return found.toSorted((one, other) => other.order_id - one.order_id).slice(0, max);
}

/** An order with the details that people who handle it need. */
export interface HandledOrder extends OrderById {
  name: string | null;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  note: string | null;
}

export async function findHandledOrders(sql: Sql, orders: OrderKey[]): Promise<HandledOrder[]> {
  const found = await perAccount(
    orders,
    (accountId, own) => sql<HandledOrder[]>`
      select o.order_id, o.account_id, partner_number, order_no, channel, status, warehouse_no, name, logistics_type, express_type, shipment_no, carrier, note
      from orders o left join shipping_order s on s.account_id = o.account_id and s.order_id = o.order_id
      where o.account_id = ${accountId} and o.order_id = any(${own.map((order) => order.orderId)})`,
  );
  return found.toSorted((one, other) => one.order_id - other.order_id);
}

export interface DetailLine {
  order_id: number;
  line_no: number;
  product_id: number;
  sku_id: string;
  name: string;
  storage_type: string;
  qty: number;
  batch_id: string | null;
  combo_sku: string | null;
  identifier: string | null;
  price: string | null;
}

export async function findDetailLines(sql: Sql, orders: OrderKey[]): Promise<DetailLine[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<DetailLine[]>`
      select order_id, line_no, l.product_id, sku_id, coalesce(item_name, p.name) as name,
        coalesce(item_storage_type, p.storage_type) as storage_type, qty, batch_id, combo_sku, identifier, price
      from order_line l join product p on p.account_id = l.account_id and p.product_id = l.product_id
      where l.account_id = ${accountId} and order_id = any(${own.map((order) => order.orderId)}) order by order_id, line_no`,
  );
}

/** A lot from which units were taken for an order. */
export interface TakenLot {
  order_id: number;
  lot_id: number;
  sku_id: string;
  batch_id: string;
  expire_date: string | null;
  /** The units ever taken; then those it still holds, and those that were shipped. */
  taken: number;
  locked: number;
  shipped: number;
  /** The first movement that took from the lot, and its time. */
  movement_id: number;
  at: string;
}

/** The lots of each order, in the order in which units were taken. */
export async function findTakenLots(sql: Sql, orders: OrderKey[]): Promise<TakenLot[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<TakenLot[]>`
      select m.order_id, lot.lot_id, lot.sku_id, lot.batch_id, nullif(lot.expire_date, 'infinity') as expire_date,
        m.taken, m.locked, m.shipped, m.movement_id, ${sql.unsafe(taipeiTime('m.at', 'at'))}
      from (
        select order_id, lot_id, sum(locked_delta) filter (where kind = 'lock')::bigint as taken, sum(locked_delta)::bigint as locked,
          coalesce(-sum(on_hand_delta) filter (where kind = 'ship'), 0)::bigint as shipped,
          min(movement_id) filter (where kind = 'lock') as movement_id, min(at) filter (where kind = 'lock') as at
        from movement where account_id = ${accountId} and order_id = any(${own.map((order) => order.orderId)})
        group by order_id, lot_id having bool_or(kind = 'lock')
      ) m join lot on lot.account_id = ${accountId} and lot.lot_id = m.lot_id order by m.movement_id`,
  );
}

/** A lot with its current balance, and the sum of its movements since a given movement. */
export interface LotSince extends Lot {
  skuId: string;
  /** Counted up to one more than the limit. */
  movementsSince: number;
  onHandSince: number;
  lockedSince: number;
}

/**
 * The lots of these products in a warehouse, in the order of allocation, one more than the limit if there are more.
 * Lots that have been emptied since are included. A lot is locked while its movements are written, so the ids of its
 * movements are in their order.
 */
export async function findLotsSince(
  sql: Sql,
  { accountId, productIds, warehouseNo, movementId }: Shelves & { movementId: number | null },
  { lotsMax, movementsMax }: { lotsMax: number; movementsMax: number },
): Promise<LotSince[]> {
  return await sql<LotSince[]>`
    select ${camelColumns('account_id, lot_id, sku_id, product_id, warehouse_no, stock_type, batch_id')},
      nullif(expire_date, 'infinity') as "expireDate", lot.on_hand as "onHand", lot.locked,
      coalesce(since.movements, 0)::integer as "movementsSince", coalesce(since.on_hand, 0)::bigint as "onHandSince",
      coalesce(since.locked, 0)::bigint as "lockedSince"
    from (
      select * from lot where account_id = ${accountId} and product_id = any(${productIds}) and warehouse_no = ${warehouseNo}
        and (on_hand > 0 or exists (
          select from movement m where m.account_id = ${accountId} and m.lot_id = lot.lot_id and movement_id >= ${movementId}::bigint))
      order by lot.expire_date, lot_id limit ${lotsMax + 1}
    ) lot
    left join lateral (
      select count(*) as movements, sum(on_hand_delta) as on_hand, sum(locked_delta) as locked
      from (select on_hand_delta, locked_delta from movement m
        where m.account_id = ${accountId} and m.lot_id = lot.lot_id and movement_id >= ${movementId}::bigint limit ${movementsMax + 1}) moved
    ) since on true
    order by lot.expire_date, lot_id`;
}

export interface OrderFacts {
  environment: 'uat' | 'production';
  warehouse_name: string;
  store_name: string;
  delivery_charge: string | null;
  /** The warehouse has a system that accepts changes of orders. */
  takes_changes: boolean;
  /**
   * For a logistics order: the shelf-life rule by which it waits or, once it has its units, the current rule of its
   * key; null: no limit.
   */
  key_sellable_days: number | null;
}

export async function findOrderFacts(sql: Sql, { accountId, orderId }: OrderKey): Promise<OrderFacts | null> {
  const [facts] = await sql<OrderFacts[]>`
    select o.environment, coalesce((select name from warehouse w where w.warehouse_no = o.warehouse_no), '') as warehouse_name,
      coalesce((select name from store s where s.store_no = o.store_no), '') as store_name,
      coalesce((select w.connector->>'type' = 'http' and w.connector->>'changes_url' is not null
        from warehouse w where w.warehouse_no = o.warehouse_no), false) as takes_changes,
      (select delivery_charge from shipping_order s where s.account_id = ${accountId} and s.order_id = o.order_id) as delivery_charge,
      case when status = 'awaiting_stock'
        then (select sellable_days_before_expiry from waiting_line w
          where w.account_id = ${accountId} and w.order_id = o.order_id limit 1)
        else (select sellable_days_before_expiry from logistics_key k
          where k.account_id = ${accountId} and account_no || '/' || k.name = created_by)
      end as key_sellable_days
    from orders o join account a on a.account_id = o.account_id where o.account_id = ${accountId} and order_id = ${orderId}`;
  return facts ?? null;
}
