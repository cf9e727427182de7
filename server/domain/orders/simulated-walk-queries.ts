import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { fromNow } from '../../platform/postgres/from-now.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { inProductionAccounts } from '../transfers/transfer-queries.ts';
import type { OrderKey } from './order.ts';
import type { LockedOrder } from './order-queries.ts';

/** Seconds until the next order of an account is due; 0 or less: one is due. */
export interface NextStep {
  accountId: number;
  seconds: number;
}

/** Accounts that have no orders in simulated warehouses are left out. */
export async function findNextSteps(sql: Sql): Promise<NextStep[]> {
  return await inProductionAccounts(
    sql,
    (own, accountId) => own<NextStep[]>`
      select ${accountId}::bigint as "accountId", extract(epoch from min(next_step_at) - clock_timestamp())::float8 as seconds
      from transfer where account_id = ${accountId} and next_step_at is not null having min(next_step_at) is not null`,
  );
}

export async function isAnySimulated(sql: Sql): Promise<boolean> {
  const [row] = await sql<[{ found: boolean }]>`
    select exists (select from warehouse where connector->>'type' = 'simulator') as found`;
  return row.found;
}

export interface DueWalks {
  accountId: number;
  max: number;
  /** Limits the orders. */
  only?: number[];
}

/** The orders that have been due longest; skips those that another worker has locked. */
export async function claimDueWalks(tx: Tx, { accountId, max, only }: DueWalks): Promise<number[]> {
  const rows = await tx<{ orderId: number }[]>`
    select order_id as "orderId" from transfer
    where account_id = ${accountId} and next_step_at <= now() ${only ? tx`and order_id = any(${only})` : tx``}
    order by next_step_at limit ${max} for update skip locked`;
  return rows.map((row) => row.orderId);
}

export async function findDueWalks(sql: Sql, accountId: number, max: number): Promise<number[]> {
  const rows = await sql<{ orderId: number }[]>`
    select order_id as "orderId" from transfer
    where account_id = ${accountId} and next_step_at <= now() order by next_step_at limit ${max}`;
  return rows.map((row) => row.orderId);
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
export async function lockWalkingOrders(tx: Tx, accountId: number, orderIds: number[]): Promise<WalkingOrder[]> {
  return await tx<WalkingOrder[]>`
    select ${camelColumns('order_id, o.account_id, partner_number')}, channel = 'logistics' as "isLogistics", status,
      ${camelColumns('shipment_no, carrier, o.warehouse_no, express_type')}, undelivered_reason as "undeliveredReason", o.environment = 'uat' as "isUat",
      case when connector->>'type' = 'simulator' then coalesce((connector->>'step_s')::integer, ${stepSecondsDefault}) end as "stepSeconds",
      coalesce((connector->>'short_pick_percent')::integer, 0) as "shortPickPercent",
      coalesce((connector->>'delay_percent')::integer, 0) as "delayPercent"
    from orders o join warehouse w on w.warehouse_no = o.warehouse_no
    where o.account_id = ${accountId} and order_id = any(${orderIds})
    order by order_id for no key update of o`;
}

export const stepSecondsDefault = 5;

export interface Rest {
  orderId: number;
  /** null: the order does not continue by itself. */
  restSeconds: number | null;
  note: string | null;
}

export async function keepRests(tx: Tx, accountId: number, rests: Rest[]): Promise<void> {
  const sorted = rests.toSorted((a, b) => a.orderId - b.orderId);
  const place = tx`width_bucket(order_id, ${sorted.map((one) => one.orderId)}::bigint[])`;
  const rest = tx`make_interval(secs => (${sorted.map((one) => one.restSeconds)}::integer[])[${place}])`;
  await tx`
    update transfer set next_step_at = ${fromNow(rest)},
      note = coalesce((${sorted.map((one) => one.note)}::text[])[${place}]), updated_at = now()
    where account_id = ${accountId} and order_id = any(${sorted.map((one) => one.orderId)})`;
}

/** Postpones an order that cannot take its step yet. */
export async function putOffWalk(
  tx: Tx,
  { accountId, orderId }: OrderKey,
  seconds: number,
  note: string,
): Promise<void> {
  await tx`
    update transfer set next_step_at = now() + make_interval(secs => ${seconds}), note = ${note}, updated_at = now()
    where account_id = ${accountId} and order_id = ${orderId} and next_step_at <= now()`;
}
