import { taipeiDay } from '../../platform/clock.ts';
import type { Reader } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { accountsWithLotsUntil, type NamedAccount } from './expiring-queries.ts';
import { findFirstLots } from './first-lots.ts';
import { freeOf } from './lot.ts';
import type { SellingRule } from './stock-queries.ts';
import type { FoundLot } from './stock-search-queries.ts';

export interface ExpiringQuestion {
  /** null: all accounts, in all warehouses. */
  accountNo: string | null;
  warehouseNos: number[] | null;
  withinDays: number;
  limit: number;
}

export interface ExpiringLot extends FoundLot {
  account_no: string;
  expire_date: string;
  /** 0: today is the last day; negative: expired. */
  days_left: number;
  free: number;
  /** Good, and sellable for at least one of the account's tenants in the warehouse. */
  is_sellable: boolean;
}

/**
 * Lots with units on hand that have expired or soon will, earliest first, and whether there are more than the limit.
 */
export async function findExpiringLots(
  database: Reader,
  question: ExpiringQuestion,
  now: Date,
): Promise<{ lots: ExpiringLot[]; isMore: boolean }> {
  const until = taipeiDay(now, question.withinDays);
  const accounts = await database.read(noAccounts, (sql) => accountsWithLotsUntil(sql, until, question.accountNo));
  const lots: ExpiringLot[] = [];
  for (const account of accounts) lots.push(...(await earliestOf(database, account, until, question, now)));
  lots.sort(compareByExpiry);
  return { lots: lots.slice(0, question.limit), isMore: lots.length > question.limit };
}

async function earliestOf(
  database: Reader,
  account: NamedAccount,
  until: string,
  { warehouseNos, limit }: ExpiringQuestion,
  now: Date,
): Promise<ExpiringLot[]> {
  const search = {
    accountId: account.account_id,
    filters: {
      expire_date: { lte: until },
      ...(warehouseNos === null ? {} : { warehouse_no: { anyOf: warehouseNos } }),
    },
    sort: { field: 'expire_date', descending: false },
  };
  const { lots, rules } = await findFirstLots(database, search, limit, now);
  return lots.map((lot) => describe(lot, account, rules, taipeiDay(now)));
}

const dayMs = 86_400_000;

function describe(lot: FoundLot, { account_no }: NamedAccount, rules: SellingRule[], today: string): ExpiringLot {
  const { stock_type, warehouse_no, on_hand, locked } = lot;
  const expire_date = lot.expire_date!;
  const rule = rules.find((one) => one.warehouseNo === warehouse_no);
  return {
    ...lot,
    account_no,
    expire_date,
    days_left: (Date.parse(expire_date) - Date.parse(today)) / dayMs,
    free: freeOf({ onHand: on_hand, locked }),
    is_sellable: stock_type === 'good' && (rule === undefined || expire_date >= rule.sellableFrom),
  };
}

function compareByExpiry(a: ExpiringLot, b: ExpiringLot): number {
  return compare(a.expire_date, b.expire_date) || compare(a.account_no, b.account_no) || compare(a.sku_id, b.sku_id);
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
