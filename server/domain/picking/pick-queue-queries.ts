import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OrderKey } from '../orders/order.ts';
import { inProductionAccounts } from '../transfers/transfer-queries.ts';
import { waitingStates } from './pick-batch.ts';

/** Orders of a warehouse with the same carrier and temperature. */
export interface WaitingGroup {
  warehouseNo: number;
  /** null: the order names no carrier. */
  expressType: string | null;
  /** The storage type of its products; `mixed` if they have several. */
  temperature: string;
  waiting: number;
  oldestAt: string;
}

/** Beyond this number of orders per account, the oldest are counted. */
const countedMax = 5000;

/** Warehouses in which staff work with the console. */
export async function findManualWarehouses(sql: Sql): Promise<{ warehouseNo: number; name: string }[]> {
  return await sql<{ warehouseNo: number; name: string }[]>`
    select warehouse_no as "warehouseNo", name from warehouse where connector->>'type' = 'manual' order by warehouse_no`;
}

export async function countWaiting(sql: Sql, warehouseNos: number[]): Promise<WaitingGroup[]> {
  if (warehouseNos.length === 0) return [];
  const rows = await inProductionAccounts(
    sql,
    (own, accountId) => own<WaitingGroup[]>`
      select warehouse_no as "warehouseNo", express_type as "expressType", temperature, count(*) as waiting,
        ${own.unsafe(taipeiTime('min(created_at)', '"oldestAt"'))}
      from (
        select warehouse_no, express_type, created_at, ${temperatureOf(accountId)} as temperature from orders o
        where ${isWaiting(accountId)} and warehouse_no = any(${warehouseNos}::integer[])
        order by created_at, order_id limit ${countedMax}
      ) waiting
      group by warehouse_no, express_type, temperature`,
  );
  return mergeGroups(rows);
}

/** Several accounts may have orders of the same kind. */
function mergeGroups(rows: WaitingGroup[]): WaitingGroup[] {
  const alike = Map.groupBy(rows, (row) => JSON.stringify([row.warehouseNo, row.expressType, row.temperature]));
  return [...alike.values()].map((own) => ({
    ...own[0]!,
    waiting: own.reduce((sum, { waiting }) => sum + waiting, 0),
    oldestAt: own.map(({ oldestAt }) => oldestAt).toSorted()[0]!,
  }));
}

export interface WaitingSelection {
  warehouseNo: number;
  /** Empty: orders without a carrier. Absent: all. */
  expressType?: string;
  temperature?: string;
  /** Only these orders. */
  orderIds?: number[];
}

/** The oldest waiting orders of all accounts. */
export async function findWaiting(tx: Tx, selection: WaitingSelection, limit: number): Promise<OrderKey[]> {
  const { warehouseNo, expressType = null, temperature = null, orderIds = null } = selection;
  const found = await inProductionAccounts(
    tx,
    (own, accountId) => own<(OrderKey & { createdAt: string })[]>`
      select ${camelColumns('account_id, order_id')}, to_char(created_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS.US') as "createdAt"
      from orders o
      where ${isWaiting(accountId)} and warehouse_no = ${warehouseNo}
        and (${expressType}::text is null or coalesce(express_type, '') = ${expressType})
        and (${temperature}::text is null or ${temperatureOf(accountId)} = ${temperature})
        and (${orderIds}::bigint[] is null or order_id = any(${orderIds}::bigint[]))
      order by created_at, order_id limit ${limit}`,
  );
  const oldestFirst = found.toSorted((one, other) =>
    one.createdAt === other.createdAt ? one.orderId - other.orderId : one.createdAt < other.createdAt ? -1 : 1,
  );
  return oldestFirst.slice(0, limit).map(({ accountId, orderId }) => ({ accountId, orderId }));
}

/** Locks those of these orders that still wait, by ascending id. */
export async function lockWaiting(tx: Tx, accountId: number, orderIds: number[]): Promise<number[]> {
  const rows = await tx<{ orderId: number }[]>`
    select order_id as "orderId" from orders o where ${isWaiting(accountId)} and order_id = any(${orderIds})
    order by order_id for no key update`;
  return rows.map(({ orderId }) => orderId);
}

/**
 * An order that is being sent to a system, or that a system has rejected, is not for staff even if its warehouse has
 * become manual.
 */
function isWaiting(accountId: number): Fragment {
  return fragment`account_id = ${accountId} and status = any(${[...waitingStates]}) and environment = 'production' and held_at is null
    and not exists (select from pick_batch_order b
      where b.account_id = ${accountId} and b.order_id = o.order_id and b.state <> 'left')
    and not exists (select from transfer t
      where t.account_id = ${accountId} and t.order_id = o.order_id and t.status in ('sending', 'rejected'))`;
}

function temperatureOf(accountId: number): Fragment {
  return fragment`(select case when min(p.storage_type) = max(p.storage_type) then min(p.storage_type) else 'mixed' end
    from order_line l join product p on p.account_id = ${accountId} and p.product_id = l.product_id
    where l.account_id = ${accountId} and l.order_id = o.order_id)`;
}
