import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { LockedOrder } from './order-queries.ts';

/** The orders that have been due longest; skips those that another worker has locked. `only` limits the orders. */
export async function claimDueWalks(tx: Tx, { max, only }: { max: number; only?: number[] }): Promise<number[]> {
  const rows = await tx<{ orderId: number }[]>`
    select order_id as "orderId" from transfer where next_step_at <= now() ${only ? tx`and order_id = any(${only})` : tx``}
    order by next_step_at limit ${max} for update skip locked`;
  return rows.map((row) => row.orderId);
}

export async function findDueWalks(sql: Sql, max: number): Promise<number[]> {
  const rows = await sql<{ orderId: number }[]>`
    select order_id as "orderId" from transfer where next_step_at <= now() order by next_step_at limit ${max}`;
  return rows.map((row) => row.orderId);
}

/** Seconds until an order is due; null: none is scheduled. */
export async function secondsUntilDue(sql: Sql): Promise<number | null> {
  const [row] = await sql<{ seconds: number | null }[]>`
    select extract(epoch from min(next_step_at) - clock_timestamp())::float8 as seconds from transfer where next_step_at is not null`;
  return row!.seconds;
}

export interface WalkingOrder extends LockedOrder {
  warehouseNo: number;
  expressType: string | null;
  isUat: boolean;
  /** null: the warehouse is no longer simulated. */
  stepSeconds: number | null;
  shortPickPercent: number;
  delayPercent: number;
}

/** Locks orders in the order of their ids, so that nothing else advances them meanwhile. */
export async function lockWalkingOrders(tx: Tx, orderIds: number[]): Promise<WalkingOrder[]> {
  return await tx<WalkingOrder[]>`
    select ${camelColumns('order_id, o.account_id, partner_number')}, channel = 'logistics' as "isLogistics", status,
      ${camelColumns('shipment_no, carrier, o.warehouse_no, express_type')}, environment = 'uat' as "isUat",
      case when connector->>'type' = 'simulator' then coalesce((connector->>'step_s')::integer, ${stepSecondsDefault}) end as "stepSeconds",
      coalesce((connector->>'short_pick_percent')::integer, 0) as "shortPickPercent",
      coalesce((connector->>'delay_percent')::integer, 0) as "delayPercent"
    from orders o join account a on a.account_id = o.account_id join warehouse w on w.warehouse_no = o.warehouse_no
    where order_id = any(${orderIds})
    order by order_id for no key update of o`;
}

export const stepSecondsDefault = 5;

export interface Rest {
  orderId: number;
  /** null: the order does not continue by itself. */
  restSeconds: number | null;
  note: string | null;
}

export async function keepRests(tx: Tx, rests: Rest[]): Promise<void> {
  const sorted = rests.toSorted((a, b) => a.orderId - b.orderId);
  const place = tx`width_bucket(order_id, ${sorted.map((one) => one.orderId)}::bigint[])`;
  await tx`
    update transfer set next_step_at = now() + make_interval(secs => (${sorted.map((one) => one.restSeconds)}::integer[])[${place}]),
      note = (${sorted.map((one) => one.note)}::text[])[${place}], updated_at = now()
    where order_id = any(${sorted.map((one) => one.orderId)})`;
}

/** Postpones an order that cannot take its step yet. */
export async function putOffWalk(tx: Tx, orderId: number, seconds: number, note: string): Promise<void> {
  await tx`
    update transfer set next_step_at = now() + make_interval(secs => ${seconds}), note = ${note}, updated_at = now()
    where order_id = ${orderId} and next_step_at <= now()`;
}
