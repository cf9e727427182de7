import type { Tx } from '../../platform/postgres/sql.ts';
import type { OperatorRole } from './operator.ts';

export interface LinkedOperator {
  username: string;
  role: OperatorRole;
  enabled: boolean;
}

export async function findLinkedOperator(
  tx: Tx,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<LinkedOperator | null> {
  const [row] = await tx<LinkedOperator[]>`
    select username, role, enabled from operator_identity join operator using (username)
    where issuer = ${issuer} and subject = ${subject}`;
  return row ?? null;
}

export async function linkOperator(
  tx: Tx,
  { issuer, subject, username }: { issuer: string; subject: string; username: string },
): Promise<void> {
  await tx`insert into operator_identity (issuer, subject, username) values (${issuer}, ${subject}, ${username})`;
}

/** Until when a password works although passwords are switched off; null ends that. */
export async function setPasswordUntil(tx: Tx, username: string, seconds: number): Promise<Date | null> {
  const [row] = await tx<{ password_until: Date | null }[]>`
    update operator set password_until = case when ${seconds} > 0 then now() + make_interval(secs => ${seconds}) end
    where username = ${username} returning password_until`;
  return row?.password_until ?? null;
}
