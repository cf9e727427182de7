import type { Tx } from '../../platform/postgres/sql.ts';
import type { Movement } from '../stock/movement.ts';
import { notifyOfStock, recordMovements } from '../stock/stock-queries.ts';
import { type LotBalance, type MovedInLot, takeFromBalances } from './purge-queries.ts';
import { remainingBalance } from './remaining-balance.ts';

/**
 * Removes the effect of deleted movements from the balances of their lots, which are locked. If units must stay, a
 * movement with a reason replaces those that brought them, so that a balance remains the sum of its movements. Returns
 * how many units stay.
 */
export async function takeOutOfLedger(
  tx: Tx,
  accountId: number,
  lots: LotBalance[],
  gone: MovedInLot[],
  words: (gone: MovedInLot) => string,
  actor: string,
) {
  const { kept, taken, freed } = decide(accountId, lots, gone, words, actor);

  // The units that stay are added first, so that there is never less on hand than locked. The statements are sent
  // together, because others wait for the lots.
  await Promise.all([
    kept.length > 0 ? recordMovements(tx, kept) : null,
    taken.length > 0 ? takeFromBalances(tx, accountId, taken) : null,
    freed.length > 0 ? notifyOfStock(tx, accountId, 'lots', freed) : null,
  ]);
  return kept.reduce((sum, movement) => sum + movement.onHandDelta, 0);
}

function decide(
  accountId: number,
  lots: LotBalance[],
  gone: MovedInLot[],
  words: (gone: MovedInLot) => string,
  actor: string,
) {
  const goneOf = new Map(gone.map((one) => [one.lotId, one]));
  const kept: Movement[] = [];
  const taken: { lotId: number; onHand: number; locked: number }[] = [];
  const freed: number[] = [];
  for (const { lotId, ...balance } of lots) {
    const moved = goneOf.get(lotId);
    if (!moved) continue;
    const remaining = remainingBalance(balance, moved);
    if (remaining.kept > 0) {
      const reason = `kept for younger ${remaining.locked > 0 ? 'orders' : 'corrections'} when ${words(moved)}`;
      kept.push({
        accountId,
        lotId,
        kind: 'adjust',
        onHandDelta: remaining.kept,
        lockedDelta: 0,
        cause: { actor, traceId: null },
        reason,
      });
    }
    const onHand = balance.onHand + remaining.kept - remaining.onHand;
    const locked = balance.locked - remaining.locked;
    if (onHand !== 0 || locked !== 0) taken.push({ lotId, onHand, locked });
    if (remaining.onHand - remaining.locked > balance.onHand - balance.locked) freed.push(lotId);
  }
  return { kept, taken, freed };
}
