import { taipeiDay } from '../../platform/clock.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { forgetWaiting } from '../orders/shipping-order-queries.ts';
import { uncountOrders } from '../trends/count-orders.ts';
import { takeOutOfLedger } from './purge-ledger.ts';
import {
  beginPurging,
  type CreationPosition,
  countRows,
  deleteCallbacks,
  deleteDocuments,
  deleteExampleTests,
  deleteLeftChanges,
  deleteMovementsOf,
  lockLotsOf,
  lockOldDocuments,
  type MovedInLot,
  type OldDocument,
  type OldTests,
  type PurgedKind,
  type Stretch,
} from './purge-queries.ts';
import { nothingPurged, type PurgeCounts } from './purge-report.ts';

/** Limits of a batch: documents, and lines plus movements (except for a single document that is larger). */
export interface BatchMax {
  documents: number;
  rows: number;
}

export interface PurgedBatch<From> {
  counts: PurgeCounts;
  /** Where the next batch begins; null: there was nothing to purge. */
  next: From | null;
}

/**
 * Deletes the oldest documents of a kind with everything that belongs to them. Lots come last, so that they are locked
 * for a short time.
 */
export async function purgeDocuments(
  tx: Tx,
  kind: PurgedKind,
  stretch: Stretch,
  max: BatchMax,
  actor: string,
): Promise<PurgedBatch<CreationPosition>> {
  const [, found] = await Promise.all([beginPurging(tx), lockOldDocuments(tx, kind, stretch, max.documents)]);
  if (found.length === 0) return { counts: nothingPurged, next: null };
  const { accountId } = stretch;
  const rows = await countRows(tx, kind, { accountId, ids: found.map((document) => document.id) });

  const documents = found.slice(0, countWithin(rows, max.rows));
  const ids = documents.map((document) => document.id);
  const purged = { accountId, ids };

  const [callbacks] = await Promise.all([
    deleteCallbacks(tx, kind, purged),
    kind === 'order'
      ? forgetWaiting(
          tx,
          ids.map((orderId) => ({ accountId, orderId })),
        )
      : null,
    deleteDocuments(tx, kind, purged),
  ]);
  if (kind === 'order') await uncountOrders(tx, { accountId, orderIds: ids, firstDay: taipeiDay(stretch.madeBefore) });
  const [lots, gone] = await Promise.all([lockLotsOf(tx, kind, purged), deleteMovementsOf(tx, kind, purged)]);
  const unitsKept = await takeOutOfLedger(tx, accountId, lots, gone, (moved) => formatCause(moved, documents), actor);

  const counts = {
    orders: kind === 'order' ? ids.length : 0,
    inbounds: kind === 'inbound' ? ids.length : 0,
    movements: gone.reduce((sum, one) => sum + one.movements, 0),
    callbacks,
    unitsKept,
  };
  return { counts, next: documents.at(-1)! };
}

/** How many of the first weights fit together; at least one. */
export function countWithin(weights: number[], weightMax: number): number {
  let weight = 0;
  const tooMany = weights.findIndex((one, index) => {
    weight += one;
    return index > 0 && weight > weightMax;
  });
  return tooMany === -1 ? weights.length : tooMany;
}

function formatCause({ documentId }: MovedInLot, documents: OldDocument[]): string {
  const only = documents.find((document) => document.id === documentId);
  return only ? `${only.documentNo} was purged` : 'several documents were purged';
}

/** Deletes old test callbacks that belong to no document. */
export async function purgeTests(tx: Tx, stretch: OldTests, max: BatchMax): Promise<PurgedBatch<'rest'>> {
  await beginPurging(tx);
  const callbacks = await deleteExampleTests(tx, stretch, max.documents);
  return { counts: { ...nothingPurged, callbacks }, next: callbacks === 0 ? null : 'rest' };
}

/** Deletes changes of orders that an earlier version has purged. */
export async function purgeLeftChanges(tx: Tx, accountId: number, max: BatchMax): Promise<PurgedBatch<'rest'>> {
  await beginPurging(tx);
  const hasMore = await deleteLeftChanges(tx, accountId, max.documents);
  return { counts: nothingPurged, next: hasMore ? 'rest' : null };
}
