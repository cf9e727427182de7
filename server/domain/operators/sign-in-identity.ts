import type { Message } from '../../../messages/message.ts';
import { reason } from '../../../messages/reason-texts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { findPartner, insertPartner, lockPartners, recordChange, updatePartner } from '../partners/partner-queries.ts';
import type { Identity } from './identity.ts';
import { findLinkedOperator, linkOperator } from './identity-queries.ts';
import { endSessionsOf } from './operator-queries.ts';

export type IdentityOutcome =
  | { kind: 'known'; username: string }
  | { kind: 'no_role' | 'no_name' | 'name_taken' | 'disabled'; reason: Message };

const actor = 'identity provider';

/**
 * Finds the operator of an identity, or creates one at the first sign-in. The role is that of the provider at each
 * sign-in. An operator that exists already keeps its name: the provider cannot take it over.
 */
export async function signInIdentity(database: Database, identity: Identity): Promise<IdentityOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    const linked = await findLinkedOperator(tx, identity);

    const username = linked?.username ?? identity.username;
    if (username === null) return { kind: 'no_name', reason: reason('identity_without_name') };
    if (identity.role === null) {
      // The operator has lost the role, so their open sessions end too.
      if (linked !== null) await endSessionsOf(tx, username, actor);
      return { kind: 'no_role', reason: reason('identity_without_role', { username }) };
    }
    if (linked?.enabled === false) return { kind: 'disabled', reason: reason('operator_disabled', { username }) };
    const { role } = identity;
    if (linked === null) return await createOperator(tx, { ...identity, username, role });

    if (linked.role !== role) {
      await updatePartner(tx, 'operator', { username }, { role });
      await recordChange(tx, actor, { kind: 'operator', name: username }, 'changed', { role });
    }
    return { kind: 'known', username };
  });
}

async function createOperator(
  tx: Tx,
  { issuer, subject, username, role }: Identity & { username: string; role: string },
): Promise<IdentityOutcome> {
  if ((await findPartner(tx, 'operator', { username })) !== null)
    return { kind: 'name_taken', reason: reason('identity_name_taken', { username }) };

  const row = { role, enabled: true };
  await insertPartner(tx, 'operator', { username, ...row });
  await linkOperator(tx, { issuer, subject, username });
  await recordChange(tx, actor, { kind: 'operator', name: username }, 'created', { ...row, identity: issuer });
  return { kind: 'known', username };
}
