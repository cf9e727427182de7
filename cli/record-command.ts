import { beginAction, finishAction } from '../server/domain/operators/action-queries.ts';
import { newTraceId } from '../server/platform/ids.ts';
import type { Database } from '../server/platform/postgres/database.ts';
import { noAccounts } from '../server/platform/postgres/sql.ts';
import { userName } from './apply-file.ts';

/** The name of a command's user in the audit log and in histories. */
export function commandActor(): string {
  return `lading (${userName()})`;
}

interface Recorded {
  action: string;
  /** null: the action is not about one order. */
  orderId: number | null;
  accountNo: string;
  details?: Record<string, unknown>;
}

/**
 * Records in the audit log what a command does, as the console does: before it is done, so that nothing happens without
 * an entry.
 */
export async function recorded<Outcome extends { kind: string }>(
  database: Database,
  { action, orderId, accountNo, details = {} }: Recorded,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const entry = {
    username: commandActor(),
    role: null,
    action,
    subject: orderId === null ? null : `order ${orderId}`,
    accountNo,
    details,
    address: 'command line',
    traceId: newTraceId(Date.now()),
  };
  const actionId = await database.transaction(noAccounts, (tx) => beginAction(tx, entry));
  const outcome = await work();
  await database.transaction(noAccounts, (tx) => finishAction(tx, actionId, outcome.kind));
  return outcome;
}
