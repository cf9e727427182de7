import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { lockPartners, recordChange } from '../partners/partner-queries.ts';
import { currentSecret } from '../partners/secret-queries.ts';
import { setPasswordUntil } from './identity-queries.ts';

export type BreakGlassOutcome = { kind: 'allowed'; until: Date | null } | { kind: 'not_found' };

/** Lets an operator use the password although passwords are switched off. With 0 seconds, that ends. */
export async function allowPassword(
  database: Database,
  username: string,
  { seconds, actor }: { seconds: number; actor: string },
): Promise<BreakGlassOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    if ((await currentSecret(tx, 'operator_password', username)) === null) return { kind: 'not_found' };

    const until = await setPasswordUntil(tx, username, seconds);
    const fields = { password_until: until?.toISOString() ?? null };
    await recordChange(tx, actor, { kind: 'operator', name: username }, 'changed', fields);
    return { kind: 'allowed', until };
  });
}
