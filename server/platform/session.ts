import { before, type Database, DatabaseUnavailable, isLostConnection, type Sql, type Tx } from './database.ts';

/** What to answer, and the statements that make it true, already on their way. Without any, nothing is to be changed. */
export interface Decision<T> {
  answer: T;
  writes: Promise<unknown>[];
}

/** A connection of its own for one transaction after the other, each in two round trips. */
export interface Session {
  /**
   * `work` sends its reads at once and together, then decides, then sends its writes at once and together. BEGIN travels with the
   * reads and COMMIT with the writes, so `work` must not wait for a write.
   */
  transaction<T>(work: (tx: Tx) => Promise<Decision<T>>, expiresAt: number): Promise<T>;
  close(): Promise<void>;
}

const settings = {
  // The driver may send a statement again after its transaction has failed, or on a new connection: outside of a transaction it must not write.
  default_transaction_read_only: 'on',
  // Plans are made once. Statements look rows up by `key = any(...)` and join no tables, so that a plan made while a table was empty
  // is right for a full one too.
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  // Between the round trips nothing is waited for: whoever is silent so long holds its locks for nothing.
  idle_in_transaction_session_timeout: 5000,
};
const closeWithinSeconds = 5;

export function openSession(database: Database): Session {
  let warned = false;
  let sql = open();

  function open(): Sql {
    return database.connectAlone(settings, () => {
      warned = true;
    });
  }

  /** As with the pool: a connection that broke, or is silent, is replaced rather than trusted. */
  function replace(broken: Sql): void {
    if (sql !== broken) return;
    sql = open();
    void broken.end({ timeout: 0 }).catch(() => {});
  }

  async function run<T>(tx: Tx, work: (tx: Tx) => Promise<Decision<T>>): Promise<T> {
    const decision = await look(tx, work);

    warned = false;
    const [end, ...writes] = await Promise.allSettled([
      tx.unsafe(decision.writes.length > 0 ? 'commit' : 'rollback').execute(),
      ...decision.writes,
    ]);
    const failed = [...writes, end].find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
    if (decision.writes.length > 0) assertCommitted(end as PromiseFulfilledResult<{ command: string }>, warned);
    return decision.answer;
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
      const running = run(current as unknown as Tx, work);
      running.catch((error) => isLostConnection(error) && replace(current));
      return await before(running, expiresAt, () => {
        replace(current);
        return new DatabaseUnavailable('the database did not answer in time');
      });
    },
    close: () => sql.end({ timeout: closeWithinSeconds }),
  };
}

function assertCommitted({ value }: PromiseFulfilledResult<{ command: string }>, warned: boolean): void {
  if (value.command !== 'COMMIT') throw new Error(`the transaction ended with ${value.command}`);
  // With synchronous replication, a commit whose wait was cancelled says COMMIT and warns that it may be lost.
  if (warned) throw new DatabaseUnavailable('the commit came with a warning: its outcome is unknown');
}
