import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { Errors, warnings } from '../errors/lists.ts';
import {
  CallerIdentifier,
  Clearable,
  ExpiryDate,
  PlaceNumber,
  Qty,
  StockInNumber,
  Text,
  WithMeaning,
} from '../values.ts';

export const inboundDetailsMax = 500;
export const expiresMax = 100;
export const expiresInAllMax = 5000;
/** The end of the year 9999. */
const epochMsMax = 253_402_300_799_999;

const Expiry = Type.Object({
  expire_date: WithMeaning(ExpiryDate, 'Expiry date of these units. Omitted, `null` or `""`: they do not expire.'),
  qty: WithMeaning(Qty, 'Number of units with this expiry date.'),
});

const InboundDetail = Type.Refine(
  Type.Object({
    sku_id: WithMeaning(
      CallerIdentifier,
      'A product that has been synced. The same product may appear in several details.',
    ),
    expires: Type.Array(Expiry, {
      minItems: 1,
      maxItems: expiresMax,
      'x-max-items-in-all': expiresInAllMax,
      description: `the units by expiry date, at most ${expiresInAllMax} in all details together`,
    }),
    qty: WithMeaning(Clearable(Qty), 'If given, it must equal the sum of the `qty` of `expires`.'),
  }),
  ({ qty, expires }) =>
    qty === undefined || qty === null || qty === expires.reduce((sum, expiry) => sum + expiry.qty, 0),
  (): BrokenRule => '.qty qty_not_sum',
);

/** The fields shared by F-2 and F-3. */
export const inboundFields = {
  inbound_short_id: WithMeaning(
    CallerIdentifier,
    'Your number for the document. It must be unique forever and is the idempotency key.',
  ),
  warehouse_tpw_id: WithMeaning(
    CallerIdentifier,
    'Tenant identifier from the operator. Together with the account, it determines the warehouse.',
  ),
  estimated_arrival_time: WithMeaning(
    Clearable(Type.Integer({ minimum: 0, maximum: epochMsMax, description: 'epoch milliseconds' })),
    'Expected arrival of the goods.',
  ),
  details: Type.Array(InboundDetail, {
    minItems: 1,
    maxItems: inboundDetailsMax,
    description: 'the announced goods, by product',
  }),
};
const InboundFields = Type.Object(inboundFields);
export type InboundFields = Static<typeof InboundFields>;

const inboundNumbers = {
  success: WithMeaning(Type.Boolean(), 'The same as in the envelope.'),
  stock_in_no: WithMeaning(StockInNumber, 'Our number for the document; starts with `si_`.'),
  stock_in_sn: WithMeaning(Text(125), 'Your `inbound_short_id`.'),
  warehouse_no: WithMeaning(PlaceNumber, 'The warehouse that will receive the goods.'),
};

export const InboundCreatedData = WithMeaning(Type.Object({ ...inboundNumbers, ...warnings }), 'The created document.');
export type InboundCreatedData = Static<typeof InboundCreatedData>;

/**
 * The data of a duplicate (code LST-TPW-2001): the numbers of the original, and `payload_differs` if the bodies differ.
 */
export const InboundDuplicateData = WithMeaning(
  Type.Object({
    ...inboundNumbers,
    payload_differs: WithMeaning(
      Type.Optional(Type.Literal(true)),
      'Only present if the body differs from the original, which remains unchanged.',
    ),
    ...warnings,
    errors: Errors,
  }),
  'The original document.',
);
export type InboundDuplicateData = Static<typeof InboundDuplicateData>;
