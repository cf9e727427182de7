import { type Static, Type } from 'typebox';
import { measureMax, RowNumber, Text, WithMeaning } from '../values.ts';
import { exactText, type SearchList, text, time } from './search-list.ts';
import { Time } from './times.ts';

const Measure = (what: string, unit: string) =>
  WithMeaning(
    Type.Union([Type.Number({ minimum: 0, maximum: measureMax }), Type.Null()]),
    `${what} in ${unit}; \`null\` where it is not known.`,
  );

export const ProductRow = Type.Object({
  products_id: WithMeaning(RowNumber, 'Our number of the product.'),
  sku_id: WithMeaning(Text(125), 'Your own key of the product.'),
  sku_name: WithMeaning(Text(255), 'Its name.'),
  storage_type: WithMeaning(
    Text(50),
    '`ambient`, `air_conditioned`, `frozen`, `chilled`, or the category that a logistics system gave it.',
  ),
  length: Measure('Length', 'centimetres'),
  width: Measure('Width', 'centimetres'),
  height: Measure('Height', 'centimetres'),
  weight: Measure('Weight', 'kilograms'),
  created_at: Time('When it was first synced.'),
  updated_at: Time('When it was last synced.'),
});
export type ProductRow = Static<typeof ProductRow>;

export const productsSearch = {
  path: '/getProductsData/searchList',
  prefix: 'products',
  permission: 'products.read',
  fields: {
    products_id: {
      ...exactText('Our number of the product.', 1001),
      value: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    },
    sku_id: text('Your own key of the product.', 'TEA-1'),
    sku_name: text('Its name.', 'Oolong tea'),
    updated_at: time('When it was last synced.'),
    created_at: time('When it was first synced.'),
    storage_type: {
      ...exactText('How it is stored: `ambient`, `air_conditioned`, `frozen`, `chilled`, or another category.', 'ambient'),
      sortable: true,
    },
  },
  row: ProductRow,
} satisfies SearchList;
