import { contentDigest } from '../../platform/json/content-digest.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { changeLots, creatingLots, type StockChangeOutcome } from './change-stock.ts';
import type { Cause } from './movement.ts';
import type { ChangeMistake, LotChange, LotName } from './stock-change.ts';
import type { StockChangeName } from './stock-change-queries.ts';

export type AdjustmentLine = Omit<LotChange, 'otherWarehouseNo'>;

export interface Adjustment {
  accountId: number;
  referenceNo: string;
  lines: AdjustmentLine[];
  cause: Cause;
}

/** Two counts of one lot could each be a part of it, and a change beside a count could be included in it or not. */
export type CountedTwice = { kind: 'counted_twice' };

export type AdjustOutcome = StockChangeOutcome<CountedTwice>;

/** Adds or removes units of lots, or sets them to what was counted: all lines or none. */
export async function adjustStock(database: Database, adjustment: Adjustment): Promise<AdjustOutcome> {
  return await creatingLots(database, adjustment.accountId, (tx) => adjustLots(tx, adjustment));
}

/** The same within a transaction that changes more; see `creatingLots`. */
export async function adjustLots(tx: Tx, { accountId, referenceNo, lines, cause }: Adjustment): Promise<AdjustOutcome> {
  const twice = countedTwice(lines);
  const name = adjustmentName(referenceNo, lines);
  if (twice.length > 0) return { kind: 'refused', mistakes: twice };
  return await changeLots(tx, { accountId, changes: lines, name, cause });
}

/** A lot with a count may have no other line. */
function countedTwice(lines: AdjustmentLine[]): ChangeMistake<CountedTwice>[] {
  const byLot = Map.groupBy(lines.entries(), ([, { lot }]) => JSON.stringify(lotFields(lot)));
  return [...byLot.values()]
    .filter((same) => same.length > 1 && same.some(([, { units }]) => 'counted' in units))
    .flatMap((same) => same.slice(1).map(([index]) => ({ index, refused: { kind: 'counted_twice' } as const })))
    .toSorted((one, other) => one.index - other.index);
}

export function adjustmentName(referenceNo: string, lines: AdjustmentLine[]): StockChangeName {
  const content = lines.map(({ lot, units, reason }) => [...lotFields(lot), units, reason]);
  return { kind: 'adjust', referenceNo, payloadDigest: contentDigest(['adjust', content]) };
}

function lotFields({ warehouseNo, skuId, stockType, batchId, expireDate }: LotName) {
  return [warehouseNo, skuId, stockType, batchId, expireDate];
}
