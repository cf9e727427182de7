import type { Keyring } from '../../platform/keyring.ts';
import { verifyPassword } from '../../platform/password.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { lockPartners, recordChange } from '../partners/partner-queries.ts';
import { type PasswordWeakness, weaknessOfPassword } from '../partners/password-rules.ts';
import { keepSecret } from '../partners/secret.ts';
import { currentSecret, replaceSecret } from '../partners/secret-queries.ts';
import type { OperatorSession } from './operator.ts';
import { endOtherSessions } from './operator-queries.ts';
import { findOperator } from './session-queries.ts';

export type OwnPasswordOutcome =
  | { kind: 'changed'; sessionsEnded: number }
  | { kind: 'wrong_password' }
  | { kind: 'same_password' }
  | { kind: 'weak_password'; weakness: PasswordWeakness };

/** A signed-in operator who knows the old password sets a new one; their other sessions end. */
export async function changeOwnPassword(
  database: Database,
  keyring: Keyring,
  { username, sessionId }: OperatorSession,
  given: { oldPassword: string; newPassword: string; actor: string },
): Promise<OwnPasswordOutcome> {
  // Checked and hashed before the transaction: each takes 20 ms, during which nobody else could change a partner.
  const operator = await database.read(noAccounts, (sql) => findOperator(sql, username));
  if (!operator?.password_hash || !(await verifyPassword(given.oldPassword, operator.password_hash)))
    return { kind: 'wrong_password' };
  if (given.newPassword === given.oldPassword) return { kind: 'same_password' };
  const weakness = weaknessOfPassword(given.newPassword, username);
  if (weakness !== null) return { kind: 'weak_password', weakness };
  const secret = { kind: 'operator_password' as const, owner: username };
  const kept = await keepSecret(keyring, secret.kind, username, given.newPassword);

  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    const current = await currentSecret(tx, secret.kind, username);
    if (current?.password_hash !== operator.password_hash) return { kind: 'wrong_password' };

    await replaceSecret(tx, secret, { ...kept, from_file: false }, 0);
    await recordChange(tx, given.actor, { kind: 'operator', name: username }, 'changed', { password: 'set' });
    return { kind: 'changed', sessionsEnded: await endOtherSessions(tx, username, sessionId) };
  });
}
