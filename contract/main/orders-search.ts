import { type Static, Type } from 'typebox';
import { undeliveredReasons } from '../logistics/callback.ts';
import {
  Amount,
  LineUnits,
  OneOfOrNull,
  OrderNumber,
  PlaceNumber,
  PriceAmount,
  StockInNumber,
  smallNumberMax,
  Text,
  TextOrNull,
  WithExample,
  WithMeaning,
} from '../values.ts';
import { countries, expressTypes, logisticsTypes } from '../warehouse/outbound-create.ts';
import { inboundStatuses } from './inbounds-search.ts';
import {
  exactText,
  guarded,
  number,
  oneOf,
  phone,
  prefixedText,
  type SearchList,
  text,
  time,
  unsorted,
} from './search-list.ts';
import { Timeline } from './timeline.ts';
import { Time } from './times.ts';

export const returnsMax = 100;

export const orderStatuses = [
  'awaiting_stock',
  'pending_warehouse_transfer',
  'in_warehouse',
  'picking',
  'packed',
  'partially_shipped',
  'shipped',
  'arrived',
  'delivered',
  'undelivered',
  'cancelled',
] as const;
/** Events in the timeline of an order after its creation. */
export const orderEvents = [
  'allocate',
  'transfer',
  'pick',
  'pack',
  'ship_part',
  'ship',
  'arrive',
  'deliver',
  'fail',
  'cancel',
] as const;
export const orderChannels = ['warehouse', 'main', 'logistics'] as const;

const exampleTime = '2026-11-15T09:30:00.000000+08:00';
export const exampleLabelData = { store_id: '991182', barcode: 'F0012345' };

const ShippedItem = Type.Object({
  sku_id: WithMeaning(Text(125, 'TEA-1'), 'Your key for the product.'),
  qty: WithMeaning(WithExample(LineUnits, 1), 'Units in the parcel.'),
  batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Their batch; empty: none.'),
  expire_date: WithMeaning(
    Type.Union([Type.String({ format: 'date', examples: ['2027-12-31'] }), Type.Null()]),
    'Their expiry date; `null` if they do not expire.',
  ),
});

const exampleShippedItems = [{ sku_id: 'TEA-1', qty: 1, batch_id: 'L-2026-03', expire_date: '2027-12-31' }];

const OrderParcel = Type.Object({
  shipment_no: WithMeaning(Text(125, '905123456789'), 'Number of the shipment.'),
  carrier: TextOrNull(100, 'The carrier.', 'tcat'),
  shipped_at: WithExample(Time('Time of the report.'), exampleTime),
  items: Type.Array(ShippedItem, {
    examples: [exampleShippedItems],
    description: 'the units in the parcel, by batch and expiry date',
  }),
});

const ShortLine = Type.Object({
  sku_id: WithMeaning(Text(125, 'TEA-1'), 'Your key for the product.'),
  qty: WithMeaning(WithExample(LineUnits, 1), 'Units that were ordered but will not be shipped.'),
});

const exampleParcel: Static<typeof OrderParcel> = {
  shipment_no: '905123456789',
  carrier: 'tcat',
  shipped_at: exampleTime,
  items: exampleShippedItems,
};

const OrderItem = Type.Object({
  name: TextOrNull(255, 'The value in the request.', 'Oolong tea'),
  storage_type: TextOrNull(50, 'The storage type that we read from the request.', 'ambient'),
  price: WithMeaning(Type.Union([PriceAmount(120.5), Type.Null()]), 'Price per unit in New Taiwan dollars.'),
  batch: TextOrNull(125, 'The only batch that may be shipped.', 'L-2026-03'),
  identifier: TextOrNull(125, 'The value in the request.', 'LINE-1'),
  combo_sku: TextOrNull(125, 'The value in the request.', 'GIFT-BOX'),
});

const Shipping = Type.Object({
  customer_name: WithMeaning(Text(25, 'Lin Mei-hua'), 'The value in the request.'),
  delivery_charge: WithMeaning(Amount(60), 'Shipping fee in New Taiwan dollars.'),
  city: TextOrNull(100, 'The value in the request.', 'Taipei City'),
  note: TextOrNull(2000, 'The value in the request.', 'Please ring twice.'),
  callback_url: TextOrNull(2048, 'The URL that receives the callbacks.', 'https://partner.example/callbacks'),
  store_pickup_label_data: WithMeaning(
    Type.Union([Type.Object({}, { additionalProperties: true, examples: [exampleLabelData] }), Type.Null()]),
    'Data for the label of a convenience-store pickup, as sent.',
  ),
});

