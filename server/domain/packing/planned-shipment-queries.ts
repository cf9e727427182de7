import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { OrderKey } from '../orders/order.ts';
import { findOrdersOfShipments } from '../orders/order-detail-queries.ts';
import { inEveryAccount } from '../partners/every-account.ts';
import type { Cause } from '../stock/movement.ts';
import { inProductionAccounts } from '../transfers/transfer-queries.ts';
import type { OtherUse, PlannedParcel } from './planned-shipment.ts';

export interface PlannedShipment extends OrderKey {
  shipments: PlannedParcel[];
  allowRepeat: boolean;
  isFinal: boolean;
  dueAt: Date;
  plannedBy: string;
  traceId: string | null;
  /** Why the job could not ship the order; null: it has not tried. */
  refusal: string | null;
}

const columns = camelColumns('account_id, order_id, shipments, allow_repeat, is_final, planned_by, trace_id, refusal');

type PlanRow = Omit<PlannedShipment, 'dueAt'> & { dueAtMs: number };

function fromRow({ dueAtMs, ...row }: PlanRow): PlannedShipment {
  return { ...row, dueAt: new Date(dueAtMs) };
}

const dueAtMs = '(extract(epoch from due_at) * 1000)::float8 as "dueAtMs"';

/** Call it after the order is locked. */
export async function findPlan(sql: Sql, { accountId, orderId }: OrderKey): Promise<PlannedShipment | null> {
  const [row] = await sql<PlanRow[]>`
    select ${columns}, ${sql.unsafe(dueAtMs)} from planned_shipment
    where account_id = ${accountId} and order_id = ${orderId}`;
  return row ? fromRow(row) : null;
}

/** Replaces a plan that was refused. */
export async function writePlan(
  tx: Tx,
  {
    accountId,
    orderId,
    shipments,
    allowRepeat,
    isFinal,
    dueAt,
  }: Omit<PlannedShipment, 'plannedBy' | 'traceId' | 'refusal'>,
  { actor, traceId }: Cause,
): Promise<void> {
  await tx`
    insert into planned_shipment (account_id, order_id, shipments, allow_repeat, is_final, due_at, planned_by, trace_id)
    values (${accountId}, ${orderId}, ${tx.json(shipments)}, ${allowRepeat}, ${isFinal}, ${dueAt}, ${actor}, ${traceId}::uuid)
    on conflict (account_id, order_id) do update set shipments = excluded.shipments, allow_repeat = excluded.allow_repeat,
      is_final = excluded.is_final, due_at = excluded.due_at, planned_by = excluded.planned_by, planned_at = excluded.planned_at,
      trace_id = excluded.trace_id, refusal = null`;
}

/** Waits for a job that is shipping the order. Returns whether there was a plan. */
export async function deletePlan(tx: Tx, { accountId, orderId }: OrderKey): Promise<boolean> {
  const { count } = await tx`
    delete from planned_shipment where account_id = ${accountId} and order_id = ${orderId}`;
  return count > 0;
}

export async function refusePlan(tx: Tx, { accountId, orderId }: OrderKey, refusal: string): Promise<void> {
  await tx`
    update planned_shipment set refusal = ${refusal} where account_id = ${accountId} and order_id = ${orderId}`;
}

/** Plans that are due, the earliest of each account first. */
export async function findDuePlans(sql: Sql, now: Date, limit: number): Promise<OrderKey[]> {
  return await inProductionAccounts(
    sql,
    (own, accountId) => own<OrderKey[]>`
      select ${camelColumns('account_id, order_id')} from planned_shipment
      where account_id = ${accountId} and refusal is null and due_at <= ${now} order by due_at limit ${limit}`,
  );
}

/** Locks the plan, so that nobody undoes it meanwhile. null: it was undone, or another node has shipped the order. */
export async function lockDuePlan(
  tx: Tx,
  { accountId, orderId }: OrderKey,
  now: Date,
): Promise<PlannedShipment | null> {
  const [row] = await tx<PlanRow[]>`
    select ${columns}, ${tx.unsafe(dueAtMs)} from planned_shipment
    where account_id = ${accountId} and order_id = ${orderId} and refusal is null and due_at <= ${now} for update`;
  return row ? fromRow(row) : null;
}

export interface ListedPlan extends PlannedShipment {
  partnerNumber: string;
  orderNo: string;
}

/** The plans of all accounts, the latest first: those of these warehouses; null: of all. */
export async function listPlans(sql: Sql, warehouseNos: number[] | null, limit: number): Promise<ListedPlan[]> {
  const rows = await inProductionAccounts(
    sql,
    (own, accountId) => own<(PlanRow & { partnerNumber: string; orderNo: string })[]>`
      select plan.*, ${camelColumns('partner_number, order_no')} from (
        select ${columns}, ${own.unsafe(dueAtMs)} from planned_shipment where account_id = ${accountId}
      ) plan join orders o on o.account_id = ${accountId} and o.order_id = plan."orderId"
      where ${warehouseNos}::integer[] is null or warehouse_no = any(${warehouseNos}::integer[])
      order by "dueAtMs" desc limit ${limit}`,
  );
  return rows
    .map((row) => ({ ...fromRow(row), partnerNumber: row.partnerNumber, orderNo: row.orderNo }))
    .toSorted((one, other) => other.dueAt.getTime() - one.dueAt.getTime())
    .slice(0, limit);
}

/** Orders of all accounts that were, or will be, shipped with one of these numbers. */
export async function findOtherUses(sql: Sql, shipmentNos: string[]): Promise<OtherUse[]> {
  const [shipped, planned] = await Promise.all([
    findOrdersOfShipments(sql, shipmentNos),
    inEveryAccount(
      sql,
      (own, accountId) => own<OtherUse[]>`
        select ${camelColumns('o.account_id, o.order_id, partner_number, warehouse_no, status')}, label->>'shipmentNo' as "shipmentNo",
          label->>'carrier' as carrier
        from planned_shipment s cross join lateral jsonb_array_elements(s.shipments) label
        join orders o on o.account_id = ${accountId} and o.order_id = s.order_id
        where s.account_id = ${accountId} and label->>'shipmentNo' = any(${shipmentNos}::text[])`,
    ),
  ]);
  const known = shipped.map((order) => ({
    ...{ orderId: order.order_id, accountId: order.account_id, partnerNumber: order.partner_number },
    ...{ warehouseNo: order.warehouse_no, status: order.status, shipmentNo: order.shipment_no, carrier: order.carrier },
  }));
  const isNew = (use: OtherUse) => !known.some(({ orderId }) => orderId === use.orderId);
  return [...known, ...planned.filter(isNew)];
}
