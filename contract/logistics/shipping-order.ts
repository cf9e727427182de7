import { type Static, Type } from 'typebox';
import { exampleLabelData, orderStatuses } from '../main/orders-search.ts';
import {
  Clearable,
  FreeText,
  Identifier,
  IdentifierOrEmpty,
  Money,
  Note,
  Title,
  WebAddress,
  WithExample,
  WithMeaning,
  WithNumbers,
} from '../values.ts';
import { AcceptedRetval } from './accepted.ts';
import { itemFields, StorageCategory } from './item.ts';

export const shippingProductsMax = 500;
export const labelBytesMax = 64 * 1024;

const ShippingItem = Type.Object({
  ...itemFields,
  storage_type: StorageCategory,
  combo_sku: WithExample(WithMeaning(Clearable(FreeText(125)), 'Code of the combo that the item is part of.'), 'GIFT-BOX'),
  batch: WithMeaning(
    WithExample(Clearable(IdentifierOrEmpty(125)), 'L-2026-03'),
    'Only units of this batch are taken. Left out or empty: of any batch, earliest expiry first.',
  ),
});

/** Any JSON object; kept as it is. */
const LabelData = Type.Refine(
  Type.Object({}, { additionalProperties: true, description: 'any JSON object of at most 64 KiB' }),
  (value) => Buffer.byteLength(JSON.stringify(value)) <= labelBytesMax,
  () => 'must be at most 64 KiB of JSON',
);

/** `orders/order`. Where the service knows which addresses are not to be called, it brings its own schema of them. */
export const makeShippingOrderBody = (CallbackUrl: typeof WebAddress) =>
  Type.Object({
    internal_name: WithMeaning(Identifier(30), 'Your own number of the order, unique for ever in your account; it is the idempotency key.'),
    name: WithMeaning(Identifier(125), 'The e-commerce order number.'),
    customer_name: WithMeaning(Title(25), 'Name of the customer.'),
    delivery_name: WithMeaning(Title(255), 'Name of the recipient.'),
    phone: WithMeaning(WithNumbers(Title(50)), 'Phone number of the customer.'),
    delivery_charge: WithMeaning(Money, 'Shipping fee, in New Taiwan dollars.'),
    products: Type.Array(ShippingItem, { minItems: 1, maxItems: shippingProductsMax, description: 'what is to be shipped' }),
    address: WithMeaning(Clearable(FreeText(500)), 'Address of the recipient; may be empty for convenience-store pickup.'),
    city: WithMeaning(Clearable(FreeText(100)), 'City of the recipient.'),
    callback_url: WithMeaning(Clearable(CallbackUrl), 'Where you are told that the order was shipped or cancelled.'),
    note: WithMeaning(Clearable(Note(2000)), 'For the warehouse; also part of the callback.'),
    store_pickup_label_data: WithMeaning(
      WithExample(Clearable(LabelData), exampleLabelData),
      'What the label of a convenience-store pickup needs; handed to the warehouse.',
    ),
  });
export const ShippingOrderBody = makeShippingOrderBody(WebAddress);
export type ShippingOrderBody = Static<typeof ShippingOrderBody>;

export const exampleShippingOrder: ShippingOrderBody = {
  internal_name: 'WMS-2026-0001',
  name: 'SHOP-88001',
  customer_name: 'Lin Mei-hua',
  delivery_name: 'Lin Mei-hua',
  phone: '0900000000',
  delivery_charge: 60,
  products: [{ sku: 'TEA-1', quantity: 2, storage_type: 'ambient', name: 'Oolong tea', price: 120.5 }],
  address: 'No. 1, Example Road, Zhongzheng District',
  city: 'Taipei City',
  callback_url: 'https://partner.example/callbacks',
  note: 'Please ring twice.',
};

export const ShippingOrderRetval = AcceptedRetval(
  orderStatuses,
  '`awaiting_stock`: it waits until there is enough; it is then its turn before younger ones.',
);
export type ShippingOrderRetval = Static<typeof ShippingOrderRetval>;
