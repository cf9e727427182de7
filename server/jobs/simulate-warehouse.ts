import { setTimeout as sleep } from 'node:timers/promises';
import type { AdvanceOrders } from '../domain/orders/advance-orders.ts';
import { findDueWalks, putOffWalk, secondsUntilDue } from '../domain/orders/simulated-walk-queries.ts';
import { walkSimulatedOrders } from '../domain/orders/walk-simulated-orders.ts';
import { type Database, DatabaseUnavailable } from '../platform/database.ts';
import { describeError, type Log } from '../platform/log.ts';

export interface SimulatedWarehouses {
  /** The batch in work is finished. */
  close(): Promise<void>;
}

export interface SimulationContext {
  database: Database;
  advanceOrders: AdvanceOrders;
  log: Log;
}

const batchMax = 200;
/** The shortest step there is; who has just been handed over is due no sooner. */
const lookEverySeconds = 1;
const retrySeconds = 1;
const failedAgainSeconds = 60;

/** Lets the orders in simulated warehouses walk, each when it is due. Any number of workers may do so. */
export function startSimulatedWarehouses(context: SimulationContext): SimulatedWarehouses {
  const { database, log } = context;
  const stopping = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const restSeconds = await walkAndLook().catch(pauseAndLookAgain);
      if (restSeconds > 0) await sleep(restSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Returns for how many seconds there is nothing to do. */
  async function walkAndLook(): Promise<number> {
    const count = await takeDueSteps(context);
    if (count > 0) log.debug({ count }, 'orders in simulated warehouses have taken a step');
    if (count >= batchMax) return 0;
    const dueInSeconds = await database.read(secondsUntilDue);
    return Math.min(lookEverySeconds, Math.max(dueInSeconds ?? lookEverySeconds, leastRestSeconds));
  }

  function pauseAndLookAgain(error: unknown): number {
    log.warn(describeError(error), 'orders in simulated warehouses could not go on; trying again');
    return retrySeconds;
  }

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Those that are due but in other hands are not to be looked for without a pause. */
const leastRestSeconds = 0.02;

/** A batch of those that are due; for the worker, and for tests. Returns how many there were. */
export async function takeDueSteps(context: SimulationContext): Promise<number> {
  const { database, advanceOrders, log } = context;
  try {
    return await walkSimulatedOrders(database, advanceOrders, { max: batchMax });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn(describeError(error), 'orders in simulated warehouses could not go on together; each is tried alone');
    return await takeEachStep(context);
  }
}

/** One that cannot go on must not keep the others. */
async function takeEachStep({ database, advanceOrders, log }: SimulationContext): Promise<number> {
  const orderIds = await database.read((sql) => findDueWalks(sql, batchMax));
  for (const orderId of orderIds) {
    try {
      await walkSimulatedOrders(database, advanceOrders, { max: 1, only: [orderId] });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error({ order_id: orderId, ...describeError(error) }, 'an order in a simulated warehouse cannot go on; it is tried again later');
      await database.transaction((tx) => putOffWalk(tx, orderId, failedAgainSeconds, 'it could not go on, and is tried again'));
    }
  }
  return orderIds.length;
}
