import type { Sql, Tx } from '../../platform/database.ts';
import type { KeptSecret, SecretKind } from './secret.ts';

export async function currentSecret(tx: Tx, kind: SecretKind, owner: string): Promise<KeptSecret | null> {
  const [row] = await tx<KeptSecret[]>`
    select sealed, digest, password_hash, master_key_id from secret where kind = ${kind} and owner = ${owner} and valid_until is null`;
  return row ?? null;
}

/** The current one first, then those whose overlap has not ended. */
export async function validSecrets(sql: Sql | Tx, kind: SecretKind, owner: string): Promise<(KeptSecret & { valid_until: Date | null })[]> {
  return await sql<(KeptSecret & { valid_until: Date | null })[]>`
    select sealed, digest, password_hash, master_key_id, valid_until from secret
    where kind = ${kind} and owner = ${owner} and (valid_until is null or valid_until > now())
    order by valid_until desc nulls first`;
}

/** Makes it the current one; the one before stays valid for the overlap (its end is returned), older ones end now. */
export async function replaceSecret(tx: Tx, kind: SecretKind, owner: string, kept: KeptSecret, overlapSeconds: number): Promise<Date> {
  const [end] = await tx<{ at: Date }[]>`select now() + make_interval(secs => ${overlapSeconds}) as at`;
  await tx`delete from secret where kind = ${kind} and owner = ${owner} and (valid_until is not null or ${overlapSeconds <= 0})`;
  await tx`update secret set valid_until = ${end!.at} where kind = ${kind} and owner = ${owner} and valid_until is null`;
  await tx`insert into secret ${tx({ kind, owner, ...kept })}`;
  return end!.at;
}

export async function isLogisticsKeyTaken(tx: Tx, digests: Buffer[], owner: string): Promise<boolean> {
  const rows = await tx`
    select 1 from secret where kind = 'logistics_key' and digest in ${tx(digests)} and owner <> ${owner}`;
  return rows.length > 0;
}

export async function forgetEndedSecrets(tx: Tx): Promise<number> {
  return (await tx`delete from secret where valid_until < now()`).count;
}

/** Which master keys the stored secrets need; one that is not at hand must stop the start. */
export async function masterKeysInUse(sql: Sql): Promise<string[]> {
  const rows = await sql<{ master_key_id: string }[]>`select distinct master_key_id from secret where master_key_id is not null`;
  return rows.map((row) => row.master_key_id);
}
