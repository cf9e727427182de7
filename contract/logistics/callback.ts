import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';

export const callbackEvents = [
  'order.shipped',
  'order.cancelled',
  'inbound.received',
  'inbound.stopped',
  'inbound.cancelled',
  'return.received',
  'return.stopped',
  'return.cancelled',
] as const;

const TextOrNull = (meaning: string, examples?: [string]) =>
  WithMeaning(Type.Union([Type.String(examples ? { examples } : {}), Type.Null()]), meaning);

const CallbackProduct = Type.Object({
  sku: WithMeaning(Type.String(), 'Your own key of the product.'),
  quantity: WithMeaning(Type.Integer(), 'Units, as they were ordered or announced.'),
  name: TextOrNull('As it was sent.'),
  storage_type: TextOrNull('As it was understood.'),
  price: WithMeaning(Type.Union([Type.Number(), Type.Null()]), 'As it was sent.'),
  batch: TextOrNull('As it was sent.'),
  identifier: TextOrNull('As it was sent.', ['LINE-1']),
  combo_sku: WithMeaning(Type.Optional(Type.Union([Type.String({ examples: ['GIFT-BOX'] }), Type.Null()])), 'Of an order: as it was sent.'),
  expire_date: WithMeaning(
    Type.Optional(Type.Union([Type.String({ format: 'date' }), Type.Null()])),
    'Of a form: last day on which the units are good.',
  ),
});

const ReceivedUnits = Type.Object({
  sku: WithMeaning(Type.String(), 'Your own key of the product.'),
  quantity: WithMeaning(Type.Integer(), 'Units that have arrived.'),
  stock_type: WithMeaning(Type.Enum(['good', 'bad']), 'How they were found; `bad` units are not sold.'),
  batch: TextOrNull('Their batch.'),
  expire_date: WithMeaning(Type.Union([Type.String({ format: 'date' }), Type.Null()]), 'Last day on which they are good.'),
});

/** The body that is posted to `callback_url`. */
export const CallbackBody = Type.Object({
  event_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'Number of the event, the same in every try: who has seen it need not look at it again.',
  ),
  event: WithMeaning(Type.Enum([...callbackEvents]), 'What happened.'),
  sequence: WithMeaning(Type.Integer(), 'The how-manieth callback of its document it is, from 1 on. They arrive in this order.'),
  document_type: WithMeaning(Type.Enum(['order', 'inbound', 'return']), 'What it happened to.'),
  document_no: WithMeaning(Type.String(), 'Your own number of it: `internal_name` or `form_no`.'),
  internal_no: WithMeaning(Type.String(), 'Your internal number of it: `internal_name` or `internal_form_no`.'),
  lading_no: WithMeaning(Type.String(), 'Our number of it: `orders_id` or `stock_in_no` in the lists of the main API.'),
  status: WithMeaning(Type.String(), 'The state that it has reached.'),
  shipment_no: TextOrNull('Of an order that was shipped: number of the shipment.'),
  carrier: TextOrNull('Of an order that was shipped: who carries it.'),
  occurred_at: WithMeaning(Type.String({ format: 'date-time' }), 'When it happened.'),
  products: Type.Array(CallbackProduct, { description: 'its items, in the order sent' }),
  received: WithMeaning(
    Type.Union([Type.Array(ReceivedUnits), Type.Null()]),
    'Of a form: what has really arrived, which may be more or less than `products` announce; `null` for an order.',
  ),
  note: TextOrNull('Of an order: as it was sent.'),
});
export type CallbackBody = Static<typeof CallbackBody>;
