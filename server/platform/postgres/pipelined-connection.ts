import {
  before,
  commitInDoubt,
  confirmWhatWasRead,
  type Database,
  DatabaseUnavailable,
  isBrokenConnection,
  isLostConnection,
  type Sql,
  type Tx,
} from './database.ts';
import { watchStatements } from './watch-statements.ts';

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
  transaction<T>(work: (tx: Tx) => Promise<Decision<T>>, expiresAt: number): Promise<T>;
  close(): Promise<void>;
}

const settings = {
  // The driver may send a statement again after its transaction has failed, or on a new connection: outside of a
  // transaction it must not write.
  default_transaction_read_only: 'on',
  // Plans are made once. Statements look rows up by `key = any(...)` and join no tables, so a plan made while a table
  // was empty also suits a full one.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  // Nothing waits between the round trips, so a connection that is idle for this long holds its locks for nothing.
  idle_in_transaction_session_timeout: 5000,
};
const closeWithinSeconds = 5;

export function openPipelinedConnection(database: Database): PipelinedConnection {
  let warned = false;
  let sql = open();

  function open(): Sql {
    return database.connectAlone(settings, () => {
      warned = true;
    });
  }

  /** As in the pool: a connection that broke or does not respond is replaced. */
  function replace(broken: Sql): void {
    if (sql !== broken) return;
    sql = open();
    void broken.end({ timeout: 0 }).catch(() => {});
  }

  async function run<T>(sql: Sql, work: (tx: Tx) => Promise<Decision<T>>): Promise<T> {
    const noted: { error?: unknown } = {};
    const tx = noteFirstError(sql, noted) as unknown as Tx;
    try {
      return await lookAndWrite(tx, work);
    } catch (error) {
      // After the first failure every statement of the transaction fails too, and those failures may be reported first.
      throw noted.error ?? error;
    }
  }

  async function lookAndWrite<T>(tx: Tx, work: (tx: Tx) => Promise<Decision<T>>): Promise<T> {
    const { answer, writes } = await look(tx, work);

    warned = false;
    // Row locks are released before the wait for a standby.
    const ending = writes.length > 0 ? ['commit'] : ['rollback', confirmWhatWasRead];
    const [end, ...confirming] = ending.map((statement) => tx.unsafe(statement).execute());
    const settled = await Promise.allSettled<unknown>([...writes, end, ...confirming]);
    const failed = settled.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    assertEnded(await end!, writes.length > 0 ? 'COMMIT' : 'ROLLBACK', warned);
    return answer;
  }

  async function look<T>(tx: Tx, work: (tx: Tx) => Promise<Decision<T>>): Promise<Decision<T>> {
    try {
      const [, decision] = await Promise.all([tx.unsafe('begin read write').execute(), work(tx)]);
      return decision;
    } catch (error) {
      if (!isLostConnection(error)) await tx.unsafe('rollback');
      throw error;
    }
  }

  return {
    async transaction(work, expiresAt) {
      const current = sql;
      const running = run(current, work);
      running.catch((error) => isBrokenConnection(error) && replace(current));
      return await before(running, expiresAt, () => {
        replace(current);
        return new DatabaseUnavailable('the database did not answer in time');
      });
    },
    close: () => sql.end({ timeout: closeWithinSeconds }),
  };
}

function assertEnded({ command }: { command: string }, expected: 'COMMIT' | 'ROLLBACK', warned: boolean): void {
  if (command !== expected) throw new Error(`the transaction ended with ${command}`);
  if (warned) throw commitInDoubt();
}

/** Stores the error of the first statement that fails in `noted`. */
function noteFirstError(sql: Sql, noted: { error?: unknown }): Sql {
  return watchStatements(sql, (statement) => {
    const { reject } = statement;
    statement.reject = (error) => {
      noted.error ??= error;
      reject(error);
    };
  });
}
