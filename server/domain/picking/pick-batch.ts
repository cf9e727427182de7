import type { OrderKey, OrderStatus } from '../orders/order.ts';
import { compareLocations } from '../products/product-code.ts';

/** The most orders of a batch: more slots do not fit on a cart. */
export const batchOrdersMax = 50;

/** Orders in these states wait for picking. A batch leaves the state as it is; the end of the batch changes it. */
export const waitingStates = ['pending_warehouse_transfer', 'in_warehouse'] as const satisfies OrderStatus[];

/** Staff or the API may report an order as being picked while it is in a batch. */
const pickableStates: readonly OrderStatus[] = [...waitingStates, 'picking'];

/** Why staff did not find the units. */
export const shortReasons = ['not_found', 'damaged', 'expired', 'other'] as const;
export type ShortReason = (typeof shortReasons)[number];

/** Why an order is no longer part of its batch. */
export const leftReasons = [
  'cancelled',
  /** Somebody put the order on hold. */
  'held',
  /** Units are missing, and staff put the order on hold. */
  'short',
  /** Staff ended the batch before the order was complete, or the warehouse has got a system. */
  'given_back',
  /** The order was packed or shipped in another way. */
  'gone',
] as const;
export type LeftReason = (typeof leftReasons)[number];

export interface PickBatch {
  batchId: number;
  warehouseNo: number;
  accountIds: number[];
  createdBy: string;
  createdAt: string;
  closedAt: string | null;
}

/** An order of a batch as it is stored, with its present state. */
export interface BatchOrder extends OrderKey {
  slot: number;
  state: 'open' | 'picked' | 'left';
  reason: LeftReason | null;
  partnerNumber: string;
  isLogistics: boolean;
  status: OrderStatus;
  isHeld: boolean;
  /** The warehouse still has no system of its own. */
  isManual: boolean;
  logisticsType: string | null;
  expressType: string | null;
}

/** Units that an order has locked in a lot. */
export interface PickTask extends OrderKey {
  lotId: number;
  productId: number;
  skuId: string;
  name: string;
  storageType: string;
  /** Empty: no batch. */
  batchId: string;
  /** null: they do not expire. */
  expireDate: string | null;
  /** null: nobody has entered a location. */
  location: string | null;
  qty: number;
  picked: number;
  short: number;
  reason: ShortReason | null;
}

export interface BatchContent {
  batch: PickBatch;
  orders: BatchOrder[];
  tasks: PickTask[];
}

/**
 * An order that was cancelled or put on hold leaves its batch at once, although only the end of the batch writes that
 * down. An order that is released meanwhile is part of the batch again. If the warehouse gets a system, the next wave
 * sends the order there, so staff must not pick it too.
 */
export function presentState(order: BatchOrder): Pick<BatchOrder, 'state' | 'reason'> {
  const { state, reason, status, isHeld, isManual } = order;
  if (state !== 'open') return { state, reason };
  if (status === 'cancelled') return { state: 'left', reason: 'cancelled' };
  if (!pickableStates.includes(status)) return { state: 'left', reason: 'gone' };
  if (!isManual) return { state: 'left', reason: 'given_back' };
  return isHeld ? { state: 'left', reason: 'held' } : { state: 'open', reason: null };
}

export function isOpen(order: BatchOrder): boolean {
  return presentState(order).state === 'open';
}

/** Units for one slot of a line. */
export interface LineSlot {
  orderId: number;
  slot: number;
  qty: number;
  picked: number;
  short: number;
}

/** One stop on the walk: the units of a lot for all orders of the batch. */
export interface PickLine {
  accountId: number;
  lot: Pick<PickTask, 'lotId' | 'productId' | 'skuId' | 'name' | 'storageType' | 'batchId' | 'expireDate' | 'location'>;
  slots: LineSlot[];
}

/** One line per lot, in walking order. Orders that have left the batch are not part of it. */
export function linesOf({ orders, tasks }: Pick<BatchContent, 'orders' | 'tasks'>): PickLine[] {
  const slotOf = new Map(orders.filter((order) => presentState(order).state !== 'left').map(withSlot));
  const present = tasks.filter(({ orderId }) => slotOf.has(orderId));
  const lines = [...Map.groupBy(present, ({ lotId }) => lotId).values()].map((own): PickLine => {
    const { accountId, lotId, productId, skuId, name, storageType, batchId, expireDate, location } = own[0]!;
    const slots = own.map(({ orderId, qty, picked, short }) => ({
      ...{ orderId, slot: slotOf.get(orderId)!, qty, picked, short },
    }));
    return {
      accountId,
      lot: { lotId, productId, skuId, name, storageType, batchId, expireDate, location },
      slots: slots.toSorted((one, other) => one.slot - other.slot),
    };
  });
  return lines.toSorted(byWalk);
}

function withSlot({ orderId, slot }: BatchOrder): [number, number] {
  return [orderId, slot];
}

/** At one location by sku, then the earliest expiry first, as the orders locked the lots. */
function byWalk({ lot: one }: PickLine, { lot: other }: PickLine): number {
  return (
    compareLocations(one.location, other.location) ||
    compareTexts(one.skuId, other.skuId) ||
    compareTexts(one.expireDate ?? '9999', other.expireDate ?? '9999') ||
    one.lotId - other.lotId
  );
}

function compareTexts(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** The units that are still to be found. */
export function remainingOf({ slots }: Pick<PickLine, 'slots'>): number {
  return slots.reduce((sum, slot) => sum + remainingIn(slot), 0);
}

function remainingIn({ qty, picked, short }: LineSlot): number {
  return qty - picked - short;
}

export interface PutUnits {
  orderId: number;
  slot: number;
  units: number;
}

/** Fills the slots one after the other. The caller has checked that the line needs that many units. */
export function planPut({ slots }: Pick<PickLine, 'slots'>, units: number): PutUnits[] {
  const put: PutUnits[] = [];
  let rest = units;
  for (const one of slots) {
    const taken = Math.min(rest, remainingIn(one));
    if (taken > 0) put.push({ orderId: one.orderId, slot: one.slot, units: taken });
    rest -= taken;
  }
  return put;
}

/** The units that are missing in each slot. */
export function missingOf(line: Pick<PickLine, 'slots'>): PutUnits[] {
  return planPut(line, remainingOf(line));
}

/** Whether nothing of the order remains to be picked, and something of it was found. */
export function isComplete(tasks: Pick<PickTask, 'qty' | 'picked' | 'short'>[]): boolean {
  return tasks.every(({ qty, picked, short }) => picked + short === qty) && tasks.some(({ picked }) => picked > 0);
}
