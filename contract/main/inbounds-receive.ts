import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, ExpiryDate, IdentifierOrEmpty, Qty, WithMeaning } from '../values.ts';
import { NamedDocument, nameFields } from './inbounds-named.ts';
import { inboundStatuses } from './inbounds-search.ts';

export const receiptDetailsMax = 500;

const ReceiptDetail = Type.Object({
  sku_id: WithMeaning(CallerIdentifier, 'Your own key of the product; the document must announce it.'),
  expire_date: WithMeaning(ExpiryDate, 'Expiry date as it was found on the goods. Left out, `null` or `""`: they do not expire.'),
  batch_id: WithMeaning(Clearable(IdentifierOrEmpty(125)), 'Their batch as it was found; left out or empty: of no batch.'),
  qty: Qty,
  stock_type: WithMeaning(Type.Enum(['good', 'bad']), '`bad`: defective, not to be sold.'),
});

/** `inbounds/receive`: what has arrived of a document. */
export const InboundsReceiveBody = Type.Refine(
  NamedDocument(
    Type.Object({
      ...nameFields,
      receipt_no: WithMeaning(
        Clearable(CallerIdentifier),
        'Your own number of this delivery, unique in the document: with it, the call can be repeated safely. Without it, each call counts.',
      ),
      details: Type.Array(ReceiptDetail, {
        maxItems: receiptDetailsMax,
        description: `1-${receiptDetailsMax} entries of units that have arrived; may be empty where \`final\` is \`true\``,
      }),
      final: WithMeaning(Clearable(Type.Boolean()), '`true`: nothing more will come. What is missing is not waited for.'),
    }),
  ),
  ({ details, final }) => details.length > 0 || final === true,
  () => '.details must not be empty, unless final is true',
);
export type InboundsReceiveBody = Static<typeof InboundsReceiveBody>;

export const InboundsReceiveRetval = WithMeaning(
  Type.Object({
    status: WithMeaning(Type.Enum([...inboundStatuses]), 'How far the document has come: `receiving`, or `received` when it is done with.'),
    idempotent: WithMeaning(Type.Boolean(), '`true` where the `receipt_no` was known, with the same content: nothing was counted again.'),
  }),
  'How far the document has come.',
);
export type InboundsReceiveRetval = Static<typeof InboundsReceiveRetval>;
