import type { Database } from '../../platform/database.ts';
import { findProductIds } from './product-queries.ts';

export interface ProductDirectory {
  /** The product of each sku, in the same order; null for one that is not registered. */
  find(accountId: number, skuIds: string[]): Promise<(number | null)[]>;
}

const rememberedMax = 100_000;

/**
 * A product keeps its id for ever, so what was found once need not be asked for again; only what was found is remembered, so that a new
 * product is known at once. Two generations bound the memory: what is still in use moves on to the younger one.
 */
export function makeProductDirectory(database: Database): ProductDirectory {
  let younger = new Map<string, number>();
  let older = new Map<string, number>();

  function remember(key: string, productId: number): void {
    if (younger.size >= rememberedMax / 2) {
      older = younger;
      younger = new Map();
    }
    younger.set(key, productId);
  }

  function recall(key: string): number | null {
    const young = younger.get(key);
    if (young !== undefined) return young;
    const old = older.get(key);
    if (old === undefined) return null;
    remember(key, old);
    return old;
  }

  return {
    async find(accountId, skuIds) {
      const keyOf = (skuId: string) => `${accountId}/${skuId}`;
      const recalled = skuIds.map((skuId) => recall(keyOf(skuId)));
      if (!recalled.includes(null)) return recalled;

      const unknown = [...new Set(skuIds.filter((_, index) => recalled[index] === null))];
      const found = await database.read((sql) => findProductIds(sql, accountId, unknown));
      for (const [skuId, productId] of found) remember(keyOf(skuId), productId);
      return skuIds.map((skuId, index) => recalled[index] ?? found.get(skuId) ?? null);
    },
  };
}
