import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { OrderStep } from './order-advance.ts';
import type { OrderChannel, OrderStatus, TransferStatus } from './order-search.ts';
import type { ToldEntry } from './told-entry.ts';

/** Why units of a lot were taken: lots that expire first go first, then the oldest. */
export type TakenWhy =
  /** The order names this batch. */
  | 'named_batch'
  /** Nothing that could be sold expired earlier. */
  | 'expires_first'
  /** What expires earlier was not enough. */
  | 'expires_next'
  /** It does not expire, and lay there longest. */
  | 'oldest'
  | 'next_oldest';

export interface LineLot {
  lot_id: number;
  batch_id: string;
  expire_date: string | null;
  qty: number;
  why: TakenWhy;
}

export interface OrderLine {
  line_no: number;
  sku_id: string;
  name: string;
  storage_type: string;
  qty: number;
  /** The only batch it may be taken from; null: any. */
  batch_id: string | null;
  combo_sku: string | null;
  identifier: string | null;
  price: string | null;
  /** What was taken for it. */
  lots: LineLot[];
}

export type PassedOverWhy = 'not_good' | 'expires_too_soon' | 'nothing_free' | 'another_batch' | 'not_needed';

export interface PassedOverLot {
  lot_id: number;
  sku_id: string;
  stock_type: 'good' | 'bad';
  batch_id: string;
  expire_date: string | null;
  on_hand: number;
  free: number;
  why: PassedOverWhy;
}

/** Which lots there were to take from. */
export interface OrderAllocation {
  /** then: as the stock was when its units were taken, by the ledger. now: as it is now. */
  as_of: 'then' | 'now';
  /** null: nothing was taken. */
  at: string | null;
  /** The first expiry date that was sold, by the rule as it is today; null: every date. */
  sellable_from: string | null;
  passed_over: PassedOverLot[];
  has_more: boolean;
  /** What an order that waits is waiting for. */
  shortages: { sku_id: string; available: number; requested: number }[];
}

export interface OrderNote {
  document_note_id: number;
  at: string;
  author: string;
  text: string;
}

export type OrderTimelineEntry =
  | {
      kind: 'state';
      at: string;
      event: string;
      from: OrderStatus | null;
      to: OrderStatus;
      actor: string | null;
      trace_id: string | null;
      /** The call that brought it about; null: none, or no longer known. */
      call: string | null;
    }
  | ToldEntry
  | { kind: 'transfer'; at: string; status: TransferStatus; attempts: number; reason: string | null; note: string | null }
  | { kind: 'note'; at: string; actor: string; text: string };

/** Who it goes to. */
export interface OrderRecipient {
  country: string | null;
  name: string | null;
  phone: string | null;
  address: string | null;
  city: string | null;
  zip: string | null;
  customer_name: string | null;
  note: string | null;
}

export interface OrderTransfer {
  transfer_id: string;
  status: TransferStatus;
  attempts: number;
  reason: string | null;
  note: string | null;
  updated_at: string;
}

export interface OrderDetail {
  order_id: number;
  account_no: string;
  environment: 'uat' | 'production';
  channel: OrderChannel;
  status: OrderStatus;
  partner_number: string;
  order_no: string;
  name: string | null;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  logistics_type: string | null;
  express_type: string | null;
  shipment_no: string | null;
  carrier: string | null;
  delivery_charge: string | null;
  created_at: string;
  created_by: string | null;
  updated_at: string;
  trace_id: string | null;
  recipient: OrderRecipient;
  /** Who only looks sees what is about people masked: the recipient, the partner's note and the values of the label. */
  is_masked: boolean;
  /** As it was sent; null: none. */
  store_pickup_label_data: Record<string, unknown> | null;
  lines: OrderLine[];
  /** What it holds of which lot, and what has left for it. */
  lots: { lot_id: number; sku_id: string; batch_id: string; expire_date: string | null; taken: number; locked: number; shipped: number }[];
  allocation: OrderAllocation;
  transfer: OrderTransfer | null;
  /** The oldest first. */
  timeline: OrderTimelineEntry[];
  has_more_timeline: boolean;
  /** What its state allows; whether it works also depends on what others do meanwhile. */
  can: { cancel: boolean; retry_transfer: boolean; steps: OrderStep[] };
}

export const orderDetail = consoleCall<OrderDetail>()('/orders/detail', record({ order_id: RowId }));
