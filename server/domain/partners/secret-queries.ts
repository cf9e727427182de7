import { rowValues, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { accountSigner, tenantSigner } from './callback-signer.ts';
import { ownedNameColumn } from './owned-name-queries.ts';
import type { KeptSecret, SecretKind } from './secret.ts';

export async function currentSecret(tx: Tx, kind: SecretKind, owner: string): Promise<KeptSecret | null> {
  const [row] = await tx<KeptSecret[]>`
    select sealed, digest, password_hash, master_key_id from secret where kind = ${kind} and owner = ${owner} and valid_until is null`;
  return row ?? null;
}

/** The current secret first, then those whose overlap has not ended. */
export async function validSecrets(
  sql: Sql | Tx,
  kind: SecretKind,
  owner: string,
): Promise<(KeptSecret & { valid_until: Date | null })[]> {
  return await sql<(KeptSecret & { valid_until: Date | null })[]>`
    select sealed, digest, password_hash, master_key_id, valid_until from secret
    where kind = ${kind} and owner = ${owner} and (valid_until is null or valid_until > now())
    order by valid_until desc nulls first`;
}

/** The value that a file last set for this secret; it may have expired since. */
export async function lastSecretFromFile(tx: Tx, kind: SecretKind, owner: string): Promise<KeptSecret | null> {
  const [row] = await tx<KeptSecret[]>`
    select sealed, digest, password_hash, master_key_id from secret
    where kind = ${kind} and owner = ${owner} and from_file order by secret_id desc limit 1`;
  return row ?? null;
}

/**
 * Makes it the current secret. The previous one stays valid for the overlap (its end is returned); older ones end now.
 */
export async function replaceSecret(
  tx: Tx,
  { kind, owner }: { kind: SecretKind; owner: string },
  kept: KeptSecret & { from_file: boolean },
  overlapSeconds: number,
): Promise<Date> {
  const [end] = await tx<{ at: Date }[]>`select now() + make_interval(secs => ${overlapSeconds}) as at`;
  await tx`update secret set valid_until = least(valid_until, now()) where kind = ${kind} and owner = ${owner} and valid_until is not null`;
  await tx`update secret set valid_until = ${end!.at} where kind = ${kind} and owner = ${owner} and valid_until is null`;
  // New secrets follow the rules for new secrets.
  await tx`insert into secret ${rowValues({ kind, owner, weak: false, ...kept })}`;
  await forgetEndedSecrets(tx);
  return end!.at;
}

export interface SecretName {
  kind: SecretKind;
  owner: string;
}

/** Secrets in use that are known to be weaker than the rules for new ones. A rotated one was judged when it was made. */
export async function markUsedWeak(tx: Tx, secrets: SecretName[]): Promise<void> {
  for (const { kind, owner } of secrets)
    await tx`
      update secret set weak = true
      where kind = ${kind} and owner = ${owner} and valid_until is null and weak is null`;
}

/** These current secrets are known to be weaker than the rules for new ones. */
export async function markWeak(tx: Tx, secrets: SecretName[]): Promise<void> {
  for (const { kind, owner } of secrets)
    await tx`
      update secret set weak = true
      where kind = ${kind} and owner = ${owner} and valid_until is null and weak is distinct from true`;
}

/** The current secrets that we can read and have not judged yet: those from before there were rules. */
export async function listUnjudgedSecrets(
  sql: Sql,
  limit: number,
): Promise<(SecretName & { secret_id: number; sealed: Buffer; master_key_id: string })[]> {
  return await sql<(SecretName & { secret_id: number; sealed: Buffer; master_key_id: string })[]>`
    select secret_id, kind, owner, sealed, master_key_id from secret
    where weak is null and valid_until is null and sealed is not null order by secret_id limit ${limit}`;
}

export async function recordJudgement(tx: Tx, secretId: number, isWeak: boolean): Promise<void> {
  await tx`update secret set weak = ${isWeak} where secret_id = ${secretId}`;
}

/** The weak secrets of enabled and disabled partners, by kind and name. */
export async function listWeakSecrets(sql: Sql, limit: number): Promise<SecretName[]> {
  return await sql<SecretName[]>`
    select kind, owner from secret where weak and valid_until is null order by kind, owner limit ${limit}`;
}

export async function isLogisticsKeyTaken(tx: Tx, digests: Buffer[], owner: string): Promise<boolean> {
  const rows = await tx`
    select 1 from secret where kind = 'logistics_key' and digest = any(${digests}::bytea[]) and owner <> ${owner}`;
  return rows.length > 0;
}

/**
 * Deletes all but the last secret from a file, which distinguishes a file that is applied again from one that has
 * changed.
 */
export async function forgetEndedSecrets(tx: Tx): Promise<number> {
  const ended = await tx`
    delete from secret s where valid_until <= now() and not (from_file and not exists (
      select from secret later where later.kind = s.kind and later.owner = s.owner and later.from_file and later.secret_id > s.secret_id))`;
  return ended.count;
}

export interface CallbackSecretRow {
  account_id: number;
  signer: string;
  kind: 'account_callback_secret' | 'tenant_callback_secret';
  owner: string;
  sealed: Buffer;
  master_key_id: string;
  valid_until: Date | null;
}

/** The valid callback secrets of accounts and tenants that changed, the current ones first. */
export async function callbackSecretsChangedSince(sql: Sql, partnerChangeId: number): Promise<CallbackSecretRow[]> {
  return await sql<CallbackSecretRow[]>`
    with changed as (select subject_kind, subject from partner_change where partner_change_id > ${partnerChangeId}), signers as (
      select account_id, ${accountSigner}::text as signer, 'account_callback_secret' as kind, account_no as owner
      from account where account_no in (select subject from changed where subject_kind = 'account')
      union all
      select account_id, ${tenantSigner('')}::text || warehouse_tpw_id, 'tenant_callback_secret', own.owner
      from tenant join account using (account_id)
      cross join lateral (select ${ownedNameColumn(sql, 'account_no', 'warehouse_tpw_id')} as owner) own
      where own.owner in (select subject from changed where subject_kind = 'tenant'))
    select account_id, signer, kind, owner, sealed, master_key_id, valid_until
    from signers join secret using (kind, owner) where valid_until is null or valid_until > now()
    order by account_id, signer, valid_until desc nulls first`;
}
