import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Page, Search } from '../../platform/postgres/keyset-search.ts';
import { type AccountDirectory, findTenant, type KnownAccount } from '../partners/account-directory.ts';
import { sellableFrom, type Tenant } from '../partners/tenant.ts';
import { freeOf, type StockType } from './lot.ts';
import { readSellableStock, readStock, type SellingRule, type StockRow } from './stock-queries.ts';
import { type FoundLot, findLots } from './stock-search-queries.ts';

/** With a tenant: only the units that it can sell. Without: all stock of the account. */
export type QueryStock = (
  account: KnownAccount,
  skuIds: string[],
  warehouseTpwId: string | null,
) => Promise<QueryStockOutcome>;

export type QueryStockOutcome =
  /** A null warehouseNo means the stock of all warehouses. */
  { kind: 'found'; warehouseNo: number | null; stock: StockOfSku[] } | { kind: 'unknown_tenant' };

/** The rows of a sku; empty if the product is not registered. */
export interface StockOfSku {
  skuId: string;
  rows: StockRow[];
}

/** The stock of each sku, once, in the order first requested; all as of one instant. */
export function makeQueryStock(parts: { database: Database; directory: AccountDirectory; clock: Clock }): QueryStock {
  const { database, directory, clock } = parts;
  return async (account, skuIds, warehouseTpwId) => {
    const tenant = warehouseTpwId === null ? null : await findTenant(directory, account, warehouseTpwId);
    if (warehouseTpwId !== null && tenant === null) return { kind: 'unknown_tenant' };

    const now = clock.now();
    const asked = { accountId: account.accountId, skuIds: [...new Set(skuIds)] };
    const rows = await database.read([account.accountId], (sql) =>
      tenant === null
        ? readStock(sql, asked, sellingRules(account.tenants.values(), now))
        : readSellableStock(sql, asked, { warehouseNo: tenant.warehouseNo, sellableFrom: sellableFrom(tenant, now) }),
    );
    const bySku = Map.groupBy(rows, (row) => row.skuId);
    const stock = asked.skuIds.map((skuId) => ({ skuId, rows: bySku.get(skuId) ?? [] }));
    return { kind: 'found', warehouseNo: tenant?.warehouseNo ?? null, stock };
  };
}

export type SearchStock = (account: KnownAccount, search: Search) => Promise<Page<FoundLot>>;

/** Searches lots, with the units of each that can be sold today. */
export function makeSearchStock(database: Database, clock: Clock): SearchStock {
  return (account, search) =>
    database.read([account.accountId], (sql) =>
      findLots(sql, search, sellingRules(account.tenants.values(), clock.now())),
    );
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
  return [...accounts].flatMap(({ accountId, tenants }) =>
    sellingRules(tenants.values(), now).map((rule) => ({ accountId, ...rule })),
  );
}

/** The first expiry date that is sold in the warehouse; null: any date. */
export function sellableFromAt(rules: SellingRule[], accountId: number, warehouseNo: number): string | null {
  return rules.find((rule) => rule.accountId === accountId && rule.warehouseNo === warehouseNo)?.sellableFrom ?? null;
}

/** The units of a lot that can be sold today. */
export function availableOf(
  lot: {
    account_id: number;
    warehouse_no: number;
    stock_type: StockType;
    expire_date: string | null;
    on_hand: number;
    locked: number;
  },
  rules: SellingRule[],
): number {
  const sellableFrom = sellableFromAt(rules, lot.account_id, lot.warehouse_no);
  const isTooOld = sellableFrom !== null && lot.expire_date !== null && lot.expire_date < sellableFrom;
  return lot.stock_type !== 'good' || isTooOld ? 0 : freeOf({ onHand: lot.on_hand, locked: lot.locked });
}
