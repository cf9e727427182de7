import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, Measure, RowNumber, Title, WithDocumented, WithMeaning } from '../values.ts';

const skuImagesMax = 5;
/** Only the size of the whole body limits it. */
const AnyText = WithDocumented(Type.String(), { maxLength: 1_048_576 });

/** F-1 `/product/sync`. Fields left out on a later sync stay as they were; `null` clears an optional one. */
export const ProductSyncBody = Type.Object({
  sku_id: WithMeaning(CallerIdentifier, 'Your own key of the product; the same one again is an update.'),
  sku_name: WithMeaning(Title(255), 'Name of the product, for people.'),
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
    `At most ${skuImagesMax} addresses of images. They are neither checked nor fetched nor kept.`,
  ),
});
export type ProductSyncBody = Static<typeof ProductSyncBody>;

export const ProductSyncData = WithMeaning(
  Type.Object({
    success: WithMeaning(Type.Boolean(), 'As in the envelope.'),
    products_id: WithMeaning(RowNumber, 'Our number of the product; it stays the same on every later sync.'),
  }),
  'The product that was synced.',
);
export type ProductSyncData = Static<typeof ProductSyncData>;
