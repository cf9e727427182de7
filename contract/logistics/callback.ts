import { type Static, Type } from 'typebox';
import {
  DocumentNumber,
  LineUnits,
  PriceAmount,
  StockInNumber,
  smallNumberMax,
  stockTypes,
  Text,
  TextOrNull,
  Units,
  WithExample,
  WithMeaning,
} from '../values.ts';

export const callbackEvents = [
  'order.partially_shipped',
  'order.shipped',
  'order.arrived',
  'order.delivered',
  'order.undelivered',
  'order.cancelled',
  'inbound.received',
  'inbound.stopped',
  'inbound.cancelled',
  'return.received',
  'return.stopped',
  'return.cancelled',
] as const;
export type CallbackEvent = (typeof callbackEvents)[number];

/** Why an order did not reach its recipient. */
export const undeliveredReasons = ['not_collected', 'refused', 'lost', 'damaged'] as const;
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

const CallbackReceivedUnits = Type.Object({
  sku: WithMeaning(Text(125), 'Your key for the product.'),
  quantity: WithMeaning(Units(), 'Units received.'),
  stock_type: WithMeaning(Type.Enum([...stockTypes]), 'Condition on arrival; `bad` units are not sold.'),
  batch: TextOrNull(125, 'Their batch.'),
  expire_date: WithMeaning(Type.Union([Type.String({ format: 'date' }), Type.Null()]), 'Expiry date of the units.'),
});

const CallbackShippedUnits = Type.Object({
  sku: WithMeaning(Text(125), 'Your key for the product.'),
  quantity: WithMeaning(LineUnits, 'Units in the parcel.'),
  batch: TextOrNull(125, 'Their batch.', 'L-2026-03'),
  expire_date: WithMeaning(
    Type.Union([Type.String({ format: 'date', examples: ['2027-12-31'] }), Type.Null()]),
    'Expiry date of the units.',
  ),
});

const CallbackParcel = Type.Object({
  shipment_no: WithMeaning(Text(125), 'Number of the shipment.'),
  carrier: TextOrNull(100, 'The carrier.'),
  items: Type.Array(CallbackShippedUnits, { description: 'the units in the parcel, by batch and expiry date' }),
});

const CallbackShortUnits = Type.Object({
  sku: WithMeaning(Text(125, 'TEA-1'), 'Your key for the product.'),
  quantity: WithMeaning(WithExample(LineUnits, 1), 'Units that were ordered but will not be shipped.'),
});

const shipmentMeaning = 'Shipped orders only: number of the shipment; of the first parcel, if there are several.';
const exampleShipmentNo = '905123456789';

type DocumentKind = 'order' | 'inbound' | 'return';

/** The fields of every event, in the order in which they are sent. Three of them identify the event. */
function eventFields<const Event extends CallbackEvent, const Kind extends DocumentKind, const Status extends string>(
  event: Event,
  kind: Kind,
  status: Status,
) {
  return {
    event_id: WithMeaning(
      Type.String({ format: 'uuid' }),
      'ID of the event, the same in every attempt: ignore an event that you have already processed.',
    ),
    event: WithMeaning(Type.Literal(event), 'The event.'),
    sequence: WithMeaning(
      Sequence,
      'Sequence number of this callback within its document, starting at 1. Callbacks arrive in this order.',
    ),
    test: WithMeaning(
      WithExample(Type.Boolean(), false),
      '`true`: a test callback; the event has not happened, so process nothing. Callbacks from before this field was added do not have it; they are no tests.',
    ),
    document_type: WithMeaning(Type.Literal(kind), 'The kind of document.'),
    document_no: WithMeaning(
      Text(255),
      'Your number for the document: `internal_name`, `outbound_short_id`, `form_no` or `inbound_short_id`.',
    ),
    internal_no: WithMeaning(
      Text(255),
      'Your internal number for the document: `internal_name`, `outbound_short_id`, `internal_form_no` or `inbound_short_id`.',
    ),
    name: TextOrNull(125, 'Orders only: the e-commerce order number, as sent; `null` for a form.', 'SHOP-88001'),
    lading_no: WithMeaning(
      DocumentNumber,
      'Our number for the document: `orders_id` or `stock_in_no` in the lists of the main API.',
    ),
    status: WithMeaning(Type.Literal(status), 'The status of the document.'),
    shipment_no: TextOrNull(125, shipmentMeaning, exampleShipmentNo),
    carrier: TextOrNull(100, 'Shipped orders only: the carrier of that shipment.', 'tcat'),
  };
}

/** The fields of the events of an order that has left, entirely or in part: it has a shipment number. */
function shippedEventFields<const Event extends CallbackEvent, const Status extends string>(
  event: Event,
  status: Status,
) {
  const shipment_no = WithMeaning(Text(125, exampleShipmentNo), shipmentMeaning);
  return { ...eventFields(event, 'order', status), shipment_no };
}

