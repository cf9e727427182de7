import { Type } from 'typebox';
import { Identifier, Title } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import { type NamedOrder, orderBatchMax } from './order-cancel.ts';
import type { OrderStatus } from './order-search.ts';

export const orderSteps = ['pick', 'pack', 'ship', 'deliver'] as const;
export type OrderStep = (typeof orderSteps)[number];

export type OrderAdvanceResult = NamedOrder &
  (
    | { kind: 'advanced'; status: OrderStatus }
    /** It was there before. */
    | { kind: 'already'; status: OrderStatus }
    | { kind: 'not_found' }
    /** Orders of a UAT account never reach a warehouse. */
    | { kind: 'uat' }
    | { kind: 'out_of_order'; status: OrderStatus }
    /** What is shipped has the number of its shipment. */
    | { kind: 'no_shipment_no' }
    /** It was shipped under another number, which stays. */
    | { kind: 'other_shipment_no' }
    /** Other orders have this shipment number, so it was not shipped; `allow_repeat` ships it all the same. */
    | { kind: 'repeated_shipment_no'; others: OrderOfShipment[] }
  );

/** Another order with the same shipment number. */
export interface OrderOfShipment {
  order_id: number;
  account_no: string;
  partner_number: string;
  status: OrderStatus;
}

const Advanced = record({
  order_id: RowId,
  shipment_no: Type.Optional(Identifier(125)),
  carrier: Type.Optional(Title(100)),
  /** For several orders in one parcel: the number may be that of another order. */
  allow_repeat: Type.Optional(Type.Boolean()),
});

/** Each order has its own result, in the order given; an order that is named twice is refused. */
export const orderAdvance = consoleCall<{ results: OrderAdvanceResult[] }>()(
  '/orders/advance',
  record({
    step: Type.Enum([...orderSteps]),
    orders: Type.Array(Advanced, { minItems: 1, maxItems: orderBatchMax }),
  }),
);
