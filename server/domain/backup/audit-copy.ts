import { makeKeyring } from '../../platform/keyring.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import type { EmbeddedPostgres } from '../../platform/postgres/embedded/embedded-postgres.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type AuditResult, auditStock } from '../audit/audit-stock.ts';
import { masterKeysInUse } from '../master-key/sealed-queries.ts';
import { countDocuments, type DocumentCounts } from './backup-queries.ts';

const poolOfAudit = 2;

/** Audits the database of a copy, which nothing else uses. */
export async function auditCopy(
  copy: Pick<EmbeddedPostgres, 'service'>,
  onProgress: (line: string) => void,
  stopping?: AbortSignal,
): Promise<AuditResult & { documents: DocumentCounts; masterKeyIds: string[] }> {
  const database = openDatabase(copy.service, { max: poolOfAudit, deadlineSeconds: null, purpose: 'audit of a copy' });
  try {
    const result = await auditStock(database, onProgress, () => stopping?.aborted ?? false);
    const masterKeyIds = await database.read(noAccounts, masterKeysInUse);
    return { ...result, documents: await countDocuments(database), masterKeyIds };
  } finally {
    await database.close();
  }
}

/** Those of the master keys in use that are not among these keys. */
export function unopenable(masterKeyIds: string[], [current, ...previous]: Buffer[]): string[] {
  const keyring = makeKeyring(current!, previous);
  return masterKeyIds.filter((keyId) => !keyring.canOpen(keyId));
}
