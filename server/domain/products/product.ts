/** Known storage types; a logistics system may send others, which are kept as text. */
export const storageTypes = ['ambient', 'air_conditioned', 'frozen', 'chilled'] as const;
export type StorageType = (typeof storageTypes)[number] | (string & {});

/** A measure as it is stored: as text, because it must stay exact. */
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

/** A partner's description of a product. A measure that is left out keeps its value; null removes it. */
export type ProductFacts = Pick<Product, 'accountId' | 'skuId' | 'name' | 'storageType'> &
  Partial<Pick<Product, 'lengthCm' | 'widthCm' | 'heightCm' | 'weightKg'>>;
