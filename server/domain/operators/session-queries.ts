import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import { type OperatorRole, type OperatorSession, sessionIdleSeconds, sessionSeconds } from './operator.ts';

export interface KnownOperator {
  username: string;
  role: OperatorRole;
  enabled: boolean;
  /** null: this operator signs in with the identity provider only. */
  password_hash: string | null;
  has_totp: boolean;
  /** Although passwords are switched off. */
  may_use_password: boolean;
}

export async function findOperator(sql: Sql, username: string): Promise<KnownOperator | null> {
  const [row] = await sql<KnownOperator[]>`
    select username, role, enabled, password_hash,
      exists (select from operator_totp t where t.username = operator.username) as has_totp,
      coalesce(password_until > now(), false) as may_use_password
    from operator left join secret on kind = 'operator_password' and owner = username and valid_until is null where username = ${username}`;
  return row ?? null;
}

export interface NewSession {
  sessionId: string;
  tokenDigest: Buffer;
  username: string;
  address: string;
  userAgent: string;
  signedInWith: OperatorSession['signedInWith'];
}

export async function insertSession(
  tx: Tx,
  { sessionId, tokenDigest, username, address, userAgent, signedInWith }: NewSession,
): Promise<void> {
  await tx`
    insert into operator_session (session_id, token_digest, username, address, user_agent, signed_in_with, expires_at)
    values (${sessionId}, ${tokenDigest}, ${username}, ${address}, ${userAgent}, ${signedInWith}, now() + ${sessionSeconds} * interval '1 second')`;
}

/**
 * A session is open if it has not ended, expired or been idle too long, its operator is enabled, and the password has
 * not changed since.
 */
function isOpen(sql: Sql) {
  return sql`ended_at is null and expires_at > now() and last_seen_at > now() - ${sessionIdleSeconds} * interval '1 second' and operator.enabled
    and operator_session.created_at >= coalesce(
      (select created_at from secret where kind = 'operator_password' and owner = username and valid_until is null), '-infinity')`;
}

export type FoundSession = Omit<OperatorSession, 'mustEnrol'> & { isSeenLongAgo: boolean; hasTotp: boolean };

export async function findSession(sql: Sql, tokenDigest: Buffer): Promise<FoundSession | null> {
  const [row] = await sql<FoundSession[]>`
    select session_id as "sessionId", username, role, case when role <> 'admin' then warehouse_nos end as "warehouseNos", ${sql.unsafe(taipeiTime('expires_at', '"expiresAt"'))},
      seen_position as "seenPosition", signed_in_with as "signedInWith",
      exists (select from operator_totp t where t.username = operator.username) as "hasTotp",
      coalesce((select weak from secret where kind = 'operator_password' and owner = username and valid_until is null), false) as "hasWeakPassword",
      last_seen_at < now() - interval '1 minute' as "isSeenLongAgo"
    from operator_session join operator using (username) where token_digest = ${tokenDigest} and ${isOpen(sql)}`;
  return row ?? null;
}

/** Covers the sessions that are still kept. */
export async function listSignInAddresses(sql: Sql, username: string): Promise<string[]> {
  const rows = await sql<{ address: string }[]>`
    select address from operator_session where username = ${username} order by created_at desc limit ${listedMax}`;
  return rows.map(({ address }) => address);
}

/** The later of two positions of a database cluster is the greater text. */
export async function keepSeenPosition(tx: Tx, sessionId: string, seen: string): Promise<void> {
  await tx`
    update operator_session set seen_position = case
      when split_part(seen_position, '.', 1) = split_part(${seen}, '.', 1) then greatest(seen_position collate "C", ${seen})
      else ${seen} end
    where session_id = ${sessionId}`;
}

export async function touchSession(tx: Tx, sessionId: string): Promise<void> {
  await tx`update operator_session set last_seen_at = now() where session_id = ${sessionId}`;
}

/** Returns whether such a session existed, of this operator or, without a name, of any operator. */
export async function endSession(
  tx: Tx,
  sessionId: string,
  username: string | null,
  endedBy: string,
): Promise<boolean> {
  const { count } = await tx`
    update operator_session set ended_at = now(), ended_by = ${endedBy}
    where session_id = ${sessionId} and ended_at is null and (${username}::text is null or username = ${username})`;
  return count > 0;
}

export interface OpenSession {
  session_id: string;
  username: string;
  address: string;
  user_agent: string;
  created_at: string;
  last_seen_at: string;
  expires_at: string;
}

const listedMax = 500;

/** Lists the sessions of one operator, or of all. */
export async function listOpenSessions(sql: Sql, username: string | null): Promise<OpenSession[]> {
  return await sql<OpenSession[]>`
    select session_id, username, address, user_agent, ${sql.unsafe(taipeiTime('operator_session.created_at', 'created_at'))},
      ${sql.unsafe(taipeiTime('last_seen_at'))}, ${sql.unsafe(taipeiTime('expires_at'))}
    from operator_session join operator using (username)
    where (${username}::text is null or username = ${username}) and ${isOpen(sql)}
    order by operator_session.last_seen_at desc limit ${listedMax}`;
}

export async function forgetOldSessions(tx: Tx, keptDays: number): Promise<number> {
  const { count } = await tx`delete from operator_session where expires_at < now() - ${keptDays} * interval '1 day'`;
  return count;
}
