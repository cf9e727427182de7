import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, Identifier, isGiven, Message, Text, Title, WithMeaning } from '../values.ts';

export const advanceBatchMax = 100;
export const reportedStatuses = ['in_warehouse', 'picking', 'packed', 'shipped', 'delivered'] as const;

const shipment_no = Identifier(125);
const carrier = Title(100);

/** One of the two names, not both. */
const ReportedOrder = Type.Refine(
  Type.Object({
    outbound_short_id: WithMeaning(Clearable(CallerIdentifier), 'Your number of an order of the warehouse or the main API.'),
    internal_name: WithMeaning(Clearable(Identifier(30)), 'Your number of an order of the logistics webhook.'),
    status: WithMeaning(Type.Enum([...reportedStatuses]), 'How far the order has come.'),
    shipment_no: WithMeaning(
      Clearable(shipment_no),
      'Number of the shipment. Needed with `shipped`, unless it was said before; from then on it stays.',
    ),
    carrier: WithMeaning(Clearable(carrier), 'Who carries it.'),
  }),
  ({ outbound_short_id, internal_name }) => isGiven(outbound_short_id) !== isGiven(internal_name),
  ({ outbound_short_id }) =>
    isGiven(outbound_short_id) ? '.internal_name must not be given as well' : '.outbound_short_id is missing, or internal_name',
);

export const FulfilmentAdvanceBody = Type.Object({
  orders: WithMeaning(Type.Array(ReportedOrder, { minItems: 1, maxItems: advanceBatchMax }), `1-${advanceBatchMax} reports.`),
});
export type FulfilmentAdvanceBody = Static<typeof FulfilmentAdvanceBody>;

export const AdvanceResult = Type.Object({
  outbound_short_id: WithMeaning(Type.Optional(Text(125)), 'As it was sent.'),
  internal_name: WithMeaning(Type.Optional(Text(30)), 'As it was sent.'),
  status: WithMeaning(
    Type.Enum([...reportedStatuses, 'not_found', 'refused']),
    'The state the order is in now; `not_found`: you have no such order; `refused`: nothing was changed, and `message` says why.',
  ),
  message: WithMeaning(Type.Optional(Message), 'Why it was refused.'),
});
export type AdvanceResult = Static<typeof AdvanceResult>;

export const FulfilmentAdvanceRetval = WithMeaning(
  Type.Object({
    results: Type.Array(AdvanceResult, { maxItems: advanceBatchMax, description: 'one per report, in the order sent' }),
  }),
  'What became of each report.',
);
export type FulfilmentAdvanceRetval = Static<typeof FulfilmentAdvanceRetval>;
