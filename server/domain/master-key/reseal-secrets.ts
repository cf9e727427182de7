import { type Keyring, UnknownMasterKey } from '../../platform/keyring.ts';
import type { Database, Reader } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { nodesWithOtherMasterKey } from '../overview/node-queries.ts';
import { lockPartners, recordChange } from '../partners/partner-queries.ts';
import { sealRetiredKey } from './retired-keys.ts';
import {
  forgetUnusedRetiredKeys,
  insertRetiredKey,
  listDigestKeys,
  listRetiredKeys,
  listSealed,
  lockSealed,
  replaceSealed,
  type SealedRecord,
  type SealedTable,
  sealedTables,
} from './sealed-queries.ts';

export type ResealOutcome =
  | { kind: 'resealed'; resealed: number; alreadySealed: number; retiredKeyIds: string[] }
  /** These nodes would not be able to open the secrets, or would go on sealing with the former key. */
  | { kind: 'nodes_with_other_key'; nodes: string[] }
  | { kind: 'unreadable'; records: string[] };

const rowsAtOnce = 500;

/**
 * Seals all secrets with the current master key of the keyring, in one transaction. Of the former keys, the database
 * keeps only the part that makes digests, sealed too; they are not needed any more. If one secret does not open, nothing
 * is changed.
 */
export async function resealSecrets(
  database: Database,
  keyring: Keyring,
  { actor, onProgress }: { actor: string; onProgress(line: string): void },
): Promise<ResealOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockPartners(tx);
    await lockSealed(tx);

    const nodes = await nodesWithOtherMasterKey(tx, keyring.currentKeyId);
    if (nodes.length > 0) return { kind: 'nodes_with_other_key', nodes };
    const tables = await Promise.all(sealedTables.map((table) => sealAll(tx, keyring, table)));
    const unreadable = tables.flatMap((table) => table.unreadable);
    if (unreadable.length > 0) return { kind: 'unreadable', records: unreadable };

    const resealed = tables.reduce((sum, { changed }) => sum + changed.length, 0);
    let written = 0;
    for (const { table, changed } of tables) {
      for (let first = 0; first < changed.length; first += rowsAtOnce) {
        const batch = changed.slice(first, first + rowsAtOnce);
        await replaceSealed(tx, table, batch, keyring.currentKeyId);
        written += batch.length;
        onProgress(`${written} of ${resealed} secrets resealed`);
      }
    }
    const retiredNow = await retireKeys(tx, keyring);
    const retiredKeyIds = (await listRetiredKeys(tx)).map((row) => row.retired_key_id);
    if (resealed > 0 || retiredNow > 0)
      await recordChange(tx, actor, { kind: 'master_key', name: keyring.currentKeyId }, 'resealed', {
        secrets: resealed,
      });
    const alreadySealed = tables.reduce((sum, table) => sum + table.alreadySealed, 0);
    return { kind: 'resealed', resealed, alreadySealed, retiredKeyIds };
  });
}

interface ResealedTable {
  table: SealedTable;
  changed: Pick<SealedRecord, 'key' | 'sealed' | 'account_id'>[];
  alreadySealed: number;
  /** The table and the key of each record that does not open. */
  unreadable: string[];
}

/** Opens every record, also those that are sealed by the current key, and seals those of other keys. */
async function sealAll(tx: Tx, keyring: Keyring, table: SealedTable): Promise<ResealedTable> {
  const result: ResealedTable = { table, changed: [], alreadySealed: 0, unreadable: [] };
  for (const record of await listSealed(tx, table)) {
    const plain = openOrNull(keyring, record);
    if (plain === null) result.unreadable.push(`${table.name} ${record.key}`);
    else if (record.master_key_id === keyring.currentKeyId) result.alreadySealed++;
    else result.changed.push({ ...record, sealed: keyring.seal(plain, record.context).sealed });
  }
  return result;
}

function openOrNull(keyring: Keyring, { sealed, master_key_id, context }: SealedRecord): string | null {
  try {
    return keyring.open(sealed, master_key_id, context);
  } catch (error) {
    if (error instanceof UnknownMasterKey) throw error;
    return null;
  }
}

/** Keeps what the digests of former keys need. Returns how many keys were retired now. */
async function retireKeys(tx: Tx, keyring: Keyring): Promise<number> {
  const retired = new Set((await listRetiredKeys(tx)).map((row) => row.retired_key_id));
  const former = (await listDigestKeys(tx)).filter((keyId) => keyId !== keyring.currentKeyId && !retired.has(keyId));
  for (const keyId of former) {
    const sealed = sealRetiredKey(keyring, keyring.retire(keyId));
    await insertRetiredKey(tx, { keyId }, { sealed, masterKeyId: keyring.currentKeyId });
  }
  await forgetUnusedRetiredKeys(tx);
  return former.length;
}

/** The records that do not open with these keys, as table and key. */
export async function findUnreadable(reads: Reader, keyring: Keyring): Promise<string[]> {
  return await reads.read(noAccounts, async (sql) => {
    const unreadable: string[] = [];
    for (const table of sealedTables) {
      for (const record of await listSealed(sql, table))
        if (openOrNull(keyring, record) === null) unreadable.push(`${table.name} ${record.key}`);
    }
    return unreadable;
  });
}
