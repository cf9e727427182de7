import { type Static, Type } from 'typebox';
import {
  Amount,
  LineUnits,
  OneOfOrNull,
  OrderNumber,
  PlaceNumber,
  PriceAmount,
  smallNumberMax,
  Text,
  TextOrNull,
  WithExample,
  WithMeaning,
} from '../values.ts';
import { countries, expressTypes, logisticsTypes } from '../warehouse/outbound-create.ts';
import { exactText, number, oneOf, type SearchList, text, time, unsorted } from './search-list.ts';
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
/** What happens to an order after it was made. */
export const orderEvents = ['allocate', 'transfer', 'pick', 'pack', 'ship', 'deliver', 'cancel'] as const;
export const orderChannels = ['warehouse', 'main', 'logistics'] as const;

export const exampleLabelData = { store_id: '991182', barcode: 'F0012345' };

const OrderItem = Type.Object({
  name: TextOrNull(255, 'As it was sent.', 'Oolong tea'),
  storage_type: TextOrNull(50, 'As it was understood.', 'ambient'),
  price: WithMeaning(Type.Union([PriceAmount(120.5), Type.Null()]), 'Price of one unit, in New Taiwan dollars.'),
  batch: TextOrNull(125, 'The only batch that may be taken.', 'L-2026-03'),
  identifier: TextOrNull(125, 'As it was sent.', 'LINE-1'),
  combo_sku: TextOrNull(125, 'As it was sent.', 'GIFT-BOX'),
});

const Shipping = Type.Object({
  customer_name: WithMeaning(Text(25, 'Lin Mei-hua'), 'As it was sent.'),
  delivery_charge: WithMeaning(Amount(60), 'Shipping fee, in New Taiwan dollars.'),
  city: TextOrNull(100, 'As it was sent.', 'Taipei City'),
  note: TextOrNull(2000, 'As it was sent.', 'Please ring twice.'),
  callback_url: TextOrNull(2048, 'Where you are told what becomes of it.', 'https://partner.example/callbacks'),
  store_pickup_label_data: WithMeaning(
    Type.Union([Type.Object({}, { additionalProperties: true, examples: [exampleLabelData] }), Type.Null()]),
    'What the label of a convenience-store pickup needs, as it was sent.',
  ),
});

const exampleItem: Static<typeof OrderItem> = {
  ...{ name: 'Oolong tea', storage_type: 'ambient', price: 120.5 },
  ...{ batch: null, identifier: null, combo_sku: null },
};
const exampleShipping: Static<typeof Shipping> = {
  ...{ customer_name: 'Lin Mei-hua', delivery_charge: 60, city: 'Taipei City', note: 'Please ring twice.' },
  ...{ callback_url: 'https://partner.example/callbacks', store_pickup_label_data: null },
};

export const OrderRow = Type.Object({
  orders_id: WithMeaning(OrderNumber, 'Our number of the order.'),
  outbound_short_id: TextOrNull(125, 'Your own number of it; `null` for orders of the logistics webhook.', 'OUT-1001'),
  internal_name: TextOrNull(30, 'Your own number of it, of orders of the logistics webhook.', 'WMS-2026-0001'),
  name: TextOrNull(125, 'The e-commerce order number, of orders of the logistics webhook.', 'SHOP-88001'),
  status: WithMeaning(Type.Enum([...orderStatuses]), 'How far it has come.'),
  channel: WithMeaning(Type.Enum([...orderChannels]), 'Through which contract it came.'),
  warehouse_no: WithMeaning(PlaceNumber, 'From where it is shipped.'),
  store_no: WithMeaning(PlaceNumber, 'To which store it belongs.'),
  shipment_no: TextOrNull(125, 'Number of the shipment, once there is one.', '905123456789'),
  carrier: TextOrNull(100, 'Who carries it, once that is known.', 'tcat'),
  logistics_type: OneOfOrNull(logisticsTypes, 'As it was sent.', 'home'),
  express_type: OneOfOrNull(expressTypes, 'As it was sent.', 'tcat'),
  consignee_country: OneOfOrNull(countries, 'As it was sent.', 'TW'),
  consignee_name: TextOrNull(255, 'As it was sent.', 'Lin Mei-hua'),
  consignee_phone: TextOrNull(50, 'As it was sent.', '0900000000'),
  consignee_address: TextOrNull(500, 'As it was sent.', 'No. 1, Example Road, Zhongzheng District, Taipei City'),
  consignee_zip: TextOrNull(20, 'As it was sent.', '100'),
  details: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125), 'Your own key of the product.'),
      qty: WithMeaning(LineUnits, 'Units ordered.'),
      item: WithMeaning(
        Type.Union([WithExample(OrderItem, exampleItem), Type.Null()]),
        'Of orders of the logistics webhook: the item as it was sent.',
      ),
    }),
    { description: 'its lines, in the order sent' },
  ),
  shipping: WithMeaning(
    Type.Union([WithExample(Shipping, exampleShipping), Type.Null()]),
    'What only orders of the logistics webhook say.',
  ),
  timeline: Timeline(orderEvents, orderStatuses),
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
    orders_id: exactText('Our number of the order.', 'ow_OUT-1001_8d3f6a01c2'),
    // Not every order has these, so they give no order of all of them.
    outbound_short_id: unsorted(text('Your own number of an order of the warehouse or the main API.', 'OUT-1001')),
    internal_name: unsorted(text('Your own number of an order of the logistics webhook.', 'WMS-2026-0001')),
    shipment_no: unsorted(text('Number of the shipment.', '905123456789')),
    name: unsorted(text('The e-commerce order number, of orders of the logistics webhook.', 'SHOP-88001')),
    updated_at: time('When its status changed last.'),
    created_at: time('When it was created.'),
    status: oneOf(orderStatuses, 'How far it has come.'),
    store_no: number(smallNumberMax, 'To which store it belongs.', 10),
    warehouse_no: number(smallNumberMax, 'From where it is shipped.', 1),
    channel: oneOf(orderChannels, 'Through which contract it came.'),
  },
  row: OrderRow,
} satisfies SearchList;
