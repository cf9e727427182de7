import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { IssuedSecret } from './apply-outcome.ts';
import { lockPartners, recordChange } from './partner-queries.ts';
import { generateSecret, keepSecret, type SecretKind } from './secret.ts';
import { currentSecret, replaceSecret } from './secret-queries.ts';
import type { SubjectKind } from './subject.ts';

export type RotateOutcome = { kind: 'rotated'; issued: IssuedSecret; previousValidUntil: Date } | { kind: 'not_found' };

/** The owner of each kind of secret. */
const subjectOfSecret: Record<SecretKind, SubjectKind> = {
  account_secret: 'account',
  check_value: 'client',
  logistics_key: 'logistics_key',
  callback_secret: 'logistics_key',
  account_callback_secret: 'account',
  tenant_callback_secret: 'tenant',
  connector_secret: 'warehouse',
  operator_password: 'operator',
};

/**
 * Generates a new secret; the previous one stays valid for the overlap, so that the partner can switch without a gap.
 */
export async function rotateSecret(
  database: Database,
  keyring: Keyring,
  secret: { kind: SecretKind; owner: string },
  options: { actor: string; overlapSeconds: number },
): Promise<RotateOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    return await rotateLocked(tx, keyring, secret, options);
  });
}

/** The same within a transaction that has locked the partners. */
export async function rotateLocked(
  tx: Tx,
  keyring: Keyring,
  secret: { kind: SecretKind; owner: string },
  options: { actor: string; overlapSeconds: number },
): Promise<RotateOutcome> {
  const { kind, owner } = secret;
  if (!(await currentSecret(tx, kind, owner))) return { kind: 'not_found' };

  const value = generateSecret(kind);
  const kept = await keepSecret(keyring, kind, owner, value);
  const previousValidUntil = await replaceSecret(tx, secret, { ...kept, from_file: false }, options.overlapSeconds);
  const fields = { [kind]: 'rotated', previous_valid_until: previousValidUntil.toISOString() };
  await recordChange(tx, options.actor, { kind: subjectOfSecret[kind], name: owner }, 'rotated', fields);
  return { kind: 'rotated', issued: { kind, owner, value }, previousValidUntil };
}
