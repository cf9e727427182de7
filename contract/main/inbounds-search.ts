import { type Static, Type } from 'typebox';
import {
  LineUnits,
  OrderNumber,
  PlaceNumber,
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
import { exactText, number, oneOf, type SearchList, text, time, unsorted } from './search-list.ts';
import { Timeline } from './timeline.ts';
import { Time } from './times.ts';

export const inboundStatuses = ['expected', 'receiving', 'received', 'cancelled', 'stopped'] as const;
/** Events in the timeline of a document after its creation. */
export const inboundEvents = ['receive', 'complete', 'stop', 'cancel'] as const;
export const inboundKinds = ['inbound', 'return'] as const;
export const inboundChannels = ['warehouse', 'logistics'] as const;

const InboundItem = Type.Object({
  name: TextOrNull(255, 'The value in the request.', 'Oolong tea'),
  storage_type: TextOrNull(50, 'The storage type that we read from the request.', 'ambient'),
  price: WithMeaning(Type.Union([PriceAmount(80), Type.Null()]), 'Price per unit in New Taiwan dollars.'),
  identifier: TextOrNull(125, 'The value in the request.', 'LINE-1'),
});

const Form = Type.Object({
  internal_form_no: WithMeaning(Text(255, 'A-77'), 'The value in the request.'),
  shipping_type: WithMeaning(
    Type.Enum([1, 2, 3], {
      description: '1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery',
      examples: [3],
    }),
    'The value in the request.',
  ),
  sender_name: TextOrNull(255, 'The value in the request.', 'Alishan Tea Estate'),
  sender_address: TextOrNull(500, 'The value in the request.', 'No. 2, Example Road, Chiayi County'),
  callback_url: TextOrNull(2048, 'The URL that receives the callbacks.', 'https://partner.example/callbacks'),
});

const exampleItem: Static<typeof InboundItem> = {
  name: 'Oolong tea',
  storage_type: 'ambient',
  price: 80,
  identifier: null,
};
const exampleForm: Static<typeof Form> = {
  internal_form_no: 'A-77',
  shipping_type: 3,
  sender_name: 'Alishan Tea Estate',
  sender_address: null,
  callback_url: 'https://partner.example/callbacks',
};

export const InboundRow = Type.Object({
  stock_in_no: WithMeaning(StockInNumber, 'Our number for the document.'),
  inbound_short_id: TextOrNull(
    125,
    'Your number for the document; `null` for forms of the logistics webhook.',
    'IN-1001',
  ),
  form_no: TextOrNull(255, 'Your number for the form; only forms of the logistics webhook have one.', 'PO-2026-0001'),
  kind: WithMeaning(Type.Enum([...inboundKinds]), 'An inbound document or a return.'),
  status: WithMeaning(
    Type.Enum([...inboundStatuses]),
    'Status of the document; `stopped`: receiving was stopped, and no more goods are expected.',
  ),
  channel: WithMeaning(Type.Enum([...inboundChannels]), 'The API through which it was created.'),
  warehouse_no: WithMeaning(PlaceNumber, 'The warehouse that receives the goods.'),
  store_no: WithMeaning(PlaceNumber, 'The store to which the goods belong.'),
  outbound_short_id: TextOrNull(
    125,
    'Returns only: your number for the returned order; `null` if it is an order of the logistics webhook.',
    'OUT-1001',
  ),
  orders_id: WithMeaning(
    Type.Union([OrderNumber, Type.Null()]),
    'Returns only: our number for the returned order; `null` while we do not know the order.',
  ),
  estimated_arrival_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    'Expected arrival of the goods, if it was given.',
  ),
  details: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125), 'Your key for the product.'),
      expire_date: WithMeaning(
        Type.Union([Type.String({ format: 'date' }), Type.Null()]),
        'Expiry date of these units.',
      ),
      batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Their batch; may be empty.'),
      qty: WithMeaning(LineUnits, 'Units announced.'),
      item: WithMeaning(
        Type.Union([WithExample(InboundItem, exampleItem), Type.Null()]),
        'The item as sent; only forms of the logistics webhook have it.',
      ),
    }),
    { description: 'the announced goods, in the order sent' },
  ),
  received: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125), 'Your key for the product.'),
      stock_type: WithMeaning(Type.Enum([...stockTypes]), 'Condition of the units on arrival.'),
      batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Their batch; may be empty.'),
      expire_date: WithMeaning(
        Type.Union([Type.String({ format: 'date' }), Type.Null()]),
        'Expiry date of these units.',
      ),
      qty: WithMeaning(Units(), 'Units received.'),
    }),
    { description: 'the goods received so far, by sku, condition, expiry date and batch' },
  ),
  differences: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125, 'TEA-1'), 'Your key for the product.'),
      announced: WithMeaning(Units(100), 'Units announced, all details together.'),
      received: WithMeaning(Units(98), 'Units received, good and bad together.'),
    }),
    {
      examples: [[{ sku_id: 'TEA-1', announced: 100, received: 98 }]],
      description:
        'products with more or fewer units received than announced; until the document is received, this includes units still to come',
    },
  ),
  form: WithMeaning(
    Type.Union([WithExample(Form, exampleForm), Type.Null()]),
    'The fields that only forms of the logistics webhook have.',
  ),
  timeline: Timeline(inboundEvents, inboundStatuses),
  created_at: Time('Time of creation.'),
  updated_at: Time('Time of the last status change.'),
});
export type InboundRow = Static<typeof InboundRow>;

/** Inbound documents and returns from all channels, including those whose receiving was stopped. */
export const inboundsSearch = {
  path: '/getInboundsData/searchList',
  prefix: 'inbounds',
  permission: 'inbounds.read',
  fields: {
    stock_in_no: exactText('Our number for the document.', 'si_5f0c1d9a7b3e28464c01'),
    // Not every document has these fields, so the list cannot be sorted by them.
    inbound_short_id: unsorted(text('Your number for a document of the warehouse API.', 'IN-1001')),
    form_no: unsorted(text('Your number for a form of the logistics webhook.', 'PO-2026-0001')),
    outbound_short_id: exactText('Returns only: number of the returned order.', 'OUT-1001'),
    updated_at: time('Time of the last status change.'),
    created_at: time('Time of creation.'),
    status: oneOf(inboundStatuses, 'Status of the document.'),
    kind: oneOf(inboundKinds, 'An inbound document or a return.'),
    store_no: number(smallNumberMax, 'The store to which the goods belong.', 10),
    warehouse_no: number(smallNumberMax, 'The warehouse that receives the goods.', 1),
    channel: oneOf(inboundChannels, 'The API through which it was created.'),
  },
  row: InboundRow,
} satisfies SearchList;
