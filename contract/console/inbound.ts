import { Type } from 'typebox';
import { type BrokenRule, errorMessage } from '../../messages/errors.ts';
import { inboundChannels, inboundKinds, inboundStatuses } from '../main/inbounds-search.ts';
import { CalendarDate, CallerIdentifier, Form, Identifier, IdentifierOrEmpty, PlaceNumber, qtyMax } from '../values.ts';
import { consoleCall } from './console-call.ts';
import {
  countedField,
  type ListPage,
  listFields,
  RowId,
  record,
  reversedField,
  storageTypes,
} from './console-values.ts';
import type { StockType } from './stock.ts';
import type { NotificationEntry } from './timeline.ts';

export type InboundStatus = (typeof inboundStatuses)[number];
export type InboundKind = (typeof inboundKinds)[number];
export type InboundChannel = (typeof inboundChannels)[number];
export const inboundSorts = ['created', 'updated', 'arrival'] as const;

/** A row of the list of inbound documents and returns. */
export interface InboundListRow {
  inbound_id: number;
  account_no: string;
  document_no: string;
  partner_number: string;
  channel: InboundChannel;
  kind: InboundKind;
  status: InboundStatus;
  warehouse_no: number;
  store_no: number;
  /** Only returns: the partner's number for the returned order. */
  original_order_number: string | null;
  /** null: no return, or we do not know the order (yet). */
  order: { order_id: number; order_no: string } | null;
  estimated_arrival_at: string | null;
  line_count: number;
  announced_units: number;
  /** Good and bad together. */
  arrived_units: number;
  arrived_bad_units: number;
  /** Its state allows it. It may still fail if somebody else changes it meanwhile, or its units are no longer there. */
  can_cancel: boolean;
  created_at: string;
  updated_at: string;
}

const Many = <Value extends string>(values: readonly Value[]) =>
  Type.Optional(Type.Array(Type.Enum([...values]), { minItems: 1, maxItems: values.length }));
const warehousesMax = 50;

/** Days are in Taipei time and inclusive. */
export const inboundSearch = consoleCall<ListPage<InboundListRow>>()(
  '/inbound/search',
  record({
    ...listFields,
    ...countedField,
    status: Many(inboundStatuses),
    kind: Many(inboundKinds),
    channel: Many(inboundChannels),
    warehouse_no: Type.Optional(Type.Array(PlaceNumber, { minItems: 1, maxItems: warehousesMax })),
    /** The partner's number, or ours. */
    number: Type.Optional(Identifier(255)),
    arrival_from: Type.Optional(CalendarDate),
    arrival_to: Type.Optional(CalendarDate),
    created_from: Type.Optional(CalendarDate),
    created_to: Type.Optional(CalendarDate),
    updated_from: Type.Optional(CalendarDate),
    updated_to: Type.Optional(CalendarDate),
    /** Newest first, or next arrival first. Default: the field of the requested range. */
    sort: Type.Optional(Type.Enum([...inboundSorts])),
    ...reversedField,
    /** A product of the document, and a storage type of its products. */
    sku_id: Type.Optional(Identifier(125)),
    storage: Many(storageTypes),
  }),
);

/**
 * An announced line and its received units. Units with the line's own batch and expiry count first, then others of the
 * product.
 */
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

/** Units of a product that may still arrive, summed over all lines of the document. */
export interface InboundProduct {
  sku_id: string;
  name: string;
  announced: number;
  arrived: number;
  accepted_max: number;
  /** Units that may still arrive. */
  still_accepted: number;
  /** Barcodes, and the units that one scan of each means. */
  codes: { code: string; units: number }[];
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
  /** Negative if units were retracted. */
  units: number;
}

