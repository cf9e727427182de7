import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { InboundChannel, InboundKind, InboundStatus } from './inbound-search.ts';
import type { ToldEntry } from './told-entry.ts';

export type StockType = 'good' | 'bad';

/** A line as it was announced, and what has come of it. Units of its own batch and expiry count for it first, others of its product then. */
export interface InboundLine {
  line_no: number;
  sku_id: string;
  name: string;
  batch_id: string;
  expire_date: string | null;
  identifier: string | null;
  announced: number;
  good: number;
  bad: number;
  missing: number;
}

/** What the document allows of a product: over all of its lines. */
export interface InboundProduct {
  sku_id: string;
  name: string;
  announced: number;
  arrived: number;
  accepted_max: number;
  /** How much may still come. */
  still_accepted: number;
}

export interface InboundLot {
  lot_id: number;
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  received: number;
  retracted: number;
}

export interface InboundReceiptUnits {
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
  /** Below zero: taken back. */
  units: number;
}

/** Units that came, or were taken back, at one time. */
export interface InboundReceipt {
  at: string;
  actor: string;
  trace_id: string | null;
  /** null: it has none, or it cannot be told which of several it was. */
  receipt_no: string | null;
  /** Below zero: taken back. */
  good: number;
  bad: number;
  lot_count: number;
  /** The first of them. */
  units: InboundReceiptUnits[];
}

export type InboundTimelineEntry =
  | {
      kind: 'state';
      at: string;
      event: string;
      from: string | null;
      to: string;
      actor: string | null;
      trace_id: string | null;
      /** The endpoint whose call brought it about. */
      call: string | null;
    }
  | {
      kind: 'receipt';
      at: string;
      actor: string;
      trace_id: string | null;
      receipt_no: string | null;
      good: number;
      bad: number;
      call: string | null;
    }
  | ToldEntry
  | { kind: 'note'; at: string; actor: string; text: string };

/** The order that a return brings back. */
export interface ReturnedOrder {
  number: string;
  /** null: there is no such order, or not yet. */
  order: { order_id: number; order_no: string; status: string; lines: { sku_id: string; name: string; qty: number }[] } | null;
}

export interface InboundDetail {
  inbound_id: number;
  account_no: string;
  environment: 'uat' | 'production';
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
  partner_number: string;
  document_no: string;
  internal_form_no: string | null;
  warehouse_no: number;
  warehouse_name: string;
  store_no: number;
  store_name: string;
  /** on_create: all of it was counted as it was announced. */
  receiving: 'on_create' | 'on_confirm';
  over_delivery_percent: number;
  estimated_arrival_at: string | null;
  created_at: string;
  created_by: string | null;
  updated_at: string;
  trace_id: string | null;
  announced_units: number;
  arrived_good_units: number;
  arrived_bad_units: number;
  missing_units: number;
  lines: InboundLine[];
  products: InboundProduct[];
  lots: InboundLot[];
  /** The newest first. */
  receipts: InboundReceipt[];
  has_older_receipts: boolean;
  returned_order: ReturnedOrder | null;
  /** The oldest first. */
  timeline: InboundTimelineEntry[];
  has_more_timeline: boolean;
  /** What its state allows; whether it works also depends on what others do meanwhile. */
  can: { receive: boolean; stop: boolean; cancel: boolean };
}

export const inboundDetail = consoleCall<InboundDetail>()('/inbound/detail', record({ inbound_id: RowId }));
