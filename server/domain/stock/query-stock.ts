import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Page, Search } from '../../platform/keyset-search.ts';
import type { KnownAccount } from '../partners/account-directory.ts';
import { sellableFrom, type Tenant } from '../partners/tenant.ts';
import { readStock, type SellingRule, type StockRow } from './stock-queries.ts';
import { type FoundLot, findLots } from './stock-search-queries.ts';

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
    const rows = await database.read((sql) =>
      readStock(sql, account.accountId, distinct, sellingRules(account.tenants.values(), clock.now())),
    );
    const bySku = Map.groupBy(rows, (row) => row.sku_id);
    return distinct.map((skuId) => ({ skuId, rows: bySku.get(skuId) ?? [] }));
  };
}

export type SearchStock = (account: KnownAccount, search: Search) => Promise<Page<FoundLot>>;

/** Lots as they are asked for, with what can be sold of each today. */
export function makeSearchStock(database: Database, clock: Clock): SearchStock {
  return (account, search) => database.read((sql) => findLots(sql, search, sellingRules(account.tenants.values(), clock.now())));
}

/** A warehouse sells what any of the account's tenants there would sell. */
export function sellingRules(tenants: Iterable<Tenant>, now: Date): SellingRule[] {
  const byWarehouse = Map.groupBy(tenants, (tenant) => tenant.warehouseNo);
  return [...byWarehouse].flatMap(([warehouseNo, those]) => {
    const dates = those.map((tenant) => sellableFrom(tenant, now));
    const earliest = dates.includes(null) ? null : dates.toSorted()[0]!;
    return earliest === null ? [] : [{ warehouseNo, sellableFrom: earliest }];
  });
}
