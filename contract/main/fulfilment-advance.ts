import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
import { exactlyOneOf, WithAlternatives } from '../alternatives.ts';
import { ErrorItem, warnings } from '../errors/lists.ts';
import { CallerIdentifier, Clearable, Identifier, isGiven, Message, Text, Title, WithMeaning } from '../values.ts';

export const advanceBatchMax = 100;
export const reportedStatuses = ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered'] as const;

const shipment_no = Identifier(125);
const carrier = Title(100);

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
        'Number of the shipment. Required with `shipped`, unless it was reported earlier; it cannot be changed afterwards.',
      ),
      carrier: WithMeaning(Clearable(carrier), 'The carrier.'),
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
