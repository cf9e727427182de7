import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
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

/** How often an operator has taken an action lately, counted up to `countMax`. */
export async function countRecent(
  sql: Sql,
  { username, action, withinMinutes }: { username: string; action: string; withinMinutes: number },
  countMax: number,
): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::integer as count from (
      select from operator_action where username = ${username} and action = ${action}
        and at > now() - make_interval(mins => ${withinMinutes}::integer) limit ${countMax}) recent`;
  return row.count;
}

/** How many orders the entries of these actions name, within the last hour. */
export async function countOrdersOfActions(sql: Sql, username: string, actions: readonly string[]): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select coalesce(sum(jsonb_array_length(details->'order_ids')), 0)::integer as count from operator_action
    where username = ${username} and action = any(${[...actions]}::text[]) and at > now() - interval '1 hour'`;
  return row.count;
}

/** The latest entries of these actions, newest first. */
export async function lastActions(sql: Sql, actions: readonly string[], limit: number): Promise<LoggedAction[]> {
  return await sql<LoggedAction[]>`
    select operator_action_id, ${sql.unsafe(taipeiTime('at'))}, username, action, subject, outcome
    from unnest(${[...actions]}::text[]) as wanted(name)
    cross join lateral (
      select * from operator_action where action = wanted.name order by operator_action.at desc, operator_action_id desc limit ${limit}
    ) found
    order by found.at desc, operator_action_id desc limit ${limit}`;
}

export interface LoggedAction {
  operator_action_id: number;
  at: string;
  username: string;
  action: string;
  subject: string | null;
  outcome: string | null;
}
