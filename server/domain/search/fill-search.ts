import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { listAccounts } from '../partners/partner-queries.ts';
import { addParts, nextPositions, type SearchSource, searchSources } from './search-part-queries.ts';

export interface FillRun {
  /** Younger documents are left to the next run. */
  youngestSeconds?: number;
  stopping?: AbortSignal;
  batchMax?: number;
  restRatio?: number;
}

/**
 * A transaction gives its documents the time of its begin, and may commit later. All end within their deadline of 3.5 s;
 * the search reads younger documents directly.
 */
const usualYoungestSeconds = 20;
const usualBatchMax = 200;
/** The pause after a batch, as a multiple of its duration: filling takes a fortieth of one connection's time. */
const usualRestRatio = 39;

/**
 * Stores the parts of numbers and names of new documents and products, account by account, in small batches with pauses
 * in between. Parts and position are written in one transaction, so a run that is cut off loses nothing.
 */
export async function fillSearch(database: Database, run: FillRun = {}): Promise<{ documents: number }> {
  const {
    youngestSeconds = usualYoungestSeconds,
    stopping = never,
    batchMax = usualBatchMax,
    restRatio = usualRestRatio,
  } = run;
  let documents = 0;
  for (const { accountId } of await database.read(noAccounts, (sql) => listAccounts(sql)))
    for (const source of searchSources)
      for (let rows = batchMax; rows === batchMax && !stopping.aborted; documents += rows) {
        const startedAtMs = performance.now();
        rows = await fillNext(database, { accountId, source, youngestSeconds }, batchMax);
        if (rows > 0)
          await sleep(restRatio * (performance.now() - startedAtMs), undefined, { signal: stopping }).catch(() => {});
      }
  return { documents };
}

/** Returns the number of rows whose parts were stored. */
async function fillNext(
  database: Database,
  stretch: { accountId: number; source: SearchSource; youngestSeconds: number },
  batchMax: number,
): Promise<number> {
  const { accountId } = stretch;
  const positions = await database.read([accountId], (sql) => nextPositions(sql, stretch, batchMax));
  const last = positions.at(-1);
  if (last) await database.transaction([accountId], (tx) => addParts(tx, stretch, last));
  return positions.length;
}

const never = new AbortController().signal;
