import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { BoundedQueue } from '../limits/bounded-queue.ts';
import { type DriverSockets, makeDriverSockets } from './driver-sockets.ts';
import {
  type AskRole,
  type DatabaseHost,
  makePrimaryFinder,
  type PrimaryFinder,
  readHosts,
  singleHostUrl,
} from './primary.ts';
import { withWholeResults } from './watch-statements.ts';
import { type WireTypes, wireTypes } from './wire-types.ts';

export type Sql = postgres.Sql<WireTypes>;
export type Tx = postgres.TransactionSql<WireTypes>;
export type Notice = postgres.Notice;
export type ConnectionTarget =
  | string
  | { host: string; port: number; username: string; password: string; database: string };

export interface Database {
  /** One or more statements, each in its own transaction. `withinSeconds` shortens the usual deadline. */
  read<T>(work: (sql: Sql) => Promise<T>, withinSeconds?: number): Promise<T>;
  /**
   * All or nothing. `work` is repeated after a serialization failure or a deadlock, so it must have no effects except
   * through `tx`.
   */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection outside the pool for a single owner; it reconnects by itself. */
  connectAlone(settings: Record<string, string | number>, onNotice: (notice: Notice) => void): Sql;
  /** A connection outside the pool that receives notifications on the channels it listens to. */
  connectListener(onNotified: (channel: string, payload: string) => void, onClosed: () => void): Sql;
  load(): { busy: number; waiting: number; max: number };
  /** Why an outage may last although a server answers: it is a standby. null if that is not the cause. */
  explainOutage(): Promise<string | null>;
  /** The time within which every caller gets a result; null: no limit. */
  deadlineSeconds: number | null;
  close(): Promise<void>;
}

/** The database could not be reached or did not answer in time; the request may be repeated later. */
export class DatabaseUnavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DatabaseUnavailable';
  }
}

/**
 * For requests: together with the look-up of the account before the operation, the response is sent within the 5 s that
 * the contract promises.
 */
export const operationDeadlineSeconds = 3.5;
const connectDeadlineSeconds = 3;
const reconnectEverySeconds = 0.2;
const retirementSeconds = 5;
const explainWithinMs = 1000;
/**
 * A last resort only. Requests are limited when they arrive: rejected here, clients would retry at once and crowd out
 * the others.
 */
const waitersMax = 10_000;
const transactionTriesMax = 4;

/**
 * A pool with bounded waiting: whatever happens to the database, the caller gets a result or a DatabaseUnavailable
 * within `deadlineSeconds`. Commands without a time limit pass null.
 */
export function openDatabase(
  target: ConnectionTarget,
  options: { max: number; deadlineSeconds: number | null },
): Database {
  const { max, deadlineSeconds } = options;
  // The server times out first, so a later timeout here means that the server or the network is lost.
  const statementTimeoutMs = deadlineSeconds === null ? 0 : Math.floor(deadlineSeconds * 700);
  const finder = findPrimary(target);
  let pool = openPool();

  function openPool() {
    const warnings = { count: 0 };
    const onNotice = (notice: Notice) => {
      if (notice.severity === 'WARNING') warnings.count++;
    };
    const sql = withWholeResults(connect(target, max, statementTimeoutMs, { finder, onNotice }));
    return { sql, warnings, gate: makeGate(max) };
  }

  /**
   * Sockets whose peer has vanished can stay open for a quarter of an hour, and the driver (postgres 3.4.9) may never
   * again write to a connection that closed at a bad moment. A new pool avoids both.
   */
  function retire(silent: typeof pool) {
    if (pool !== silent) return;
    pool = openPool();
    void silent.sql.end({ timeout: retirementSeconds }).catch(() => {});
  }

  function newDeadline(seconds = deadlineSeconds): number | null {
    return seconds === null ? null : performance.now() + seconds * 1000;
  }

  async function bounded<T>(work: (current: typeof pool) => Promise<T>, expiresAt: number | null): Promise<T> {
    const current = pool;
    if (expiresAt === null) return await current.gate.pass(() => work(current), null);

    return await current.gate.pass(() => {
      // Work that waited for a pool that has been retired meanwhile continues with the new one.
      if (current !== pool) return bounded(work, expiresAt);
      const startedAt = performance.now();
      const working = work(current);
      working.catch((error) => isBrokenConnection(error) && retire(current));
      return before(working, expiresAt, () => {
        // Work that had to wait for its turn was cut short, which says nothing about the server.
        if (performance.now() - startedAt > statementTimeoutMs) retire(current);
        return new DatabaseUnavailable('the database did not answer in time');
      });
    }, expiresAt);
  }

  return {
    read: (work, withinSeconds) =>
      bounded(({ sql }) => work(sql), newDeadline(withinSeconds)).catch(rethrowUnavailable),
    async transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
      const expiresAt = newDeadline();
      for (let tries = 1; ; tries++) {
        try {
          return await bounded(({ sql, warnings }) => beginConfirmed(sql, work, expiresAt, warnings), expiresAt);
        } catch (error) {
          if (!isRepeatable(error) || tries === transactionTriesMax) return rethrowUnavailable(error);
          await sleep(Math.random() * 20 * tries);
        }
      }
    },
    connectAlone: (settings, onNotice) =>
      connect(target, 1, statementTimeoutMs, { finder, settings, onNotice, batching: true }),
    connectListener: (onNotified, onClosed) => connect(target, 1, statementTimeoutMs, { finder, onNotified, onClosed }),
    load: () => ({ ...pool.gate.load(), max }),
    explainOutage: () =>
      before(finder.explain(), performance.now() + explainWithinMs, () => new DatabaseUnavailable('no answer')).catch(
        () => null,
      ),
    deadlineSeconds,
    close: () => pool.sql.end({ timeout: retirementSeconds }),
  };
}