const exampleItem: Static<typeof OrderItem> = {
  name: 'Oolong tea',
  storage_type: 'ambient',
  price: 120.5,
  batch: null,
  identifier: null,
  combo_sku: null,
};
const exampleShipping: Static<typeof Shipping> = {
  customer_name: 'Lin Mei-hua',
  delivery_charge: 60,
  city: 'Taipei City',
  note: 'Please ring twice.',
  callback_url: 'https://partner.example/callbacks',
  store_pickup_label_data: null,
};

const exampleReturn = { stock_in_no: 'si_5f0c1d9a7b3e28464c01', status: 'received' as const };

const OrderValues = Type.Union([
  Type.Object({}, { additionalProperties: true, examples: [{ consignee_address: 'Store 991182' }] }),
  Type.Null(),
]);

/** A change of an order that is no change of its status. */
const OrderChange = Type.Object({
  kind: WithMeaning(
    Type.Enum(['update', 'hold', 'release'], { examples: ['update'] }),
    'The kind of change: of fields of the order, or of its hold.',
  ),
  status: WithMeaning(
    Type.Enum(['made', 'requested', 'refused'], { examples: ['made'] }),
    '`made`: in force. `requested`: the system of the warehouse has the order and has not answered yet. `refused`: it refused, and the order is as before.',
  ),
  at: WithExample(Time('Time of the change or request.'), exampleTime),
  by: WithMeaning(Text(255, 'DEMO/demo'), 'The person or system that made the change.'),
  trace_id: WithMeaning(
    Type.Union([Type.String({ format: 'uuid', examples: ['0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80'] }), Type.Null()]),
    'Trace id of the request; `null` if no request did.',
  ),
  fields: WithMeaning(
    Type.Array(Text(50), { maxItems: 20, examples: [['consignee_address']] }),
    'The fields, by their names in `orders/update`.',
  ),
  old_values: WithMeaning(OrderValues, 'The previous values by field; `null` if there are none or they were erased.'),
  new_values: WithMeaning(OrderValues, 'The new values by field; `null` if there are none or they were erased.'),
  reason: TextOrNull(500, 'The reason for a hold.', 'The pickup store has closed.'),
  answered_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time', examples: [exampleTime] }), Type.Null()]),
    'Time at which the system of the warehouse answered; `null` if it was not asked or has not answered.',
  ),
  message: TextOrNull(10_000, 'Why the warehouse refused the change.', 'the warehouse says: already being picked'),
});

