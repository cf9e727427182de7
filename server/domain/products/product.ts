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

/** Some facts about a product, apart from its key. */
export type KnownFacts = Partial<Omit<Product, 'productId' | 'accountId' | 'skuId'>>;

export const nothingMeasured = { lengthCm: null, widthCm: null, heightCm: null, weightKg: null };

/** A product can be created from these facts. */
export function isWhole(facts: KnownFacts | undefined): facts is KnownFacts & Pick<Product, 'name' | 'storageType'> {
  return facts?.name !== undefined && facts.storageType !== undefined;
}

/** The facts that differ from those of the product. A measure is the same number, however it is written. */
export function changedFacts(before: Product, facts: KnownFacts): (keyof KnownFacts)[] {
  return (Object.keys(facts) as (keyof KnownFacts)[]).filter((name) => {
    const [old, given] = [before[name], facts[name]!];
    const isMeasure = name !== 'name' && name !== 'storageType';
    return isMeasure && old !== null && given !== null ? Number(old) !== Number(given) : old !== given;
  });
}
