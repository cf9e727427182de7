import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { RowId, record, Uuid } from './console-values.ts';
import { type OrderStatus, orderBatchMax } from './orders.ts';

/** The print-outs of single orders. */
export const orderDocuments = ['packing_slip', 'shipping_label', 'store_label', 'order_codes', 'return_slip'] as const;
export type OrderDocument = (typeof orderDocuments)[number];

/** Printed for many orders at once, so more than a person looks at, and still a limit for a stolen session. */
export const printedOrdersPerHour = 3000;

/** Only the fields that the print-out shows; the others are null. */
export interface PrintedRecipient {
  name: string | null;
  phone: string | null;
  zip: string | null;
  city: string | null;
  address: string | null;
  note: string | null;
}

export interface PrintedLine {
  line_no: number;
  sku_id: string;
  name: string;
  qty: number;
  lots: { batch_id: string; expire_date: string | null; qty: number }[];
}

export interface PrintedOrder {
  order_id: number;
  account_no: string;
  environment: 'uat' | 'production';
  order_no: string;
  partner_number: string;
  /** The shop's order number; null if none was given. */
  name: string | null;
  status: OrderStatus;
  warehouse_no: number;
  warehouse_name: string;
  store_name: string;
  logistics_type: string | null;
  express_type: string | null;
  created_at: string;
  units: number;
  /** The storage types of its products, each once. */
  storage_types: string[];
  /** Empty on labels. */
  lines: PrintedLine[];
  /** The parcels that have left; or one, if its number is known before. */
  parcels: { shipment_no: string; carrier: string | null }[];
  /** null: the print-out names nobody. */
  recipient: PrintedRecipient | null;
  /** The partner's own fields and values. Only on the label of a pickup store. */
  store_pickup_label_data: Record<string, unknown> | null;
  /** Numbers of the returns that are expected or have begun to arrive. Only on return slips. */
  return_nos: string[];
  /** How often it was printed, including this time. From 2 on, the paper says that it is a reprint. */
  prints: number;
}

/** The reasons why an order is left out. */
export type NotPrinted =
  | 'not_found'
  | 'order_cancelled'
  /** Goods of an order on hold must not move. */
  | 'on_hold'
  | 'recipient_erased'
  /** The partner sent no data for the label of a pickup store. */
  | 'no_label_data'
  /** Nothing is left to be picked: it waits for stock, or is already packed. */
  | 'nothing_to_pick';

export interface LeftOutOrder {
  kind: NotPrinted;
  order_id: number;
  partner_number: string | null;
}

const OrderIds = Type.Array(RowId, { minItems: 1, maxItems: orderBatchMax, uniqueItems: true });

/**
 * The content of print-outs, in the order given. Every call is in the audit log, and counts as a print of each order,
 * unless it repeats the `print_id` of the print before.
 */
export const printOrders = consoleCall<{ printed: PrintedOrder[]; left_out: LeftOutOrder[] }>()(
  '/print/orders',
  record({ document: Type.Enum([...orderDocuments]), order_ids: OrderIds, print_id: Uuid }),
);

const slotMax = 9999;

/** Units of one lot for several orders. */
export interface PickListLine {
  /** null: not known; such lines come last. */
  location: string | null;
  account_no: string;
  sku_id: string;
  name: string;
  batch_id: string;
  expire_date: string | null;
  qty: number;
  /** How many of the units go into which slot. */
  slots: { slot: number; qty: number }[];
}

/** The orders of one warehouse that are picked together. Each has a slot of the cart. */
export interface PickList {
  warehouse_no: number;
  warehouse_name: string;
  slots: {
    slot: number;
    order_no: string;
    partner_number: string;
    account_no: string;
    units: number;
    /** How often the pick list of this order was printed, including this time. */
    prints: number;
  }[];
  /** In walking order. */
  lines: PickListLine[];
}

/** One list per warehouse. */
export const printPickList = consoleCall<{ lists: PickList[]; left_out: LeftOutOrder[] }>()(
  '/print/pick-list',
  record({
    order_ids: OrderIds,
    /** The slot of each order in its batch. Default: the orders of each warehouse are numbered from 1 on. */
    slots: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: slotMax }), {
        minItems: 1,
        maxItems: orderBatchMax,
        uniqueItems: true,
      }),
    ),
    print_id: Uuid,
  }),
);
