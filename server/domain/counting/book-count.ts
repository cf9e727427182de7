import { randomBytes } from 'node:crypto';
import type { Database } from '../../platform/postgres/database.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { adjustLots } from '../stock/adjust-stock.ts';
import { creatingLots } from '../stock/change-stock.ts';
import type { Cause } from '../stock/movement.ts';
import {
  type BookingMistake,
  type CountedLot,
  type CountKey,
  type CountLine,
  type CountState,
  countedLotText,
  countNoOf,
  planBooking,
  type StockCount,
} from './stock-count.ts';
import { endCount, findCountedProducts, findCountLines, lockCount, markBooked } from './stock-count-queries.ts';

export interface Booking {
  /** Lots whose difference is not booked. */
  leftOut: CountedLot[];
  by: string;
  cause: Cause;
}

export interface BookedCount {
  /** null: there was no difference. */
  referenceNo: string | null;
  /** Lots whose balance changed, and the units that were added and removed. */
  lots: number;
  added: number;
  removed: number;
}

export type BookCountOutcome =
  | ({ kind: 'booked' | 'repeated' } & BookedCount)
  | { kind: 'not_found' }
  | { kind: 'ended'; state: CountState }
  /** Nothing is booked. */
  | { kind: 'refused'; mistakes: BookingMistake[] };

/**
 * Books the differences of a count as one adjustment, all or none. Lots that nobody counted stay as they are. The count
 * is locked before the lots, so that of two bookings the second finds the result of the first.
 */
export async function bookCount(database: Database, key: CountKey, booking: Booking): Promise<BookCountOutcome> {
  return await creatingLots(database, key.accountId, async (tx): Promise<BookCountOutcome> => {
    const count = await lockCount(tx, key, 'update');
    if (count === null) return { kind: 'not_found' };
    const lines = await findCountLines(tx, key);
    if (count.state === 'booked') return { kind: 'repeated', ...resultOf(count.referenceNo, lines.map(bookedOf)) };
    if (count.state !== 'open') return { kind: 'ended', state: count.state };

    const products = await findCountedProducts(tx, count, [...new Set(lines.map(({ productId }) => productId))]);
    const skuOf = new Map(products.map(({ productId, skuId }) => [productId, skuId]));
    const plan = planBooking(count, lines, skuOf, new Set(booking.leftOut.map(countedLotText)));
    if (plan.kind === 'refused') return plan;
    const adjusted = await adjust(tx, count, plan, booking.cause);
    if (adjusted.kind === 'refused') return adjusted;

    await markBooked(tx, key, plan.booked);
    await endCount(tx, key, { state: 'booked', by: booking.by, referenceNo: adjusted.referenceNo });
    const deltas = plan.adjustments.map(({ units }) => ('delta' in units ? units.delta : 0));
    return { kind: 'booked', ...resultOf(adjusted.referenceNo, deltas) };
  });
}

function bookedOf({ booked }: CountLine): number {
  return booked ?? 0;
}

function resultOf(referenceNo: string | null, deltas: number[]): BookedCount {
  const sum = (units: number[]) => units.reduce((total, one) => total + one, 0);
  return {
    referenceNo,
    lots: deltas.filter((delta) => delta !== 0).length,
    added: sum(deltas.filter((delta) => delta > 0)),
    removed: -sum(deltas.filter((delta) => delta < 0)),
  };
}

async function adjust(
  tx: Tx,
  { accountId, countId }: StockCount,
  { booked, adjustments }: { booked: CountLine[]; adjustments: Parameters<typeof adjustLots>[1]['lines'] },
  cause: Cause,
): Promise<{ kind: 'adjusted'; referenceNo: string | null } | { kind: 'refused'; mistakes: BookingMistake[] }> {
  if (adjustments.length === 0) return { kind: 'adjusted', referenceNo: null };
  // A partner may have used the number of a count for an adjustment of its own. Nobody can guess the second number.
  for (const suffix of ['', `-${randomBytes(4).toString('hex')}`]) {
    const referenceNo = `${countNoOf(countId)}${suffix}`;
    const outcome = await adjustLots(tx, { accountId, referenceNo, lines: adjustments, cause });
    if (outcome.kind === 'changed') return { kind: 'adjusted', referenceNo };
    if (outcome.kind === 'refused')
      return {
        kind: 'refused',
        mistakes: outcome.mistakes.map(({ index, refused }) => {
          if (refused.kind === 'counted_twice') throw new Error('a difference is no count');
          return { lot: booked[index]!, refused };
        }),
      };
  }
  throw new Error(`the numbers of ${countNoOf(countId)} are all in use`);
}

export type DiscardOutcome = { kind: 'discarded' } | { kind: 'not_found' } | { kind: 'ended'; state: CountState };

/** Ends a count without booking anything. */
export async function discardCount(database: Database, key: CountKey, by: string): Promise<DiscardOutcome> {
  return await database.transaction([key.accountId], async (tx): Promise<DiscardOutcome> => {
    const count = await lockCount(tx, key, 'update');
    if (count === null) return { kind: 'not_found' };
    if (count.state === 'booked') return { kind: 'ended', state: count.state };

    if (count.state === 'open') await endCount(tx, key, { state: 'discarded', by, referenceNo: null });
    return { kind: 'discarded' };
  });
}
