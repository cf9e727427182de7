import { type Static, Type } from 'typebox';
import {
  LineUnits,
  PlaceNumber,
  PriceAmount,
  StockInNumber,
  smallNumberMax,
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
/** What happens to a document after it was made. */
export const inboundEvents = ['receive', 'complete', 'stop', 'cancel'] as const;
export const inboundKinds = ['inbound', 'return'] as const;
export const inboundChannels = ['warehouse', 'logistics'] as const;

const InboundItem = Type.Object({
  name: TextOrNull(255, 'As it was sent.', 'Oolong tea'),
  storage_type: TextOrNull(50, 'As it was understood.', 'ambient'),
  price: WithMeaning(Type.Union([PriceAmount(80), Type.Null()]), 'Price of one unit, in New Taiwan dollars.'),
  identifier: TextOrNull(125, 'As it was sent.', 'LINE-1'),
});

const Form = Type.Object({
  internal_form_no: WithMeaning(Text(255, 'A-77'), 'As it was sent.'),
  shipping_type: WithMeaning(
    Type.Enum([1, 2, 3], { description: '1 = vendor pickup, 2 = logistics delivery, 3 = vendor delivery', examples: [3] }),
    'As it was sent.',
  ),
  sender_name: TextOrNull(255, 'As it was sent.', 'Alishan Tea Estate'),
  sender_address: TextOrNull(500, 'As it was sent.', 'No. 2, Example Road, Chiayi County'),
  callback_url: TextOrNull(2048, 'Where you are told what becomes of it.', 'https://partner.example/callbacks'),
});

const exampleItem: Static<typeof InboundItem> = { name: 'Oolong tea', storage_type: 'ambient', price: 80, identifier: null };
const exampleForm: Static<typeof Form> = {
  ...{ internal_form_no: 'A-77', shipping_type: 3, sender_name: 'Alishan Tea Estate', sender_address: null },
  callback_url: 'https://partner.example/callbacks',
};

export const InboundRow = Type.Object({
  stock_in_no: WithMeaning(StockInNumber, 'Our number of the document.'),
  inbound_short_id: TextOrNull(125, 'Your own number of it; `null` for forms of the logistics webhook.', 'IN-1001'),
  form_no: TextOrNull(255, 'Your own number of it, of forms of the logistics webhook.', 'PO-2026-0001'),
  kind: WithMeaning(Type.Enum([...inboundKinds]), 'Goods, or a return.'),
  status: WithMeaning(Type.Enum([...inboundStatuses]), 'How far it has come; `stopped`: receiving was stopped, the rest is closed.'),
  channel: WithMeaning(Type.Enum([...inboundChannels]), 'Through which contract it came.'),
  warehouse_no: WithMeaning(PlaceNumber, 'Where the goods arrive.'),
  store_no: WithMeaning(PlaceNumber, 'To which store they belong.'),
  outbound_short_id: TextOrNull(125, 'Of a return: the number of the order that it brings back.', 'OUT-1001'),
  estimated_arrival_at: WithMeaning(
    Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
    'When the goods are expected, where it was said.',
  ),
  details: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125), 'Your own key of the product.'),
      expire_date: WithMeaning(Type.Union([Type.String({ format: 'date' }), Type.Null()]), 'Expiry date of these units.'),
      batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Their batch; may be empty.'),
      qty: WithMeaning(LineUnits, 'Units announced.'),
      item: WithMeaning(
        Type.Union([WithExample(InboundItem, exampleItem), Type.Null()]),
        'Of forms of the logistics webhook: the item as it was sent.',
      ),
    }),
    { description: 'what was announced, in the order sent' },
  ),
  received: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125), 'Your own key of the product.'),
      stock_type: WithMeaning(Type.Enum(['good', 'bad']), 'How the units were found.'),
      batch_id: WithMeaning(Text(125, 'L-2026-03'), 'Their batch; may be empty.'),
      expire_date: WithMeaning(Type.Union([Type.String({ format: 'date' }), Type.Null()]), 'Expiry date of these units.'),
      qty: WithMeaning(Units(), 'Units that have arrived.'),
    }),
    { description: 'what has really arrived until now, by sku, good or bad, expiry date and batch' },
  ),
  differences: Type.Array(
    Type.Object({
      sku_id: WithMeaning(Text(125, 'TEA-1'), 'Your own key of the product.'),
      announced: WithMeaning(Units(100), 'Units announced, all details together.'),
      received: WithMeaning(Units(98), 'Units that have arrived, good and bad together.'),
    }),
    {
      examples: [[{ sku_id: 'TEA-1', announced: 100, received: 98 }]],
      description: 'of which products more or fewer units have arrived than announced; until it is received, what is still to come',
    },
  ),
  form: WithMeaning(Type.Union([WithExample(Form, exampleForm), Type.Null()]), 'What only forms of the logistics webhook say.'),
  timeline: Timeline(inboundEvents, inboundStatuses),
  created_at: Time('When it was created.'),
  updated_at: Time('When its status changed last.'),
});
export type InboundRow = Static<typeof InboundRow>;

/** Inbound documents and returns of every channel, those whose receiving was stopped included. */
export const inboundsSearch = {
  path: '/getInboundsData/searchList',
  prefix: 'inbounds',
  permission: 'inbounds.read',
  fields: {
    stock_in_no: exactText('Our number of the document.', 'si_5f0c1d9a7b3e28464c01'),
    // Not every document has these, so they give no order of all of them.
    inbound_short_id: unsorted(text('Your own number of a document of the warehouse API.', 'IN-1001')),
    form_no: unsorted(text('Your own number of a form of the logistics webhook.', 'PO-2026-0001')),
    outbound_short_id: exactText('Of a return: the number of the order that it brings back.', 'OUT-1001'),
    updated_at: time('When its status changed last.'),
    created_at: time('When it was created.'),
    status: oneOf(inboundStatuses, 'How far it has come.'),
    kind: oneOf(inboundKinds, 'Goods, or a return.'),
    store_no: number(smallNumberMax, 'To which store the goods belong.', 10),
    warehouse_no: number(smallNumberMax, 'Where the goods arrive.', 1),
    channel: oneOf(inboundChannels, 'Through which contract it came.'),
  },
  row: InboundRow,
} satisfies SearchList;