/** Units that were received or retracted at one time. */
export interface InboundReceipt {
  at: string;
  actor: string;
  trace_id: string | null;
  /** null if there is none, or if several are possible. */
  receipt_no: string | null;
  /** Only returns: why the goods came back, one of `returnReasons`; null if unknown. */
  return_reason: string | null;
  /** Negative if units were retracted. */
  good: number;
  bad: number;
  lot_count: number;
  /** The first lots of the receipt. */
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
      /** The endpoint whose request caused it. */
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
  | NotificationEntry
  | { kind: 'note'; at: string; actor: string; text: string };

export interface ReturnedOrder {
  number: string;
  /** null: the order does not exist, or does not exist yet. */
  order: {
    order_id: number;
    order_no: string;
    partner_number: string;
    status: string;
    lines: { sku_id: string; name: string; qty: number }[];
  } | null;
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
  /** on_create: the announced units enter stock when the document is created. */
  receiving: 'on_create' | 'on_confirm';
  /** When the rest is received automatically, in UAT; null: not at all, or it was received on creation. */
  receive_at: string | null;
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
  /** Newest first. */
  receipts: InboundReceipt[];
  has_older_receipts: boolean;
  returned_order: ReturnedOrder | null;
  /** Oldest first. */
  timeline: InboundTimelineEntry[];
  has_more_timeline: boolean;
  /** The actions that the document's status allows. They may still fail if somebody else changes it meanwhile. */
  can: { receive: boolean; stop: boolean; cancel: boolean };
}

export const inboundDetail = consoleCall<InboundDetail>()('/inbound/detail', record({ inbound_id: RowId }));

export const receiptLinesMax = 250;

const Units = Type.Integer({ minimum: 0, maximum: qtyMax, description: 'a whole number of units' });

const ReceiptLine = Type.Refine(
  record({
    sku_id: CallerIdentifier,
    /** '' means no batch. */
    batch_id: IdentifierOrEmpty(125),
    /** null means no expiry date. */
    expire_date: Type.Union([CalendarDate, Type.Null()], Form(errorMessage('not_date'))),
    good: Units,
    bad: Units,
  }),
  ({ good, bad }) => good + bad > 0,
  (): BrokenRule => 'no_units',
);

export type ReceiptMistake =
  | { kind: 'not_announced'; sku_id: string; reported: number }
  | {
      kind: 'too_many';
      sku_id: string;
      announced: number;
      arrived: number;
      reported: number;
      accepted_max: number;
      /** Units that may still arrive. */
      still_accepted: number;
    }
  | { kind: 'overfull'; sku_id: string; units_max: number };

export type ReceiveAnswer =
  | { kind: 'counted'; status: InboundStatus }
  /** A receipt with this number and the same units was recorded before; nothing was added. */
  | { kind: 'repeated'; status: InboundStatus }
  /** A receipt with this number but other units was recorded before. */
  | { kind: 'conflict' }
  | { kind: 'too_late'; status: InboundStatus }
  | { kind: 'too_many_portions'; portions_max: number }
  /** Nothing was recorded. */
  | { kind: 'refused'; mistakes: ReceiptMistake[] };

export const returnReasons = [
  'changed_mind',
  'defective',
  'damaged_in_transit',
  'wrong_item',
  'not_collected',
  'refused',
  'undeliverable',
  'other',
] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** Receives units of several lots at once. With a receipt number the request is idempotent. */
export const inboundReceive = consoleCall<ReceiveAnswer>()(
  '/inbound/receive',
  record({
    inbound_id: RowId,
    receipt_no: Type.Optional(CallerIdentifier),
    /** Only of a return, and only with a receipt number. */
    return_reason: Type.Optional(Type.Enum([...returnReasons])),
    lines: Type.Array(ReceiptLine, { minItems: 1, maxItems: receiptLinesMax }),
  }),
);

/** Stops receiving; received units stay in stock. `repeated`: it was already stopped. */
export const inboundStop = consoleCall<
  { kind: 'stopped' | 'repeated' } | { kind: 'too_late'; status: InboundStatus }
>()('/inbound/stop', record({ inbound_id: RowId }));

export const inboundCancelMax = 100;

export type InboundCancelResult = { inbound_id: number; partner_number: string | null } & (
  | { kind: 'cancelled' | 'not_found' }
  | { kind: 'too_late'; status: InboundStatus }
);

/** Each document has its own result, in the order given. */
export const inboundCancel = consoleCall<{ results: InboundCancelResult[] }>()(
  '/inbound/cancel',
  record({ inbound_ids: Type.Array(RowId, { minItems: 1, maxItems: inboundCancelMax, uniqueItems: true }) }),
);

export const inboundNoteLengthMax = 2000;

export interface InboundNote {
  document_note_id: number;
  at: string;
  author: string;
  text: string;
}

export const inboundNoteAdd = consoleCall<{ kind: 'added'; note: InboundNote } | { kind: 'too_many'; max: number }>()(
  '/inbound/note-add',
  record({
    inbound_id: RowId,
    text: Type.String({
      pattern: `^(?=[^]*\\S)(?:[^\\p{Cc}]|[\\t\\r\\n]){1,${inboundNoteLengthMax}}$`,
      description: `1-${inboundNoteLengthMax} characters, not blank, without control characters other than line breaks and tabs`,
    }),
  }),
);

export interface ScannedDocument {
  inbound_id: number;
  account_no: string;
  partner_number: string;
  document_no: string;
  kind: InboundKind;
  status: InboundStatus;
}

export type ScanAnswer =
  /** Logistics numbers are only unique within an account, so there may be several. */
  | { kind: 'documents'; documents: ScannedDocument[] }
  /** `units`: those that one scan of the code means. */
  | { kind: 'line'; line_no: number; sku_id: string; units: number }
  /** A product of the account that the document does not have. */
  | { kind: 'other_product'; sku_id: string }
  | { kind: 'nothing' };

/** Finds a document by its number, or, within a document, a line by its barcode, SKU or announced identifier. */
export const inboundFindByScan = consoleCall<ScanAnswer>()(
  '/inbound/find-by-scan',
  record({ text: Identifier(255), inbound_id: Type.Optional(RowId) }),
);
