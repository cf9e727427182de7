import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import type { WorkingDay } from '../partners/provisioning.ts';
import type { CutOff } from './cut-off.ts';
import type { ChangedOrder, CountedOrder, DayCounts } from './order-counts.ts';

/** The last order that is counted, in the order of the last change; the times are text, with microseconds. */
export interface OrderPosition {
  updatedAt: string;
  createdAt: string;
  orderId: number;
}

export interface OrderProgress extends OrderPosition {
  cutOffWarehouses: number[];
  carriers: string[];
}

/** Locks the progress, so that two workers count an account one after the other, and a purge waits for both. */
export async function lockOrderProgress(tx: Tx, accountId: number): Promise<OrderProgress> {
  await tx`insert into order_trend_progress (account_id) values (${accountId}) on conflict do nothing`;
  const [row] = await tx<[OrderProgress]>`
    select updated_at::text as "updatedAt", created_at::text as "createdAt", id as "orderId",
      ${camelColumns('cut_off_warehouses, carriers')}
    from order_trend_progress where account_id = ${accountId} for update`;
  return row;
}

export async function saveOrderProgress(tx: Tx, accountId: number, progress: OrderProgress): Promise<void> {
  const { updatedAt, createdAt, orderId, cutOffWarehouses, carriers } = progress;
  await tx`
    update order_trend_progress set updated_at = ${updatedAt}::timestamptz, created_at = ${createdAt}::timestamptz,
      id = ${orderId}, cut_off_warehouses = ${cutOffWarehouses}::integer[], carriers = ${carriers}::text[]
    where account_id = ${accountId}`;
}

export async function listCutOffs(sql: Sql): Promise<Map<number, CutOff>> {
  const rows = await sql<{ warehouseNo: number; time: string; workingDays: WorkingDay[] }[]>`
    select warehouse_no as "warehouseNo", cut_off as time, working_days as "workingDays" from warehouse where cut_off is not null
    order by warehouse_no`;
  return new Map(rows.map(({ warehouseNo, ...cutOff }) => [warehouseNo, cutOff]));
}

export interface OrderToCount extends ChangedOrder {
  position: OrderPosition;
  before: CountedOrder | null;
}

type FoundOrder = ChangedOrder & OrderPosition & { positionCreatedAt: string; before: CountedOrder | null };

/** The next orders behind a position, at most `limit`, whose last change is at least so old. */
export async function nextOrders(
  tx: Tx,
  accountId: number,
  { after, youngestSeconds }: { after: OrderPosition; youngestSeconds: number },
  limit: number,
): Promise<OrderToCount[]> {
  const timeOf = (state: string, as: string) => tx`
    (select min(at) from state_change where account_id = ${accountId} and document_type = 'order' and document_id = o.order_id
      and to_state = ${state}) as ${tx(as)}`;
  const rows = await tx<FoundOrder[]>`
    select o.order_id as "orderId", o.warehouse_no as "warehouseNo",
      coalesce(nullif(carrier, ''), nullif(express_type, ''), logistics_type, '') as carrier,
      environment = 'production' as "isProduction", created_at as "createdAt", updated_at::text as "updatedAt",
      created_at::text as "positionCreatedAt", ${timeOf('shipped', 'shippedAt')}, ${timeOf('delivered', 'deliveredAt')},
      ${timeOf('undelivered', 'undeliveredAt')}, ${timeOf('cancelled', 'cancelledAt')},
      exists (select from short_line s where s.account_id = ${accountId} and s.order_id = o.order_id) as "isShort",
      (select json_build_object('orderId', order_id, ${tx.unsafe(asJson)}) from counted_order c
        where c.account_id = ${accountId} and c.order_id = o.order_id) as before
    from (
      select * from orders
      where account_id = ${accountId}
        and (updated_at, created_at, order_id) > (${after.updatedAt}::timestamptz, ${after.createdAt}::timestamptz, ${after.orderId}::bigint)
        and updated_at <= now() - make_interval(secs => ${youngestSeconds}::float8)
      order by updated_at, created_at, order_id limit ${limit} offset 0) o
    order by updated_at, created_at, o.order_id`;
  return rows.map(({ positionCreatedAt, updatedAt, ...order }) => ({
    ...order,
    position: { updatedAt, createdAt: positionCreatedAt, orderId: order.orderId },
  }));
}

const asJson = `'warehouseNo', warehouse_no, 'carrier', carrier, 'createdOn', created_on, 'dueOn', due_on, 'shippedOn', shipped_on,
  'endedOn', ended_on, 'ended', ended, 'isShort', is_short`;

