import { setTimeout as sleep } from 'node:timers/promises';
import { allocateWaiting } from '../domain/orders/allocate-waiting.ts';
import { type WaitedFor, waitedForAnywhere, waitedForAtLots, waitedForByOrders } from '../domain/orders/waiting-queries.ts';
import { stockChannel } from '../domain/stock/stock-queries.ts';
import type { Database } from '../platform/database.ts';
import { startListening } from '../platform/listen.ts';
import { describeError, type Log } from '../platform/log.ts';

export interface WaitingOrdersServer {
  close(): Promise<void>;
}

/** Should a notification be lost with the connection it came on, its orders do not wait for long. */
const lookEverySeconds = 30;
const retrySeconds = 1;
const placesMax = 1000;

/** Gives stock to the orders that wait for it, as soon as there is some. Any number of workers may do so. */
export function startServingWaitingOrders({ database, log }: { database: Database; log: Log }): WaitingOrdersServer {
  let due = nothing();
  let wake = Promise.withResolvers<void>();
  let closing = false;
  const listener = startListening(database, stockChannel, {
    onListening: () => note(''),
    onNotified: note,
  });
  const clock = setInterval(() => note(''), lookEverySeconds * 1000);
  const running = work();

  /** `lots:1,2`, `orders:3`, or nothing: everything. */
  function note(payload: string): void {
    const [what, ids = ''] = payload.split(':');
    const numbers = ids.split(',').map(Number);
    if (what === 'lots') for (const id of numbers) due.lotIds.add(id);
    else if (what === 'orders') for (const id of numbers) due.orderIds.add(id);
    else due.isEverything = true;
    wake.resolve();
  }

  async function work(): Promise<void> {
    while (!closing) {
      await wake.promise;
      wake = Promise.withResolvers();
      const taken = due;
      due = nothing();
      try {
        for await (const place of placesOf(taken, database)) {
          if (closing) return;
          const count = await allocateWaiting(database, place);
          if (count > 0) log.debug({ ...place, count }, 'waiting orders have their stock');
        }
      } catch (error) {
        log.warn(describeError(error), 'waiting orders could not be served; trying again');
        await sleep(retrySeconds * 1000);
        note('');
      }
    }
  }

  return {
    async close() {
      closing = true;
      clearInterval(clock);
      wake.resolve();
      await Promise.all([listener.close(), running]);
    },
  };
}

interface Due {
  lotIds: Set<number>;
  orderIds: Set<number>;
  isEverything: boolean;
}

function nothing(): Due {
  return { lotIds: new Set(), orderIds: new Set(), isEverything: false };
}

async function* placesOf({ lotIds, orderIds, isEverything }: Due, database: Database): AsyncGenerator<WaitedFor> {
  if (isEverything) {
    yield* everyPlace(database);
    return;
  }
  if (lotIds.size > 0) yield* await database.read((sql) => waitedForAtLots(sql, [...lotIds]));
  if (orderIds.size > 0) yield* await database.read((sql) => waitedForByOrders(sql, [...orderIds]));
}

async function* everyPlace(database: Database): AsyncGenerator<WaitedFor> {
  let beyond: WaitedFor | undefined = { productId: 0, warehouseNo: 0 };
  while (beyond) {
    const from: WaitedFor = beyond;
    const places: WaitedFor[] = await database.read((sql) => waitedForAnywhere(sql, from, placesMax));
    yield* places;
    beyond = places.length < placesMax ? undefined : places.at(-1);
  }
}

/** Everything that can be served now, once; for tests. */
export async function serveWaitingOrders(database: Database): Promise<number> {
  let count = 0;
  for await (const place of everyPlace(database)) count += await allocateWaiting(database, place);
  return count;
}
