import { type Static, Type } from 'typebox';
import { warnings } from '../errors/lists.ts';
import { anyTextPattern } from '../portable-patterns.ts';
import { CallerIdentifier, Clearable, Measure, RowNumber, Title, WithDocumented, WithMeaning } from '../values.ts';

const skuImagesMax = 5;
/** Limited only by the size of the whole body. */
const AnyText = WithDocumented(Type.String(), { maxLength: 1_048_576, pattern: anyTextPattern });

/** F-1 `/product/sync`. Fields omitted in a later sync remain unchanged; `null` clears an optional field. */
export const ProductSyncBody = Type.Object({
  sku_id: WithMeaning(CallerIdentifier, 'Your key for the product. Sending the same key again updates the product.'),
  sku_name: WithMeaning(Title(255), 'Display name of the product.'),
  storage_type: WithMeaning(
    Type.Enum([1, 2, 3, 4], { description: '1 = ambient, 2 = air-conditioned, 3 = frozen, 4 = chilled' }),
    'How the product is stored.',
  ),
  length: WithMeaning(Clearable(Measure), 'Length in centimetres.'),
  width: WithMeaning(Clearable(Measure), 'Width in centimetres.'),
  height: WithMeaning(Clearable(Measure), 'Height in centimetres.'),
  weight: WithMeaning(Clearable(Measure), 'Weight in kilograms.'),
  sku_images: WithMeaning(
    Clearable(Type.Array(AnyText, { maxItems: skuImagesMax })),
    `At most ${skuImagesMax} image URLs. They are not checked, fetched or stored.`,
  ),
});
export type ProductSyncBody = Static<typeof ProductSyncBody>;

export const ProductSyncData = WithMeaning(
  Type.Object({
    success: WithMeaning(Type.Boolean(), 'The same as in the envelope.'),
    products_id: WithMeaning(RowNumber, 'Our number for the product; it stays the same in later syncs.'),
    ...warnings,
  }),
  'The synced product.',
);
export type ProductSyncData = Static<typeof ProductSyncData>;
