import type { Tx } from '../../platform/postgres/sql.ts';
import { deleteTrendsBefore } from '../trends/forget-old-trends-queries.ts';
import { type BatchMax, countWithin, type PurgedBatch } from './purge-documents.ts';
import { takeOutOfLedger } from './purge-ledger.ts';
import {
  beginPurging,
  type CorrectedLots,
  deleteCorrections,
  deleteStockChanges,
  deleteStockCounts,
  findCorrectedLots,
  lockLotsById,
  sumCorrections,
} from './purge-queries.ts';
import { nothingPurged } from './purge-report.ts';

/**
 * Deletes the numbers of adjustments and moves that are past their retention. This comes before their movements: the
 * audit compares the two sides of each move that has a number.
 */
export async function purgeStockChanges(
  tx: Tx,
  stretch: { accountId: number; madeBefore: Date },
  max: BatchMax,
): Promise<PurgedBatch<true>> {
  await beginPurging(tx);
  const isMore = await deleteStockChanges(tx, stretch, max.documents);
  return { counts: nothingPurged, next: isMore ? true : null };
}

/** Counts are large, so fewer of them are deleted at once. */
const countsAtOnceMax = 20;

export async function purgeStockCounts(
  tx: Tx,
  stretch: { accountId: number; madeBefore: Date },
): Promise<PurgedBatch<true>> {
  await beginPurging(tx);
  const isMore = await deleteStockCounts(tx, stretch, countsAtOnceMax);
  return { counts: nothingPurged, next: isMore ? true : null };
}

export async function purgeTrends(
  tx: Tx,
  { accountId, madeBefore }: { accountId: number; madeBefore: Date },
): Promise<PurgedBatch<true>> {
  await beginPurging(tx);
  await deleteTrendsBefore(tx, accountId, madeBefore);
  return { counts: nothingPurged, next: null };
}

/**
 * Deletes corrections that are past their retention, lot by lot, including those that an earlier purge kept.
 * Corrections that removed units stay until the units they were taken from are deleted with them: a purge never makes
 * units sellable that nobody brought.
 */
export async function purgeCorrections(
  tx: Tx,
  stretch: CorrectedLots,
  max: BatchMax,
  actor: string,
): Promise<PurgedBatch<number>> {
  const { accountId, madeBefore } = stretch;
  const [, found] = await Promise.all([beginPurging(tx), findCorrectedLots(tx, stretch, max.documents)]);
  if (found.length === 0) return { counts: nothingPurged, next: null };
  const [lots, sums] = await Promise.all([
    lockLotsById(tx, accountId, found),
    sumCorrections(tx, accountId, found, madeBefore),
  ]);

  const looked = sums.slice(
    0,
    countWithin(
      sums.map((sum) => sum.movements),
      max.rows,
    ),
  );
  const gone = looked.filter((sum) => sum.onHand >= 0);

  if (gone.length > 0) {
    await deleteCorrections(
      tx,
      accountId,
      gone.map((sum) => sum.lotId),
      madeBefore,
    );
  }
  const unitsKept = await takeOutOfLedger(tx, accountId, lots, gone, () => 'corrections were purged', actor);

  const movements = gone.reduce((sum, one) => sum + one.movements, 0);
  return { counts: { ...nothingPurged, movements, unitsKept }, next: looked.at(-1)?.lotId ?? found.at(-1)! };
}
