import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { type DriverSockets, makeDriverSockets } from './driver-sockets.ts';
import { type AskRole, type DatabaseHost, makePrimaryFinder, type PrimaryFinder, readHosts, singleHostUrl } from './primary.ts';
import { withWholeResults } from './watch-statements.ts';
import { type WireTypes, wireTypes } from './wire-types.ts';

export type Sql = postgres.Sql<WireTypes>;
export type Tx = postgres.TransactionSql<WireTypes>;
export type Notice = postgres.Notice;
export type ConnectionTarget = string | { host: string; port: number; username: string; password: string; database: string };

export interface Database {
  /** One or more statements, each its own transaction; `withinSeconds` where the usual deadline is too long. */
  read<T>(work: (sql: Sql) => Promise<T>, withinSeconds?: number): Promise<T>;
  /** All or nothing. A serialization failure or a deadlock repeats `work`, so it must do nothing but talk to `tx`. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection beside the pool, for whoever takes care of it alone; it connects again by itself. */
  connectAlone(settings: Record<string, string | number>, onNotice: (notice: Notice) => void): Sql;
  /** Another one, which hears what is notified on the channels that it listens to. */
  connectListener(onNotified: (channel: string, payload: string) => void, onClosed: () => void): Sql;
  load(): { busy: number; waiting: number; max: number };
  /** Why an outage may last although a server answers: it is a standby. null where that is not the cause. */
  explainOutage(): Promise<string | null>;
  /** Within which whoever asks has an answer; null where work may take its time. */
  deadlineSeconds: number | null;
  close(): Promise<void>;
}

/** The database could not be asked, or did not answer in time; what was asked may be repeated later. */
export class DatabaseUnavailable extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'DatabaseUnavailable';
  }
}

/** For requests: with the look-up of the account before the operation, the answer is there within the 5 s that the contract promises. */
export const operationDeadlineSeconds = 3.5;
const connectDeadlineSeconds = 3;
const reconnectEverySeconds = 0.2;
const retirementSeconds = 5;
const explainWithinMs = 1000;
/** A backstop only. Requests are held at the door: refused here, at once, they would be asked again at once and crowd out the rest. */
const waitersMax = 10_000;
const transactionTriesMax = 4;

/**
 * A pool with bounded waiting: whatever happens to the database, the caller has an answer or a DatabaseUnavailable
 * within `deadlineSeconds`. Commands that may take their time pass null.
 */
export function openDatabase(target: ConnectionTarget, options: { max: number; deadlineSeconds: number | null }): Database {
  const { max, deadlineSeconds } = options;
  // The server gives up first, so that an answer that is late all the same means a lost server or network.
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
   * Sockets whose other end has vanished can stay open for a quarter of an hour, and the driver (postgres 3.4.9) may never
   * again write to a connection that closed at a bad moment; a new pool is free of both.
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
      // Whoever waited at a pool that was retired meanwhile goes on to the new one.
      if (current !== pool) return bounded(work, expiresAt);
      const startedAt = performance.now();
      const working = work(current);
      working.catch((error) => isBrokenConnection(error) && retire(current));
      return before(working, expiresAt, () => {
        // Work that had to wait for its turn was cut short; that says nothing about the server.
        if (performance.now() - startedAt > statementTimeoutMs) retire(current);
        return new DatabaseUnavailable('the database did not answer in time');
      });
    }, expiresAt);
  }

  return {
    read: (work, withinSeconds) => bounded(({ sql }) => work(sql), newDeadline(withinSeconds)).catch(rethrowUnavailable),
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
    connectAlone: (settings, onNotice) => connect(target, 1, statementTimeoutMs, { finder, settings, onNotice, batching: true }),
    connectListener: (onNotified, onClosed) => connect(target, 1, statementTimeoutMs, { finder, onNotified, onClosed }),
    load: () => ({ ...pool.gate.load(), max }),
    explainOutage: () =>
      before(finder.explain(), performance.now() + explainWithinMs, () => new DatabaseUnavailable('no answer')).catch(() => null),
    deadlineSeconds,
    close: () => pool.sql.end({ timeout: retirementSeconds }),
  };
}

/**
 * With synchronous replication, what a transaction has only read may be a commit that no standby has: its wait was cancelled, or the primary has
 * crashed and recovered since. An answer that rests on it would be lost with the primary. A commit of our own is confirmed after everything that
 * was committed before it, so a transaction that has written nothing writes an empty message to the log.
 */
export const confirmWhatWasRead = `select case
  when current_setting('synchronous_standby_names') <> '' and pg_current_xact_id_if_assigned() is null
  then pg_logical_emit_message(true, 'lading', '') end`;

/** As `begin`, but what it returns is safe to tell: a commit that came with a warning is none. */
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
  // It may be a warning for another connection of the pool: then this commit is repeated for nothing, which is safe.
  if (warnings.count !== warningsBefore) throw commitInDoubt();
  return result;
}

/** A commit whose wait for a synchronous standby was cancelled succeeds with a warning, and may be lost. */
export function commitInDoubt(): DatabaseUnavailable {
  return new DatabaseUnavailable('the commit came with a warning: its outcome is unknown');
}

