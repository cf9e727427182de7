import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { bothOf, WithAlternatives } from '../alternatives.ts';
import { warnings } from '../errors/lists.ts';
import { CallerIdentifier, Clearable, ExpiryDate, IdentifierOrEmpty, Qty, stockTypes, WithMeaning } from '../values.ts';
import { NamedDocument, nameFields, oneName } from './inbounds-named.ts';
import { inboundStatuses } from './inbounds-search.ts';

export const receiptDetailsMax = 500;

const ReceiptDetail = Type.Object({
  sku_id: WithMeaning(CallerIdentifier, 'Your key for the product, which the document must announce.'),
  expire_date: WithMeaning(
    ExpiryDate,
    'Expiry date as found on the goods. Omitted, `null` or `""`: they do not expire.',
  ),
  batch_id: WithMeaning(Clearable(IdentifierOrEmpty(125)), 'Batch as found on the goods. Omitted or empty: no batch.'),
  qty: Qty,
  stock_type: WithMeaning(Type.Enum([...stockTypes]), '`bad`: defective, must not be sold.'),
});

/** `inbounds/receive`: reports received goods of a document. */
export const InboundsReceiveBody = Type.Refine(
  NamedDocument(
    WithAlternatives(
      Type.Object({
        ...nameFields,
        receipt_no: WithMeaning(
          Clearable(CallerIdentifier),
          'Your number for this delivery, unique within the document. With it, the request can be repeated safely; without it, every request adds units.',
        ),
        details: Type.Array(ReceiptDetail, {
          maxItems: receiptDetailsMax,
          description: `1-${receiptDetailsMax} entries of received units; may be empty if \`final\` is \`true\``,
        }),
        final: WithMeaning(
          Clearable(Type.Boolean()),
          '`true`: this is the last delivery. Missing units are no longer expected.',
        ),
      }),
      bothOf(oneName, [
        { narrowed: { details: { minItems: 1 } } },
        {
          given: ['final'],
          narrowed: {
            details: { maxItems: 0, examples: [[]] },
            final: { type: 'boolean', const: true, examples: [true] },
          },
        },
      ]),
    ),
  ),
  ({ details, final }) => details.length > 0 || final === true,
  (): BrokenRule => '.details nothing_received',
);
export type InboundsReceiveBody = Static<typeof InboundsReceiveBody>;

export const InboundsReceiveRetval = WithMeaning(
  Type.Object({
    status: WithMeaning(
      Type.Enum([...inboundStatuses]),
      'Status of the document: `receiving`, or `received` when it is complete.',
    ),
    idempotent: WithMeaning(
      Type.Boolean(),
      '`true` if the `receipt_no` was already used with the same content: no units were added again.',
    ),
    ...warnings,
  }),
  'Status of the document.',
);
export type InboundsReceiveRetval = Static<typeof InboundsReceiveRetval>;
