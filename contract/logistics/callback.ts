import { type Static, Type } from 'typebox';
import {
  DocumentNumber,
  LineUnits,
  PriceAmount,
  smallNumberMax,
  stockTypes,
  Text,
  TextOrNull,
  Units,
  WithMeaning,
} from '../values.ts';

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
/** The statuses that callbacks report. */
const reportedStatuses = ['shipped', 'cancelled', 'received', 'stopped'] as const;
export const Sequence = Type.Integer({ minimum: 1, maximum: smallNumberMax });

const CallbackProduct = Type.Object({
  sku: WithMeaning(Text(125), 'Your key for the product.'),
  quantity: WithMeaning(LineUnits, 'Units ordered or announced.'),
  name: TextOrNull(255, 'The value in the request.'),
  storage_type: TextOrNull(50, 'The storage type that we read from the request.'),
  price: WithMeaning(Type.Union([PriceAmount(), Type.Null()]), 'The value in the request.'),
  batch: TextOrNull(125, 'The value in the request.'),
  identifier: TextOrNull(125, 'The value in the request.', 'LINE-1'),
  combo_sku: WithMeaning(Type.Optional(Type.Union([Text(125, 'GIFT-BOX'), Type.Null()])), 'Orders only: as sent.'),
  expire_date: WithMeaning(
    Type.Optional(Type.Union([Type.String({ format: 'date' }), Type.Null()])),
    'Forms only: expiry date of the units.',
  ),
});

const ReceivedUnits = Type.Object({
  sku: WithMeaning(Text(125), 'Your key for the product.'),
  quantity: WithMeaning(Units(), 'Units received.'),
  stock_type: WithMeaning(Type.Enum([...stockTypes]), 'Condition on arrival; `bad` units are not sold.'),
  batch: TextOrNull(125, 'Their batch.'),
  expire_date: WithMeaning(Type.Union([Type.String({ format: 'date' }), Type.Null()]), 'Expiry date of the units.'),
});

/** The body that we POST to `callback_url`. */
export const CallbackBody = Type.Object({
  event_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'ID of the event, the same in every attempt: ignore an event that you have already processed.',
  ),
  event: WithMeaning(Type.Enum([...callbackEvents]), 'The event.'),
  sequence: WithMeaning(
    Sequence,
    'Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order.',
  ),
  document_type: WithMeaning(Type.Enum(['order', 'inbound', 'return']), 'The kind of document.'),
  document_no: WithMeaning(Text(255), 'Your number for the document: `internal_name` or `form_no`.'),
  internal_no: WithMeaning(Text(255), 'Your internal number for the document: `internal_name` or `internal_form_no`.'),
  name: TextOrNull(125, 'Orders only: the e-commerce order number, as sent; `null` for a form.', 'SHOP-88001'),
  lading_no: WithMeaning(
    DocumentNumber,
    'Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API.',
  ),
  status: WithMeaning(Type.Enum([...reportedStatuses]), 'The status of the document.'),
  shipment_no: TextOrNull(125, 'Shipped orders only: number of the shipment.'),
  carrier: TextOrNull(100, 'Shipped orders only: the carrier.'),
  occurred_at: WithMeaning(Type.String({ format: 'date-time' }), 'Time of the event.'),
  products: Type.Array(CallbackProduct, { description: 'the items, in the order sent' }),
  received: WithMeaning(
    Type.Union([Type.Array(ReceivedUnits), Type.Null()]),
    'Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order.',
  ),
  note: TextOrNull(2000, 'Orders only: as sent.'),
});
export type CallbackBody = Static<typeof CallbackBody>;
