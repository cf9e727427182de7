import type { Tx } from '../../platform/postgres/sql.ts';
import { nothingMeasured, type Product, type StorageType } from './product.ts';
import { findProductsBySku, takeProductIds } from './product-queries.ts';

/** How a line of a document describes its product. */
export interface DescribedProduct {
  accountId: number;
  skuId: string;
  /** null: not registered when it was looked up. */
  productId: number | null;
  name: string | null;
  storageType: StorageType | null;
}

/** The storage type of products for which nobody has given one. */
const unspecified = 'unspecified';

/** Finds the products of documents' lines, and creates missing ones from the descriptions in the lines. */
export interface ProductRegister {
  /** null: not registered. */
  find(line: DescribedProduct): number | null;
  /** Registered before this transaction, or written with it. */
  idOf(line: DescribedProduct): number;
  /** The products to write with the accepted documents. */
  added(): Product[];
}

/** The second read follows the first, so it is made only if some products were missing. */
export async function openRegister(tx: Tx, lines: DescribedProduct[]): Promise<ProductRegister> {
  const unknown = lines.filter(({ productId }) => productId === null);
  const [found, newIds] = unknown.length === 0 ? [[], []] : await look(tx, unknown);
  const keyOf = ({ accountId, skuId }: { accountId: number; skuId: string }) => `${accountId}/${skuId}`;
  const ids = new Map(found.map((product) => [keyOf(product), product.productId]));
  const made = new Map<string, Product>();

  const find = (line: DescribedProduct) => line.productId ?? ids.get(keyOf(line)) ?? null;

  return {
    find,
    idOf(line) {
      const known = find(line) ?? made.get(keyOf(line))?.productId;
      if (known !== undefined) return known;
      const product = productOf(line, newIds[made.size]!);
      made.set(keyOf(line), product);
      return product.productId;
    },
    added: () => [...made.values()],
  };
}

function look(tx: Tx, unknown: DescribedProduct[]) {
  return Promise.all([findProductsBySku(tx, unknown), takeProductIds(tx, unknown.length)]);
}

function productOf({ accountId, skuId, name, storageType }: DescribedProduct, productId: number): Product {
  return {
    productId,
    accountId,
    skuId,
    name: name || skuId,
    storageType: storageType ?? unspecified,
    ...nothingMeasured,
  };
}
