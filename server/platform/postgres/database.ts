import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection, ConnectionError } from './connection.ts';
import { type ConnectionTarget, loginOf, serversOf } from './connection-target.ts';
import { before, DatabaseUnavailable } from './deadline.ts';
import { isRepeatable, rethrowUnavailable } from './errors.ts';
import { type Lease, Pool } from './pool.ts';
import { type AskRole, makePrimaryFinder, type PrimaryFinder } from './primary.ts';
import { makeSql, noAccounts, type Query, type Run, type Sql, type Tx } from './sql.ts';
import { planSettings } from './surroundings.ts';
import { TransactionScope, tooLate } from './transaction-scope.ts';

/** All work states the accounts whose rows it needs; it sees no others. */
export interface Database {
  /** One or more statements, each in its own transaction. `withinSeconds` shortens the usual deadline. */
  read<T>(accountIds: readonly number[], work: (sql: Sql) => Promise<T>, withinSeconds?: number): Promise<T>;
  /**
   * All or nothing. `work` is repeated after a serialization failure or a deadlock, so it must have no effects except
   * through `tx`.
   */
  transaction<T>(accountIds: readonly number[], work: (tx: Tx) => Promise<T>): Promise<T>;
  /** A connection outside the pool for a single owner, who closes it. */
  openConnection(options: OwnConnection): Promise<Connection>;
  load(): { busy: number; waiting: number; max: number };
  /** Why an outage may last although a server answers: it is a standby. null if that is not the cause. */
  explainOutage(): Promise<string | null>;
  /** The time within which every caller gets a result; null: no limit. */
  deadlineSeconds: number | null;
  close(): Promise<void>;
}

export interface OwnConnection {
  /** For the operator who looks at the connections of PostgreSQL. */
  purpose: string;
  settings?: Record<string, string | number>;
  acceptsStandby?: boolean;
  onNotified?: (payload: string) => void;
}

/**
 * For requests: together with the look-up of the account before the operation, the response is sent within the 5 s that
 * the contract promises.
 */
export const operationDeadlineSeconds = 3.5;
/** A server that does not accept connections is not asked more often than this. */
const connectAgainMs = 200;
const closeWithinSeconds = 5;
const explainWithinMs = 1000;
const transactionTriesMax = 4;

/**
 * A pool with bounded waiting: whatever happens to the database, the caller gets a result or a DatabaseUnavailable
 * within `deadlineSeconds`. Commands without a time limit pass null.
 */
export function openDatabase(
  target: ConnectionTarget,
  options: { max: number; deadlineSeconds: number | null; role?: string; purpose?: string },
): Database {
  const { max, deadlineSeconds, role = 'command', purpose = 'requests' } = options;
  // The server times out first, so a later timeout here means that the server or the network is lost.
  const statementTimeoutMs = deadlineSeconds === null ? 0 : Math.floor(deadlineSeconds * 700);
  const connector = makeConnector(target, role, statementTimeoutMs);
  const pool = new Pool(() => connector.open({ purpose }), max);

  function newDeadline(seconds = deadlineSeconds): number | null {
    return seconds === null ? null : performance.now() + seconds * 1000;
  }

  /** The connection returns to the pool when `work` is done, which may be after its deadline. */
  async function bounded<T>(work: (connection: Connection) => Promise<T>, expiresAt: number | null): Promise<T> {
    const lease = await pool.take(expiresAt);
    const working = runOn(lease, work);
    if (expiresAt === null) return await working;
    const startedAt = performance.now();
    return await before(working, expiresAt, () => {
      // Work that had to wait for its turn was cut short, which says nothing about the server.
      if (performance.now() - startedAt > statementTimeoutMs) {
        pool.distrustAll();
        lease.connection.destroy();
      }
      return new DatabaseUnavailable('the database did not answer in time');
    });
  }

  return {
    read: (accountIds, work, withinSeconds) =>
      bounded((connection) => read(connection, accountIds, work), newDeadline(withinSeconds)).catch(rethrowUnavailable),
    async transaction<T>(accountIds: readonly number[], work: (tx: Tx) => Promise<T>): Promise<T> {
      const expiresAt = newDeadline();
      for (let tries = 1; ; tries++) {
        try {
          return await bounded((connection) => transact(connection, accountIds, work, expiresAt), expiresAt);
        } catch (error) {
          if (!isRepeatable(error) || tries === transactionTriesMax) return rethrowUnavailable(error);
          await sleep(Math.random() * 20 * tries);
        }
      }
    },
    openConnection: connector.open,
    load: () => ({ ...pool.load(), max }),
    explainOutage: () =>
      before(connector.explain(), performance.now() + explainWithinMs, () => new Error('no answer')).catch(() => null),
    deadlineSeconds,
    close: () => {
      connector.close();
      return pool.close(closeWithinSeconds);
    },
  };
}

/** A connection that is lost ends the work at once, also between two statements. */
async function runOn<T>(lease: Lease, work: (connection: Connection) => Promise<T>): Promise<T> {
  const { connection } = lease;
  const lost = Promise.withResolvers<never>();
  const stopListening = connection.onLost(lost.reject);
  const working = work(connection);
  void working.catch(() => {}).then(lease.release);
  try {
    return await Promise.race([working, lost.promise]);
  } finally {
    stopListening();
  }
}

async function read<T>(
  connection: Connection,
  accountIds: readonly number[],
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  let isOver = false;
  const run: Run = (query, accounts) => (isOver ? tooLate() : connection.runFor(accounts, query));
  try {
    return await work(makeSql(run, accountIds));
  } finally {
    isOver = true;
  }
}

