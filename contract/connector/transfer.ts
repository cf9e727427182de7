import { type Static, Type } from 'typebox';
import { Amount, LineUnits, OneOfOrNull, OrderNumber, PlaceNumber, Text, TextOrNull, WithMeaning } from '../values.ts';
import { countries, expressTypes, logisticsTypes } from '../warehouse/outbound-create.ts';

const HeldLot = Type.Object({
  batch_id: WithMeaning(Text(125), 'The batch; empty if the units have none.'),
  expire_date: WithMeaning(
    Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    'Expiry date; `null` if the units do not expire.',
  ),
  qty: WithMeaning(LineUnits, 'Number of units.'),
});

const TransferDetail = Type.Object({
  sku_id: WithMeaning(Text(125), "The account's key for the product."),
  qty: WithMeaning(LineUnits, 'Units to be shipped.'),
  name: WithMeaning(Text(255), 'Name of the product.'),
  storage_type: WithMeaning(
    Text(50),
    'Storage type: `ambient`, `air_conditioned`, `frozen`, `chilled`, or a category named by the sender.',
  ),
  batch: TextOrNull(125, 'The only batch that may be shipped; `null`: any.'),
  identifier: TextOrNull(125, 'The value in the request.', 'LINE-1'),
  combo_sku: TextOrNull(125, 'The value in the request.'),
  lots: Type.Array(HeldLot, { description: 'the units allocated to the line' }),
});

const TransferOrder = Type.Object({
  transfer_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'ID of this transfer, the same in every attempt: ignore a transfer that you have already processed.',
  ),
  orders_id: WithMeaning(OrderNumber, 'Our number for the order.'),
  account_no: WithMeaning(Text(64), 'The account that owns the order.'),
  channel: WithMeaning(Type.Enum(['warehouse', 'main', 'logistics']), 'The API through which it was created.'),
  outbound_short_id: TextOrNull(
    125,
    "The account's own number for the order; `null` for orders of the logistics webhook.",
  ),
  internal_name: TextOrNull(
    30,
    "The account's own number for the order; only orders of the logistics webhook have one.",
  ),
  name: TextOrNull(125, 'The e-commerce order number; only orders of the logistics webhook have one.'),
  store_no: WithMeaning(PlaceNumber, 'The store to which the order belongs.'),
  logistics_type: OneOfOrNull(logisticsTypes, 'Delivery method; `null` for orders of the logistics webhook.', 'home'),
  express_type: OneOfOrNull(
    expressTypes,
    'Carrier or convenience-store chain; `null` for orders of the logistics webhook.',
    'tcat',
  ),
  consignee_country: OneOfOrNull(countries, 'The value in the request.', 'TW'),
  consignee_name: TextOrNull(255, 'The value in the request.'),
  consignee_phone: TextOrNull(50, 'The value in the request.'),
  consignee_address: TextOrNull(500, 'The value in the request.'),
  consignee_zip: TextOrNull(20, 'The value in the request.'),
  consignee_city: TextOrNull(100, 'The value in the request.'),
  customer_name: TextOrNull(25, 'Name of the customer; only orders of the logistics webhook have one.'),
  delivery_charge: WithMeaning(
    Type.Union([Amount(), Type.Null()]),
    'Shipping fee in New Taiwan dollars; only orders of the logistics webhook have one.',
  ),
  note: TextOrNull(2000, 'The value in the request.'),
  store_pickup_label_data: WithMeaning(
    Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    'Data for the label of a convenience-store pickup, as sent.',
  ),
  created_at: WithMeaning(Type.String({ format: 'date-time' }), 'Time of creation.'),
  details: Type.Array(TransferDetail, { description: 'the lines, in the order sent' }),
});

/** The body that we POST to the `url` of a connector of type http. */
export const TransferBody = Type.Object({
  batch_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'ID of this request. A retry may combine orders differently and then has another ID.',
  ),
  warehouse_no: WithMeaning(PlaceNumber, 'The warehouse that ships the orders.'),
  sent_at: WithMeaning(Type.String({ format: 'date-time' }), 'Time of this request.'),
  orders: Type.Array(TransferOrder, { minItems: 1, maxItems: 100, description: '1-100 orders, oldest first' }),
});
export type TransferBody = Static<typeof TransferBody>;

/** The maximum number of bytes of a response that we read. */
export const answerBytesMax = 16_384;

/** The optional body of a 2xx response. */
export const TransferAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      transfer_id: WithMeaning(Type.String({ format: 'uuid' }), 'The transfer.'),
      accepted: WithMeaning(
        Type.Boolean(),
        '`false`: you reject the order. Orders that are not rejected here are accepted.',
      ),
      reason: WithMeaning(
        Type.Optional(Text(answerBytesMax)),
        'The reason, as text for people. The first 500 characters are stored.',
      ),
    }),
    { description: 'the rejected orders, or all orders' },
  ),
});
export type TransferAnswer = Static<typeof TransferAnswer>;
