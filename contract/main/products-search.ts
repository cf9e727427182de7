import { type Static, Type } from 'typebox';
import { measureMax, PlaceNumber, RowNumber, Text, WithMeaning } from '../values.ts';
import { locationMax, ProductCodeUnits } from './products-update.ts';
import { exactText, type SearchList, text, time } from './search-list.ts';
import { Time } from './times.ts';

const Measure = (what: string, unit: string) =>
  WithMeaning(
    Type.Union([Type.Number({ minimum: 0, maximum: measureMax }), Type.Null()]),
    `${what} in ${unit}; \`null\` if it is unknown.`,
  );

export const ProductRow = Type.Object({
  products_id: WithMeaning(RowNumber, 'Our number for the product.'),
  sku_id: WithMeaning(Text(125), 'Your key for the product.'),
  sku_name: WithMeaning(Text(255), 'Name of the product.'),
  storage_type: WithMeaning(
    Text(50),
    '`ambient`, `air_conditioned`, `frozen`, `chilled`, or a category named by a logistics system.',
  ),
  length: Measure('Length', 'centimetres'),
  width: Measure('Width', 'centimetres'),
  height: Measure('Height', 'centimetres'),
  weight: Measure('Weight', 'kilograms'),
  codes: WithMeaning(
    Type.Array(
      Type.Object({
        code: WithMeaning(Text(125), 'The text that a scanner reads.'),
        units: WithMeaning(ProductCodeUnits, 'The units that one scan means.'),
      }),
    ),
    'Codes of units and cartons, set by `products/update`.',
  ),
  locations: WithMeaning(
    Type.Array(
      Type.Object({
        warehouse_no: WithMeaning(PlaceNumber, 'The warehouse.'),
        location: WithMeaning(Text(locationMax), 'Where people find the product there.'),
      }),
    ),
    'Locations in warehouses, set by `products/update`.',
  ),
  created_at: Time('Time of the first sync.'),
  updated_at: Time('Time of the last sync.'),
});
export type ProductRow = Static<typeof ProductRow>;

export const productsSearch = {
  path: '/getProductsData/searchList',
  prefix: 'products',
  permission: 'products.read',
  fields: {
    products_id: {
      ...exactText('Our number for the product.', 1001),
      value: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    },
    sku_id: text('Your key for the product.', 'TEA-1'),
    sku_name: text('Name of the product.', 'Oolong tea'),
    updated_at: time('Time of the last sync.'),
    created_at: time('Time of the first sync.'),
    storage_type: {
      ...exactText('Storage type: `ambient`, `air_conditioned`, `frozen`, `chilled`, or another category.', 'ambient'),
      sortable: true,
    },
  },
  row: ProductRow,
} satisfies SearchList;
