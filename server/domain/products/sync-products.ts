import type { GroupOperation } from '../../platform/postgres/group-commit.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { nothingMeasured, type Product, type ProductFacts } from './product.ts';
import { insertProducts, lockProducts, takeProductIds, updateProducts } from './product-queries.ts';

export interface SyncedProduct {
  productId: number;
}

/** Creates products or updates them. */
export const syncProducts: GroupOperation<ProductFacts, SyncedProduct> = { name: 'sync_products', run };

async function run(tx: Tx, requests: ProductFacts[]): Promise<Decision<SyncedProduct[]>> {
  const [existing, newIds] = await Promise.all([lockProducts(tx, requests), takeProductIds(tx, requests.length)]);

  const { all, added, changed } = decide(requests, existing, newIds);

  const writes = [];
  if (added.length > 0) writes.push(insertProducts(tx, added));
  if (changed.length > 0) writes.push(updateProducts(tx, changed));
  return { answer: all.map(({ productId }) => ({ productId })), writes };
}

/** Later facts about the same sku override earlier ones. */
function decide(requests: ProductFacts[], existing: Product[], newIds: number[]) {
  const keyOf = ({ accountId, skuId }: ProductFacts) => `${accountId}/${skuId}`;
  const known = new Map(existing.map((product) => [keyOf(product), product]));
  const merged = new Map<string, Product>();
  for (const [index, facts] of requests.entries()) {
    const before = merged.get(keyOf(facts)) ??
      known.get(keyOf(facts)) ?? { ...nothingMeasured, productId: newIds[index]! };
    merged.set(keyOf(facts), { ...before, ...facts });
  }
  const products = [...merged.values()];
  return {
    all: requests.map((facts) => merged.get(keyOf(facts))!),
    added: products.filter((product) => !known.has(keyOf(product))),
    changed: products.filter((product) => known.has(keyOf(product))),
  };
}
