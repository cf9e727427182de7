import { type Static, Type } from 'typebox';
import { Amount, LineUnits, OneOfOrNull, OrderNumber, PlaceNumber, Text, TextOrNull, WithMeaning } from '../values.ts';
import { countries, expressTypes, logisticsTypes } from '../warehouse/outbound-create.ts';

const HeldLot = Type.Object({
  batch_id: WithMeaning(Text(125), 'The batch; empty where the units have none.'),
  expire_date: WithMeaning(
    Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    'Last day on which the units are good; `null`: they do not expire.',
  ),
  qty: WithMeaning(LineUnits, 'How many units of it.'),
});

const TransferDetail = Type.Object({
  sku_id: WithMeaning(Text(125), "The account's own key of the product."),
  qty: WithMeaning(LineUnits, 'Units to be shipped.'),
  name: WithMeaning(Text(255), 'What it is called.'),
  storage_type: WithMeaning(Text(50), 'How it is kept: `ambient`, `air_conditioned`, `frozen`, `chilled`, or what the sender has said.'),
  batch: TextOrNull(125, 'The only batch that may be taken; `null`: any.'),
  identifier: TextOrNull(125, 'As it was sent.', 'LINE-1'),
  combo_sku: TextOrNull(125, 'As it was sent.'),
  lots: Type.Array(HeldLot, { description: 'the units that are held for it' }),
});

const TransferOrder = Type.Object({
  transfer_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'Number of this transfer, the same in every try: what you have seen you need not take again.',
  ),
  orders_id: WithMeaning(OrderNumber, 'Our number of the order.'),
  account_no: WithMeaning(Text(64), 'Whose order it is.'),
  channel: WithMeaning(Type.Enum(['warehouse', 'main', 'logistics']), 'Through which contract it came.'),
  outbound_short_id: TextOrNull(125, "The account's own number of it; `null` for orders of the logistics webhook."),
  internal_name: TextOrNull(30, "The account's own number of it, of orders of the logistics webhook."),
  name: TextOrNull(125, 'The e-commerce order number, of orders of the logistics webhook.'),
  store_no: WithMeaning(PlaceNumber, 'To which store it belongs.'),
  logistics_type: OneOfOrNull(logisticsTypes, 'How it is shipped; `null` for orders of the logistics webhook.', 'home'),
  express_type: OneOfOrNull(expressTypes, 'By whom it is shipped; `null` for orders of the logistics webhook.', 'tcat'),
  consignee_country: OneOfOrNull(countries, 'As it was sent.', 'TW'),
  consignee_name: TextOrNull(255, 'As it was sent.'),
  consignee_phone: TextOrNull(50, 'As it was sent.'),
  consignee_address: TextOrNull(500, 'As it was sent.'),
  consignee_zip: TextOrNull(20, 'As it was sent.'),
  consignee_city: TextOrNull(100, 'As it was sent.'),
  customer_name: TextOrNull(25, 'Who has ordered it, of orders of the logistics webhook.'),
  delivery_charge: WithMeaning(
    Type.Union([Amount(), Type.Null()]),
    'Shipping fee, in New Taiwan dollars, of orders of the logistics webhook.',
  ),
  note: TextOrNull(2000, 'As it was sent.'),
  store_pickup_label_data: WithMeaning(
    Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    'What the label of a convenience-store pickup needs, as it was sent.',
  ),
  created_at: WithMeaning(Type.String({ format: 'date-time' }), 'When it was created.'),
  details: Type.Array(TransferDetail, { description: 'its lines, in the order sent' }),
});

/** The body that is posted to the `url` of a connector of type http. */
export const TransferBody = Type.Object({
  batch_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'Number of this request. What is sent again may be put together in another way, with another number.',
  ),
  warehouse_no: WithMeaning(PlaceNumber, 'Which warehouse the orders are for.'),
  sent_at: WithMeaning(Type.String({ format: 'date-time' }), 'When this request was made.'),
  orders: Type.Array(TransferOrder, { minItems: 1, maxItems: 100, description: '1-100 orders, the oldest first' }),
});
export type TransferBody = Static<typeof TransferBody>;

/** So much of an answer is read. */
const answerBytesMax = 16_384;

/** What may be answered with a 2xx. */
export const TransferAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      transfer_id: WithMeaning(Type.String({ format: 'uuid' }), 'Which one.'),
      accepted: WithMeaning(Type.Boolean(), '`false`: you do not want it. Whatever is not named so is taken.'),
      reason: WithMeaning(Type.Optional(Text(answerBytesMax)), 'Why not, for people. The first 500 characters are kept.'),
    }),
    { description: 'those that you do not want, or all' },
  ),
});
export type TransferAnswer = Static<typeof TransferAnswer>;