const countedRows = rowParameters<CountedOrder>({
  order_id: ['bigint', (one) => one.orderId],
  warehouse_no: ['integer', (one) => one.warehouseNo],
  carrier: ['text', (one) => one.carrier],
  created_on: ['date', (one) => one.createdOn],
  due_on: ['date', (one) => one.dueOn],
  shipped_on: ['date', (one) => one.shippedOn],
  ended_on: ['date', (one) => one.endedOn],
  ended: ['text', (one) => one.ended],
  is_short: ['boolean', (one) => one.isShort],
});

export async function saveCountedOrders(tx: Tx, accountId: number, counted: CountedOrder[]): Promise<void> {
  await tx`
    insert into counted_order (account_id, order_id, warehouse_no, carrier, created_on, due_on, shipped_on, ended_on, ended, is_short)
    select ${accountId}::bigint, order_id, warehouse_no, carrier, created_on, due_on, shipped_on, ended_on, ended, is_short
    from ${countedRows.given(counted)}
    on conflict (account_id, order_id) do update set warehouse_no = excluded.warehouse_no, carrier = excluded.carrier,
      due_on = excluded.due_on, shipped_on = excluded.shipped_on, ended_on = excluded.ended_on, ended = excluded.ended,
      is_short = excluded.is_short`;
}

const dayRows = rowParameters<DayCounts>({
  day: ['date', (one) => one.day],
  warehouse_no: ['integer', (one) => one.warehouseNo],
  carrier: ['text', (one) => one.carrier],
  created: ['integer', (one) => one.created],
  shipped: ['integer', (one) => one.shipped],
  short: ['integer', (one) => one.short],
  delivered: ['integer', (one) => one.delivered],
  undelivered: ['integer', (one) => one.undelivered],
  cancelled: ['integer', (one) => one.cancelled],
  due: ['integer', (one) => one.due],
  on_time: ['integer', (one) => one.on_time],
  open: ['integer', (one) => one.open],
});

/** Adds these counts to those of their days. */
export async function addToDays(tx: Tx, accountId: number, changes: DayCounts[]): Promise<void> {
  if (changes.length === 0) return;
  await tx`
    insert into order_trend as t (account_id, day, warehouse_no, carrier, created, shipped, short, delivered, undelivered, cancelled, due, on_time, open)
    select ${accountId}::bigint, day, warehouse_no, carrier, created, shipped, short, delivered, undelivered, cancelled, due, on_time, open
    from ${dayRows.given(changes)}
    on conflict (account_id, day, warehouse_no, carrier) do update set created = t.created + excluded.created,
      shipped = t.shipped + excluded.shipped, short = t.short + excluded.short, delivered = t.delivered + excluded.delivered,
      undelivered = t.undelivered + excluded.undelivered, cancelled = t.cancelled + excluded.cancelled, due = t.due + excluded.due,
      on_time = t.on_time + excluded.on_time, open = t.open + excluded.open`;
}

/** Deletes what was counted of these orders, which are deleted, too, and returns it. */
export async function deleteCountedOrders(tx: Tx, accountId: number, orderIds: number[]): Promise<CountedOrder[]> {
  const rows = await tx<{ counted: CountedOrder }[]>`
    delete from counted_order where account_id = ${accountId} and order_id = any(${orderIds}::bigint[])
    returning json_build_object('orderId', order_id, ${tx.unsafe(asJson)}) as counted`;
  return rows.map(({ counted }) => counted);
}

/**
 * Keeps the backlog by age as it is now, in place of the earlier one of the same day. A row of no warehouse says that the
 * day was counted, also if no order was open.
 */
export async function saveBacklog(tx: Tx, accountId: number, day: string): Promise<void> {
  await tx`delete from backlog_trend where account_id = ${accountId} and day = ${day}::date`;
  await tx`
    insert into backlog_trend (account_id, day, warehouse_no, carrier, age, orders)
    select ${accountId}::bigint, ${day}::date, warehouse_no, carrier, ${ageOn(day)} as age, sum(open)
    from order_trend where account_id = ${accountId} and open > 0
    group by warehouse_no, carrier, age`;
  await tx`
    insert into backlog_trend (account_id, day, warehouse_no, carrier, age, orders) values (${accountId}, ${day}::date, 0, '', 0, 0)`;
}

/** The class of age on this day of orders that were created on the column `day`; see the migration. */
function ageOn(today: string): Fragment {
  return fragment`(width_bucket(${today}::date - day, array[1, 2, 4, 8]))::smallint`;
}