const contentFields = {
  occurred_at: WithMeaning(Type.String({ format: 'date-time' }), 'Time of the event.'),
  products: Type.Array(CallbackProduct, { description: 'the items, in the order sent' }),
};
const receivedMeaning =
  'Forms only: the goods that actually arrived, which may be more or fewer than announced in `products`; `null` for an order.';
const orderContent = {
  ...contentFields,
  received: WithExample(WithMeaning(Type.Null(), receivedMeaning), null),
  note: TextOrNull(2000, 'Orders only: as sent.', 'Please ring twice.'),
};
const formContent = {
  ...contentFields,
  received: WithMeaning(Type.Array(CallbackReceivedUnits), receivedMeaning),
  note: WithExample(WithMeaning(Type.Null(), 'Orders only; `null` for a form.'), null),
};

const shippedFields = {
  parcels: Type.Array(CallbackParcel, { description: 'all parcels that have left so far, in the order reported' }),
  short: WithMeaning(
    WithExample(Type.Array(CallbackShortUnits), []),
    'Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel.',
  ),
};

export const OrderPartiallyShippedCallback = Type.Object({
  ...shippedEventFields('order.partially_shipped', 'partially_shipped'),
  ...shippedFields,
  ...orderContent,
});
export const OrderShippedCallback = Type.Object({
  ...shippedEventFields('order.shipped', 'shipped'),
  ...shippedFields,
  ...orderContent,
});
export const OrderArrivedCallback = Type.Object({
  ...shippedEventFields('order.arrived', 'arrived'),
  ...shippedFields,
  ...orderContent,
});
export const OrderDeliveredCallback = Type.Object({
  ...shippedEventFields('order.delivered', 'delivered'),
  ...shippedFields,
  ...orderContent,
});
export const OrderUndeliveredCallback = Type.Object({
  ...shippedEventFields('order.undelivered', 'undelivered'),
  reason: WithMeaning(Type.Enum([...undeliveredReasons]), 'Why the order did not reach its recipient.'),
  return_no: WithMeaning(
    Type.Union([StockInNumber, Type.Null()]),
    'Our number for the return that we now expect, `stock_in_no` in the list of inbound documents; `null` if the goods are lost.',
  ),
  ...shippedFields,
  ...orderContent,
});
export const OrderCancelledCallback = Type.Object({
  ...eventFields('order.cancelled', 'order', 'cancelled'),
  ...orderContent,
});

export const InboundReceivedCallback = Type.Object({
  ...eventFields('inbound.received', 'inbound', 'received'),
  ...formContent,
});
export const InboundStoppedCallback = Type.Object({
  ...eventFields('inbound.stopped', 'inbound', 'stopped'),
  ...formContent,
});
export const InboundCancelledCallback = Type.Object({
  ...eventFields('inbound.cancelled', 'inbound', 'cancelled'),
  ...formContent,
});
export const ReturnReceivedCallback = Type.Object({
  ...eventFields('return.received', 'return', 'received'),
  ...formContent,
});
export const ReturnStoppedCallback = Type.Object({
  ...eventFields('return.stopped', 'return', 'stopped'),
  ...formContent,
});
export const ReturnCancelledCallback = Type.Object({
  ...eventFields('return.cancelled', 'return', 'cancelled'),
  ...formContent,
});

/** Parts of several events, published under their own names. */
export const callbackParts = {
  CallbackProduct,
  CallbackReceivedUnits,
  CallbackShippedUnits,
  CallbackParcel,
  CallbackShortUnits,
};

/** The schema of each event, by the name under which the OpenAPI document and the SDK publish it. */
export const callbackSchemas = {
  OrderPartiallyShippedCallback,
  OrderShippedCallback,
  OrderArrivedCallback,
  OrderDeliveredCallback,
  OrderUndeliveredCallback,
  OrderCancelledCallback,
  InboundReceivedCallback,
  InboundStoppedCallback,
  InboundCancelledCallback,
  ReturnReceivedCallback,
  ReturnStoppedCallback,
  ReturnCancelledCallback,
};

/** The body that we POST to `callback_url`; `event` says which of the schemas it has. */
export const CallbackBody = Type.Union(
  [
    OrderPartiallyShippedCallback,
    OrderShippedCallback,
    OrderArrivedCallback,
    OrderDeliveredCallback,
    OrderUndeliveredCallback,
    OrderCancelledCallback,
    InboundReceivedCallback,
    InboundStoppedCallback,
    InboundCancelledCallback,
    ReturnReceivedCallback,
    ReturnStoppedCallback,
    ReturnCancelledCallback,
  ],
  { discriminator: { propertyName: 'event' } },
);
export type CallbackBody = Static<typeof CallbackBody>;
