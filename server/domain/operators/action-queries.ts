import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import type { OperatorRole } from './operator.ts';

/** An action that an operator takes or attempts. */
export interface OperatorAction {
  username: string;
  /** null: nobody is signed in. */
  role: OperatorRole | null;
  action: string;
  subject: string | null;
  accountNo: string | null;
  details: Record<string, unknown>;
  address: string;
  traceId: string;
}

/** Recorded before the action, so that nothing happens without an entry. */
export async function beginAction(
  tx: Tx,
  { username, role, action, subject, accountNo, details, address, traceId }: OperatorAction,
): Promise<number> {
  const [row] = await tx<{ operator_action_id: number }[]>`
    insert into operator_action (username, role, action, subject, account_no, details, address, trace_id)
    values (${username}, ${role}, ${action}, ${subject}, ${accountNo}, ${tx.json(details)}, ${address}, ${traceId})
    returning operator_action_id`;
  return row!.operator_action_id;
}

export async function finishAction(sql: Sql | Tx, operatorActionId: number, outcome: string): Promise<void> {
  await sql`update operator_action set outcome = ${outcome} where operator_action_id = ${operatorActionId} and outcome is null`;
}

/**
 * Records that an operator viewed something, unless the same operator has an entry about the same subject from the last
 * minutes.
 */
export async function recordView(
  database: Database,
  view: OperatorAction & { subject: string },
  withinMinutes: number,
): Promise<void> {
  const { username, action, subject } = view;
  const [recent] = await database.read(
    noAccounts,
    (sql) => sql`
      select from operator_action where subject = ${subject} and at > now() - make_interval(mins => ${withinMinutes}::integer)
        and username = ${username} and action = ${action} limit 1`,
  );
  if (recent !== undefined) return;
  await database.transaction(noAccounts, async (tx) => finishAction(tx, await beginAction(tx, view), 'viewed'));
}
