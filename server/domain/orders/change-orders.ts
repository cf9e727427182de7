import { randomUUID } from 'node:crypto';
import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import type { Cause } from '../stock/movement.ts';
import type { OrderStatus, WrongPart } from './order.ts';
import {
  askedDifference,
  canBeChanged,
  changesMax,
  type Difference,
  differenceOf,
  fieldsNotOf,
  isOnFloor,
  isSame,
  type OrderFieldName,
  placeOfChange,
  releasesBeyondMax,
  type WantedChange,
  wrongPartsAfter,
} from './order-change.ts';
import {
  findKnownChanges,
  findShippingFields,
  findTransfersOf,
  insertChanges,
  type KnownChanges,
  lockOrderFields,
  type NewChange,
  type OrderToChange,
  toOrdersToChange,
  writeOrderFields,
} from './order-change-queries.ts';
import { type OrderName, orderNameText } from './order-queries.ts';

export interface ChangeOrdersRequest {
  accountId: number;
  entries: { partnerNumber: string; isLogistics: boolean; change: WantedChange }[];
  /** Staff of the warehouse ask: they may hold and release orders that they have. */
  isOnFloor?: boolean;
  cause: Cause;
}

export type ChangeOrderOutcome =
  /** The order is as wanted, now or before. */
  | { kind: 'changed' }
  /** The system of the warehouse is asked to make the change. */
  | { kind: 'requested'; warehouseNo: number }
  | { kind: 'not_found' }
  | { kind: 'too_late'; status: OrderStatus; isBeingSent: boolean }
  /** Orders of this channel do not have these fields. */
  | { kind: 'not_applicable'; isLogistics: boolean; fields: OrderFieldName[] }
  | { kind: 'unknown_ship_method'; wrongParts: WrongPart[] }
  | { kind: 'too_many'; max: number };

export type ChangeOrders = GroupOperation<ChangeOrdersRequest, ChangeOrderOutcome[]>;

/** A change reads and writes one order and one row of its history. */
const changeWeight = 5;

/**
 * Changes orders, holds or releases them, until their warehouse has them. Each entry has its own outcome, in the given
 * order. Every change is recorded with its old and new values; a change that changes nothing is not recorded.
 */
export const changeOrders: ChangeOrders = {
  name: 'change_orders',
  run,
  weightOf: ({ entries }) => entries.length * changeWeight,
};

async function run(tx: Tx, requests: ChangeOrdersRequest[]): Promise<Decision<ChangeOrderOutcome[][]>> {
  const names = requests.flatMap(namesOf);
  const [locked, shippings, transfers, known] = await Promise.all([
    lockOrderFields(tx, names),
    findShippingFields(tx, names),
    findTransfersOf(tx, names),
    findKnownChanges(tx, names),
  ]);

  const { outcomes, orders, changes } = decide(requests, toOrdersToChange(locked, { shippings, transfers }), known);

  const writes: Promise<unknown>[] = [];
  if (orders.length > 0) writes.push(...writeOrderFields(tx, orders));
  if (changes.length > 0) writes.push(insertChanges(tx, changes));
  return { answer: outcomes, writes };
}

function namesOf({ accountId, entries }: ChangeOrdersRequest): OrderName[] {
  return entries.map(({ partnerNumber, isLogistics }) => ({ accountId, partnerNumber, isLogistics }));
}

const noDifference: Difference = { fields: [], oldValues: {}, newValues: {} };

function decide(requests: ChangeOrdersRequest[], found: OrderToChange[], knownChanges: KnownChanges[]) {
  const orders = new Map(found.map((order) => [orderNameText(order), order]));
  const knownOf = new Map(knownChanges.map((known) => [known.orderId, known]));
  const changed = new Map<number, OrderToChange>();
  const changes: NewChange[] = [];

  function change(
    order: OrderToChange | undefined,
    wanted: WantedChange,
    { cause, isOnFloor: byStaff = false }: ChangeOrdersRequest,
  ): ChangeOrderOutcome {
    if (!order) return { kind: 'not_found' };
    const refusal = refusalOf(order, wanted, byStaff);
    if (refusal) return refusal;
    const known = knownOf.get(order.orderId) ?? { orderId: order.orderId, count: 0, requested: [] };
    knownOf.set(order.orderId, known);

    const { warehouseNo, changesUrl } = order;
    const isAsked = placeOfChange(order) === 'at_warehouse';
    const last = known.requested.at(-1);
    // A repeat of a request that is not answered yet.
    if (isAsked && last && isSameChange(last, order, wanted)) return { kind: 'requested', warehouseNo };
    const difference = wanted.kind === 'update' ? differenceOf(order.fields, wanted.fields) : noDifference;
    if (!last && !isDifferent(order, wanted, difference)) return { kind: 'changed' };
    // The last hold can always be released.
    const max = wanted.kind === 'release' ? changesMax + releasesBeyondMax : changesMax;
    if (known.count >= max) return { kind: 'too_many', max };

    known.count += 1;
    const { accountId, orderId } = order;
    const reason = wanted.kind === 'hold' ? wanted.reason : null;
    changed.set(orderId, order);
    if (isAsked) {
      const all = wanted.kind === 'update' ? askedDifference(order.fields, wanted.fields) : noDifference;
      known.requested.push({ kind: wanted.kind, newValues: all.newValues });
      changes.push({
        accountId,
        orderId,
        kind: wanted.kind,
        asked: { requestId: randomUUID(), warehouseNo, changesUrl },
        ...all,
        reason,
        cause,
      });
      return { kind: 'requested', warehouseNo };
    }
    if (wanted.kind === 'update') order.fields = { ...order.fields, ...difference.newValues };
    else order.isHeld = wanted.kind === 'hold';
    changes.push({ accountId, orderId, kind: wanted.kind, asked: null, ...difference, reason, cause });
    return { kind: 'changed' };
  }

  const outcomes = requests.map((request) =>
    namesOf(request).map((name, index) =>
      change(orders.get(orderNameText(name)), request.entries[index]!.change, request),
    ),
  );
  return { outcomes, orders: [...changed.values()], changes };
}

function refusalOf(order: OrderToChange, wanted: WantedChange, byStaff: boolean): ChangeOrderOutcome | null {
  if (byStaff && wanted.kind !== 'update' && isOnFloor(order)) return null;
  const place = placeOfChange(order);
  if (!canBeChanged(place)) return { kind: 'too_late', status: order.status, isBeingSent: place === 'being_sent' };
  if (wanted.kind !== 'update') return null;
  const fields = fieldsNotOf(order.isLogistics, wanted.fields);
  if (fields.length > 0) return { kind: 'not_applicable', isLogistics: order.isLogistics, fields };
  const wrongParts = wrongPartsAfter(order.fields, wanted.fields);
  return wrongParts.length > 0 ? { kind: 'unknown_ship_method', wrongParts } : null;
}

function isDifferent(order: OrderToChange, wanted: WantedChange, difference: Difference): boolean {
  if (wanted.kind === 'update') return difference.fields.length > 0;
  return order.isHeld !== (wanted.kind === 'hold');
}

function isSameChange(last: KnownChanges['requested'][number], order: OrderToChange, wanted: WantedChange): boolean {
  if (last.kind !== wanted.kind) return false;
  return wanted.kind !== 'update' || isSame(last.newValues, askedDifference(order.fields, wanted.fields).newValues);
}
