import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { KnownAccount } from '../partners/account-directory.ts';
import { sellableFrom } from '../partners/tenant.ts';
import { readStock, type SellingRule, type StockRow } from './stock-queries.ts';

export type QueryStock = (account: KnownAccount, skuIds: string[]) => Promise<StockOfSku[]>;

/** The rows of a sku; none where the product is not registered. */
export interface StockOfSku {
  skuId: string;
  rows: StockRow[];
}

/** The stock of each sku, once, in the order first asked for; all as of one instant. */
export function makeQueryStock(database: Database, clock: Clock): QueryStock {
  return async (account, skuIds) => {
    const distinct = [...new Set(skuIds)];
    const rows = await database.read((sql) => readStock(sql, account.accountId, distinct, sellingRules(account, clock.now())));
    const bySku = Map.groupBy(rows, (row) => row.sku_id);
    return distinct.map((skuId) => ({ skuId, rows: bySku.get(skuId) ?? [] }));
  };
}

/** A warehouse sells what any of the account's tenants there would sell. */
function sellingRules({ tenants }: KnownAccount, now: Date): SellingRule[] {
  const byWarehouse = Map.groupBy(tenants.values(), (tenant) => tenant.warehouseNo);
  return [...byWarehouse].flatMap(([warehouseNo, those]) => {
    const dates = those.map((tenant) => sellableFrom(tenant, now));
    const earliest = dates.includes(null) ? null : dates.toSorted()[0]!;
    return earliest === null ? [] : [{ warehouseNo, sellableFrom: earliest }];
  });
}
