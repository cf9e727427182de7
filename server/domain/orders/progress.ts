import type { Cause } from '../stock/movement.ts';
import type { OrderEvent, OrderStatus, UndeliveredReason } from './order.ts';
import type { OrderName } from './order-queries.ts';
import type { ReportedParcel } from './parcel.ts';

/** How far a warehouse may report an order, and the event that leads there. */
export const reportedEvents = {
  in_warehouse: 'transfer',
  picking: 'pick',
  packed: 'pack',
  partially_shipped: 'ship_part',
  shipped: 'ship',
  arrived: 'arrive',
  delivered: 'deliver',
  undelivered: 'fail',
} as const satisfies Partial<Record<OrderStatus, OrderEvent>>;
export type ReportedStatus = keyof typeof reportedEvents;

export interface ReportedProgress {
  partnerNumber: string;
  /** The number is that of a shipping order. */
  isLogistics: boolean;
  to: ReportedStatus;
  /** null: not reported. */
  shipmentNo: string | null;
  carrier: string | null;
  /** The parcels that leave, if the report lists them. */
  parcels?: ReportedParcel[];
  /** No more parcels follow: units that have not left will not be shipped. */
  isFinal?: boolean;
  /** Another order may have left with the same shipment number. */
  allowRepeat?: boolean;
  /** Why the order did not reach its recipient. */
  reason?: UndeliveredReason;
}

export interface AdvanceOrdersRequest {
  accountId: number;
  /** An order of a UAT account goes no further than the hand-over. */
  isUat: boolean;
  entries: ReportedProgress[];
  cause: Cause;
}

export type AdvanceOrderOutcome =
  /** The order is in this state now, or was before. */
  | { kind: 'advanced'; status: OrderStatus }
  | { kind: 'not_found' }
  | { kind: 'uat' }
  /** The order is in another state: too far, not far enough, or cancelled. */
  | { kind: 'out_of_order'; status: OrderStatus }
  /** A shipped order needs a shipment number. */
  | { kind: 'no_shipment_no' }
  /** The order was shipped with a different number. */
  | { kind: 'other_shipment_no' }
  | ParcelRefusal
  | ReasonRefusal;

/** The report of parcels does not fit the order; nothing leaves. */
export type ParcelRefusal =
  | { kind: 'no_parcels' }
  /** The report has a shipment number of its own beside its parcels. */
  | { kind: 'two_shipment_nos' }
  /** The field does not belong to the reported status. */
  | { kind: 'not_with_status'; field: 'parcels' | 'final' | 'reason' }
  /** The order is not complete, and the report is not final. */
  | { kind: 'units_remain'; units: number }
  /** The order does not hold the units of the parcel. */
  | { kind: 'not_held'; shipmentNo: string; skuId: string; qty: number; held: number }
  /** Other parcels have taken everything. */
  | { kind: 'nothing_left'; shipmentNo: string }
  /** A parcel with this number has left with other units. */
  | { kind: 'other_content'; shipmentNo: string }
  /** Another order has left with this number. */
  | { kind: 'repeated_shipment_no'; shipmentNo: string }
  /** The warehouse has reported the last parcel. */
  | { kind: 'no_more_parcels'; status: OrderStatus }
  | { kind: 'too_many_parcels' };

export type ReasonRefusal =
  | { kind: 'no_reason' }
  /** The order was reported with another reason. */
  | { kind: 'other_reason'; reason: UndeliveredReason };

export function namesOf({ accountId, entries }: AdvanceOrdersRequest): OrderName[] {
  return entries.map(({ partnerNumber, isLogistics }) => ({ accountId, partnerNumber, isLogistics }));
}
