import type { Database } from '../../platform/postgres/database.ts';
import { changeStock } from './change-stock.ts';
import { freeOf, type StockType } from './lot.ts';
import type { Cause } from './movement.ts';
import type { LotName, RefusedChange } from './stock-change.ts';

export interface Regrade {
  accountId: number;
  /** The two lots differ only in their stock type. */
  lot: Omit<LotName, 'stockType'>;
  to: StockType;
  /** At least 1. */
  units: number;
  reason: string;
}

/** The free units of both lots afterwards. */
export type RegradeOutcome = { kind: 'regraded'; freeGood: number; freeBad: number } | RefusedChange;

/**
 * Moves units from good to bad or back as one change: two movements or none. Each call counts: there are no repeats.
 */
export async function regradeStock(
  database: Database,
  { accountId, lot, to, units, reason }: Regrade,
  cause: Cause,
): Promise<RegradeOutcome> {
  const from: StockType = to === 'good' ? 'bad' : 'good';
  const changes = [
    { lot: { ...lot, stockType: from }, units: { delta: -units }, reason },
    { lot: { ...lot, stockType: to }, units: { delta: units }, reason },
  ];
  const outcome = await changeStock(database, { accountId, changes, name: null, cause });
  if (outcome.kind === 'refused') return outcome.mistakes[0]!.refused;
  if (outcome.kind !== 'changed') throw new Error('a change without a number has no repeats');
  const [freeFrom, freeTo] = outcome.lots.map(freeOf) as [number, number];
  return { kind: 'regraded', freeGood: to === 'good' ? freeTo : freeFrom, freeBad: to === 'bad' ? freeTo : freeFrom };
}
