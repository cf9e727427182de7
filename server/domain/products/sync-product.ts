import type { Database } from '../../platform/database.ts';
import type { ProductFacts } from './product.ts';
import { upsertProduct } from './product-queries.ts';

/** Makes the product known, or brings it up to date. */
export async function syncProduct(database: Database, accountId: number, facts: ProductFacts): Promise<{ productId: number }> {
  const productId = await database.transaction((tx) => upsertProduct(tx, accountId, facts));
  return { productId };
}
