import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { lotUnitsMax } from '../stock/lot.ts';
import type { CountedLot, CountKey, CountLine, CountState, StockCount } from './stock-count.ts';
import {
  addToLine,
  beginRounds,
  findCountedProducts,
  findEntry,
  insertEntry,
  lockCount,
  lockLine,
  markUndone,
  readShelf,
  takeFromLine,
} from './stock-count-queries.ts';

export interface UnitsToEnter {
  lot: CountedLot;
  units: number;
  /** A repeat with the same key counts once. */
  scanId: string;
  by: string;
}

export type Ended = { kind: 'ended'; state: CountState };

export type EnterUnitsOutcome =
  | { kind: 'entered' | 'repeated'; line: CountLine }
  | { kind: 'not_found' }
  | Ended
  /** A unit of another product on this shelf belongs to a lot that is counted elsewhere. */
  | { kind: 'not_on_sheet' }
  | { kind: 'too_many_units'; unitsMax: number };

/**
 * Adds units to the count of a lot. Several people may count at once. The first scan of a lot notes the units on the
 * shelf at that moment; if a later scan finds other units there, the lot must be counted again.
 */
export async function enterUnits(database: Database, key: CountKey, entered: UnitsToEnter): Promise<EnterUnitsOutcome> {
  const { lot, units, scanId, by } = entered;
  return await database.transaction([key.accountId], async (tx): Promise<EnterUnitsOutcome> => {
    const count = await lockCount(tx, key, 'share');
    if (count === null) return { kind: 'not_found' };
    const earlier = await findEntry(tx, key, scanId);
    if (earlier !== null) return { kind: 'repeated', line: await lockLine(tx, key, earlier) };
    if (count.state !== 'open') return { kind: 'ended', state: count.state };
    if (!(await covers(tx, count, lot.productId))) return { kind: 'not_on_sheet' };

    const line = await lockLine(tx, key, lot);
    if (line.counted + units > lotUnitsMax) return { kind: 'too_many_units', unitsMax: lotUnitsMax };
    const shelf = await readShelf(tx, count, lot);

    const isNew = await insertEntry(tx, key, { ...lot, scanId, round: line.round, units, by });
    if (isNew) await addToLine(tx, key, lot, { units, shelf, by });
    return { kind: isNew ? 'entered' : 'repeated', line: await lockLine(tx, key, lot) };
  });
}

/** Whether a product of the account is on the sheet. */
async function covers(tx: Tx, count: StockCount, productId: number): Promise<boolean> {
  if (count.productIds !== null) return count.productIds.includes(productId);
  return (await findCountedProducts(tx, count, [productId])).length > 0;
}

export type UndoOutcome = { kind: 'undone'; line: CountLine } | { kind: 'not_found' } | Ended;

/** Takes back a scan. One of an earlier round counts no longer anyway. */
export async function undoEntry(database: Database, key: CountKey, scanId: string): Promise<UndoOutcome> {
  return await database.transaction([key.accountId], async (tx): Promise<UndoOutcome> => {
    const count = await lockCount(tx, key, 'share');
    const entry = count && (await findEntry(tx, key, scanId));
    if (count === null || entry === null) return { kind: 'not_found' };
    if (count.state !== 'open') return { kind: 'ended', state: count.state };

    const line = await lockLine(tx, key, entry);
    const isFirst = await markUndone(tx, key, scanId);
    if (isFirst && entry.round === line.round) await takeFromLine(tx, key, entry, entry.units);
    return { kind: 'undone', line: await lockLine(tx, key, entry) };
  });
}

export type RecountOutcome = { kind: 'begun'; lots: number } | { kind: 'not_found' } | Ended;

/** Begins the counts of these lots again. The round tells a repeat from a second recount. */
export async function recountLots(
  database: Database,
  key: CountKey,
  lots: (CountedLot & { round: number })[],
): Promise<RecountOutcome> {
  return await database.transaction([key.accountId], async (tx): Promise<RecountOutcome> => {
    const count = await lockCount(tx, key, 'update');
    if (count === null) return { kind: 'not_found' };
    if (count.state !== 'open') return { kind: 'ended', state: count.state };
    return { kind: 'begun', lots: await beginRounds(tx, key, lots) };
  });
}
