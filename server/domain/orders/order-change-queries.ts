import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { groupByAccount, perAccount } from '../../platform/postgres/per-account.ts';
import { rowParameters } from '../../platform/postgres/row-parameters.ts';
import { type Fragment, fragment, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { Cause } from '../stock/movement.ts';
import type { TransferStatus } from '../transfers/transfer.ts';
import type { OrderKey, OrderStatus } from './order.ts';
import type {
  ChangeableOrder,
  Difference,
  OrderChangeKind,
  OrderChangeState,
  OrderFieldName,
  OrderFields,
} from './order-change.ts';
import { isNamed, type OrderName } from './order-queries.ts';

/** An order with everything that a change needs. */
export type OrderToChange = ChangeableOrder &
  OrderName & {
    orderId: number;
    warehouseNo: number;
    /** Where the system of the warehouse accepts changes; null: it accepts none. */
    changesUrl: string | null;
  };

type DirectFields = Omit<OrderFields, 'city' | 'note' | 'store_pickup_label_data'>;
type ShippingFields = Pick<OrderFields, 'city' | 'note' | 'store_pickup_label_data'>;

export interface LockedFields extends OrderName, DirectFields {
  orderId: number;
  status: OrderStatus;
  warehouseNo: number;
  isHeld: boolean;
  isManual: boolean;
}

const fieldColumns = fragment`consignee_country as country, consignee_name as name, consignee_phone as phone,
  consignee_address as address, consignee_zip as zip, logistics_type, express_type`;

const lockedColumns = fragment`${camelColumns('order_id, account_id, partner_number, warehouse_no')},
  channel = 'logistics' as "isLogistics", status, held_at is not null as "isHeld", ${fieldColumns},
  coalesce((select connector->>'type' = 'manual' from warehouse w where w.warehouse_no = orders.warehouse_no), false) as "isManual"`;

/** Orders are locked in the order of their ids. */
export async function lockOrderFields(tx: Tx, wanted: OrderName[]): Promise<LockedFields[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<LockedFields[]>`
      select ${lockedColumns} from orders where ${isNamed(accountId, own)} order by order_id for no key update`,
  );
}

export async function lockOrderFieldsById(tx: Tx, accountId: number, orderIds: number[]): Promise<LockedFields[]> {
  return await tx<LockedFields[]>`
    select ${lockedColumns} from orders where account_id = ${accountId} and order_id = any(${orderIds})
    order by order_id for no key update`;
}

type FoundShipping = ShippingFields & { orderId: number };

/** Call this and the next two after the orders are locked, so that the results stay valid. */
export async function findShippingFields(tx: Tx, wanted: OrderName[]): Promise<FoundShipping[]> {
  return await perAccount(
    wanted.filter(({ isLogistics }) => isLogistics),
    (accountId, own) => shippingFields(tx, accountId, idsNamed(accountId, own)),
  );
}

export async function findShippingFieldsById(tx: Tx, accountId: number, orderIds: number[]): Promise<FoundShipping[]> {
  return await shippingFields(tx, accountId, fragment`${orderIds}::bigint[]`);
}

async function shippingFields(tx: Tx, accountId: number, orderIds: Fragment): Promise<FoundShipping[]> {
  return await tx<FoundShipping[]>`
    select order_id as "orderId", city, note, store_pickup_label_data from shipping_order
    where account_id = ${accountId} and order_id = any(${orderIds})`;
}

function idsNamed(accountId: number, wanted: OrderName[]): Fragment {
  return fragment`array(select order_id from orders where ${isNamed(accountId, wanted)})`;
}

interface FoundTransfer {
  orderId: number;
  transfer: TransferStatus;
  changesUrl: string | null;
}

export async function findTransfersOf(tx: Tx, wanted: OrderName[]): Promise<FoundTransfer[]> {
  return await perAccount(
    wanted,
    (accountId, own) => tx<FoundTransfer[]>`
      select order_id as "orderId", t.status as transfer,
        case when w.connector->>'type' = 'http' then w.connector->>'changes_url' end as "changesUrl"
      from transfer t left join warehouse w on w.warehouse_no = t.warehouse_no
      where t.account_id = ${accountId} and order_id = any(${idsNamed(accountId, own)})`,
  );
}

