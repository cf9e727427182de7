import { setTimeout as sleep } from 'node:timers/promises';
import { allocateWaiting } from '../domain/orders/allocate-waiting.ts';
import {
  type WaitedFor,
  waitedForAnywhere,
  waitedForAtLots,
  waitedForByOrders,
} from '../domain/orders/waiting-queries.ts';
import { stockChannel } from '../domain/stock/stock-queries.ts';
import type { Clock } from '../platform/clock.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import { startListening } from '../platform/postgres/listen.ts';

export interface WaitingOrdersServer {
  close(): Promise<void>;
}

/** A fallback: notifications and the check after each reconnect should already find all work. */
const checkEverySeconds = 300;
const retrySeconds = 1;
const failedRetrySeconds = 10;
const placesMax = 1000;

/** Allocates stock to waiting orders as soon as it arrives. Any number of workers may run side by side. */
export function startServingWaitingOrders(parts: { database: Database; clock: Clock; log: Log }): WaitingOrdersServer {
  return new WaitingOrdersWorker(parts);
}

class WaitingOrdersWorker implements WaitingOrdersServer {
  private readonly database: Database;
  private readonly clock: Clock;
  private readonly log: Log;
  private readonly work = new PlacesToServe();
  private readonly listener: ReturnType<typeof startListening>;
  private readonly timer: NodeJS.Timeout;
  private readonly running: Promise<void>;
  private round: AsyncGenerator<WaitedFor> | null = null;
  private closing = false;

  constructor({ database, clock, log }: { database: Database; clock: Clock; log: Log }) {
    this.database = database;
    this.clock = clock;
    this.log = log;
    const note = (payload: string) => this.work.note(payload);
    this.listener = startListening(database, stockChannel, { onListening: () => note(''), onNotified: note });
    this.timer = setInterval(() => note(''), checkEverySeconds * 1000);
    this.running = this.serveAll();
  }

  async close(): Promise<void> {
    this.closing = true;
    clearInterval(this.timer);
    this.work.wake();
    await Promise.all([this.listener.close(), this.running]);
  }

  private async serveAll(): Promise<void> {
    while (!this.closing) {
      const place = await this.nextPlace().catch((error) => this.pauseAndRetry(error));
      if (place) await this.serve(place);
      else await this.work.untilAny();
    }
  }

  /** Named places come first; a full round continues when there are none. */
  private async nextPlace(): Promise<WaitedFor | null> {
    await this.work.resolveNames(this.database);
    const named = this.work.takePlace();
    if (named) return named;
    if (!this.round && this.work.takeRound()) this.round = everyPlace(this.database);
    const step = await this.round?.next();
    if (step?.done) this.round = null;
    return step?.value ?? null;
  }

  private async pauseAndRetry(error: unknown): Promise<null> {
    this.log.warn(describeError(error), 'waiting orders could not be read; trying again');
    this.round = null;
    this.work.wantRound();
    await sleep(retrySeconds * 1000);
    return null;
  }

  /** A place that fails must not block the others. */
  private async serve(place: WaitedFor): Promise<void> {
    try {
      const count = await allocateWaiting(this.database, place, this.clock.now());
      if (count > 0) this.log.debug({ ...place, count }, 'stock was allocated to waiting orders');
    } catch (error) {
      this.log.warn(
        { ...place, ...describeError(error) },
        'stock could not be allocated to the waiting orders of a product; trying again later',
      );
      const again = `places:${place.productId}/${place.warehouseNo}`;
      setTimeout(() => this.work.note(again), failedRetrySeconds * 1000).unref();
    }
  }
}

/** The work that notifications have named and that is not done yet. */
class PlacesToServe {
  private readonly lots = new Set<number>();
  private readonly orders = new Set<number>();
  private readonly places = new Map<string, WaitedFor>();
  private isRoundWanted = false;
  private woken = Promise.withResolvers<void>();

  /** The payload is `lots:1,2`, `orders:3` or `places:5/1` (product/warehouse). An empty one asks for a full round. */
  note(payload: string): void {
    const [what, names = ''] = payload.split(':');
    if (what === 'lots') for (const name of names.split(',')) this.lots.add(Number(name));
    else if (what === 'orders') for (const name of names.split(',')) this.orders.add(Number(name));
    else if (what === 'places') for (const name of names.split(',')) this.addPlace(parsePlace(name));
    else this.isRoundWanted = true;
    this.wake();
  }

  wake(): void {
    this.woken.resolve();
  }

  async untilAny(): Promise<void> {
    if (this.isRoundWanted || this.lots.size + this.orders.size + this.places.size > 0) return;
    await this.woken.promise;
    this.woken = Promise.withResolvers();
  }

  wantRound(): void {
    this.isRoundWanted = true;
  }

  takeRound(): boolean {
    const isWanted = this.isRoundWanted;
    this.isRoundWanted = false;
    return isWanted;
  }

  takePlace(): WaitedFor | null {
    const [first] = this.places;
    if (!first) return null;
    this.places.delete(first[0]);
    return first[1];
  }

  /** Finds the places of the named lots and orders. If that fails, the names are kept. */
  async resolveNames(database: Database): Promise<void> {
    const [lotIds, orderIds] = [[...this.lots], [...this.orders]];
    const places = [
      ...(lotIds.length > 0 ? await database.read((sql) => waitedForAtLots(sql, lotIds)) : []),
      ...(orderIds.length > 0 ? await database.read((sql) => waitedForByOrders(sql, orderIds)) : []),
    ];
    for (const lotId of lotIds) this.lots.delete(lotId);
    for (const orderId of orderIds) this.orders.delete(orderId);
    for (const place of places) this.addPlace(place);
  }

  private addPlace(place: WaitedFor): void {
    this.places.set(`${place.productId}/${place.warehouseNo}`, place);
  }
}

function parsePlace(name: string): WaitedFor {
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
