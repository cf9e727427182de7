import { type Keyring, UnknownMasterKey } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { isWeakMachineSecret } from './password-rules.ts';
import { isUsableCallbackSecret, openSecret, signsWebhooks } from './secret.ts';
import { listUnjudgedSecrets, listWeakSecrets, recordJudgement } from './secret-queries.ts';

const secretsMax = 10_000;

/**
 * Judges the readable secrets from before there were rules for them, and counts all that are known to be weak. Passwords
 * and keys that are stored as digests are judged when they are used.
 */
export async function judgeSecrets(database: Database, keyring: Keyring): Promise<{ weak: number }> {
  const unjudged = await database.read(noAccounts, (sql) => listUnjudgedSecrets(sql, secretsMax));
  for (const { secret_id, kind, owner, sealed, master_key_id } of unjudged) {
    const value = openIfPossible(() => openSecret(keyring, kind, owner, { sealed, master_key_id }));
    if (value === null) continue;
    const isWeak = signsWebhooks(kind, value) ? !isUsableCallbackSecret(value) : isWeakMachineSecret(value);
    await database.transaction(noAccounts, (tx) => recordJudgement(tx, secret_id, isWeak));
  }
  const weak = await database.read(noAccounts, (sql) => listWeakSecrets(sql, secretsMax));
  return { weak: weak.length };
}

/** A node that was started with an older set of master keys leaves the secret to the others. */
function openIfPossible(open: () => string): string | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof UnknownMasterKey) return null;
    throw error;
  }
}
