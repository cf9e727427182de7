import { rowValues, type Sql, type Tx } from '../../platform/postgres/sql.ts';
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
  await tx`insert into secret ${rowValues({ kind, owner, ...kept })}`;
  await forgetEndedSecrets(tx);
  return end!.at;
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

/** The master keys that the stored secrets and token keys need; a missing one must prevent the start. */
export async function masterKeysInUse(sql: Sql): Promise<string[]> {
  const rows = await sql<{ master_key_id: string }[]>`
    select master_key_id from secret where master_key_id is not null union select master_key_id from token_key`;
  return rows.map((row) => row.master_key_id);
}
