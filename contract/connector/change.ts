import { type Static, Type } from 'typebox';
import { changeFields } from '../main/orders-update.ts';
import { OrderNumber, PlaceNumber, Text, TextOrNull, WithMeaning } from '../values.ts';
import { answerBytesMax } from './transfer.ts';

export const changeEvents = ['order.updated', 'order.held', 'order.released'] as const;

const ChangedFields = Type.Object(changeFields, {
  description: 'the fields to change, with their new values; the other fields stay as they are',
});

const RequestedChange = Type.Object({
  change_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'ID of this change, the same in every attempt: respond to a repeat as you did the first time.',
  ),
  event: WithMeaning(
    Type.Enum([...changeEvents]),
    '`order.updated`: change the fields. `order.held`: do not pick the order. `order.released`: pick it after all.',
  ),
  transfer_id: WithMeaning(Type.String({ format: 'uuid' }), 'The transfer by which you received the order.'),
  orders_id: WithMeaning(OrderNumber, 'Our number for the order.'),
  account_no: WithMeaning(Text(64), 'The account that owns the order.'),
  outbound_short_id: TextOrNull(
    125,
    "The account's own number for the order; `null` for orders of the logistics webhook.",
  ),
  internal_name: TextOrNull(
    30,
    "The account's own number for the order; only orders of the logistics webhook have one.",
  ),
  requested_at: WithMeaning(Type.String({ format: 'date-time' }), 'Time at which the change was requested.'),
  fields: WithMeaning(Type.Union([ChangedFields, Type.Null()]), '`null` unless the event is `order.updated`.'),
  reason: TextOrNull(500, 'The reason for a hold, as text for people.', 'The pickup store has closed.'),
});

/** The body that we POST to the `changes_url` of a connector of type http. */
export const ChangeBody = Type.Object({
  batch_id: WithMeaning(Type.String({ format: 'uuid' }), 'ID of this request.'),
  warehouse_no: WithMeaning(PlaceNumber, 'The warehouse that has the orders.'),
  sent_at: WithMeaning(Type.String({ format: 'date-time' }), 'Time of this request.'),
  changes: Type.Array(RequestedChange, { minItems: 1, maxItems: 100, description: '1-100 changes, oldest first' }),
});
export type ChangeBody = Static<typeof ChangeBody>;

/** The optional body of a 2xx response. */
export const ChangeAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      change_id: WithMeaning(Type.String({ format: 'uuid' }), 'The change.'),
      accepted: WithMeaning(
        Type.Boolean(),
        '`false`: it is too late for the change. Changes that are not refused here are accepted.',
      ),
      reason: WithMeaning(
        Type.Optional(Text(answerBytesMax)),
        'The reason, as text for people. The first 500 characters are stored.',
      ),
    }),
    { description: 'the refused changes, or all changes' },
  ),
});
export type ChangeAnswer = Static<typeof ChangeAnswer>;
