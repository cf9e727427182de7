import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, ExpiryDate, PlaceNumber, Qty, StockInNumber, Text, WithMeaning } from '../values.ts';

export const inboundDetailsMax = 500;
export const expiresMax = 100;
export const expiresInAllMax = 5000;
/** The end of the year 9999. */
const epochMsMax = 253_402_300_799_999;

const Expiry = Type.Object({
  expire_date: WithMeaning(ExpiryDate, 'Last day on which these units are good. Left out, `null` or `""`: they do not expire.'),
  qty: WithMeaning(Qty, 'Units that expire on that day, or never.'),
});

const InboundDetail = Type.Refine(
  Type.Object({
    sku_id: WithMeaning(CallerIdentifier, 'A product that was synced before. The same one may stand in several details.'),
    expires: Type.Array(Expiry, {
      ...{ minItems: 1, maxItems: expiresMax, 'x-max-items-in-all': expiresInAllMax },
      description: `the units by their expiry date, at most ${expiresInAllMax} in all details together`,
    }),
    qty: WithMeaning(Clearable(Qty), 'Where given, it must equal the sum of the `qty` of `expires`.'),
  }),
  ({ qty, expires }) => qty === undefined || qty === null || qty === expires.reduce((sum, expiry) => sum + expiry.qty, 0),
  () => '.qty must equal the sum of the qty of its expires',
);

/** What F-2 and F-3 have in common. */
export const inboundFields = {
  inbound_short_id: WithMeaning(CallerIdentifier, 'Your own number of the document, unique for ever; it is the idempotency key.'),
  warehouse_tpw_id: WithMeaning(CallerIdentifier, 'Tenant identifier from the operator; with the account it decides the warehouse.'),
  estimated_arrival_time: WithMeaning(
    Clearable(Type.Integer({ minimum: 0, maximum: epochMsMax, description: 'epoch milliseconds' })),
    'When the goods are expected.',
  ),
  details: Type.Array(InboundDetail, { minItems: 1, maxItems: inboundDetailsMax, description: 'what arrives, by product' }),
};
const InboundFields = Type.Object(inboundFields);
export type InboundFields = Static<typeof InboundFields>;

const inboundNumbers = {
  success: WithMeaning(Type.Boolean(), 'As in the envelope.'),
  stock_in_no: WithMeaning(StockInNumber, 'Our number of the document; begins with `si_`.'),
  stock_in_sn: WithMeaning(Text(125), 'Your `inbound_short_id`.'),
  warehouse_no: WithMeaning(PlaceNumber, 'The warehouse that will receive it.'),
};

export const InboundCreatedData = WithMeaning(Type.Object(inboundNumbers), 'The document that was created.');
export type InboundCreatedData = Static<typeof InboundCreatedData>;

/** With a duplicate (code LST-TPW-2001): the original's numbers; `payload_differs` where the body was another one. */
export const InboundDuplicateData = WithMeaning(
  Type.Object({
    ...inboundNumbers,
    payload_differs: WithMeaning(
      Type.Optional(Type.Literal(true)),
      'Only where this body is another one than the original’s. The original stays as it was.',
    ),
  }),
  'The original document.',
);
export type InboundDuplicateData = Static<typeof InboundDuplicateData>;
