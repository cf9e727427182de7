import { type Connection, ConnectionError, isFarewell } from './connection.ts';
import { OutcomeUnknown } from './deadline.ts';
import type { Query, Rows } from './sql.ts';

export const commit: Query = { text: 'commit', values: [], isPrepared: false };
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

/**
 * `send` sends the end of a transaction and verifies the answer. The result is safe to report: a commit with a warning
 * counts as unknown, because its wait for a synchronous standby was cancelled and it may be lost.
 */
export async function watchCommit<T>(connection: Connection, send: () => Promise<T>): Promise<T> {
  const { warnings } = connection;
  const pending = connection.commitSent();
  try {
    const result = await send();
    if (connection.warnings !== warnings) throw new OutcomeUnknown('the commit came with a warning');
    pending.ended('committed');
    return result;
  } catch (error) {
    const doubt = doubtOf(error);
    pending.ended(doubt === null ? 'failed' : 'in_doubt');
    throw doubt ?? error;
  }
}

/** After COMMIT was sent, a lost connection says nothing about the outcome. Any other error means a rollback. */
function doubtOf(error: unknown): OutcomeUnknown | null {
  if (error instanceof OutcomeUnknown) return error;
  return error instanceof ConnectionError || isFarewell(error) ? lostDuringCommit(error as { code?: string }) : null;
}

export function lostDuringCommit({ code = 'unknown error' }: { code?: string }): OutcomeUnknown {
  return new OutcomeUnknown(`the connection was lost during the commit: ${code}`);
}

export function assertEnded({ command }: Rows, expected: 'COMMIT' | 'ROLLBACK'): void {
  if (command !== expected) throw new Error(`the transaction ended with ${command}`);
}
