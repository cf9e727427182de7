import { setTimeout as sleep } from 'node:timers/promises';
import type { AdvanceOrders } from '../domain/orders/advance-orders.ts';
import {
  findDueWalks,
  findNextSteps,
  isAnySimulated,
  type NextStep,
  putOffWalk,
} from '../domain/orders/simulated-walk-queries.ts';
import { walkSimulatedOrders } from '../domain/orders/walk-simulated-orders.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import { DatabaseUnavailable } from '../platform/postgres/deadline.ts';
import { noAccounts } from '../platform/postgres/sql.ts';

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
/** While no warehouse is simulated, the accounts are asked this seldom for orders from before. */
const idleSeconds = 60;
const retrySeconds = 1;
const failedRetrySeconds = 60;

/** Advances the orders in simulated warehouses when they are due. Any number of workers may run side by side. */
export function startSimulatedWarehouses(context: SimulationContext): SimulatedWarehouses {
  const { database, log } = context;
  const stopping = new AbortController();
  let idleUntilMs = 0;
  const running = run();

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      const waitSeconds = await advanceDue().catch(logAndRetry);
      if (waitSeconds > 0) await sleep(waitSeconds * 1000, undefined, { signal: stopping.signal }).catch(() => {});
    }
  }

  /** Returns how many seconds to wait before the next look. */
  async function advanceDue(): Promise<number> {
    if (performance.now() < idleUntilMs && !(await database.read(noAccounts, isAnySimulated))) return checkEverySeconds;
    idleUntilMs = performance.now() + idleSeconds * 1000;
    const next = await database.read(noAccounts, findNextSteps);
    const count = await takeStepsOf(context, next);
    if (count > 0) log.debug({ count }, 'orders in simulated warehouses were advanced');
    return count > 0 ? 0 : Math.max(waitMinSeconds, Math.min(checkEverySeconds, ...next.map(({ seconds }) => seconds)));
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

/** Advances one batch of due orders of each account and returns their number. Exported for tests. */
export async function takeDueSteps(context: SimulationContext): Promise<number> {
  return await takeStepsOf(context, await context.database.read(noAccounts, findNextSteps));
}

async function takeStepsOf(context: SimulationContext, next: NextStep[]): Promise<number> {
  let count = 0;
  for (const { accountId, seconds } of next) if (seconds <= 0) count += await takeBatch(context, accountId);
  return count;
}

async function takeBatch(context: SimulationContext, accountId: number): Promise<number> {
  const { database, advanceOrders, log } = context;
  try {
    return await walkSimulatedOrders(database, advanceOrders, { accountId, max: batchMax });
  } catch (error) {
    if (error instanceof DatabaseUnavailable) throw error;
    log.warn(
      { account_id: accountId, ...describeError(error) },
      'a batch of orders in simulated warehouses could not be advanced; trying each order alone',
    );
    return await takeEachStep(context, accountId);
  }
}

/** An order that cannot be advanced must not block the others. */
async function takeEachStep({ database, advanceOrders, log }: SimulationContext, accountId: number): Promise<number> {
  const orderIds = await database.read([accountId], (sql) => findDueWalks(sql, accountId, batchMax));
  for (const orderId of orderIds) {
    try {
      await walkSimulatedOrders(database, advanceOrders, { accountId, max: 1, only: [orderId] });
    } catch (error) {
      if (error instanceof DatabaseUnavailable) throw error;
      log.error(
        { account_id: accountId, order_id: orderId, ...describeError(error) },
        'an order in a simulated warehouse could not be advanced; trying again later',
      );
      const note = 'it could not go on, and is tried again';
      await database.transaction([accountId], (tx) => putOffWalk(tx, { accountId, orderId }, failedRetrySeconds, note));
    }
  }
  return orderIds.length;
}
