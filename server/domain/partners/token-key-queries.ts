import { rowValues, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import type { KeptTokenKey } from './token-key.ts';

export interface TokenKeyRow extends KeptTokenKey {
  created_at: Date;
  signs_from: Date;
  valid_until: Date | null;
}

/** In the order in which they sign. */
export async function listTokenKeys(sql: Sql | Tx): Promise<TokenKeyRow[]> {
  return await sql<TokenKeyRow[]>`
    select kid, sealed, master_key_id, created_at, signs_from, valid_until from token_key order by signs_from, created_at`;
}

/** Earlier keys end at `endsAt` at the latest. */
export async function endTokenKeys(tx: Tx, endsAt: Date): Promise<void> {
  await tx`update token_key set valid_until = least(valid_until, ${endsAt})`;
}

export async function insertTokenKey(
  tx: Tx,
  key: KeptTokenKey & { created_at: Date; signs_from: Date },
): Promise<void> {
  await tx`insert into token_key ${rowValues({ ...key })}`;
}

export async function forgetEndedTokenKeys(tx: Tx, now: Date): Promise<number> {
  const ended = await tx`delete from token_key where valid_until <= ${now}`;
  return ended.count;
}
