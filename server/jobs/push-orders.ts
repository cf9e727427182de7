import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pushRules } from '../domain/transfers/transfer.ts';
import { claimWave, completeSchedule, type Wave } from '../domain/transfers/transfer-schedule-queries.ts';
import { describeError } from '../platform/log.ts';
import { DatabaseUnavailable } from '../platform/postgres/deadline.ts';
import { isUnavailable } from '../platform/postgres/errors.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import type { PushContext } from './push-context.ts';
import { runWave } from './push-wave.ts';

export interface Push {
  /** Starts no more waves. Posts in flight are recorded, and another worker transfers the rest of their waves. */
  close(): Promise<void>;
}

/**
 * Transfers orders to their warehouses in waves until it is closed. The schedule holds one lease for each warehouse, so
 * any number of workers may run side by side. When a worker stops responding, its lease expires and another worker
 * takes over the wave; later writes of the first worker are rejected.
 */
export function startPush({ settings = {}, ...context }: PushContext): Push {
  const { database, log } = context;
  const rules = { ...pushRules, ...settings };
  const closing = new AbortController();
  const waves = new Set<Promise<void>>();
  let isDatabaseAway = false;
  const running = run();

  async function run(): Promise<void> {
    while (!closing.signal.aborted) {
      if (!(await beginNext())) await Promise.race([waitForNextLook(), ...waves]);
    }
  }

  /** Returns whether another wave may be due at once. */
  async function beginNext(): Promise<boolean> {
    if (waves.size >= rules.wavesAtOnce) return false;
    const askedAtMs = performance.now();
    const wave = await nextWave().catch(logError);
    if (!wave) return false;
    isDatabaseAway = false;
    const work = runWave(wave, askedAtMs + rules.leaseSeconds * 1000, { ...context, rules, closing: closing.signal });
    const ended: Promise<void> = work.finally(() => waves.delete(ended));
    waves.add(ended);
    return true;
  }

  async function nextWave(): Promise<Wave | null> {
    return await database.transaction(noAccounts, async (tx) => {
      await completeSchedule(tx);
      return await claimWave(tx, randomUUID(), rules.leaseSeconds);
    });
  }

  function logError(error: unknown): null {
    if (!(error instanceof DatabaseUnavailable || isUnavailable(error)))
      log.error(describeError(error), 'due waves could not be read; trying again');
    else if (!isDatabaseAway) log.warn(describeError(error), 'the database is out of reach; waves wait');
    isDatabaseAway = true;
    return null;
  }

  async function waitForNextLook(): Promise<void> {
    await sleep(rules.lookEverySeconds * 1000, undefined, { signal: closing.signal }).catch(() => {});
  }

  return {
    async close() {
      closing.abort();
      await running;
      await Promise.all(waves);
    },
  };
}
