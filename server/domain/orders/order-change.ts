import { inOneForm } from '../../platform/json/content-digest.ts';
import type { TransferStatus } from '../transfers/transfer.ts';
import { type OrderStatus, type WrongPart, wrongPartsOf } from './order.ts';

/** The fields that can be changed until the order is picked. null: the order has no such value. */
export interface OrderFields {
  country: string | null;
  name: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  zip: string | null;
  logistics_type: string | null;
  express_type: string | null;
  note: string | null;
  store_pickup_label_data: Record<string, unknown> | null;
}
export type OrderFieldName = keyof OrderFields;

const ofEveryChannel = ['name', 'phone', 'address'] as const;
const ofDirectOrders = [...ofEveryChannel, 'country', 'zip', 'logistics_type', 'express_type'] as const;
/** Carrier and postal code are no part of a shipping order of the logistics webhook; its label names the store. */
const ofShippingOrders = [...ofEveryChannel, 'city', 'note', 'store_pickup_label_data'] as const;

export const orderChangeKinds = ['update', 'hold', 'release'] as const;
export type OrderChangeKind = (typeof orderChangeKinds)[number];
export const orderChangeStates = ['made', 'requested', 'refused'] as const;
/** `requested`: the system of the warehouse has not answered yet. `refused`: it refused, and the order is as before. */
export type OrderChangeState = (typeof orderChangeStates)[number];

/** A change as a partner or an operator wants it. Only the given fields change. */
export type WantedChange =
  | { kind: 'update'; fields: Partial<OrderFields> }
  | { kind: 'hold'; reason: string | null }
  | { kind: 'release' };

/** The parts of an order that decide whether and where it can be changed. */
export interface ChangeableOrder {
  isLogistics: boolean;
  status: OrderStatus;
  isHeld: boolean;
  fields: OrderFields;
  transfer: TransferStatus | null;
  /** The warehouse has a system that accepts changes of orders. */
  takesChanges: boolean;
  /** Staff of the warehouse work with the console: it has no system. */
  isManual: boolean;
}

/** The fields of a change that orders of this channel do not have. */
export function fieldsNotOf(isLogistics: boolean, fields: Partial<OrderFields>): OrderFieldName[] {
  const known: readonly OrderFieldName[] = isLogistics ? ofShippingOrders : ofDirectOrders;
  return namesIn(fields).filter((field) => !known.includes(field));
}

/** The parts of the ship method that would be wrong after the change. */
export function wrongPartsAfter(current: OrderFields, change: Partial<OrderFields>): WrongPart[] {
  if (change.logistics_type === undefined && change.express_type === undefined) return [];
  const { logistics_type, express_type } = { ...current, ...change };
  return wrongPartsOf({ logisticsType: logistics_type ?? '', expressType: express_type ?? '' });
}

export type ChangePlace =
  /** The warehouse does not have the order: the change is made at once. */
  | 'here'
  /** The system of the warehouse has accepted the order, and is asked to make the change. */
  | 'at_warehouse'
  /** The order is being sent: nobody knows whether the warehouse has it. */
  | 'being_sent'
  | 'too_late';

export function canBeChanged(place: ChangePlace): boolean {
  return place === 'here' || place === 'at_warehouse';
}

export function placeOfChange({
  status,
  transfer,
  takesChanges,
}: Pick<ChangeableOrder, 'status' | 'transfer' | 'takesChanges'>): ChangePlace {
  if (status === 'awaiting_stock') return 'here';
  if (status === 'pending_warehouse_transfer') return transfer === 'sending' ? 'being_sent' : 'here';
  // A warehouse may report `in_warehouse` before it has answered our post: then it has the order.
  const isWithSystem = transfer === 'accepted' || transfer === 'sending';
  return status === 'in_warehouse' && isWithSystem && takesChanges ? 'at_warehouse' : 'too_late';
}

/** Staff may hold and release an order that their warehouse has, as long as they have not picked it. */
export function isOnFloor({ status, isManual }: Pick<ChangeableOrder, 'status' | 'isManual'>): boolean {
  return isManual && status === 'in_warehouse';
}

/** The old and new values of the fields that differ. */
export interface Difference {
  fields: OrderFieldName[];
  oldValues: Partial<OrderFields>;
  newValues: Partial<OrderFields>;
}

export function differenceOf(current: OrderFields, change: Partial<OrderFields>): Difference {
  const fields = namesIn(change).filter((field) => !isSame(current[field], change[field]));
  return { fields, oldValues: pickFields(current, fields), newValues: pickFields(change, fields) };
}

/**
 * The request to the system of a warehouse: all given fields, because an earlier request that it has not answered may
 * change some of them; and a ship method as a whole, because its halves must fit each other.
 */
export function askedDifference(current: OrderFields, change: Partial<OrderFields>): Difference {
  const hasShipMethod = change.logistics_type !== undefined || change.express_type !== undefined;
  const { logistics_type, express_type } = { ...current, ...change };
  const asked = hasShipMethod ? { ...change, logistics_type, express_type } : change;
  const fields = namesIn(asked);
  return { fields, oldValues: pickFields(current, fields), newValues: pickFields(asked, fields) };
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(inOneForm(one)) === JSON.stringify(inOneForm(other));
}

export function namesIn(fields: Partial<OrderFields>): OrderFieldName[] {
  return (Object.keys(fields) as OrderFieldName[]).filter((field) => fields[field] !== undefined);
}

function pickFields(from: Partial<OrderFields>, fields: OrderFieldName[]): Partial<OrderFields> {
  return Object.fromEntries(fields.map((field) => [field, from[field] ?? null]));
}

/** Limit per order, so that a page can show all changes. */
export const changesMax = 50;
/** An order that is on hold after its last change can still be released. */
export const releasesBeyondMax = 10;
