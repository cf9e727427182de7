import { contentDigest } from '../../platform/content-digest.ts';
import { randomHex } from '../../platform/ids.ts';
import { type StateMoves, statesAllowing } from '../../platform/state-moves.ts';

/** What may happen to an order. A warehouse that reports may skip steps forward; nothing ever leads back. */
export const orderEvents = ['allocate', 'transfer', 'pick', 'pack', 'ship', 'deliver', 'cancel'] as const;
export type OrderEvent = (typeof orderEvents)[number];

export const orderMoves = {
  awaiting_stock: { allocate: 'pending_warehouse_transfer', cancel: 'cancelled' },
  // A warehouse may report progress before we have heard that it took the order.
  pending_warehouse_transfer: { transfer: 'in_warehouse', pick: 'picking', pack: 'packed', ship: 'shipped', cancel: 'cancelled' },
  in_warehouse: { pick: 'picking', pack: 'packed', ship: 'shipped' },
  picking: { pack: 'packed', ship: 'shipped' },
  packed: { ship: 'shipped' },
  shipped: { deliver: 'delivered' },
  delivered: {},
  cancelled: {},
} as const satisfies StateMoves<string, OrderEvent>;
export type OrderStatus = keyof typeof orderMoves;
export const orderStatuses = Object.keys(orderMoves) as OrderStatus[];
export const orderChannels = ['warehouse', 'main', 'logistics'] as const;
export type OrderChannel = (typeof orderChannels)[number];

/** Where the event leads from here; null where it cannot happen. */
export function orderAfter(status: OrderStatus, event: OrderEvent): OrderStatus | null {
  return (orderMoves as StateMoves<OrderStatus, OrderEvent>)[status][event] ?? null;
}

/** The states in which this may happen to an order. */
export function orderStatesAllowing(event: OrderEvent): OrderStatus[] {
  return statesAllowing<OrderStatus, OrderEvent>(orderMoves, event);
}

/** What an order weighs in a group that moves its units: it may have hundreds of lines, and a hundred orders are enough for a group. */
export const movedOrderWeight = 20;

export interface ShipMethod {
  logisticsType: string;
  expressType: string;
}

const shipMethods: Record<string, readonly string[]> = { home: ['tcat', 'hct', 'post'], csvs: ['pcsc', 'family', 'hilife'] };

/** The parts of a ship method that are wrong; none where it is known. Two parts that are known, but not together, differ in the second one. */
export function wrongPartsOf({ logisticsType, expressType }: ShipMethod): (keyof ShipMethod)[] {
  if (Object.hasOwn(shipMethods, logisticsType)) return shipMethods[logisticsType]!.includes(expressType) ? [] : ['expressType'];
  const isKnownExpress = Object.values(shipMethods).some((expressTypes) => expressTypes.includes(expressType));
  return isKnownExpress ? ['logisticsType'] : ['logisticsType', 'expressType'];
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

/** What a partner says of an order, beside its number. */
export interface OrderContent {
  warehouseTpwId: string;
  shipMethod: ShipMethod;
  consignee: Consignee;
  lines: RequestedLine[];
}

/** Tells whether a repeat says the same as the original, whatever the order of its fields. */
export function orderDigest({ warehouseTpwId, shipMethod, consignee, lines }: OrderContent): string {
  const { country, name, phone, address, zip } = consignee;
  return contentDigest([
    [warehouseTpwId, shipMethod.logisticsType, shipMethod.expressType],
    [country, name, phone, address, zip],
    lines.map(({ skuId, qty }) => [skuId, qty]),
  ]);
}

const orderNoRandomBytes = 5;

/** Our own number of an order; its end is random, so that it tells nothing of how many there are. */
export function newOrderNo(partnerNumber: string): string {
  return `ow_${partnerNumber}_${randomHex(orderNoRandomBytes)}`;
}

/** The partner's number that is part of ours; null for what is no number of ours. */
export function numberInOrderNo(orderNo: string): string | null {
  return /^ow_(.+)_[0-9a-f]{10}$/su.exec(orderNo)?.[1] ?? null;
}
