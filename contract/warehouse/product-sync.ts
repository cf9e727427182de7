import { type Static, Type } from 'typebox';
import { CallerIdentifier, Clearable, Measure, Title, WebAddress } from '../values.ts';

const skuImagesMax = 5;

/** F-1 `/product/sync`. Fields left out on a later sync stay as they were; `null` clears an optional one. */
export const ProductSyncBody = Type.Object({
  sku_id: CallerIdentifier,
  sku_name: Title(255),
  storage_type: Type.Enum([1, 2, 3, 4], { description: '1 = ambient, 2 = air-conditioned, 3 = frozen, 4 = chilled' }),
  length: Clearable(Measure),
  width: Clearable(Measure),
  height: Clearable(Measure),
  weight: Clearable(Measure),
  sku_images: Clearable(Type.Array(WebAddress, { maxItems: skuImagesMax })),
});
export type ProductSyncBody = Static<typeof ProductSyncBody>;

export interface ProductSyncData {
  success: boolean;
  products_id: number;
}
