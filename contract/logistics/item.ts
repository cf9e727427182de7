import { Type } from 'typebox';
import {
  Clearable,
  FreeText,
  Identifier,
  Price,
  Qty,
  Title,
  WithExample,
  WithMeaning,
  WithNumbers,
} from '../values.ts';

/** The fields shared by items of shipping orders and of inbound forms. */
export const itemFields = {
  sku: WithMeaning(Identifier(125), 'Your key for the product. An unknown product is registered from this item.'),
  quantity: Qty,
  name: WithMeaning(Clearable(FreeText(255)), 'Name of the product.'),
  price: WithMeaning(Clearable(Price), 'Price per unit in New Taiwan dollars.'),
  identifier: WithExample(
    WithMeaning(Clearable(WithNumbers(FreeText(125))), 'Your identifier for these units.'),
    'LINE-1',
  ),
};

export const StorageCategory = Type.With(WithNumbers(Title(50), { minimum: 1, maximum: 4 }), {
  meaning:
    'Category of storage: `1` or `ambient`, `2` or `air_conditioned`, `3` or `frozen`, `4` or `chilled`; any other text is stored unchanged.',
});
