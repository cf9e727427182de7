import type { Database } from '../../platform/database.ts';
import { makeRecentMap } from '../../platform/recent-map.ts';
import { findProductIds } from './product-queries.ts';

export interface ProductDirectory {
  /** The product of each sku, in the same order; null for one that is not registered. */
  find(accountId: number, skuIds: string[]): Promise<(number | null)[]>;
}

const rememberedMax = 100_000;

/** A product keeps its id for ever, so what was found once need not be asked for again; only what was found is remembered, so that a new one is known at once. */
export function makeProductDirectory(database: Database): ProductDirectory {
  const remembered = makeRecentMap<number>(rememberedMax);

  return {
    async find(accountId, skuIds) {
      const keyOf = (skuId: string) => `${accountId}/${skuId}`;
      const recalled = skuIds.map((skuId) => remembered.get(keyOf(skuId)) ?? null);
      if (!recalled.includes(null)) return recalled;

      const unknown = [...new Set(skuIds.filter((_, index) => recalled[index] === null))];
      const found = await database.read((sql) => findProductIds(sql, accountId, unknown));
      for (const [skuId, productId] of found) remembered.set(keyOf(skuId), productId);
      return skuIds.map((skuId, index) => recalled[index] ?? found.get(skuId) ?? null);
    },
  };
}