/** How many changes an order has had, and those that its warehouse has not answered, oldest first. */
export interface KnownChanges {
  orderId: number;
  count: number;
  requested: { kind: OrderChangeKind; newValues: Partial<OrderFields> }[];
}

export async function findKnownChanges(tx: Tx, wanted: OrderName[]): Promise<KnownChanges[]> {
  type Found = { orderId: number; kind: OrderChangeKind; isRequested: boolean; newValues: Partial<OrderFields> | null };
  const found = await perAccount(
    wanted,
    (accountId, own) => tx<Found[]>`
      select order_id as "orderId", kind, state = 'requested' as "isRequested",
        case when state = 'requested' then new_values end as "newValues"
      from order_change where account_id = ${accountId} and order_id = any(${idsNamed(accountId, own)})
      order by order_id, order_change_id`,
  );
  return [...Map.groupBy(found, ({ orderId }) => orderId)].map(([orderId, changes]) => ({
    orderId,
    count: changes.length,
    requested: changes
      .filter(({ isRequested }) => isRequested)
      .map(({ kind, newValues }) => ({ kind, newValues: newValues ?? {} })),
  }));
}

const noShipping: ShippingFields = { city: null, note: null, store_pickup_label_data: null };

export function toOrdersToChange(
  locked: LockedFields[],
  { shippings, transfers }: { shippings: FoundShipping[]; transfers: FoundTransfer[] },
): OrderToChange[] {
  const shippingOf = new Map(shippings.map(({ orderId, ...shipping }) => [orderId, shipping]));
  const transferOf = new Map(transfers.map((transfer) => [transfer.orderId, transfer]));
  return locked.map((order) => {
    const { orderId, accountId, partnerNumber, isLogistics, status, warehouseNo, isHeld, isManual, ...fields } = order;
    const { transfer = null, changesUrl = null } = transferOf.get(orderId) ?? {};
    const named = { orderId, accountId, partnerNumber, isLogistics };
    const shipping = shippingOf.get(orderId) ?? noShipping;
    const atWarehouse = { warehouseNo, transfer, changesUrl, takesChanges: changesUrl !== null, isManual };
    return { ...named, ...atWarehouse, status, isHeld, fields: { ...fields, ...shipping } };
  });
}

export type WrittenOrder = Pick<OrderToChange, 'accountId' | 'orderId' | 'isLogistics' | 'isHeld' | 'fields'>;

/** Writes the fields of orders that the caller has locked. Only a change gives `changed_at` and `updated_at` a new time. */
export function writeOrderFields(tx: Tx, orders: WrittenOrder[]): Promise<unknown>[] {
  return groupByAccount(orders).flatMap(([accountId, own]) => {
    const sorted = own.toSorted((a, b) => a.orderId - b.orderId);
    const shipping = sorted.filter(({ isLogistics }) => isLogistics);
    return [
      ...[true, false].flatMap((isHeld) => {
        const alike = sorted.filter((order) => order.isHeld === isHeld);
        return alike.length > 0 ? [orderUpdate(tx, accountId, alike, isHeld).execute()] : [];
      }),
      ...(shipping.length > 0 ? [shippingUpdate(tx, accountId, shipping).execute()] : []),
    ];
  });
}

/** An array has the values of all orders; `coalesce` is needed on Citus (see state-change-queries.ts). */
function valuesOf(orders: WrittenOrder[]) {
  const ids = orders.map(({ orderId }) => orderId);
  const place = fragment`width_bucket(order_id, ${ids}::bigint[])`;
  const text = (field: Exclude<OrderFieldName, 'store_pickup_label_data'>) =>
    fragment`coalesce((${orders.map(({ fields }) => fields[field])}::text[])[${place}])`;
  return { ids, place, text };
}

/** Citus refuses now() within `case` and `coalesce`. An order on hold keeps the time of its hold. */
function orderUpdate(tx: Tx, accountId: number, orders: WrittenOrder[], isHeld: boolean) {
  const { ids, text } = valuesOf(orders);
  return tx`
    update orders set consignee_country = ${text('country')}, consignee_name = ${text('name')}, consignee_phone = ${text('phone')},
      consignee_address = ${text('address')}, consignee_zip = ${text('zip')}, logistics_type = ${text('logistics_type')},
      express_type = ${text('express_type')},
      held_at = ${isHeld ? fragment`least(held_at, now())` : fragment`null`},
      changed_at = now(), updated_at = greatest(updated_at, now())
    where account_id = ${accountId} and order_id = any(${ids})`;
}

