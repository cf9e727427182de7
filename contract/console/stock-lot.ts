import { consoleCall } from './console-call.ts';
import { listFields, RowId, record } from './console-values.ts';
import type { LotRow } from './stock-values.ts';

export type MovementKind = 'receive' | 'retract' | 'lock' | 'unlock' | 'ship' | 'adjust';

export interface LedgerEntry {
  movement_id: number;
  at: string;
  kind: MovementKind;
  on_hand_delta: number;
  locked_delta: number;
  /** What the lot held after it. */
  on_hand_after: number;
  locked_after: number;
  order_id: number | null;
  inbound_id: number | null;
  /** The partner's number of the document; null: of none, or of one that has been purged. */
  document_no: string | null;
  actor: string;
  trace_id: string | null;
  reason: string | null;
}

export interface LotDetail {
  lot: LotRow & { warehouse_name: string | null; created_at: string };
  /** The lot of the same batch and expiry on the other side, bad or good; null: there is none yet. */
  counterpart: { lot_id: number; on_hand: number; locked: number } | null;
  /** Its movements, the newest first. */
  rows: LedgerEntry[];
  next_cursor: string | null;
  /** On the last page, what is left when all movements are taken back: anything but 0 does not add up. */
  unexplained: { on_hand: number; locked: number } | null;
}

const { page_size, cursor } = listFields;

export const stockLot = consoleCall<LotDetail>()('/stock/lot', record({ lot_id: RowId, page_size, cursor }));
