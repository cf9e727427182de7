import { makeLruCache } from '../../platform/limits/lru-cache.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { findProductIds } from './product-queries.ts';

export interface ProductDirectory {
  /** Adds the product id to each line, in the same order; null for a sku that is not registered. */
  withProductIds<Line extends { skuId: string }>(
    accountId: number,
    lines: Line[],
  ): Promise<(Line & { productId: number | null })[]>;
}

const rememberedMax = 100_000;

/**
 * A product's id never changes, so ids are cached. Only registered products are cached, so that a new one is known
 * at once.
 */
export function makeProductDirectory(database: Database): ProductDirectory {
  const { record } = database;
  let remembered = makeLruCache<number>(rememberedMax);
  let { generation } = record;

  /** A product that a former primary has lost may be remembered, and its id may be that of another one now. */
  function forgetFormerPrimary(): void {
    if (generation === record.generation) return;
    remembered = makeLruCache<number>(rememberedMax);
    generation = record.generation;
  }

  async function find(accountId: number, skuIds: string[]): Promise<(number | null)[]> {
    forgetFormerPrimary();
    const before = generation;
    const keyOf = (skuId: string) => `${accountId}/${skuId}`;
    const recalled = skuIds.map((skuId) => remembered.get(keyOf(skuId)) ?? null);
    if (!recalled.includes(null)) return recalled;

    const unknown = [...new Set(skuIds.filter((_, index) => recalled[index] === null))];
    const found = await database.read([accountId], (sql) => findProductIds(sql, accountId, unknown));
    if (record.generation !== before) return await find(accountId, skuIds);
    for (const [skuId, productId] of found) remembered.set(keyOf(skuId), productId);
    return skuIds.map((skuId, index) => recalled[index] ?? found.get(skuId) ?? null);
  }

  return {
    async withProductIds(accountId, lines) {
      const productIds = await find(
        accountId,
        lines.map((line) => line.skuId),
      );
      return lines.map((line, index) => ({ ...line, productId: productIds[index]! }));
    },
  };
}