/**
 * With synchronous replication, a transaction may have read a commit that no standby has: its wait was cancelled, or
 * the primary has crashed and recovered since. A response based on it would be lost with the primary. Our own commit is
 * confirmed after everything that was committed before it, so a transaction that has written nothing writes an empty
 * message to the log.
 */
export const confirmWhatWasRead = `select case
  when current_setting('synchronous_standby_names') <> '' and pg_current_xact_id_if_assigned() is null
  then pg_logical_emit_message(true, 'lading', '') end`;

/** Like `begin`, but the result is safe to report: a commit with a warning counts as failed. */
async function beginConfirmed<T>(
  sql: Sql,
  work: (tx: Tx) => Promise<T>,
  expiresAt: number | null,
  warnings: { count: number },
): Promise<T> {
  let warningsBefore = 0;
  const confirmed = async (tx: Tx) => {
    const result = await work(tx);
    await tx.unsafe(confirmWhatWasRead);
    warningsBefore = warnings.count;
    return result;
  };
  const result = await begin(sql, confirmed, expiresAt);
  // The warning may belong to another connection of the pool: then this transaction is repeated needlessly, which is
  // safe.
  if (warnings.count !== warningsBefore) throw commitInDoubt();
  return result;
}

/** A commit whose wait for a synchronous standby was cancelled succeeds with a warning and may be lost. */
export function commitInDoubt(): DatabaseUnavailable {
  return new DatabaseUnavailable('the commit came with a warning: its outcome is unknown');
}

/**
 * On a lost connection the driver (postgres 3.4.9) still sends its rollback or commit, which ends the process
 * (github.com/porsager/postgres/issues/1154). Work that lost its connection is therefore left pending; the driver
 * reports the closed connection, and that ends the transaction.
 */
export function begin<T>(sql: Sql, work: (tx: Tx) => Promise<T>, expiresAt: number | null): Promise<T> {
  let over = false;
  const transaction = sql.begin(async (tx) => {
    try {
      const result = await work(tx);
      // The caller has already received an error, so the transaction must not commit.
      if (expiresAt !== null && performance.now() > expiresAt)
        throw new DatabaseUnavailable('the transaction came too late');
      return over ? await forever() : result;
    } catch (error) {
      if (over || isLostConnection(error)) await forever();
      throw error;
    }
  }) as Promise<T>;
  transaction.catch(() => {
    over = true;
  });
  return transaction;
}

function forever(): Promise<never> {
  return new Promise(() => {});
}

/** A plain connection pool, for migrations and other work that has its own limits. */
export function connect(
  target: ConnectionTarget,
  max: number,
  statementTimeoutMs = 0,
  options: {
    /** Shared by several connections to one database, so that they know its servers. */
    finder?: PrimaryFinder;
    /** Only to ask a server for its role; all other connections accept only a primary. */
    anyRole?: DatabaseHost;
    settings?: Record<string, string | number>;
    onNotice?: (notice: Notice) => void;
    onNotified?: (channel: string, payload: string) => void;
    onClosed?: () => void;
    batching?: boolean;
  } = {},
): Sql {
  const { anyRole, settings = {}, onNotice = () => {}, onNotified, onClosed = () => {}, batching = false } = options;
  const servers = serversOf(target);
  const finder = servers.length > 1 && !anyRole ? (options.finder ?? findPrimary(target)) : null;
  const sockets = makeDriverSockets({ batching, locate: finder?.find ?? (async () => anyRole ?? servers[0]!) });
  const driverOptions: postgres.Options<typeof wireTypes> = {
    max,
    types: wireTypes,
    fetch_types: false,
    connect_timeout: connectDeadlineSeconds,
    backoff: () => reconnectEverySeconds,
    keep_alive: 10,
    onnotice: onNotice,
    onclose: onClosed,
    // The driver checks `read-write` against the default of the connection, which is read-only on pipelined
    // connections.
    ...(anyRole ? {} : { target_session_attrs: 'primary' as const }),
    ...{ socket: sockets.open },
    // A listening connection must not be closed because of its age, which the driver does after half an hour or more.
    ...(onNotified ? { onnotify: onNotified, max_lifetime: null } : {}),
    connection: {
      application_name: 'lading',
      TimeZone: 'UTC',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
      // A generic plan made while a table was empty would keep scanning it when it is large.
      plan_cache_mode: 'force_custom_plan',
      ...settings,
    },
  };
  const sql =
    typeof target === 'string'
      ? postgres(singleHostUrl(target), driverOptions)
      : postgres({ ...target, ...driverOptions });
  return endingWith(sockets, sql as unknown as Sql);
}

