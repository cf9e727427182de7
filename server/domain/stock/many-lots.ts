import type { Lot } from './lot.ts';

/** Up to this number, reading all lots of a product is as fast as finding the few that an order needs. */
const fewMax = 100;
const productsMax = 10_000;

/**
 * Remembers products with many lots. For all others it is faster to lock all lots with free units than to find out which
 * of them an order needs: a tenth of the time of the database for an order.
 */
export class ManyLots {
  private readonly productIds: Set<number>;

  constructor() {
    this.productIds = new Set();
  }

  areAmong(wanted: readonly { productId: number }[]): boolean {
    return this.productIds.size > 0 && wanted.some(({ productId }) => this.productIds.has(productId));
  }

  notice(lots: readonly Lot[]): void {
    if (lots.length <= fewMax) return;
    if (this.productIds.size > productsMax) this.productIds.clear();
    for (const [productId, own] of Map.groupBy(lots, (lot) => lot.productId))
      if (own.length > fewMax) this.productIds.add(productId);
  }
}
