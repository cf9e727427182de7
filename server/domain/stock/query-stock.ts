import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Page, Search } from '../../platform/keyset-search.ts';
import type { KnownAccount } from '../partners/account-directory.ts';
import { sellableFrom, type Tenant } from '../partners/tenant.ts';
import { freeOf, type StockType } from './lot.ts';
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

/** The rules of several accounts, each with its own. */
export function sellingRulesOf(accounts: Iterable<KnownAccount>, now: Date): SellingRule[] {
  return [...accounts].flatMap(({ accountId, tenants }) => sellingRules(tenants.values(), now).map((rule) => ({ accountId, ...rule })));
}

/** From which expiry date on lots are sold there; null where every date is. */
export function sellableFromAt(rules: SellingRule[], accountId: number, warehouseNo: number): string | null {
  return rules.find((rule) => rule.accountId === accountId && rule.warehouseNo === warehouseNo)?.sellableFrom ?? null;
}

/** What can be sold today of one lot. */
export function availableOf(
  lot: { account_id: number; warehouse_no: number; stock_type: StockType; expire_date: string | null; on_hand: number; locked: number },
  rules: SellingRule[],
): number {
  const sellableFrom = sellableFromAt(rules, lot.account_id, lot.warehouse_no);
  const isTooOld = sellableFrom !== null && lot.expire_date !== null && lot.expire_date < sellableFrom;
  return lot.stock_type !== 'good' || isTooOld ? 0 : freeOf({ onHand: lot.on_hand, locked: lot.locked });
}
