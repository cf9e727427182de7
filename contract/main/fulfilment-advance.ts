import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { exactlyOneOf, WithAlternatives } from '../alternatives.ts';
import { ErrorItem, warnings } from '../errors/lists.ts';
import { undeliveredReasons } from '../logistics/callback.ts';
import {
  CallerIdentifier,
  Clearable,
  ExpiryDate,
  Identifier,
  IdentifierOrEmpty,
  isGiven,
  Message,
  Qty,
  Text,
  Title,
  WithExample,
  WithMeaning,
} from '../values.ts';

export const advanceBatchMax = 100;
export const parcelsMax = 100;
export const parcelItemsMax = 500;
export const reportedStatuses = [
  'in_warehouse',
  'picking',
  'packed',
  'partially_shipped',
  'shipped',
  'arrived',
  'delivered',
  'undelivered',
] as const;

const shipment_no = Identifier(125);
const carrier = Title(100);

const ParcelItem = Type.Object({
  sku_id: WithMeaning(CallerIdentifier, 'Your key for the product.'),
  qty: WithMeaning(Qty, 'Units in the parcel.'),
  batch_id: WithMeaning(
    WithExample(Clearable(IdentifierOrEmpty(125)), 'L-2026-03'),
    'Their batch. Omitted or empty: any that the order holds, earliest expiry first.',
  ),
  expire_date: WithMeaning(
    WithExample(ExpiryDate, '2027-12-31'),
    'Their expiry date. Omitted, `null` or `""`: any that the order holds, earliest expiry first.',
  ),
});

const ReportedParcel = Type.Object({
  shipment_no: WithMeaning(shipment_no, 'Number of the shipment, unique in your account for each carrier.'),
  carrier: WithMeaning(Clearable(carrier), 'The carrier of this parcel; by default that of the report.'),
  items: WithMeaning(
    Clearable(Type.Array(ParcelItem, { minItems: 1, maxItems: parcelItemsMax })),
    `1-${parcelItemsMax} entries of units. Omitted: all units of the order that have not left yet.`,
  ),
});

/** A report names its order by exactly one of the two numbers. */
const ReportedOrder = Type.Refine(
  WithAlternatives(
    Type.Object({
      outbound_short_id: WithMeaning(
        Clearable(CallerIdentifier),
        'Your number for an order of the warehouse API or the main API.',
      ),
      internal_name: WithMeaning(Clearable(Identifier(30)), 'Your number for an order of the logistics webhook.'),
      status: WithMeaning(Type.Enum([...reportedStatuses]), 'The status that the order has reached.'),
      shipment_no: WithMeaning(
        Clearable(shipment_no),
        'Number of the shipment. `shipped` requires it or `parcels`, unless it was reported earlier; it cannot be changed afterwards. It means one parcel with all units that have not left yet.',
      ),
      carrier: WithMeaning(Clearable(carrier), 'The carrier.'),
      parcels: WithMeaning(
        Clearable(Type.Array(ReportedParcel, { minItems: 1, maxItems: parcelsMax })),
        `1-${parcelsMax} parcels, with \`partially_shipped\` or \`shipped\` and instead of \`shipment_no\`. A parcel that was reported before changes nothing.`,
      ),
      final: WithMeaning(
        WithExample(Clearable(Type.Boolean()), true),
        'Only with `shipped`. `true`: no more parcels follow. Units that have not left are released and listed as `short`.',
      ),
      allow_repeat: WithMeaning(
        WithExample(Clearable(Type.Boolean()), true),
        '`true`: another order may have left with the same shipment number, for several orders in one parcel.',
      ),
      reason: WithMeaning(
        WithExample(Clearable(Type.Enum([...undeliveredReasons])), 'not_collected'),
        'Required with `undelivered`: why the order did not reach its recipient.',
      ),
    }),
    exactlyOneOf('outbound_short_id', 'internal_name'),
  ),
  ({ outbound_short_id, internal_name }) => isGiven(outbound_short_id) !== isGiven(internal_name),
  ({ outbound_short_id }): BrokenRule =>
    isGiven(outbound_short_id) ? '.internal_name two_orders_named' : '.outbound_short_id no_order_named',
);

export const FulfilmentAdvanceBody = Type.Object({
  orders: WithMeaning(
    Type.Array(ReportedOrder, { minItems: 1, maxItems: advanceBatchMax }),
    `1-${advanceBatchMax} reports.`,
  ),
});
export type FulfilmentAdvanceBody = Static<typeof FulfilmentAdvanceBody>;

export const AdvanceResult = Type.Object({
  outbound_short_id: WithMeaning(Type.Optional(Text(125)), 'The value in the request.'),
  internal_name: WithMeaning(Type.Optional(Text(30)), 'The value in the request.'),
  status: WithMeaning(
    Type.Enum([...reportedStatuses, 'not_found', 'refused']),
    'Current status of the order; `not_found`: you have no such order; `refused`: nothing was changed, and `message` gives the reason.',
  ),
  code: WithMeaning(
    Type.Optional(ErrorItem.properties.code),
    'The reason for the rejection, for programs; one of the codes in `errors`.',
  ),
  message: WithMeaning(Type.Optional(Message), 'The reason for the rejection.'),
});
export type AdvanceResult = Static<typeof AdvanceResult>;

export const FulfilmentAdvanceRetval = WithMeaning(
  Type.Object({
    results: Type.Array(AdvanceResult, { maxItems: advanceBatchMax, description: 'one per report, in the order sent' }),
    ...warnings,
  }),
  'The result of each report.',
);
export type FulfilmentAdvanceRetval = Static<typeof FulfilmentAdvanceRetval>;
