import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PushRules, pushRules, type WordTransfer } from '../domain/orders/transfer.ts';
import { claimWave, completeSchedule, type Wave } from '../domain/orders/transfer-schedule-queries.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, DatabaseUnavailable, isUnavailable } from '../platform/database.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import type { PushMetrics } from './push-metrics.ts';
import { runWave } from './push-wave.ts';

export interface Push {
  /** Begins nothing more; the orders that are just being sent are recorded, and the rest of the wave is left to the next worker. */
  close(): Promise<void>;
}

export interface PushContext {
  database: Database;
  /** The operator names where it connects to, so it may be anywhere. */
  http: OutgoingHttp;
  /** What posts to this warehouse are signed with. */
  secretsOf(warehouseNo: number): Promise<string[]>;
  wordTransfer: WordTransfer;
  clock: Clock;
  log: Log;
  metrics: PushMetrics;
  settings?: Partial<PushRules>;
}

/**
 * Takes orders to their warehouses in waves, as long as it runs. A wave is whose lease stands in the schedule, one for each warehouse, and so any
 * number of workers may do the same: who does not come back is overtaken when the lease ends, and what it writes afterwards is not accepted.
 */
export function startPush({ settings = {}, ...context }: PushContext): Push {
  const { database, log } = context;
  const rules = { ...pushRules, ...settings };
  const closing = new AbortController();
  const running = new Set<Promise<void>>();
  let isAway = false;
  const looking = look();

  async function look(): Promise<void> {
    while (!closing.signal.aborted) {
      if (!(await beginNext())) await Promise.race([pause(), ...running]);
    }
  }

  /** Whether there may be another one at once. */
  async function beginNext(): Promise<boolean> {
    if (running.size >= rules.wavesAtOnce) return false;
    const askedAtMs = performance.now();
    const wave = await nextWave().catch(noteTrouble);
    if (!wave) return false;
    isAway = false;
    const work = runWave(wave, askedAtMs + rules.leaseSeconds * 1000, { ...context, rules, closing: closing.signal });
    const ended: Promise<void> = work.finally(() => running.delete(ended));
    running.add(ended);
    return true;
  }

  async function nextWave(): Promise<Wave | null> {
    return await database.transaction(async (tx) => {
      await completeSchedule(tx);
      return await claimWave(tx, randomUUID(), rules.leaseSeconds);
    });
  }

  function noteTrouble(error: unknown): null {
    if (!(error instanceof DatabaseUnavailable || isUnavailable(error))) log.error(describeError(error), 'waves could not be looked for');
    else if (!isAway) log.warn(describeError(error), 'the database is out of reach; waves wait');
    isAway = true;
    return null;
  }

  async function pause(): Promise<void> {
    await sleep(rules.lookEverySeconds * 1000, undefined, { signal: closing.signal }).catch(() => {});
  }

  return {
    async close() {
      closing.abort();
      await looking;
      await Promise.all(running);
    },
  };
}
