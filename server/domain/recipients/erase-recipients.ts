import { setTimeout as sleep } from 'node:timers/promises';
import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { beginPurging } from '../purge/purge-queries.ts';
import { eraseBatch } from './erase-batch.ts';
import { beforeAll, type EndPosition, eraseLateChanges, lockEndedOrders, productionAccounts } from './erase-queries.ts';
import { type ErasureCounts, type ErasureReport, nothingErased } from './erasure-report.ts';
import { addToErasure, beginErasure, finishErasure, readErasure } from './erasure-report-queries.ts';

export interface ErasureRun {
  /** Erases the recipients of orders of production accounts that ended before this time. */
  endedBefore: Date;
  actor: string;
  /** Ends the run after the current batch. */
  stopping?: AbortSignal;
  onBatch?: (erased: ErasureCounts) => void;
  batchMax?: number;
  restRatio?: number;
}

/** Locks are held for the duration of a batch. */
const usualBatchMax = 200;
/** The pause after a batch, as a multiple of its duration, as in a purge. */
const usualRestRatio = 4;

/**
 * Erases recipients that are past their retention, account by account, in small batches with pauses in between. Several
 * runs may work at the same time; each skips rows that another has locked. Orders that were left out are found by the
 * next run. Returns null if there was nothing to erase; the report of a stopped run has no end.
 */
export async function eraseRecipients(
  database: Database,
  keyring: Keyring,
  run: ErasureRun,
): Promise<ErasureReport | null> {
  const { endedBefore, actor, stopping = never, onBatch = () => {}, restRatio = usualRestRatio } = run;
  const { batchMax = usualBatchMax } = run;
  let erasureId: number | null = null;

  async function eraseNext(tx: Tx, accountId: number, after: EndPosition) {
    const [, orders] = await Promise.all([
      beginPurging(tx),
      lockEndedOrders(tx, { accountId, endedBefore, after }, batchMax),
    ]);
    const counts = orders.length > 0 ? await eraseBatch(tx, keyring, accountId, orders) : nothingErased;
    const next = orders.at(-1) ?? null;
    if (counts.orders === 0) return { counts, next, id: erasureId };
    const id = erasureId ?? (await beginErasure(tx, { actor, endedBefore }));
    await addToErasure(tx, id, counts);
    return { counts, next, id };
  }

  /** Finishes what nodes of an earlier version have left. */
  async function eraseLate(tx: Tx, accountId: number): Promise<number> {
    await beginPurging(tx);
    return await eraseLateChanges(tx, accountId, batchMax);
  }

  for (const { accountId } of await database.read(noAccounts, productionAccounts)) {
    let late = batchMax;
    while (late === batchMax && !stopping.aborted)
      late = await database.transaction([accountId], (tx) => eraseLate(tx, accountId));
    let after: EndPosition | null = beforeAll;
    while (after !== null && !stopping.aborted) {
      const startedAtMs = performance.now();
      const begin: EndPosition = after;
      const { counts, next, id } = await database.transaction([accountId], (tx) => eraseNext(tx, accountId, begin));
      [after, erasureId] = [next, id];
      if (counts.orders === 0) continue;
      onBatch(counts);
      await sleep(restRatio * (performance.now() - startedAtMs), undefined, { signal: stopping }).catch(() => {});
    }
  }

  if (erasureId === null) return null;
  const reportId: number = erasureId;
  if (!stopping.aborted) await database.transaction(noAccounts, (tx) => finishErasure(tx, reportId));
  return await database.read(noAccounts, (sql) => readErasure(sql, reportId));
}

const never = new AbortController().signal;
