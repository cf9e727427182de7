/** Known storage types; a logistics system may name others, which are kept as text. */
export const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled'] as const;
export type StorageType = (typeof storageTypes)[number] | (string & {});

/** What a partner tells us of a product; undefined is "as it was", null is "none". */
export interface ProductFacts {
  skuId: string;
  name: string;
  storageType: StorageType;
  lengthCm?: number | null;
  widthCm?: number | null;
  heightCm?: number | null;
  weightKg?: number | null;
}
