import { setTimeout as sleep } from 'node:timers/promises';
import type { AdvanceOrders } from '../domain/orders/advance-orders.ts';
import { findDueWalks, putOffWalk, secondsUntilDue } from '../domain/orders/simulated-walk-queries.ts';
import { walkSimulatedOrders } from '../domain/orders/walk-simulated-orders.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import { DatabaseUnavailable } from '../platform/postgres/deadline.ts';

export interface SimulatedWarehouses {
  /** Waits for the current batch. */
  close(): Promise<void>;
}

export interface SimulationContext {
  database: Database;
  advanceOrders: AdvanceOrders;
  log: Log;
}

const batchMax = 200;
/** The shortest possible step, so no order that was handed over meanwhile is due earlier. */
const checkEverySeconds = 1;
const retrySeconds = 1;
const failedRetrySeconds = 60;

/** Advances the orders in simulated warehouses when they are due. Any number of workers may run side by side. */
export function startSimulatedWarehouses(context: SimulationContext): SimulatedWarehouses {
  const { database, log } = context;
  const stopping = new AbortController();
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitSeconds = await advanceDue().catch(logAndRetry);
      if (waitSeconds > 0) await sleep(waitSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Returns how many seconds to wait before the next batch. */
  async function advanceDue(): Promise<number> {
    const count = await takeDueSteps(context);
    if (count > 0) log.debug({ count }, 'orders in simulated warehouses were advanced');
    if (count >= batchMax) return 0;
    const dueInSeconds = await database.read(secondsUntilDue);
    return Math.min(checkEverySeconds, Math.max(dueInSeconds ?? checkEverySeconds, waitMinSeconds));
  }

  function logAndRetry(error: unknown): number {
    log.warn(describeError(error), 'orders in simulated warehouses could not be advanced; trying again');
    return retrySeconds;
  }

  return {
    async close() {
      stopping.abort();
      await running;
    },
  };
}

/** Due orders may be locked by another worker; they must not be polled without a pause. */
const waitMinSeconds = 0.02;

/** Advances one batch of due orders and returns their number. Exported for tests. */
export async function takeDueSteps(context: SimulationContext): Promise<number> {
  const { database, advanceOrders, log } = context;
  try {
    return await walkSimulatedOrders(database, advanceOrders, { max: batchMax });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn(
      describeError(error),
      'a batch of orders in simulated warehouses could not be advanced; trying each order alone',
    );
    return await takeEachStep(context);
  }
}

/** An order that cannot be advanced must not block the others. */
async function takeEachStep({ database, advanceOrders, log }: SimulationContext): Promise<number> {
  const orderIds = await database.read((sql) => findDueWalks(sql, batchMax));
  for (const orderId of orderIds) {
    try {
      await walkSimulatedOrders(database, advanceOrders, { max: 1, only: [orderId] });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error(
        { order_id: orderId, ...describeError(error) },
        'an order in a simulated warehouse could not be advanced; trying again later',
      );
      await database.transaction((tx) =>
        putOffWalk(tx, orderId, failedRetrySeconds, 'it could not go on, and is tried again'),
      );
    }
  }
  return orderIds.length;
}
