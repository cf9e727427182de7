import { setTimeout as sleep } from 'node:timers/promises';
import { allocateWaiting } from '../domain/orders/allocate-waiting.ts';
import { type WaitedFor, waitedForAnywhere, waitedForAtLots, waitedForByOrders } from '../domain/orders/waiting-queries.ts';
import { stockChannel } from '../domain/stock/stock-queries.ts';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { startListening } from '../platform/listen.ts';
import { describeError, type Log } from '../platform/log.ts';

export interface WaitingOrdersServer {
  close(): Promise<void>;
}

/** Notifications are heard, and after a broken connection everything is looked at; this is for what nobody has thought of. */
const lookEverySeconds = 300;
const retrySeconds = 1;
const failedAgainSeconds = 10;
const placesMax = 1000;

/** Gives stock to the orders that wait for it, as soon as there is some. Any number of workers may do so. */
export function startServingWaitingOrders(parts: { database: Database; clock: Clock; log: Log }): WaitingOrdersServer {
  const { database, clock, log } = parts;
  const named = { lots: new Set<number>(), orders: new Set<number>(), places: new Map<string, WaitedFor>() };
  let round: AsyncGenerator<WaitedFor> | null = null;
  let isRoundWanted = false;
  let wake = Promise.withResolvers<void>();
  let closing = false;
  const listener = startListening(database, stockChannel, { onListening: () => note(''), onNotified: note });
  const timer = setInterval(() => note(''), lookEverySeconds * 1000);
  const running = work();

  /** `lots:1,2`, `orders:3`, `places:5/1`, or nothing: everything. */
  function note(payload: string): void {
    const [what, names = ''] = payload.split(':');
    if (what === 'lots') for (const name of names.split(',')) named.lots.add(Number(name));
    else if (what === 'orders') for (const name of names.split(',')) named.orders.add(Number(name));
    else if (what === 'places') for (const name of names.split(',')) addPlace(placeNamed(name));
    else isRoundWanted = true;
    wake.resolve();
  }

  function addPlace(place: WaitedFor): void {
    named.places.set(`${place.productId}/${place.warehouseNo}`, place);
  }

  async function work(): Promise<void> {
    while (!closing) {
      const place = await nextPlace().catch(pauseAndLookAgain);
      if (place) await serve(place);
      else if (!isRoundWanted && !hasNames()) {
        await wake.promise;
        wake = Promise.withResolvers();
      }
    }
  }

  /** What was named comes first; the round through everything goes on in between. */
  async function nextPlace(): Promise<WaitedFor | null> {
    for (const place of await placesOfNames()) addPlace(place);
    const [first] = named.places;
    if (first) {
      named.places.delete(first[0]);
      return first[1];
    }
    if (!round && isRoundWanted) {
      isRoundWanted = false;
      round = everyPlace(database);
    }
    const step = await round?.next();
    if (step?.done) round = null;
    return step?.value ?? null;
  }

  function hasNames(): boolean {
    return named.lots.size + named.orders.size + named.places.size > 0;
  }

  async function placesOfNames(): Promise<WaitedFor[]> {
    const [lotIds, orderIds] = [[...named.lots], [...named.orders]];
    const places = [
      ...(lotIds.length > 0 ? await database.read((sql) => waitedForAtLots(sql, lotIds)) : []),
      ...(orderIds.length > 0 ? await database.read((sql) => waitedForByOrders(sql, orderIds)) : []),
    ];
    for (const lotId of lotIds) named.lots.delete(lotId);
    for (const orderId of orderIds) named.orders.delete(orderId);
    return places;
  }

  async function pauseAndLookAgain(error: unknown): Promise<null> {
    log.warn(describeError(error), 'waiting orders could not be looked for; trying again');
    round = null;
    isRoundWanted = true;
    await sleep(retrySeconds * 1000);
    return null;
  }

  /** One place that fails must not keep the others from their turn. */
  async function serve(place: WaitedFor): Promise<void> {
    try {
      const count = await allocateWaiting(database, place, clock.now());
      if (count > 0) log.debug({ ...place, count }, 'waiting orders have their stock');
    } catch (error) {
      log.warn({ ...place, ...describeError(error) }, 'waiting orders of a product could not be served; trying again later');
      setTimeout(() => note(`places:${place.productId}/${place.warehouseNo}`), failedAgainSeconds * 1000).unref();
    }
  }

  return {
    async close() {
      closing = true;
      clearInterval(timer);
      wake.resolve();
      await Promise.all([listener.close(), running]);
    },
  };
}

function placeNamed(name: string): WaitedFor {
  const [productId, warehouseNo] = name.split('/').map(Number);
  return { productId: productId!, warehouseNo: warehouseNo! };
}

async function* everyPlace(database: Database): AsyncGenerator<WaitedFor, undefined> {
  let beyond: WaitedFor | undefined = { productId: 0, warehouseNo: 0 };
  while (beyond) {
    const from: WaitedFor = beyond;
    const places: WaitedFor[] = await database.read((sql) => waitedForAnywhere(sql, from, placesMax));
    yield* places;
    beyond = places.length < placesMax ? undefined : places.at(-1);
  }
}
