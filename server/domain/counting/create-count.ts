import type { Database } from '../../platform/postgres/database.ts';
import { findProductIds } from '../products/product-queries.ts';
import { type CountScope, countLotsMax } from './stock-count.ts';
import {
  findCountOfRequest,
  findProductsAt,
  findShelvedLots,
  insertCount,
  isManualWarehouse,
} from './stock-count-queries.ts';

export interface WantedCount {
  accountId: number;
  warehouseNo: number;
  of: { scope: 'location'; location: string } | { scope: 'skus'; skuIds: string[] } | { scope: 'warehouse' };
  /** A repeat with the same key finds the count. */
  requestId: string;
  by: string;
}

export type CreateCountOutcome =
  | { kind: 'created'; countId: number }
  /** People count in warehouses without a system of their own. */
  | { kind: 'not_manual' }
  | { kind: 'unknown_skus'; skuIds: string[] }
  /** Nothing is at this location, or the account has nothing in the warehouse. */
  | { kind: 'nothing_to_count' }
  | { kind: 'too_many_lots'; lotsMax: number };

/** Begins a count of some products of an account in a warehouse. */
export async function createCount(database: Database, wanted: WantedCount): Promise<CreateCountOutcome> {
  const { accountId, warehouseNo, of, requestId, by } = wanted;
  return await database.transaction([accountId], async (tx): Promise<CreateCountOutcome> => {
    const repeated = await findCountOfRequest(tx, accountId, requestId);
    if (repeated !== null) return { kind: 'created', countId: repeated };
    if (!(await isManualWarehouse(tx, warehouseNo))) return { kind: 'not_manual' };

    const known = of.scope === 'skus' ? await findProductIds(tx, accountId, of.skuIds) : new Map<string, number>();
    const unknown = of.scope === 'skus' ? of.skuIds.filter((skuId) => !known.has(skuId)) : [];
    if (unknown.length > 0) return { kind: 'unknown_skus', skuIds: unknown };
    const found =
      of.scope === 'location' ? await findProductsAt(tx, { accountId, warehouseNo, ...of }) : [...known.values()];
    const productIds = of.scope === 'warehouse' ? null : found;
    const lots = await findShelvedLots(tx, { accountId, warehouseNo, productIds }, countLotsMax + 1);
    if (productIds === null ? lots.length === 0 : productIds.length === 0) return { kind: 'nothing_to_count' };
    if (lots.length > countLotsMax) return { kind: 'too_many_lots', lotsMax: countLotsMax };

    const location = of.scope === 'location' ? of.location : null;
    const scope: CountScope = of.scope;
    const countId =
      (await insertCount(tx, { accountId, requestId, warehouseNo, scope, location, productIds, createdBy: by })) ??
      (await findCountOfRequest(tx, accountId, requestId))!;
    return { kind: 'created', countId };
  });
}