function shippingUpdate(tx: Tx, accountId: number, orders: WrittenOrder[]) {
  const { ids, place, text } = valuesOf(orders);
  const labels = orders.map(({ fields: { store_pickup_label_data: label } }) => label && JSON.stringify(label));
  return tx`
    update shipping_order set city = ${text('city')}, note = ${text('note')},
      store_pickup_label_data = coalesce((${labels}::text[])[${place}])::json
    where account_id = ${accountId} and order_id = any(${ids})`;
}

export interface NewChange extends Difference {
  accountId: number;
  orderId: number;
  kind: OrderChangeKind;
  /** null: the change is made. Otherwise the system of the warehouse is asked for it. */
  asked: { requestId: string; warehouseNo: number; changesUrl: string | null } | null;
  reason: string | null;
  cause: Cause;
}

const newChangeRows = rowParameters<NewChange>({
  order_id: ['bigint', (change) => change.orderId],
  kind: ['text', (change) => change.kind],
  state: ['text', (change) => (change.asked ? 'requested' : 'made')],
  fields: ['text', (change) => change.fields.join()],
  old_values: ['text', (change) => valuesText(change.oldValues)],
  new_values: ['text', (change) => valuesText(change.newValues)],
  reason: ['text', (change) => change.reason],
  request_id: ['uuid', (change) => change.asked?.requestId ?? null],
  warehouse_no: ['integer', (change) => change.asked?.warehouseNo ?? null],
  changes_url: ['text', (change) => change.asked?.changesUrl ?? null],
  actor: ['text', (change) => change.cause.actor],
  trace_id: ['uuid', (change) => change.cause.traceId],
});

export function valuesText(values: Partial<OrderFields>): string | null {
  return Object.keys(values).length === 0 ? null : JSON.stringify(values);
}

export async function insertChanges(tx: Tx, changes: NewChange[]): Promise<void> {
  await perAccount(
    changes,
    (accountId, own) => tx`
      insert into order_change (account_id, order_id, kind, state, fields, old_values, new_values, reason, request_id, warehouse_no,
        changes_url, actor, trace_id)
      select ${accountId}::bigint, order_id, kind, state, string_to_array(fields, ','), old_values::json, new_values::json, reason,
        request_id, warehouse_no, changes_url, actor, trace_id
      from ${newChangeRows.given(own)}`,
  );
}

/** Ends the holds of orders that the caller has locked: their warehouse has them, whatever we wanted. */
export async function endHolds(tx: Tx, orders: OrderKey[]): Promise<void> {
  await perAccount(
    orders,
    (accountId, own) => tx`
      update orders set held_at = null
      where account_id = ${accountId} and order_id = any(${own.map(({ orderId }) => orderId)}) and held_at is not null`,
  );
}

/** A change in the history of an order. */
export interface OrderChange {
  orderId: number;
  kind: OrderChangeKind;
  state: OrderChangeState;
  at: string;
  actor: string;
  traceId: string | null;
  fields: OrderFieldName[];
  /** null: there are none, or they are erased. */
  oldValues: Partial<OrderFields> | null;
  newValues: Partial<OrderFields> | null;
  reason: string | null;
  answeredAt: string | null;
  /** Why the warehouse refused it, as a stored message. */
  answer: string | null;
}

/** Oldest first. */
export async function findChangesOfOrders(sql: Sql, orders: OrderKey[]): Promise<OrderChange[]> {
  return await perAccount(
    orders,
    (accountId, own) => sql<OrderChange[]>`
      select order_id as "orderId", kind, state, ${sql.unsafe(taipeiTime('at'))}, actor, trace_id as "traceId", fields,
        old_values as "oldValues", new_values as "newValues", reason, ${sql.unsafe(taipeiTime('answered_at', '"answeredAt"'))}, answer
      from order_change where account_id = ${accountId} and order_id = any(${own.map(({ orderId }) => orderId)})
      order by order_id, order_change_id`,
  );
}
