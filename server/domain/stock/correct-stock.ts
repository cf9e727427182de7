import type { Database } from '../../platform/postgres/database.ts';
import type { StockType } from './lot.ts';
import type { Cause } from './movement.ts';
import {
  findKnownShelf,
  type LotName,
  lotKeyOf,
  openingLots,
  type RefusedChange,
  refuseChange,
} from './stock-change.ts';
import { lockLotsByKey, recordMovements, takeLotIds } from './stock-queries.ts';

export interface Correction {
  lot: LotName & { stockType: StockType };
  /** More or fewer units than recorded; not 0. */
  units: number;
  /** The reason, as the person who counted wrote it. */
  reason: string;
}

export type CorrectionOutcome =
  | { kind: 'corrected'; onHandBefore: number; onHand: number; locked: number }
  | RefusedChange;

/** Corrects a lot by a count; units that were not recorded may create a lot. Each call counts: there are no repeats. */
export async function correctStock(
  database: Database,
  { lot: name, units, reason }: Correction,
  cause: Cause,
): Promise<CorrectionOutcome> {
  return await openingLots(database, name, async (tx): Promise<CorrectionOutcome> => {
    const shelf = await findKnownShelf(tx, name);
    if ('kind' in shelf) return shelf;
    const { accountId } = shelf;
    const key = lotKeyOf(name, shelf, name.stockType);
    const [[lot], [newLotId]] = await Promise.all([lockLotsByKey(tx, [key]), takeLotIds(tx, 1)]);

    const refused = refuseChange(lot, units, shelf);
    if (refused) return refused;

    const { lotId, onHand, locked } = lot ?? { lotId: newLotId!, onHand: 0, locked: 0 };
    await recordMovements(
      tx,
      [{ accountId, lotId, kind: 'adjust', onHandDelta: units, lockedDelta: 0, cause, reason }],
      lot ? [] : [{ ...key, lotId }],
    );
    return { kind: 'corrected', onHandBefore: onHand, onHand: onHand + units, locked };
  });
}
