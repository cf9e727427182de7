import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { type AccountDirectory, findTenant, type KnownAccount } from '../partners/account-directory.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import type { QueryStock } from '../stock/query-stock.ts';
import { hasContentOf } from './content-match.ts';
import type { CreateOrderOutcome } from './create-orders.ts';
import { type OrderContent, orderDigest, wrongPartsOf } from './order.ts';
import { findOrdersByNumber } from './order-queries.ts';

/** An order of one account and one tenant that has not been sent yet. */
export interface PlannedOrder {
  partnerNumber: string;
  content: OrderContent;
}

export type OrderPreview = { kind: 'creatable' } | Exclude<CreateOrderOutcome, { kind: 'created' }>;

export type PreviewOrders = (asked: {
  account: KnownAccount;
  warehouseTpwId: string;
  orders: PlannedOrder[];
  /** Units that orders before these will take, by sku. */
  taken: ReadonlyMap<string, number>;
}) => Promise<OrderPreview[]>;

/**
 * Returns the outcome that each order would have if it was created now, one after the other. It locks nothing, so that
 * orders that are created meanwhile do not wait for it.
 */
export function makePreviewOrders(parts: {
  database: Database;
  directory: AccountDirectory;
  products: ProductDirectory;
  keyring: Keyring;
  queryStock: QueryStock;
}): PreviewOrders {
  const { database, directory, products, keyring, queryStock } = parts;
  return async ({ account, warehouseTpwId, orders, taken }) => {
    const { accountId } = account;
    if ((await findTenant(directory, account, warehouseTpwId)) === null)
      return orders.map(() => ({ kind: 'unknown_tenant' }));
    const wanted = orders.map(({ partnerNumber }) => ({ accountId, partnerNumber }));
    const lines = orders.flatMap(({ content }) => content.lines);
    const [found, withIds, stock] = await Promise.all([
      database.read([accountId], (sql) => findOrdersByNumber(sql, wanted)),
      products.withProductIds(accountId, lines),
      queryStock(
        account,
        lines.map(({ skuId }) => skuId),
        warehouseTpwId,
      ),
    ]);
    const known = new Map(found.map((order) => [order.partnerNumber, order]));
    const unknown = new Set(withIds.filter(({ productId }) => productId === null).map(({ skuId }) => skuId));
    const shelf = makeShelf(stock.kind === 'found' ? stock.stock : [], taken);

    return orders.map(({ partnerNumber, content }): OrderPreview => {
      const original = known.get(partnerNumber);
      if (original !== undefined) {
        const payloadDiffers = !hasContentOf(keyring, original, orderDigest(content));
        return { kind: 'repeated', orderNo: original.orderNo, payloadDiffers };
      }
      const skuIds = content.lines.map(({ skuId }) => skuId).filter((skuId) => unknown.has(skuId));
      if (skuIds.length > 0) return { kind: 'unknown_skus', skuIds };
      const wrongParts = wrongPartsOf(content.shipMethod);
      if (wrongParts.length > 0) return { kind: 'unknown_ship_method', wrongParts };
      const shortages = shelf.take(content.lines);
      return shortages.length > 0 ? { kind: 'short', shortages } : { kind: 'creatable' };
    });
  };
}

/** The units that are left. An order takes all its units or none. */
function makeShelf(stock: { skuId: string; rows: { available: number }[] }[], taken: ReadonlyMap<string, number>) {
  const left = new Map(
    stock.map(({ skuId, rows }) => [
      skuId,
      rows.reduce((sum, { available }) => sum + available, 0) - (taken.get(skuId) ?? 0),
    ]),
  );
  return {
    /** What is missing; nothing is taken then. */
    take(lines: OrderContent['lines']): { skuId: string; available: number; requested: number }[] {
      const wanted = new Map<string, number>();
      for (const { skuId, qty } of lines) wanted.set(skuId, (wanted.get(skuId) ?? 0) + qty);
      const shortages = [...wanted].flatMap(([skuId, requested]) => {
        const available = Math.max(left.get(skuId) ?? 0, 0);
        return requested > available ? [{ skuId, available, requested }] : [];
      });
      if (shortages.length === 0) for (const [skuId, qty] of wanted) left.set(skuId, left.get(skuId)! - qty);
      return shortages;
    },
  };
}