export const OrderRow = Type.Object({
  orders_id: WithMeaning(OrderNumber, 'Our number for the order.'),
  outbound_short_id: TextOrNull(
    125,
    'Your number for the order; `null` for orders of the logistics webhook.',
    'OUT-1001',
  ),
  internal_name: TextOrNull(
    30,
    'Your number for the order; only orders of the logistics webhook have one.',
    'WMS-2026-0001',
  ),
  name: TextOrNull(125, 'The e-commerce order number; only orders of the logistics webhook have one.', 'SHOP-88001'),
  status: WithMeaning(Type.Enum([...orderStatuses]), 'Status of the order.'),
  channel: WithMeaning(Type.Enum([...orderChannels]), 'The API through which it was created.'),
  warehouse_no: WithMeaning(PlaceNumber, 'The warehouse that ships the order.'),
  store_no: WithMeaning(PlaceNumber, 'The store to which the order belongs.'),
  shipment_no: TextOrNull(
    125,
    'Number of the shipment, once it is known; of the first parcel, if there are several.',
    '905123456789',
  ),
  carrier: TextOrNull(100, 'The carrier of that shipment, once it is known.', 'tcat'),
  parcels: WithExample(Type.Array(OrderParcel, { description: 'the parcels that have left, in the order reported' }), [
    exampleParcel,
  ]),
  short: WithMeaning(
    WithExample(Type.Array(ShortLine), []),
    'Units that were ordered but will not be shipped; empty if the order is complete, and until the warehouse has reported its last parcel.',
  ),
  undelivered_reason: OneOfOrNull(
    undeliveredReasons,
    'Why the order did not reach its recipient; `null` unless it is `undelivered`.',
    'not_collected',
  ),
  logistics_type: OneOfOrNull(logisticsTypes, 'The value in the request.', 'home'),
  express_type: OneOfOrNull(expressTypes, 'The value in the request.', 'tcat'),
  consignee_country: OneOfOrNull(countries, 'The value in the request.', 'TW'),
  consignee_name: TextOrNull(255, 'The value in the request.', 'Lin Mei-hua'),
  consignee_phone: TextOrNull(50, 'The value in the request.', '0900000000'),
  consignee_address: TextOrNull(
    500,
    'The value in the request.',
    'No. 1, Example Road, Zhongzheng District, Taipei City',
  ),
  consignee_zip: TextOrNull(20, 'The value in the request.', '100'),
  details: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125), 'Your key for the product.'),
      qty: WithMeaning(LineUnits, 'Units ordered.'),
      item: WithMeaning(
        Type.Union([WithExample(OrderItem, exampleItem), Type.Null()]),
        'The item as sent; only orders of the logistics webhook have it.',
      ),
    }),
    { description: 'the lines, in the order sent' },
  ),
  shipping: WithMeaning(
    Type.Union([WithExample(Shipping, exampleShipping), Type.Null()]),
    'The fields that only orders of the logistics webhook have.',
  ),
  returns: Type.Array(
    Type.Object({
      stock_in_no: WithExample(WithMeaning(StockInNumber, 'Our number for the return.'), exampleReturn.stock_in_no),
      status: WithExample(WithMeaning(Type.Enum([...inboundStatuses]), 'Status of the return.'), exampleReturn.status),
    }),
    {
      maxItems: returnsMax,
      examples: [[exampleReturn]],
      description: `the returns of the order, the oldest first; only the latest ${returnsMax}`,
    },
  ),
  held: WithMeaning(
    Type.Boolean(),
    'The order is on hold: it is not handed over to its warehouse. A report that it is in the warehouse ends the hold. Always `false` once it is picked, shipped or cancelled.',
  ),
  held_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time', examples: [exampleTime] }), Type.Null()]),
    'Time at which it was put on hold; `null` if it never was or was released.',
  ),
  changes: Type.Array(OrderChange, {
    description: 'changes of the order other than those of its status, oldest first',
  }),
  timeline: Timeline(orderEvents, orderStatuses),
  recipient_erased_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time', examples: [exampleTime] }), Type.Null()]),
    'Time at which the recipient was erased; `null` if it was not. An erased order has no `consignee_name`, `consignee_phone`, `consignee_address`, `consignee_zip`, `city`, `note` and label (`null`), and an empty `customer_name`.',
  ),
  created_at: Time('Time of creation.'),
  updated_at: Time('Time of the last change.'),
});
export type OrderRow = Static<typeof OrderRow>;

/** For filters that find the orders of a person. */
export const recipientsPermission = 'orders.recipients';

/** Orders from all channels. */
export const ordersSearch = {
  path: '/getOrdersData/searchList',
  prefix: 'orders',
  permission: 'orders.read',
  fields: {
    orders_id: exactText('Our number for the order.', 'ow_OUT-1001_8d3f6a01c2'),
    // Not every order has these fields, so the list cannot be sorted by them.
    outbound_short_id: unsorted(text('Your number for an order of the warehouse API or the main API.', 'OUT-1001')),
    internal_name: unsorted(text('Your number for an order of the logistics webhook.', 'WMS-2026-0001')),
    shipment_no: unsorted(text('Shipment number of the first parcel.', '905123456789')),
    name: unsorted(text('The e-commerce order number; only orders of the logistics webhook have one.', 'SHOP-88001')),
    held_at: unsorted(time('Time at which the order was put on hold. It is kept if the order is cancelled later.')),
    consignee_phone: guarded(
      recipientsPermission,
      phone("The recipient's phone number, digits only: all digits that you sent, or the last four.", '0900000000'),
    ),
    consignee_name: guarded(recipientsPermission, prefixedText("The recipient's name.", 'Lin Mei-hua')),
    sku_id: exactText('A product of the order. Without `sort`, the newest orders come first.', 'TEA-1'),
    updated_at: time('Time of the last change.'),
    created_at: time('Time of creation.'),
    status: oneOf(orderStatuses, 'Status of the order.'),
    warehouse_no: number(smallNumberMax, 'The warehouse that ships the order.', 1),
    // An account has few stores and channels: a list in their order would serve nobody.
    store_no: unsorted(number(smallNumberMax, 'The store to which the order belongs.', 10)),
    channel: unsorted(oneOf(orderChannels, 'The API through which it was created.')),
  },
  row: OrderRow,
} satisfies SearchList;
