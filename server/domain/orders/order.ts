import { randomHex } from '../../platform/ids.ts';
import { contentDigest } from '../../platform/json/content-digest.ts';
import { type StateMoves, statesAllowing } from '../../platform/state-moves.ts';
import type { CallbackTarget } from '../callbacks/callback.ts';
import type { Cause } from '../stock/movement.ts';

/**
 * The events of an order. A warehouse may skip steps forward in its reports; no event leads back. `ship_part`: some units
 * leave; `ship`: the last ones leave, or the rest will not be shipped. `fail`: the order does not reach its recipient.
 */
export const orderEvents = [
  'allocate',
  'transfer',
  'pick',
  'pack',
  'ship_part',
  'ship',
  'arrive',
  'deliver',
  'fail',
  'cancel',
] as const;
export type OrderEvent = (typeof orderEvents)[number];

const leaves = { ship_part: 'partially_shipped', ship: 'shipped' } as const;

export const orderMoves = {
  awaiting_stock: { allocate: 'pending_warehouse_transfer', cancel: 'cancelled' },
  // A warehouse may report progress before we know that it accepted the order.
  pending_warehouse_transfer: {
    transfer: 'in_warehouse',
    pick: 'picking',
    pack: 'packed',
    ...leaves,
    cancel: 'cancelled',
  },
  in_warehouse: { pick: 'picking', pack: 'packed', ...leaves },
  picking: { pack: 'packed', ...leaves },
  packed: leaves,
  partially_shipped: leaves,
  shipped: { arrive: 'arrived', deliver: 'delivered', fail: 'undelivered' },
  arrived: { deliver: 'delivered', fail: 'undelivered' },
  delivered: {},
  undelivered: {},
  cancelled: {},
} as const satisfies StateMoves<string, OrderEvent>;
export type OrderStatus = keyof typeof orderMoves;
export const orderStatuses = Object.keys(orderMoves) as OrderStatus[];
export const orderChannels = ['warehouse', 'main', 'logistics'] as const;
export type OrderChannel = (typeof orderChannels)[number];

/** No two orders have the same id, but every look-up names the account too. */
export interface OrderKey {
  accountId: number;
  orderId: number;
}

/** The state after an event; null if the event cannot happen in this state. */
export function orderAfter(status: OrderStatus, event: OrderEvent): OrderStatus | null {
  return (orderMoves as StateMoves<OrderStatus, OrderEvent>)[status][event] ?? null;
}

/** The states in which the event can happen. */
export function orderStatesAllowing(event: OrderEvent): OrderStatus[] {
  return statesAllowing<OrderStatus, OrderEvent>(orderMoves, event);
}

/**
 * Whether nobody needs the recipient any more. `shipped` counts: the parcel has its label, and many carriers never report
 * a delivery.
 */
export function orderHasEnded(status: OrderStatus): boolean {
  return hasLeft(status) || status === 'cancelled';
}

/** Whether the warehouse has reported the last parcel. */
export function hasLeft(status: OrderStatus): boolean {
  return status === 'shipped' || status === 'arrived' || status === 'delivered' || status === 'undelivered';
}

/** Why an order did not reach its recipient. Lost goods do not come back. */
export const undeliveredReasons = ['not_collected', 'refused', 'lost', 'damaged'] as const;
export type UndeliveredReason = (typeof undeliveredReasons)[number];

/**
 * The weight of an order in a group that moves its units: an order may have hundreds of lines, and a hundred orders are
 * enough for a group.
 */
export const movedOrderWeight = 20;

export interface ShipMethod {
  logisticsType: string;
  expressType: string;
}

/** The same as on the wire, which a test compares. */
export const shipMethods: Record<string, readonly string[]> = {
  home: ['tcat', 'hct', 'post'],
  csvs: ['pcsc', 'family', 'hilife'],
};

/** An invalid part of a ship method, and the values that are allowed for it. */
export interface WrongPart {
  part: keyof ShipMethod;
  allowed: readonly string[];
}

/**
 * The invalid parts of a ship method; empty if it is known. If both parts are known but do not belong together, the
 * second one is invalid.
 */
export function wrongPartsOf({ logisticsType, expressType }: ShipMethod): WrongPart[] {
  if (Object.hasOwn(shipMethods, logisticsType)) {
    const allowed = shipMethods[logisticsType]!;
    return allowed.includes(expressType) ? [] : [{ part: 'expressType', allowed }];
  }
  const fitting = Object.keys(shipMethods).filter((one) => shipMethods[one]!.includes(expressType));
  if (fitting.length > 0) return [{ part: 'logisticsType', allowed: fitting }];
  return [
    { part: 'logisticsType', allowed: Object.keys(shipMethods) },
    { part: 'expressType', allowed: Object.values(shipMethods).flat() },
  ];
}

export interface Consignee {
  country: string;
  name: string | null;
  phone: string | null;
  address: string | null;
  zip: string | null;
}

export interface RequestedLine {
  skuId: string;
  qty: number;
}

/** The content of an order apart from its number. */
export interface OrderContent {
  warehouseTpwId: string;
  shipMethod: ShipMethod;
  consignee: Consignee;
  lines: RequestedLine[];
}

/** An order to create; tenant and products have been looked up. */
export interface OrderRequest {
  accountId: number;
  channel: Exclude<OrderChannel, 'logistics'>;
  partnerNumber: string;
  payloadDigest: string;
  /** null: the account has no such tenant. */
  tenant: {
    warehouseNo: number;
    storeNo: number;
    sellableFrom: string | null;
    /** null: the tenant has no address of its own for callbacks. */
    callback: CallbackTarget | null;
  } | null;
  /** productId is null if the product is not registered. */
  lines: { skuId: string; productId: number | null; qty: number }[];
  shipMethod: ShipMethod;
  consignee: Consignee;
  cause: Cause;
}

/** Two requests with the same content have the same digest, whatever the order of their fields. */
export function orderDigest({ warehouseTpwId, shipMethod, consignee, lines }: OrderContent): string {
  const { country, name, phone, address, zip } = consignee;
  return contentDigest([
    [warehouseTpwId, shipMethod.logisticsType, shipMethod.expressType],
    [country, name, phone, address, zip],
    lines.map(({ skuId, qty }) => [skuId, qty]),
  ]);
}

const orderNoRandomBytes = 5;

/** Our own number for an order. It ends with random digits, so that it does not reveal how many orders there are. */
export function newOrderNo(partnerNumber: string): string {
  return `ow_${partnerNumber}_${randomHex(orderNoRandomBytes)}`;
}

/** The partner's number within our number; null if the text is not a number of ours. */
export function numberInOrderNo(orderNo: string): string | null {
  return /^ow_(.+)_[0-9a-f]{10}$/su.exec(orderNo)?.[1] ?? null;
}
