import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import type { Page, Search } from '../../platform/keyset-search.ts';
import type { AccountDirectory, KnownAccount } from '../partners/account-directory.ts';
import { findTenant, sellableFrom, type Tenant } from '../partners/tenant.ts';
import { freeOf, type StockType } from './lot.ts';
import { readSellableStock, readStock, type SellingRule, type StockRow } from './stock-queries.ts';
import { type FoundLot, findLots } from './stock-search-queries.ts';

/** Of one tenant, only what it can sell; where the tenant is null, all stock of the account. */
export type QueryStock = (account: KnownAccount, skuIds: string[], warehouseTpwId: string | null) => Promise<QueryStockOutcome>;

export type QueryStockOutcome =
  /** A warehouseNo of null: the stock of all warehouses. */
  { kind: 'found'; warehouseNo: number | null; stock: StockOfSku[] } | { kind: 'unknown_tenant' };

/** The rows of a sku; none where the product is not registered. */
export interface StockOfSku {
  skuId: string;
  rows: StockRow[];
}

/** The stock of each sku, once, in the order first asked for; all as of one instant. */
export function makeQueryStock(parts: { database: Database; directory: AccountDirectory; clock: Clock }): QueryStock {
  const { database, directory, clock } = parts;
  return async (account, skuIds, warehouseTpwId) => {
    const tenant = warehouseTpwId === null ? null : await findTenant(directory, account, warehouseTpwId);
    if (warehouseTpwId !== null && tenant === null) return { kind: 'unknown_tenant' };

    const now = clock.now();
    const asked = { accountId: account.accountId, skuIds: [...new Set(skuIds)] };
    const rows = await database.read((sql) =>
      tenant === null
        ? readStock(sql, asked, sellingRules(account.tenants.values(), now))
        : readSellableStock(sql, asked, { warehouseNo: tenant.warehouseNo, sellableFrom: sellableFrom(tenant, now) }),
    );
    const bySku = Map.groupBy(rows, (row) => row.sku_id);
    const stock = asked.skuIds.map((skuId) => ({ skuId, rows: bySku.get(skuId) ?? [] }));
    return { kind: 'found', warehouseNo: tenant?.warehouseNo ?? null, stock };
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
