import { setTimeout as sleep } from 'node:timers/promises';
import { assertEnded, commit, confirmWhatWasRead, lostDuringCommit, rollback, watchCommit } from './commit.ts';
import type { Connection } from './connection.ts';
import type { ConnectionTarget } from './connection-target.ts';
import { type MakeConnector, makeConnector, type OwnConnection } from './connector.ts';
import { DatabaseRecord } from './database-record.ts';
import { before, DatabaseUnavailable } from './deadline.ts';
import { isRepeatable, rethrowUnavailable } from './errors.ts';
import { type Lease, Pool } from './pool.ts';
import { makeSql, noAccounts, type Run, type Sql, type Tx } from './sql.ts';
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
  record: DatabaseRecord;
  load(): { busy: number; waiting: number; max: number };
  /** Why an outage may last although a server answers, such as a standby. null if that is not the cause. */
  explainOutage(): Promise<string | null>;
  /** The time within which every caller gets a result; null: no limit. */
  deadlineSeconds: number | null;
  close(): Promise<void>;
}

/** The part of a database that only reads. */
export type Reader = Pick<Database, 'read'>;

/**
 * For requests: together with the look-up of the account before the operation, the response is sent within the 5 s that
 * the contract promises.
 */
export const operationDeadlineSeconds = 3.5;
const closeWithinSeconds = 5;
const explainWithinMs = 1000;
const transactionTriesMax = 4;

export interface DatabaseOptions {
  max: number;
  deadlineSeconds: number | null;
  role?: string;
  purpose?: string;
  /** That of the process, if it has several pools. */
  record?: DatabaseRecord;
  /** How to connect, if not to the primary. */
  makeConnector?: MakeConnector;
}

/**
 * A pool with bounded waiting: whatever happens to the database, the caller gets a result or a DatabaseUnavailable
 * within `deadlineSeconds`. Commands without a time limit pass null.
 */
export function openDatabase(target: ConnectionTarget, options: DatabaseOptions): Database {
  const { max, deadlineSeconds, role = 'command', purpose = 'requests', record = new DatabaseRecord() } = options;
  // The server times out first, so a later timeout here means that the server or the network is lost.
  const statementTimeoutMs = deadlineSeconds === null ? 0 : Math.floor(deadlineSeconds * 700);
  const connector = (options.makeConnector ?? makeConnector)(target, { role, statementTimeoutMs, record });
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
    record,
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
  const stopListening = connection.onLost((error) =>
    lost.reject(connection.isCommitting ? lostDuringCommit(error) : error),
  );
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
    return await work(makeSql(run, accountIds, connection.isDistributed));
  } finally {
    isOver = true;
  }
}

/** All or nothing, on one connection. */
async function transact<T>(
  connection: Connection,
  accountIds: readonly number[],
  work: (tx: Tx) => Promise<T>,
  expiresAt: number | null,
): Promise<T> {
  const scope = new TransactionScope(connection, accountIds);
  try {
    await scope.begin('begin', 'of_values');
    const result = await work(scope.tx);
    // The caller has already received an error, so the transaction must not commit.
    if (expiresAt !== null && performance.now() > expiresAt)
      throw new DatabaseUnavailable('the transaction came too late');
    scope.end();
    await watchCommit(connection, async () => {
      const [, end] = await Promise.all([connection.run(confirmWhatWasRead), connection.run(commit)]);
      assertEnded(end, 'COMMIT');
    });
    return result;
  } catch (error) {
    scope.end();
    await connection.run(rollback).catch(() => connection.destroy());
    throw scope.causeOf(error);
  }
}

/** Statements on any connection of a pool. */
export interface PlainSql extends Sql {
  begin<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  end(options?: { timeout?: number }): Promise<void>;
}

/** A plain pool, for migrations and other work that has its own limits. */
export function connect(target: ConnectionTarget, max: number, options: Partial<OwnConnection> = {}): PlainSql {
  const connector = makeConnector(target, { role: 'command', statementTimeoutMs: 0, record: new DatabaseRecord() });
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
