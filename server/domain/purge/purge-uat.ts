import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { purgeCorrections, purgeStockChanges, purgeStockCounts, purgeTrends } from './purge-corrections.ts';
import { type BatchMax, type PurgedBatch, purgeDocuments, purgeLeftChanges, purgeTests } from './purge-documents.ts';
import { beforeAll, type CreationPosition, uatAccounts } from './purge-queries.ts';
import type { PurgeCounts, PurgeReport } from './purge-report.ts';
import { addToReport, beginReport, finishReport, readReport } from './purge-report-queries.ts';

export interface PurgeRun {
  /** Deletes documents of UAT accounts that were created before this time. */
  madeBefore: Date;
  actor: string;
  /** Ends the run after the current batch. */
  stopping?: AbortSignal;
  onBatch?: (purged: PurgeCounts) => void;
  batchMax?: BatchMax;
  restRatio?: number;
}

/**
 * Locks are held for the duration of a batch, about 30 ms. Smaller batches take longer in total (100: twice as long);
 * larger ones hold up others.
 */
const usualBatchMax: BatchMax = { documents: 300, rows: 1500 };
/**
 * The pause after a batch, as a multiple of its duration: however slow the database is, a purge uses a fifth of one
 * connection.
 */
const usualRestRatio = 4;

/**
 * Purges documents of UAT accounts that are past their retention, with everything that belongs to them, in small
 * batches with pauses in between. Orders come before inbound documents, so that no units are kept for an old order.
 * Several purges may run at the same time; each skips rows that another has locked. Returns null if there was nothing
 * to purge; the report of a stopped run has no end.
 */
export async function purgeUat(database: Database, run: PurgeRun): Promise<PurgeReport | null> {
  const {
    madeBefore,
    actor,
    stopping = never,
    onBatch = () => {},
    batchMax = usualBatchMax,
    restRatio = usualRestRatio,
  } = run;
  let purgeId: number | null = null;

  /** Runs one batch after the other, each starting where the last one ended. */
  async function purgeAll<From>(
    accountId: number,
    first: From,
    purgeBatch: (tx: Tx, from: From) => Promise<PurgedBatch<From>>,
  ): Promise<void> {
    let from: From | null = first;
    while (from !== null && !stopping.aborted) {
      const startedAtMs = performance.now();
      const begin: From = from;
      const { counts, next, reportId } = await database.transaction([accountId], async (tx) => {
        const batch = await purgeBatch(tx, begin);
        return { ...batch, reportId: isNothing(batch.counts) ? null : await report(tx, batch.counts) };
      });
      from = next;
      if (reportId === null) continue;
      purgeId = reportId;
      onBatch(counts);
      await sleep(restRatio * (performance.now() - startedAtMs), undefined, { signal: stopping }).catch(() => {});
    }
  }

  async function report(tx: Tx, counts: PurgeCounts): Promise<number> {
    const reportId = purgeId ?? (await beginReport(tx, { actor, madeBefore }));
    await addToReport(tx, reportId, counts);
    return reportId;
  }

  for (const { accountId } of await database.read(noAccounts, uatAccounts)) {
    for (const kind of ['order', 'inbound'] as const) {
      await purgeAll<CreationPosition>(accountId, beforeAll, (tx, after) =>
        purgeDocuments(tx, kind, { accountId, madeBefore, after }, batchMax, actor),
      );
    }
    await purgeAll<true>(accountId, true, (tx) => purgeStockChanges(tx, { accountId, madeBefore }, batchMax));
    await purgeAll<true>(accountId, true, (tx) => purgeStockCounts(tx, { accountId, madeBefore }));
    await purgeAll<true>(accountId, true, (tx) => purgeTrends(tx, { accountId, madeBefore }));
    await purgeAll<'rest'>(accountId, 'rest', (tx) => purgeLeftChanges(tx, accountId, batchMax));
    await purgeAll<'rest'>(accountId, 'rest', (tx) => purgeTests(tx, { accountId, madeBefore }, batchMax));
    await purgeAll(accountId, 0, (tx, afterLotId) =>
      purgeCorrections(tx, { accountId, madeBefore, afterLotId }, batchMax, actor),
    );
  }

  if (purgeId === null) return null;
  const reportId: number = purgeId;
  if (!stopping.aborted) await database.transaction(noAccounts, (tx) => finishReport(tx, reportId));
  return await database.read(noAccounts, (sql) => readReport(sql, reportId));
}

const never = new AbortController().signal;

function isNothing(counts: PurgeCounts): boolean {
  return Object.values(counts).every((count) => count === 0);
}
