import { contentDigest } from '../../platform/content-digest.ts';
import { randomHex } from '../../platform/ids.ts';
import { statesLeadingTo } from '../../platform/state-moves.ts';

/** Where an order may go from each state. A warehouse may skip steps forward, never go back. */
export const orderMoves = {
  awaiting_stock: ['pending_warehouse_transfer', 'cancelled'],
  pending_warehouse_transfer: ['in_warehouse', 'cancelled'],
  in_warehouse: ['picking', 'packed', 'shipped'],
  picking: ['packed', 'shipped'],
  packed: ['shipped'],
  shipped: ['delivered'],
  delivered: [],
  cancelled: [],
} as const;
export type OrderStatus = keyof typeof orderMoves;
export const orderStatuses = Object.keys(orderMoves) as OrderStatus[];
export const orderChannels = ['warehouse', 'main', 'logistics'] as const;
export type OrderChannel = (typeof orderChannels)[number];

/** The states from which an order may go to `to`. */
export function statesBefore(to: OrderStatus): OrderStatus[] {
  return statesLeadingTo<OrderStatus>(orderMoves, to);
}

export interface ShipMethod {
  logisticsType: string;
  expressType: string;
}

const shipMethods: Record<string, readonly string[]> = { home: ['tcat', 'hct', 'post'], csvs: ['pcsc', 'family', 'hilife'] };

export function isKnownShipMethod({ logisticsType, expressType }: ShipMethod): boolean {
  return Object.hasOwn(shipMethods, logisticsType) && shipMethods[logisticsType]!.includes(expressType);
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