/** Asks each server of the target over a connection that is closed afterwards. */
export function findPrimary(target: ConnectionTarget): PrimaryFinder {
  const askRole: AskRole = async (server) => {
    const sql = connect(target, 1, 0, { anyRole: server });
    try {
      const [row] = await sql.unsafe<{ is_standby: boolean }[]>('select pg_is_in_recovery() as is_standby');
      return row!.is_standby ? 'standby' : 'primary';
    } catch (error) {
      return { unreachable: (error as { code?: string }).code ?? 'unknown error' };
    } finally {
      void sql.end({ timeout: 0 }).catch(() => {});
    }
  };
  return makePrimaryFinder(serversOf(target), askRole);
}

function serversOf(target: ConnectionTarget): DatabaseHost[] {
  return typeof target === 'string' ? readHosts(target) : [target];
}

/** After the pool has ended, no connection remains open. */
function endingWith(sockets: DriverSockets, sql: Sql): Sql {
  const { end } = sql;
  return Object.assign(sql, { end: (options?: { timeout?: number }) => end(options).finally(() => sockets.close()) });
}

interface Gate {
  pass<T>(work: () => Promise<T>, expiresAt: number | null): Promise<T>;
  load(): { busy: number; waiting: number };
}

/** Lets `max` tasks through at a time; the others wait in order until they expire. */
function makeGate(max: number): Gate {
  const waiters = new BoundedQueue<() => void>(waitersMax);
  let busy = 0;

  async function enter(expiresAt: number | null) {
    if (busy < max) {
      busy++;
      return;
    }
    if (waiters.isFull) throw new DatabaseUnavailable('too many requests wait for a database connection');
    const turn = Promise.withResolvers<void>();
    waiters.add(turn.resolve);
    if (expiresAt === null) return await turn.promise;
    await before(turn.promise, expiresAt, () => {
      waiters.remove(turn.resolve);
      return new DatabaseUnavailable('no database connection became free in time');
    });
  }

  function leave() {
    const startNext = waiters.takeFirst();
    if (startNext) startNext();
    else busy--;
  }

  return {
    async pass(work, expiresAt) {
      await enter(expiresAt);
      try {
        return await work();
      } finally {
        leave();
      }
    },
    load: () => ({ busy, waiting: waiters.size }),
  };
}

export async function before<T>(promise: Promise<T>, expiresAt: number, onExpiry: () => Error): Promise<T> {
  const expiry = Promise.withResolvers<never>();
  const timer = setTimeout(() => expiry.reject(onExpiry()), Math.max(0, expiresAt - performance.now()));
  promise.catch(() => {});
  try {
    return await Promise.race([promise, expiry.promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function isRepeatable(error: unknown): boolean {
  return error instanceof postgres.PostgresError && (error.code === '40001' || error.code === '40P01');
}

/** Another transaction held the needed locks for too long, or in the opposite order. */
export function isContention(error: unknown): boolean {
  return isRepeatable(error) || (error instanceof postgres.PostgresError && error.code === '55P03');
}

/** Another transaction has just created a row with the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '23505';
}

export function rethrowUnavailable(error: unknown): never {
  throw isUnavailable(error)
    ? new DatabaseUnavailable(`${(error as { code?: string }).code}: the database is out of reach`)
    : error;
}

/**
 * A connection that must be replaced. The driver itself closes a connection to a standby and opens another one a moment
 * later.
 */
export function isBrokenConnection(error: unknown): boolean {
  return isLostConnection(error) && (error as { code?: string }).code !== 'CONNECTION_DESTROYED';
}

/** A connection existed, or was about to, and is lost. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  return error instanceof Error && lostConnectionCodes.has((error as { code?: string }).code ?? '');
}

const lostConnectionCodes = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);
const noConnectionCodes = new Set(['CONNECTION_ENDED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Connection lost (08), out of resources such as disk or connections (53), server stopping or statement cancelled (57),
 * a standby that accepts no writes (0A000 at the start, 25006 later), a transaction that was idle for too long (25P03),
 * and contention that outlasted our repeats (40001, 40P01, 55P03).
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof postgres.PostgresError)
    return /^(08|53|57)|^(0A000|25006|25P03|40001|40P01|55P03)$/.test(error.code);
  return isLostConnection(error) || isNoConnection(error);
}

/**
 * The system cannot connect: no server, no route, or too many connection attempts to a server that does not accept them
 * (EAGAIN).
 */
function isNoConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || noConnectionCodes.has(code);
}
