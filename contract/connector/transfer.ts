import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';

const TextOrNull = (meaning: string, examples?: [string]) =>
  WithMeaning(Type.Union([Type.String(examples ? { examples } : {}), Type.Null()]), meaning);

const HeldLot = Type.Object({
  batch_id: WithMeaning(Type.String(), 'The batch; empty where the units have none.'),
  expire_date: WithMeaning(
    Type.Union([Type.String({ format: 'date' }), Type.Null()]),
    'Last day on which the units are good; `null`: they do not expire.',
  ),
  qty: WithMeaning(Type.Integer(), 'How many units of it.'),
});

const TransferDetail = Type.Object({
  sku_id: WithMeaning(Type.String(), "The account's own key of the product."),
  qty: WithMeaning(Type.Integer(), 'Units to be shipped.'),
  name: WithMeaning(Type.String(), 'What it is called.'),
  storage_type: WithMeaning(
    Type.String(),
    'How it is kept: `ambient`, `air_conditioned`, `frozen`, `chilled`, or what the sender has said.',
  ),
  batch: TextOrNull('The only batch that may be taken; `null`: any.'),
  identifier: TextOrNull('As it was sent.', ['LINE-1']),
  combo_sku: TextOrNull('As it was sent.'),
  lots: Type.Array(HeldLot, { description: 'the units that are held for it' }),
});

const TransferOrder = Type.Object({
  transfer_id: WithMeaning(
    Type.String({ format: 'uuid' }),
    'Number of this transfer, the same in every try: what you have seen you need not take again.',
  ),
  orders_id: WithMeaning(Type.String(), 'Our number of the order.'),
  account_no: WithMeaning(Type.String(), 'Whose order it is.'),
  channel: WithMeaning(Type.Enum(['warehouse', 'main', 'logistics']), 'Through which contract it came.'),
  outbound_short_id: TextOrNull("The account's own number of it; `null` for orders of the logistics webhook."),
  internal_name: TextOrNull("The account's own number of it, of orders of the logistics webhook."),
  name: TextOrNull('The e-commerce order number, of orders of the logistics webhook.'),
  store_no: WithMeaning(Type.Integer(), 'To which store it belongs.'),
  logistics_type: TextOrNull('How it is shipped: `home`, `csvs`; `null` for orders of the logistics webhook.'),
  express_type: TextOrNull('By whom it is shipped; `null` for orders of the logistics webhook.'),
  consignee_country: TextOrNull('As it was sent.'),
  consignee_name: TextOrNull('As it was sent.'),
  consignee_phone: TextOrNull('As it was sent.'),
  consignee_address: TextOrNull('As it was sent.'),
  consignee_zip: TextOrNull('As it was sent.'),
  consignee_city: TextOrNull('As it was sent.'),
  customer_name: TextOrNull('Who has ordered it, of orders of the logistics webhook.'),
  delivery_charge: WithMeaning(
    Type.Union([Type.Number(), Type.Null()]),
    'Shipping fee, in New Taiwan dollars, of orders of the logistics webhook.',
  ),
  note: TextOrNull('As it was sent.'),
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
  warehouse_no: WithMeaning(Type.Integer(), 'Which warehouse the orders are for.'),
  sent_at: WithMeaning(Type.String({ format: 'date-time' }), 'When this request was made.'),
  orders: Type.Array(TransferOrder, { description: '1-100 orders, the oldest first' }),
});
export type TransferBody = Static<typeof TransferBody>;

/** What may be answered with a 2xx. */
export const TransferAnswer = Type.Object({
  results: Type.Array(
    Type.Object({
      transfer_id: WithMeaning(Type.String({ format: 'uuid' }), 'Which one.'),
      accepted: WithMeaning(Type.Boolean(), '`false`: you do not want it. Whatever is not named so is taken.'),
      reason: WithMeaning(Type.Optional(Type.String()), 'Why not, for people. The first 500 characters are kept.'),
    }),
    { description: 'those that you do not want, or all' },
  ),
});
export type TransferAnswer = Static<typeof TransferAnswer>;
