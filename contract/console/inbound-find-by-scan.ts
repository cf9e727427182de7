import { Type } from 'typebox';
import { Identifier } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { InboundKind, InboundStatus } from './inbound-search.ts';

export interface ScannedDocument {
  inbound_id: number;
  account_no: string;
  partner_number: string;
  document_no: string;
  kind: InboundKind;
  status: InboundStatus;
}

export type ScanAnswer =
  /** Numbers of logistics are unique within an account only: there may be several. */
  { kind: 'documents'; documents: ScannedDocument[] } | { kind: 'line'; line_no: number; sku_id: string } | { kind: 'nothing' };

/** A document by its number; within a document, a line by its sku or the identifier it was announced with. */
export const inboundFindByScan = consoleCall<ScanAnswer>()(
  '/inbound/find-by-scan',
  record({ text: Identifier(255), inbound_id: Type.Optional(RowId) }),
);
