import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { OperatorRole } from './operator.ts';

export interface OperatorListRow {
  username: string;
  role: OperatorRole;
  /** null: all. */
  warehouse_nos: number[] | null;
  enabled: boolean;
  created_at: string;
  password_since: string | null;
  last_signed_in_at: string | null;
  has_weak_password: boolean;
  /** null: no one-time codes are in use. */
  totp_since: string | null;
  /** Signs in with the identity provider. */
  is_external: boolean;
  /** Until when this operator may use a password although passwords are switched off. */
  password_until: string | null;
}

export async function listOperatorRows(sql: Sql, limit: number): Promise<OperatorListRow[]> {
  return await sql<OperatorListRow[]>`
    select username, role, warehouse_nos, enabled, ${sql.unsafe(taipeiTime('operator.created_at', 'created_at'))},
      (select ${sql.unsafe(taipeiTime('created_at', 'since'))} from secret where kind = 'operator_password' and owner = username and valid_until is null) as password_since,
      (select ${sql.unsafe(taipeiTime('max(created_at)', 'at'))} from operator_session s where s.username = operator.username) as last_signed_in_at,
      coalesce((select weak from secret where kind = 'operator_password' and owner = username and valid_until is null), false) as has_weak_password,
      (select ${sql.unsafe(taipeiTime('confirmed_at', 'since'))} from operator_totp t where t.username = operator.username) as totp_since,
      exists (select from operator_identity i where i.username = operator.username) as is_external,
      (select ${sql.unsafe(taipeiTime('operator.password_until', 'until'))} where operator.password_until > now()) as password_until
    from operator order by username limit ${limit}`;
}

/** Returns how many ended. */
export async function endSessionsOf(tx: Tx, username: string, endedBy: string): Promise<number> {
  const { count } = await tx`
    update operator_session set ended_at = now(), ended_by = ${endedBy}
    where username = ${username} and ended_at is null and expires_at > now()`;
  return count;
}

/**
 * Ends an operator's sessions except one, which continues as if it had just begun, because it has just shown the
 * password. Returns how many ended.
 */
export async function endOtherSessions(tx: Tx, username: string, ownSessionId: string): Promise<number> {
  await tx`update operator_session set created_at = now() where session_id = ${ownSessionId} and username = ${username}`;
  const { count } = await tx`
    update operator_session set ended_at = now(), ended_by = ${username}
    where username = ${username} and session_id <> ${ownSessionId} and ended_at is null and expires_at > now()`;
  return count;
}
