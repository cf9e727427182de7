import { assertEnded, commit, confirmWhatWasRead, rollback, watchCommit } from './commit.ts';
import { type Connection, ConnectionError } from './connection.ts';
import type { Database } from './database.ts';
import { before, DatabaseUnavailable } from './deadline.ts';
import type { Tx } from './sql.ts';
import { planSettings } from './surroundings.ts';
import { TransactionScope } from './transaction-scope.ts';

/**
 * The response, and the statements that make it true, already sent. Without statements, the response is based on reads
 * alone.
 */
export interface Decision<T> {
  answer: T;
  writes: Promise<unknown>[];
}

/** A connection that runs one transaction after the other, each in two round trips. */
export interface PipelinedConnection {
  /**
   * `work` sends all of its reads at once, then decides, then sends all of its writes at once (large ones in turns).
   * BEGIN is sent with the reads and COMMIT with the writes, so `work` must not wait for a write.
   */
  transaction<T>(accountIds: readonly number[], work: (tx: Tx) => Promise<Decision<T>>, expiresAt: number): Promise<T>;
  close(): Promise<void>;
}

const closeWithinSeconds = 5;
const idleBeyondDeadlineSeconds = 1.5;

/** `deadlineSeconds`: of its transactions. */
export function openPipelinedConnection(
  database: Database,
  purpose: string,
  deadlineSeconds: number,
): PipelinedConnection {
  const settings = {
    // If BEGIN fails, the statements that were sent with it run outside of a transaction: they must not write.
    default_transaction_read_only: 'on',
    ...planSettings.of_any_values,
    // After the deadline, a connection that is idle between its round trips holds its locks for nothing.
    idle_in_transaction_session_timeout: 1000 * (deadlineSeconds + idleBeyondDeadlineSeconds),
  };
  let opening: Promise<Connection> | null = null;
  let current: Connection | null = null;
  let isClosed = false;

  /** Opened for the first transaction, and again for the first one after it is lost. */
  async function connected(): Promise<Connection> {
    if (isClosed) throw new ConnectionError('CONNECTION_ENDED', 'the connection was closed');
    if (current?.isOpen) return current;
    opening ??= database.openConnection({ purpose, settings }).finally(() => {
      opening = null;
    });
    current = await opening;
    return current;
  }

  return {
    async transaction(accountIds, work, expiresAt) {
      let started: Connection | null = null;
      let isOver = false;
      const running = connected().then((connection) => {
        // The connection belongs to the next transaction.
        if (isOver) throw new DatabaseUnavailable('the connection was opened too late');
        started = connection;
        return run(connection, accountIds, work, expiresAt);
      });
      return await before(running, expiresAt, () => {
        isOver = true;
        started?.destroy();
        return new DatabaseUnavailable('the database did not answer in time');
      });
    },
    async close() {
      isClosed = true;
      const connection = opening ? await opening.catch(() => null) : current;
      await connection?.close(closeWithinSeconds);
    },
  };
}

async function run<T>(
  connection: Connection,
  accountIds: readonly number[],
  work: (tx: Tx) => Promise<Decision<T>>,
  expiresAt: number,
): Promise<T> {
  const scope = new TransactionScope(connection, accountIds);
  try {
    return await lookAndWrite(connection, scope, work, expiresAt);
  } catch (error) {
    throw scope.causeOf(error);
  } finally {
    scope.end();
  }
}

async function lookAndWrite<T>(
  connection: Connection,
  scope: TransactionScope,
  work: (tx: Tx) => Promise<Decision<T>>,
  expiresAt: number,
): Promise<T> {
  const { answer, writes } = await look(connection, scope, work, expiresAt);

  await watchCommit(connection, async () => {
    // Row locks are released before the wait for a standby.
    const ending = writes.length > 0 ? [commit] : [rollback, confirmWhatWasRead];
    const [end, ...confirming] = ending.map((query) => scope.run(query));
    const settled = await Promise.allSettled<unknown>([...writes, end, ...confirming]);
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    assertEnded(await end!, writes.length > 0 ? 'COMMIT' : 'ROLLBACK');
  });
  return answer;
}

async function look<T>(
  connection: Connection,
  scope: TransactionScope,
  work: (tx: Tx) => Promise<Decision<T>>,
  expiresAt: number,
): Promise<Decision<T>> {
  try {
    const [, decision] = await Promise.all([scope.begin('begin read write', 'of_any_values'), work(scope.tx)]);
    if (performance.now() < expiresAt) return decision;
    // The caller has been answered, so the writes must not last. The timer that ends the connection may come later.
    void Promise.allSettled(decision.writes);
    throw new DatabaseUnavailable('the decision came too late');
  } catch (error) {
    scope.end();
    await connection.run(rollback).catch(() => connection.destroy());
    throw error;
  }
}
