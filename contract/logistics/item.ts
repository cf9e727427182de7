import { Type } from 'typebox';
import { Clearable, FreeText, Identifier, Price, Qty, Title, WithExample, WithMeaning, WithNumbers } from '../values.ts';

/** What items of shipping orders and of inbound forms have in common. */
export const itemFields = {
  sku: WithMeaning(Identifier(125), 'Your own key of the product. One that is not known yet is registered from this item.'),
  quantity: Qty,
  name: WithMeaning(Clearable(FreeText(255)), 'Name of the product.'),
  price: WithMeaning(Clearable(Price), 'Price of one unit, in New Taiwan dollars.'),
  identifier: WithExample(WithMeaning(Clearable(WithNumbers(FreeText(125))), 'Your identifier of these units.'), 'LINE-1'),
};

export const StorageCategory = Type.With(WithNumbers(Title(50), { minimum: 1, maximum: 4 }), {
  meaning:
    'Category of storage: `1` or `ambient`, `2` or `air_conditioned`, `3` or `frozen`, `4` or `chilled`; any other is kept as it is.',
});
