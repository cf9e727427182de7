import { type Static, Type } from 'typebox';
import { WithMeaning } from '../values.ts';
import { exactText, number, oneOf, type SearchList, smallNumberMax, text, time, unsorted } from './search-list.ts';
import { Timeline } from './timeline.ts';
import { Time } from './times.ts';

export const orderStatuses = [
  'awaiting_stock',
  'pending_warehouse_transfer',
  'in_warehouse',
  'picking',
  'packed',
  'shipped',
  'delivered',
  'cancelled',
] as const;
export const orderChannels = ['warehouse', 'main', 'logistics'] as const;

const TextOrNull = (meaning: string) => WithMeaning(Type.Union([Type.String(), Type.Null()]), meaning);

const OrderItem = Type.Object({
  name: TextOrNull('As it was sent.'),
  storage_type: TextOrNull('As it was understood.'),
  price: WithMeaning(Type.Union([Type.Number(), Type.Null()]), 'Price of one unit, in New Taiwan dollars.'),
  batch: TextOrNull('The only batch that may be taken.'),
  identifier: TextOrNull('As it was sent.'),
  combo_sku: TextOrNull('As it was sent.'),
});

const Shipping = Type.Object({
  customer_name: WithMeaning(Type.String(), 'As it was sent.'),
  delivery_charge: WithMeaning(Type.Number(), 'Shipping fee, in New Taiwan dollars.'),
  city: TextOrNull('As it was sent.'),
  note: TextOrNull('As it was sent.'),
  callback_url: TextOrNull('Where you are told what becomes of it.'),
  store_pickup_label_data: WithMeaning(
    Type.Union([Type.Object({}, { additionalProperties: true }), Type.Null()]),
    'What the label of a convenience-store pickup needs, as it was sent.',
  ),
});

export const OrderRow = Type.Object({
  orders_id: WithMeaning(Type.String(), 'Our number of the order.'),
  outbound_short_id: TextOrNull('Your own number of it; `null` for orders of the logistics webhook.'),
  internal_name: TextOrNull('Your own number of it, of orders of the logistics webhook.'),
  name: TextOrNull('The e-commerce order number, of orders of the logistics webhook.'),
  status: WithMeaning(Type.Enum([...orderStatuses]), 'How far it has come.'),
  channel: WithMeaning(Type.Enum([...orderChannels]), 'Through which contract it came.'),
  warehouse_no: WithMeaning(Type.Integer(), 'From where it is shipped.'),
  store_no: WithMeaning(Type.Integer(), 'To which store it belongs.'),
  shipment_no: TextOrNull('Number of the shipment, once there is one.'),
  carrier: TextOrNull('Who carries it, once that is known.'),
  logistics_type: TextOrNull('As it was sent.'),
  express_type: TextOrNull('As it was sent.'),
  consignee_country: TextOrNull('As it was sent.'),
  consignee_name: TextOrNull('As it was sent.'),
  consignee_phone: TextOrNull('As it was sent.'),
  consignee_address: TextOrNull('As it was sent.'),
  consignee_zip: TextOrNull('As it was sent.'),
  details: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Type.String(), 'Your own key of the product.'),
      qty: WithMeaning(Type.Integer(), 'Units ordered.'),
      item: WithMeaning(Type.Union([OrderItem, Type.Null()]), 'Of orders of the logistics webhook: the item as it was sent.'),
    }),
    { description: 'its lines, in the order sent' },
  ),
  shipping: WithMeaning(Type.Union([Shipping, Type.Null()]), 'What only orders of the logistics webhook say.'),
  timeline: Timeline,
  created_at: Time('When it was created.'),
  updated_at: Time('When its status changed last.'),
});
export type OrderRow = Static<typeof OrderRow>;

/** Orders of every channel. */
export const ordersSearch = {
  path: '/getOrdersData/searchList',
  prefix: 'orders',
  permission: 'orders.read',
  fields: {
    orders_id: exactText('Our number of the order.'),
    // Not every order has these, so they give no order of all of them.
    outbound_short_id: unsorted(text('Your own number of an order of the warehouse or the main API.')),
    internal_name: unsorted(text('Your own number of an order of the logistics webhook.')),
    shipment_no: unsorted(text('Number of the shipment.')),
    name: unsorted(text('The e-commerce order number, of orders of the logistics webhook.')),
    updated_at: time('When its status changed last.'),
    created_at: time('When it was created.'),
    status: oneOf(orderStatuses, 'How far it has come.'),
    store_no: number(smallNumberMax, 'To which store it belongs.'),
    warehouse_no: number(smallNumberMax, 'From where it is shipped.'),
    channel: oneOf(orderChannels, 'Through which contract it came.'),
  },
  row: OrderRow,
} satisfies SearchList;
