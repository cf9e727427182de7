/** Known storage types; a logistics system may name others, which are kept as text. */
export const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled'] as const;
export type StorageType = (typeof storageTypes)[number] | (string & {});

/** A measure as the database keeps it: exact, so as text. */
type Measure = string | null;

export interface Product {
  productId: number;
  accountId: number;
  skuId: string;
  name: string;
  storageType: StorageType;
  lengthCm: Measure;
  widthCm: Measure;
  heightCm: Measure;
  weightKg: Measure;
}

/** What a partner tells us of a product; a measure left out is "as it was", null is "none". */
export type ProductFacts = Pick<Product, 'accountId' | 'skuId' | 'name' | 'storageType'> &
  Partial<Pick<Product, 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'>>;
