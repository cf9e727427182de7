import { escapeIdentifier } from 'pg';
import { distinct } from '../../platform/distinct.ts';
import type { RetiredKey } from '../../platform/keyring.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';

/** A table with secrets that are sealed by a master key, which the column `master_key_id` names. */
export interface SealedTable {
  name: string;
  /** The column of its primary key. */
  key: string;
  /** The column with the sealed secret; null in rows that have none. */
  sealed: string;
  /** The context of the seal in SQL: the same text with which the secret was sealed. */
  context: string;
  /** The column with the account, if row-level security asks for it. */
  account?: string;
}

/**
 * All tables with sealed secrets. A new one belongs here: a change of the master key reseals these, and a start and an
 * import check their keys. test/cli/reseal.test.ts fails if a column of the schema is missing.
 */
export const sealedTables: readonly SealedTable[] = [
  { name: 'secret', key: 'secret_id', sealed: 'sealed', context: `kind || ':' || owner` },
  { name: 'token_key', key: 'kid', sealed: 'sealed', context: `'token_key:' || kid` },
  {
    name: 'retired_master_key',
    key: 'retired_key_id',
    sealed: 'sealed',
    context: `'retired_master_key:' || retired_key_id`,
  },
  { name: 'alert_rule', key: 'alert_rule_id', sealed: 'sealed', context: `'alert_rule:' || alert_rule_id` },
  {
    name: 'handover_link',
    key: 'link_id',
    sealed: 'sealed',
    context: `'handover_link:' || link_id`,
    account: 'account_id',
  },
];

export interface SealedRecord {
  key: string;
  sealed: Buffer;
  master_key_id: string;
  context: string;
  /** null: the table has no accounts. */
  account_id: number | null;
}

export async function listSealed(
  sql: Sql | Tx,
  { name, key, sealed, context, account }: SealedTable,
): Promise<SealedRecord[]> {
  return await sql.unsafe<SealedRecord[]>(`
    select ${key}::text as key, ${sealed} as sealed, master_key_id, ${context} as context, ${account ?? 'null'}::bigint as account_id
    from ${escapeIdentifier(name)} where ${sealed} is not null order by ${key}`);
}

/** Locked until the end of the transaction: nobody else writes these tables meanwhile. */
export async function lockSealed(tx: Tx): Promise<void> {
  const names = sealedTables.map(({ name }) => escapeIdentifier(name)).join(', ');
  await tx.unsafe(`lock table ${names} in share row exclusive mode`);
}

export async function replaceSealed(
  tx: Tx,
  { name, key, sealed }: SealedTable,
  records: Pick<SealedRecord, 'key' | 'sealed' | 'account_id'>[],
  masterKeyId: string,
): Promise<void> {
  const own = tx.forAccounts(distinct(records.flatMap(({ account_id }) => account_id ?? [])));
  const { count } = await own.unsafe(
    `update ${escapeIdentifier(name)} as t set ${sealed} = n.sealed, master_key_id = $3
     from unnest($1::text[], $2::bytea[]) as n (key, sealed) where t.${key}::text = n.key`,
    [records.map((record) => record.key), records.map((record) => record.sealed), masterKeyId],
  );
  if (count !== records.length) throw new Error(`${count} of ${records.length} rows of ${name} were resealed`);
}

/** The master keys without which a stored secret cannot be used; a missing one must prevent the start. */
export async function masterKeysInUse(sql: Sql): Promise<string[]> {
  const sealing = sealedTables.map(
    ({ name, sealed }) => `select master_key_id from ${escapeIdentifier(name)} where ${sealed} is not null`,
  );
  const digesting = `
    select master_key_id from secret where digest is not null
      and master_key_id not in (select retired_key_id from retired_master_key)`;
  const rows = await sql.unsafe<{ master_key_id: string }[]>([...sealing, digesting].join(' union '));
  return rows.map((row) => row.master_key_id);
}

/** The keys under which digests are stored. */
export async function listDigestKeys(sql: Sql | Tx): Promise<string[]> {
  const rows = await sql<{ master_key_id: string }[]>`
    select distinct master_key_id from secret where digest is not null order by 1`;
  return rows.map((row) => row.master_key_id);
}

export interface RetiredKeyRow {
  retired_key_id: string;
  sealed: Buffer;
  master_key_id: string;
}

export async function listRetiredKeys(sql: Sql | Tx): Promise<RetiredKeyRow[]> {
  return await sql<RetiredKeyRow[]>`select retired_key_id, sealed, master_key_id from retired_master_key order by 1`;
}

export async function insertRetiredKey(
  tx: Tx,
  { keyId }: Pick<RetiredKey, 'keyId'>,
  { sealed, masterKeyId }: { sealed: Buffer; masterKeyId: string },
): Promise<void> {
  await tx`
    insert into retired_master_key (retired_key_id, sealed, master_key_id) values (${keyId}, ${sealed}, ${masterKeyId})`;
}

/** Deletes the retired keys that no digest needs any more. */
export async function forgetUnusedRetiredKeys(tx: Tx): Promise<void> {
  await tx`
    delete from retired_master_key
    where retired_key_id not in (select master_key_id from secret where digest is not null)`;
}
