import { Type } from 'typebox';
import { CalendarDate, CallerIdentifier, IdentifierOrEmpty, qtyMax } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { InboundStatus } from './inbound-search.ts';

export const receiptLinesMax = 250;

const Units = Type.Integer({ minimum: 0, maximum: qtyMax, description: 'a whole number of units' });

const ReceiptLine = Type.Refine(
  record({
    sku_id: CallerIdentifier,
    /** Empty: of no batch. */
    batch_id: IdentifierOrEmpty(125),
    /** null: they do not expire. */
    expire_date: Type.Union([CalendarDate, Type.Null()], { description: 'a date, YYYY-MM-DD' }),
    good: Units,
    bad: Units,
  }),
  ({ good, bad }) => good + bad > 0,
  () => 'must have units, good or bad',
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
      /** How much may still come. */
      still_accepted: number;
    }
  | { kind: 'overfull'; sku_id: string; units_max: number };

export type ReceiveAnswer =
  | { kind: 'counted'; status: InboundStatus }
  /** This number was sent before, with the same units: they are counted once. */
  | { kind: 'repeated'; status: InboundStatus }
  /** This number was sent before, with other units. */
  | { kind: 'conflict' }
  | { kind: 'too_late'; status: InboundStatus }
  | { kind: 'too_many_portions'; portions_max: number }
  /** Nothing of it was counted. */
  | { kind: 'refused'; mistakes: ReceiptMistake[] };

/** What has arrived of a document, several lots at once. With a receipt number it can be sent again safely. */
export const inboundReceive = consoleCall<ReceiveAnswer>()(
  '/inbound/receive',
  record({
    inbound_id: RowId,
    receipt_no: Type.Optional(CallerIdentifier),
    lines: Type.Array(ReceiptLine, { minItems: 1, maxItems: receiptLinesMax }),
  }),
);
