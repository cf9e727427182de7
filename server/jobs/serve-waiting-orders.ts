import { setTimeout as sleep } from 'node:timers/promises';
import { allocateWaiting } from '../domain/orders/allocate-waiting.ts';
import {
  type WaitedFor,
  waitedForAnywhere,
  waitedForAtLots,
  waitedForByOrders,
} from '../domain/orders/waiting-queries.ts';
import { accountIdsOf } from '../domain/partners/partner-queries.ts';
import { stockChannel } from '../domain/stock/stock-queries.ts';
import type { Clock } from '../platform/clock.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { Database } from '../platform/postgres/database.ts';
import { startListening } from '../platform/postgres/listen.ts';
import { noAccounts } from '../platform/postgres/sql.ts';

export interface WaitingOrdersServer {
  close(): Promise<void>;
}

/** A fallback: notifications and the check after each reconnect should already find all work. */
const checkEverySeconds = 300;
const retrySeconds = 1;
const failedRetrySeconds = 10;
const placesMax = 1000;
const accountsAtOnce = 100;

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
      const again = `places:${place.accountId}:${place.productId}/${place.warehouseNo}`;
      setTimeout(() => this.work.note(again), failedRetrySeconds * 1000).unref();
    }
  }
}

/** The work that notifications have named and that is not done yet. */
class PlacesToServe {
  private readonly lots = new NamedIds();
  private readonly orders = new NamedIds();
  private readonly places = new Map<string, WaitedFor>();
  private isRoundWanted = false;
  private woken = Promise.withResolvers<void>();

  /**
   * The payload names an account and `lots:9:1,2`, `orders:9:3` or `places:9:5/1` (product/warehouse). Any other one
   * asks for a full round.
   */
  note(payload: string): void {
    const [what, account, names = ''] = payload.split(':');
    const accountId = Number(account);
    if (names === '' || !Number.isSafeInteger(accountId)) this.isRoundWanted = true;
    else if (what === 'lots') this.lots.add(accountId, names.split(',').map(Number));
    else if (what === 'orders') this.orders.add(accountId, names.split(',').map(Number));
    else if (what === 'places') for (const name of names.split(',')) this.addPlace(parsePlace(accountId, name));
    else this.isRoundWanted = true;
    this.wake();
  }

  wake(): void {
    this.woken.resolve();
  }

  async untilAny(): Promise<void> {
    if (this.isRoundWanted || this.lots.hasAny() || this.orders.hasAny() || this.places.size > 0) return;
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
    const [lots, orders] = [this.lots.all(), this.orders.all()];
    if (lots.length + orders.length === 0) return;
    const accountIds = [...lots, ...orders].map(([accountId]) => accountId);
    const places = await database.read(accountIds, (sql) =>
      Promise.all([
        ...lots.map(([accountId, lotIds]) => waitedForAtLots(sql, accountId, lotIds)),
        ...orders.map(([accountId, orderIds]) => waitedForByOrders(sql, accountId, orderIds)),
      ]),
    );
    for (const [accountId, lotIds] of lots) this.lots.delete(accountId, lotIds);
    for (const [accountId, orderIds] of orders) this.orders.delete(accountId, orderIds);
    for (const place of places.flat()) this.addPlace(place);
  }

  private addPlace(place: WaitedFor): void {
    this.places.set(`${place.productId}/${place.warehouseNo}`, place);
  }
}

/** Ids of rows by their account. */
class NamedIds {
  private readonly idsOf = new Map<number, Set<number>>();

  add(accountId: number, ids: number[]): void {
    const known = this.idsOf.get(accountId);
    if (!known) this.idsOf.set(accountId, new Set(ids));
    else for (const id of ids) known.add(id);
  }

  delete(accountId: number, ids: number[]): void {
    const known = this.idsOf.get(accountId)!;
    for (const id of ids) known.delete(id);
    if (known.size === 0) this.idsOf.delete(accountId);
  }

  all(): [accountId: number, ids: number[]][] {
    return [...this.idsOf].map(([accountId, ids]) => [accountId, [...ids]]);
  }

  hasAny(): boolean {
    return this.idsOf.size > 0;
  }
}

function parsePlace(accountId: number, name: string): WaitedFor {
  const [productId, warehouseNo] = name.split('/').map(Number);
  return { accountId, productId: productId!, warehouseNo: warehouseNo! };
}

/** Looks at many accounts with one round trip: most of them have no order that waits. */
async function* everyPlace(database: Database): AsyncGenerator<WaitedFor, undefined> {
  const accountIds = await database.read(noAccounts, (sql) => accountIdsOf(sql, null));
  for (let start = 0; start < accountIds.length; start += accountsAtOnce) {
    const some = accountIds.slice(start, start + accountsAtOnce);
    const pages = await database.read(some, (sql) =>
      Promise.all(some.map((accountId) => waitedForAnywhere(sql, firstPlace(accountId), placesMax))),
    );
    for (const page of pages) yield* placesFrom(database, page);
  }
}

function firstPlace(accountId: number): WaitedFor {
  return { accountId, productId: 0, warehouseNo: 0 };
}

/** The places of this page, and of the following pages of its account. */
async function* placesFrom(database: Database, firstPage: WaitedFor[]): AsyncGenerator<WaitedFor, undefined> {
  let page = firstPage;
  yield* page;
  while (page.length === placesMax) {
    const beyond = page.at(-1)!;
    page = await database.read([beyond.accountId], (sql) => waitedForAnywhere(sql, beyond, placesMax));
    yield* page;
  }
}
