import { type Static, Type } from 'typebox';
import type { BrokenRule } from '../../messages/errors.ts';
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
  combo_sku: WithExample(
    WithMeaning(Clearable(FreeText(125)), 'Code of the combo to which the item belongs.'),
    'GIFT-BOX',
  ),
  batch: WithMeaning(
    WithExample(Clearable(IdentifierOrEmpty(125)), 'L-2026-03'),
    'Only units of this batch are allocated. Omitted or empty: any batch, earliest expiry first.',
  ),
});

const utf8 = new TextEncoder();

/** Any JSON object; stored unchanged. */
export const LabelData = Type.Refine(
  Type.Object({}, { additionalProperties: true, description: 'any JSON object of at most 64 KiB' }),
  (value) => utf8.encode(JSON.stringify(value)).length <= labelBytesMax,
  (): BrokenRule => 'label_too_large',
);

/** `orders/order`. The service passes its own schema for `callback_url`, which rejects forbidden addresses. */
export const makeShippingOrderBody = (CallbackUrl: typeof WebAddress) =>
  Type.Object({
    internal_name: WithMeaning(
      Identifier(30),
      'Your number for the order. It must be unique in your account forever and is the idempotency key.',
    ),
    name: WithMeaning(Identifier(125), 'The e-commerce order number.'),
    customer_name: WithMeaning(Title(25), 'Name of the customer.'),
    delivery_name: WithMeaning(Title(255), 'Name of the recipient.'),
    phone: WithMeaning(WithNumbers(Title(50)), 'Phone number of the customer.'),
    delivery_charge: WithMeaning(Money, 'Shipping fee in New Taiwan dollars.'),
    products: Type.Array(ShippingItem, {
      minItems: 1,
      maxItems: shippingProductsMax,
      description: 'the units to be shipped',
    }),
    address: WithMeaning(
      Clearable(FreeText(500)),
      'Address of the recipient; may be empty for convenience-store pickup.',
    ),
    city: WithMeaning(Clearable(FreeText(100)), 'City of the recipient.'),
    callback_url: WithMeaning(
      Clearable(CallbackUrl),
      'The URL that we notify when the order is shipped (in part or in full), arrives at its pickup store, is delivered, is not delivered or is cancelled.',
    ),
    note: WithMeaning(Clearable(Note(2000)), 'A note for the warehouse; also part of the callback.'),
    store_pickup_label_data: WithMeaning(
      WithExample(Clearable(LabelData), exampleLabelData),
      'Data for the label of a convenience-store pickup; passed on to the warehouse.',
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
  '`awaiting_stock`: the order waits until enough stock arrives, and gets it before newer orders.',
);
export type ShippingOrderRetval = Static<typeof ShippingOrderRetval>;