/**
 * On a connection that is gone the driver (postgres 3.4.9) still sends its rollback or commit, and the process dies of it
 * (github.com/porsager/postgres/issues/1154). So work that lost its connection is left hanging; the driver's own word that
 * the connection closed ends the transaction all the same.
 */
export function begin<T>(sql: Sql, work: (tx: Tx) => Promise<T>, expiresAt: number | null): Promise<T> {
  let over = false;
  const transaction = sql.begin(async (tx) => {
    try {
      const result = await work(tx);
      // The caller has been told that it failed, so it must not happen after all.
      if (expiresAt !== null && performance.now() > expiresAt) throw new DatabaseUnavailable('the transaction came too late');
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

/** A bare connection pool: for migrations and other work that has its own bounds. */
export function connect(
  target: ConnectionTarget,
  max: number,
  statementTimeoutMs = 0,
  options: {
    /** Where several connections to one database share what they know of its servers. */
    finder?: PrimaryFinder;
    /** Only to ask a server for its role: all others connect to a primary or not at all. */
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
    // The driver takes `read-write` for the default of the session, which is read-only on the connections of groups.
    ...(anyRole ? {} : { target_session_attrs: 'primary' as const }),
    ...{ socket: sockets.open },
    // Whoever listens must not be disconnected for the age of the connection, as the driver does after half an hour or more.
    ...(onNotified ? { onnotify: onNotified, max_lifetime: null } : {}),
    connection: {
      application_name: 'lading',
      TimeZone: 'UTC',
      statement_timeout: statementTimeoutMs,
      idle_in_transaction_session_timeout: 30_000,
      // A generic plan made while a table was empty would scan it for ever.
      plan_cache_mode: 'force_custom_plan',
      ...settings,
    },
  };
  const sql = typeof target === 'string' ? postgres(singleHostUrl(target), driverOptions) : postgres({ ...target, ...driverOptions });
  return endingWith(sockets, sql as unknown as Sql);
}

/** Asks each server that the target names, over a connection that is closed afterwards. */
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

/** A pool that has ended has no connection left. */
function endingWith(sockets: DriverSockets, sql: Sql): Sql {
  const { end } = sql;
  return Object.assign(sql, { end: (options?: { timeout?: number }) => end(options).finally(() => sockets.close()) });
}

interface Gate {
  pass<T>(work: () => Promise<T>, expiresAt: number | null): Promise<T>;
  load(): { busy: number; waiting: number };
}

/** Lets `max` pieces of work through at a time, the others wait in order until their time is up. */
function makeGate(max: number): Gate {
  const waiters = new Set<() => void>();
  let busy = 0;

  async function enter(expiresAt: number | null) {
    if (busy < max) {
      busy++;
      return;
    }
    if (waiters.size >= waitersMax) throw new DatabaseUnavailable('too many requests wait for a database connection');
    const turn = Promise.withResolvers<void>();
    waiters.add(turn.resolve);
    if (expiresAt === null) return await turn.promise;
    await before(turn.promise, expiresAt, () => {
      waiters.delete(turn.resolve);
      return new DatabaseUnavailable('no database connection became free in time');
    });
  }

  function leave() {
    const [next] = waiters;
    if (!next) {
      busy--;
      return;
    }
    waiters.delete(next);
    next();
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

/** Somebody else had what was needed, for too long or the other way round. */
export function isContention(error: unknown): boolean {
  return isRepeatable(error) || (error instanceof postgres.PostgresError && error.code === '55P03');
}

/** Somebody else has just made what must be unique. */
export function isUniqueViolation(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.code === '23505';
}

export function rethrowUnavailable(error: unknown): never {
  throw isUnavailable(error) ? new DatabaseUnavailable(`${(error as { code?: string }).code}: the database is out of reach`) : error;
}

/** A connection that must be replaced. The driver itself closes one that leads to a standby, and opens another one a moment later. */
export function isBrokenConnection(error: unknown): boolean {
  return isLostConnection(error) && (error as { code?: string }).code !== 'CONNECTION_DESTROYED';
}

/** There was a connection, or nearly one, and it is gone. */
export function isLostConnection(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return error.severity === 'FATAL' || error.severity === 'PANIC';
  return error instanceof Error && lostConnectionCodes.has((error as { code?: string }).code ?? '');
}

const lostConnectionCodes = new Set(['CONNECTION_CLOSED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT']);
const noConnectionCodes = new Set(['CONNECTION_ENDED', 'ENOTFOUND', 'EAI_AGAIN']);

/**
 * Connection lost (08), out of resources such as disk or connections (53), server stopping or statement cancelled (57), a standby that takes no
 * writes (0A000 where they begin, 25006 later), a transaction that was silent for too long (25P03), and contention that outlasted our repeats
 * (40001, 40P01, 55P03).
 */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return /^(08|53|57)|^(0A000|25006|25P03|40001|40P01|55P03)$/.test(error.code);
  return isLostConnection(error) || isNoConnection(error);
}

/** Whatever the system says when it cannot connect: nobody there, no way, or too many who knock at a server that does not open (EAGAIN). */
function isNoConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  return syscall === 'connect' || noConnectionCodes.has(code);
}
