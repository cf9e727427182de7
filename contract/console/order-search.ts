import { type Static, Type } from 'typebox';
import { CalendarDate, Identifier, PlaceNumber } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record } from './console-values.ts';

export const orderStatuses = [
  'awaiting_stock',
  'pending_warehouse_transfer',
  'in_warehouse',
  'picking',
  'packed',
  'shipped',
  'delivered',
  'cancelled',
] as const;
export type OrderStatus = (typeof orderStatuses)[number];
export const orderChannels = ['warehouse', 'main', 'logistics'] as const;
export type OrderChannel = (typeof orderChannels)[number];
/** How the handing over to the warehouse's own system stands. */
export type TransferStatus = 'waiting' | 'sending' | 'accepted' | 'rejected';
export const orderSorts = ['created', 'updated'] as const;

/** A row of the list of orders. */
export interface OrderListRow {
  order_id: number;
  account_no: string;
  order_no: string;
  partner_number: string;
  /** The number of the shop's order; null: none was given. */
  name: string | null;
  channel: OrderChannel;
  status: OrderStatus;
  warehouse_no: number;
  store_no: number;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  line_count: number;
  units: number;
  /** While it is to be handed over; null: not begun, or done with. */
  transfer_status: TransferStatus | null;
  created_at: string;
  updated_at: string;
}

const Many = <Value extends string>(values: readonly Value[]) =>
  Type.Optional(Type.Array(Type.Enum([...values]), { minItems: 1, maxItems: values.length }));
const placesMax = 50;

/** Days are those of Taipei, the last one included. */
export const orderFilterFields = {
  /** Those that are being sent to their warehouse, or were put aside because it did not want them: the oldest 1,000 of them. */
  transfer_status: Type.Optional(Type.Enum(['sending', 'rejected'])),
  status: Many(orderStatuses),
  channel: Many(orderChannels),
  warehouse_no: Type.Optional(Type.Array(PlaceNumber, { minItems: 1, maxItems: placesMax })),
  store_no: Type.Optional(PlaceNumber),
  /** The partner's number, or ours. */
  number: Type.Optional(Identifier(255)),
  name: Type.Optional(Identifier(255)),
  shipment_no: Type.Optional(Identifier(125)),
  created_from: Type.Optional(CalendarDate),
  created_to: Type.Optional(CalendarDate),
  updated_from: Type.Optional(CalendarDate),
  updated_to: Type.Optional(CalendarDate),
  /** Newest first by when they were made, or by when they changed. Left out: when made. */
  sort: Type.Optional(Type.Enum([...orderSorts])),
};

/** What orders are looked for: the same for the list and for its export. */
export const OrderFilters = record({ accounts: listFields.accounts, ...orderFilterFields });
export type OrderFilters = Static<typeof OrderFilters>;

export const orderSearch = consoleCall<ListPage<OrderListRow>>()('/orders/search', record({ ...listFields, ...orderFilterFields }));

/** `GET`, with the filters in the query: lists comma-separated, as pages have them in their own address. */
export const orderExportPath = '/orders/export';
export const exportRowsMax = 100_000;
