import { BoundedQueue } from '../limits/bounded-queue.ts';
import type { Connection } from './connection.ts';
import { before, DatabaseUnavailable } from './deadline.ts';

/**
 * A last resort only. Requests are limited when they arrive: rejected here, clients would retry at once and crowd out
 * the others.
 */
const waitersMax = 10_000;

/** A connection for some work. */
export interface Lease {
  connection: Connection;
  release(): void;
}

/** Up to `max` connections, opened when they are needed; the others wait for one in order. */
export class Pool {
  private readonly open: () => Promise<Connection>;
  private readonly max: number;
  private readonly idle: Connection[];
  private readonly busy: Set<Connection>;
  /** Connections that do not return to the pool when their work is done. */
  private readonly distrusted: WeakSet<Connection>;
  private readonly waiters: BoundedQueue<() => void>;
  private admitted: number;
  private isClosed: boolean;

  constructor(open: () => Promise<Connection>, max: number) {
    this.open = open;
    this.max = max;
    this.idle = [];
    this.busy = new Set();
    this.distrusted = new WeakSet();
    this.waiters = new BoundedQueue(waitersMax);
    this.admitted = 0;
    this.isClosed = false;
  }

  load(): { busy: number; waiting: number } {
    return { busy: this.admitted, waiting: this.waiters.size };
  }

  /** Waits for a connection, until `expiresAt` if that is not null. */
  async take(expiresAt: number | null): Promise<Lease> {
    await this.enter(expiresAt);
    const idle = this.takeIdle();
    if (idle) return this.lease(idle);
    const opening = this.open().then((connection) => this.lease(connection));
    opening.catch(() => this.leave());
    if (expiresAt === null) return await opening;
    return await before(opening, expiresAt, () => {
      opening.then((late) => late.release()).catch(() => {});
      return new DatabaseUnavailable('the database did not answer in time');
    });
  }

  /** For a server that has fallen silent: no connection that exists now is used again. */
  distrustAll(): void {
    for (const connection of this.idle.splice(0)) connection.destroy();
    for (const connection of this.busy) this.distrusted.add(connection);
  }

  /** Work that is under way has `withinSeconds` to end. */
  async close(withinSeconds: number): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.idle.splice(0), ...this.busy].map((connection) => connection.close(withinSeconds)));
  }

  private lease(connection: Connection): Lease {
    this.busy.add(connection);
    return { connection, release: () => this.release(connection) };
  }

  private release(connection: Connection): void {
    this.busy.delete(connection);
    if (this.isClosed || this.distrusted.has(connection)) connection.destroy();
    else if (connection.isOpen) this.idle.push(connection);
    this.leave();
  }

  private takeIdle(): Connection | undefined {
    for (;;) {
      const connection = this.idle.pop();
      if (!connection || connection.isOpen) return connection;
    }
  }

  private async enter(expiresAt: number | null): Promise<void> {
    if (this.admitted < this.max) {
      this.admitted++;
      return;
    }
    if (this.waiters.isFull) throw new DatabaseUnavailable('too many requests wait for a database connection');
    const turn = Promise.withResolvers<void>();
    this.waiters.add(turn.resolve);
    if (expiresAt === null) return await turn.promise;
    await before(turn.promise, expiresAt, () => {
      this.waiters.remove(turn.resolve);
      return new DatabaseUnavailable('no database connection became free in time');
    });
  }

  private leave(): void {
    const startNext = this.waiters.takeFirst();
    if (startNext) startNext();
    else this.admitted--;
  }
}
