import type { Sql } from '../../platform/postgres/sql.ts';
import type { HistoryCallback } from '../callbacks/document-callback-queries.ts';
import type { StockType } from '../stock/lot.ts';
import type { TimelineEntry } from './timeline.ts';

// The parts that the histories of orders and inbound documents have in common.

/** A document that was found by its partner's number or by ours. */
export interface NamedDocument {
  document_id: number;
  account_id: number;
  account_no: string;
  channel: string;
  partner_number: string;
  /** Our number. */
  document_no: string;
}

export interface LotName {
  sku_id: string;
  stock_type: StockType;
  batch_id: string;
  expire_date: string | null;
}

export interface DocumentHistory {
  account_no: string;
  partner_number: string;
  /** Our number. */
  document_no: string;
  warehouse_no: number;
  store_no: number;
  created_at: string;
  updated_at: string;
  created_by: string | null;
  trace_id: string | null;
  callbacks: HistoryCallback[];
  timeline: TimelineEntry[];
}

export function lotColumns(sql: Sql) {
  return sql`lot.sku_id, lot.stock_type, lot.batch_id, nullif(lot.expire_date, 'infinity') as expire_date`;
}
