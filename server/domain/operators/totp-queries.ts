import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';

const secretKind = 'totp_secret';

export interface TotpRow {
  sealed: Buffer;
  master_key_id: string;
  confirmed_at: string;
}

export async function findTotp(sql: Sql | Tx, username: string): Promise<TotpRow | null> {
  const [row] = await sql<TotpRow[]>`
    select sealed, master_key_id, ${sql.unsafe(taipeiTime('confirmed_at'))}
    from operator_totp join secret on kind = ${secretKind} and owner = username and valid_until is null
    where username = ${username}`;
  return row ?? null;
}

export async function countRecoveryCodes(sql: Sql, username: string): Promise<number> {
  const [row] = await sql<{ left: number }[]>`
    select count(*)::int as left from operator_recovery_code where username = ${username} and used_at is null`;
  return row!.left;
}

/** Two requests with the same code meet here: one of them changes the row. */
export async function acceptStep(tx: Tx, username: string, step: number): Promise<boolean> {
  const { count } = await tx`
    update operator_totp set last_step = ${step} where username = ${username} and last_step < ${step}`;
  return count === 1;
}

export async function spendRecoveryCode(tx: Tx, username: string, digest: Buffer): Promise<boolean> {
  const { count } = await tx`
    update operator_recovery_code set used_at = now()
    where username = ${username} and digest = ${digest} and used_at is null`;
  return count === 1;
}

export async function insertTotp(
  tx: Tx,
  username: string,
  { sealed, keyId, step, codes }: { sealed: Buffer; keyId: string; step: number; codes: Buffer[] },
): Promise<void> {
  await tx`
    insert into secret (kind, owner, sealed, master_key_id, from_file, weak)
    values (${secretKind}, ${username}, ${sealed}, ${keyId}, false, false)`;
  await tx`insert into operator_totp (username, last_step) values (${username}, ${step})`;
  await tx`
    insert into operator_recovery_code (username, digest)
    select ${username}, digest from unnest(${codes}::bytea[]) as digest`;
}

/** Returns whether there was one. */
export async function deleteTotp(tx: Tx, username: string): Promise<boolean> {
  await tx`delete from operator_recovery_code where username = ${username}`;
  await tx`delete from secret where kind = ${secretKind} and owner = ${username}`;
  const { count } = await tx`delete from operator_totp where username = ${username}`;
  return count === 1;
}
