import type { Database } from '../../platform/postgres/database.ts';
import { isUniqueViolation } from '../../platform/postgres/errors.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { accountIdsOf } from '../partners/partner-queries.ts';
import { freeOf, type Lot, type LotKey, lotUnitsMax, type StockType } from './lot.ts';
import { findShelf, type Shelf, type ShelfName } from './shelf-queries.ts';

/** A lot as people refer to it, without its stock type. */
export interface LotName extends ShelfName {
  /** Empty: no batch. */
  batchId: string;
  /** null: the lot does not expire. */
  expireDate: string | null;
}

export type NotFound = { kind: 'not_found'; what: 'account' | 'product' | 'warehouse' | 'lot' };

/** Why a manual change of a lot is rejected. */
export type RefusedChange =
  | NotFound
  /** The new lot would be in a warehouse that the account does not use, so nobody could order it. */
  | { kind: 'not_kept_there' }
  /** Units that orders have locked cannot be removed. */
  | { kind: 'too_few_free'; free: number; locked: number }
  | { kind: 'too_many_units'; onHand: number; unitsMax: number };

export type KnownShelf = Shelf & { productId: number };

export async function findKnownShelf(tx: Tx, name: ShelfName): Promise<KnownShelf | NotFound> {
  const shelf = await findShelf(tx, name);
  if (!shelf) return { kind: 'not_found', what: 'account' };
  const { productId, warehouseExists } = shelf;
  if (!warehouseExists) return { kind: 'not_found', what: 'warehouse' };
  return productId === null ? { kind: 'not_found', what: 'product' } : { ...shelf, productId };
}

export function lotKeyOf(
  { warehouseNo, batchId, expireDate }: LotName,
  { accountId, productId }: KnownShelf,
  stockType: StockType,
): LotKey {
  return { accountId, productId, warehouseNo, stockType, batchId, expireDate };
}

/** Checks units to add or remove; null if the change is allowed. */
export function refuseChange(lot: Lot | undefined, units: number, { isInUse }: Shelf): RefusedChange | null {
  if (!lot && units < 0) return { kind: 'not_found', what: 'lot' };
  if (!lot && !isInUse) return { kind: 'not_kept_there' };
  const { onHand, locked } = lot ?? { onHand: 0, locked: 0 };
  const free = freeOf({ onHand, locked });
  if (free + units < 0) return { kind: 'too_few_free', free, locked };
  return onHand + units > lotUnitsMax ? { kind: 'too_many_units', onHand, unitsMax: lotUnitsMax } : null;
}

/** One retry for a lot that somebody else created at the same instant: the lot stays, so the next attempt finds it. */
const triesMax = 3;

/**
 * Runs a transaction of an account that may create lots, and repeats it if somebody else has just created one of them.
 */
export async function openingLots<T>(
  database: Database,
  { accountNo }: ShelfName,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  const accountIds = await database.read(noAccounts, (sql) => accountIdsOf(sql, accountNo));
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(accountIds, work);
    } catch (error) {
      if (!isUniqueViolation(error) || tries === triesMax) throw error;
    }
  }
}
