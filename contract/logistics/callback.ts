import { type Static, Type } from 'typebox';
import { DocumentNumber, LineUnits, PriceAmount, smallNumberMax, Text, TextOrNull, Units, WithMeaning } from '../values.ts';

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
/** The states that are told. */
const toldStatuses = ['shipped', 'cancelled', 'received', 'stopped'] as const;
export const Sequence = Type.Integer({ minimum: 1, maximum: smallNumberMax });

const CallbackProduct = Type.Object({
  sku: WithMeaning(Text(125), 'Your own key of the product.'),
  quantity: WithMeaning(LineUnits, 'Units, as they were ordered or announced.'),
  name: TextOrNull(255, 'As it was sent.'),
  storage_type: TextOrNull(50, 'As it was understood.'),
  price: WithMeaning(Type.Union([PriceAmount(), Type.Null()]), 'As it was sent.'),
  batch: TextOrNull(125, 'As it was sent.'),
  identifier: TextOrNull(125, 'As it was sent.', 'LINE-1'),
  combo_sku: WithMeaning(Type.Optional(Type.Union([Text(125, 'GIFT-BOX'), Type.Null()])), 'Of an order: as it was sent.'),
  expire_date: WithMeaning(
    Type.Optional(Type.Union([Type.String({ format: 'date' }), Type.Null()])),
    'Of a form: last day on which the units are good.',
  ),
});

const ReceivedUnits = Type.Object({
  sku: WithMeaning(Text(125), 'Your own key of the product.'),
  quantity: WithMeaning(Units(), 'Units that have arrived.'),
  stock_type: WithMeaning(Type.Enum(['good', 'bad']), 'How they were found; `bad` units are not sold.'),
  batch: TextOrNull(125, 'Their batch.'),
  expire_date: WithMeaning(Type.Union([Type.String({ format: 'date' }), Type.Null()]), 'Last day on which they are good.'),
});

/** The body that is posted to `callback_url`. */
export const CallbackBody = Type.Object({
  event_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'Number of the event, the same in every try: who has seen it need not look at it again.',
  ),
  event: WithMeaning(Type.Enum([...callbackEvents]), 'What happened.'),
  sequence: WithMeaning(Sequence, 'The how-manieth callback of its document it is, from 1 on. They arrive in this order.'),
  document_type: WithMeaning(Type.Enum(['order', 'inbound', 'return']), 'What it happened to.'),
  document_no: WithMeaning(Text(255), 'Your own number of it: `internal_name` or `form_no`.'),
  internal_no: WithMeaning(Text(255), 'Your internal number of it: `internal_name` or `internal_form_no`.'),
  name: TextOrNull(125, 'Of an order: the e-commerce order number, as it was sent; `null` for a form.', 'SHOP-88001'),
  lading_no: WithMeaning(DocumentNumber, 'Our number of it: `orders_id` or `stock_in_no` in the lists of the main API.'),
  status: WithMeaning(Type.Enum([...toldStatuses]), 'The state that it has reached.'),
  shipment_no: TextOrNull(125, 'Of an order that was shipped: number of the shipment.'),
  carrier: TextOrNull(100, 'Of an order that was shipped: who carries it.'),
  occurred_at: WithMeaning(Type.String({ format: 'date-time' }), 'When it happened.'),
  products: Type.Array(CallbackProduct, { description: 'its items, in the order sent' }),
  received: WithMeaning(
    Type.Union([Type.Array(ReceivedUnits), Type.Null()]),
    'Of a form: what has really arrived, which may be more or less than `products` announce; `null` for an order.',
  ),
  note: TextOrNull(2000, 'Of an order: as it was sent.'),
});
export type CallbackBody = Static<typeof CallbackBody>;
