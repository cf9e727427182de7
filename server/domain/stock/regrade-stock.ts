import type { Database } from '../../platform/postgres/database.ts';
import { freeOf, type StockType } from './lot.ts';
import type { Cause, Movement } from './movement.ts';
import {
  findKnownShelf,
  type LotName,
  lotKeyOf,
  openingLots,
  type RefusedChange,
  refuseChange,
} from './stock-change.ts';
import { lockLotsByKey, recordMovements, takeLotIds } from './stock-queries.ts';

export interface Regrade {
  /** The two lots differ only in their stock type. */
  lot: LotName;
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
  { lot: name, to, units, reason }: Regrade,
  cause: Cause,
): Promise<RegradeOutcome> {
  const from: StockType = to === 'good' ? 'bad' : 'good';
  return await openingLots(database, name, async (tx): Promise<RegradeOutcome> => {
    const shelf = await findKnownShelf(tx, name);
    if ('kind' in shelf) return shelf;
    const { accountId } = shelf;
    const keys = { good: lotKeyOf(name, shelf, 'good'), bad: lotKeyOf(name, shelf, 'bad') };
    const [lots, [newLotId]] = await Promise.all([lockLotsByKey(tx, [keys.good, keys.bad]), takeLotIds(tx, 1)]);
    const source = lots.find((lot) => lot.stockType === from);
    const target = lots.find((lot) => lot.stockType === to);

    // If the source lot is kept in this warehouse, its counterpart may be kept there too.
    const refused = refuseChange(source, -units, shelf) ?? refuseChange(target, units, { ...shelf, isInUse: true });
    if (refused) return refused;

    const movement = (lotId: number, onHandDelta: number): Movement => ({
      accountId,
      lotId,
      kind: 'adjust',
      onHandDelta,
      lockedDelta: 0,
      cause,
      reason,
    });
    const targetId = target?.lotId ?? newLotId!;
    await recordMovements(
      tx,
      [movement(source!.lotId, -units), movement(targetId, units)],
      target ? [] : [{ ...keys[to], lotId: targetId }],
    );
    const free = { [from]: freeOf(source!) - units, [to]: (target ? freeOf(target) : 0) + units } as Record<
      StockType,
      number
    >;
    return { kind: 'regraded', freeGood: free.good, freeBad: free.bad };
  });
}