const commit: Query = { text: 'commit', values: [], isPrepared: false };
export const rollback: Query = { text: 'rollback', values: [], isPrepared: false };

/**
 * With synchronous replication, a transaction may have read a commit that no standby has: its wait was cancelled, or
 * the primary has crashed and recovered since. A response based on it would be lost with the primary. Our own commit is
 * confirmed after everything that was committed before it, so a transaction that has written nothing writes an empty
 * message to the log.
 */
export const confirmWhatWasRead: Query = {
  text: `select case
  when current_setting('synchronous_standby_names') <> '' and pg_current_xact_id_if_assigned() is null
  then pg_logical_emit_message(true, 'lading', '') end`,
  values: [],
  isPrepared: true,
};

/** All or nothing, on one connection. The result is safe to report: a commit with a warning counts as failed. */
async function transact<T>(
  connection: Connection,
  accountIds: readonly number[],
  work: (tx: Tx) => Promise<T>,
  expiresAt: number | null,
): Promise<T> {
  const scope = new TransactionScope(connection, accountIds);
  await scope.begin('begin', 'of_values');
  try {
    const result = await work(scope.tx);
    // The caller has already received an error, so the transaction must not commit.
    if (expiresAt !== null && performance.now() > expiresAt)
      throw new DatabaseUnavailable('the transaction came too late');
    scope.end();
    const { warnings } = connection;
    const [, end] = await Promise.all([connection.run(confirmWhatWasRead), connection.run(commit)]);
    if (end.command !== 'COMMIT') throw new Error(`the transaction ended with ${end.command}`);
    if (connection.warnings !== warnings) throw commitInDoubt();
    return result;
  } catch (error) {
    scope.end();
    await connection.run(rollback).catch(() => connection.destroy());
    throw error;
  }
}

/** A commit whose wait for a synchronous standby was cancelled succeeds with a warning and may be lost. */
export function commitInDoubt(): DatabaseUnavailable {
  return new DatabaseUnavailable('the commit came with a warning: its outcome is unknown');
}

/** Opens connections to the primary of a target. */
interface Connector {
  open(options: OwnConnection): Promise<Connection>;
  /** Why no server accepts writes; null if one does, or if none answers. */
  explain(): Promise<string | null>;
  /** Prevents new connections. */
  close(): void;
}

function makeConnector(target: ConnectionTarget, role: string, statementTimeoutMs: number): Connector {
  const login = loginOf(target);
  const servers = serversOf(target);
  const finder = findPrimary(target);
  let refusedAtMs = Number.NEGATIVE_INFINITY;
  let isClosed = false;

  async function connectOnce({ purpose, settings, ...others }: OwnConnection): Promise<Connection> {
    const waitMs = refusedAtMs + connectAgainMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const server = servers.length > 1 ? await finder.find() : servers[0]!;
    if (isClosed) throw ended();
    const name = { application_name: nameOf(role, purpose), statement_timeout: statementTimeoutMs };
    return await Connection.open({ server, login, settings: { ...usualSettings, ...name, ...settings }, ...others });
  }

  return {
    async open(options) {
      const connection = await connectOnce(options).catch((error) => {
        refusedAtMs = performance.now();
        throw error;
      });
      if (!isClosed) return connection;
      connection.destroy();
      throw ended();
    },
    explain: finder.explain,
    close() {
      isClosed = true;
    },
  };
}

function ended(): ConnectionError {
  return new ConnectionError('CONNECTION_ENDED', 'the pool has ended');
}

const usualSettings = {
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  idle_in_transaction_session_timeout: 30_000,
  ...planSettings.of_values,
  // It never pays for statements as short as ours.
  jit: 'off',
};

/** `lading api shop-1:4711 create_orders`. PostgreSQL keeps 63 bytes of it. */
function nameOf(role: string, purpose: string): string {
  return `lading ${role} ${hostname().slice(0, hostShownMax)}:${process.pid} ${purpose}`;
}

const hostShownMax = 20;

/** Asks each server of the target over a connection that is closed afterwards. */
export function findPrimary(target: ConnectionTarget): PrimaryFinder {
  const login = loginOf(target);
  const askRole: AskRole = async (server) => {
    try {
      const settings = { ...usualSettings, application_name: nameOf('command', 'find the primary') };
      const connection = await Connection.open({ server, login, settings, acceptsStandby: true });
      connection.destroy();
      return connection.isStandby ? 'standby' : 'primary';
    } catch (error) {
      return { unreachable: (error as { code?: string }).code ?? 'unknown error' };
    }
  };
  return makePrimaryFinder(serversOf(target), askRole);
}

/** Statements on any connection of a pool. */
export interface PlainSql extends Sql {
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  end(options?: { timeout?: number }): Promise<void>;
}

/** A plain pool, for migrations and other work that has its own limits. */
export function connect(target: ConnectionTarget, max: number, options: Partial<OwnConnection> = {}): PlainSql {
  const connector = makeConnector(target, 'command', 0);
  const pool = new Pool(() => connector.open({ purpose: 'command', ...options }), max);
  const sql = makeSql(async (query) => await runOn(await pool.take(null), (connection) => connection.run(query)));
  return Object.assign(sql, {
    begin: async <T>(work: (tx: Tx) => Promise<T>) =>
      await runOn(await pool.take(null), (connection) => transact(connection, noAccounts, work, null)),
    end: ({ timeout = closeWithinSeconds } = {}) => {
      connector.close();
      return pool.close(timeout);
    },
  });
}
