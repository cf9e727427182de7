import { chownSync, mkdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { formatMessage } from '../../../messages/format-message.ts';
import { makeKeyring } from '../../platform/keyring.ts';
import { BackupError } from '../../platform/postgres/backup/backup-error.ts';
import type { Progress } from '../../platform/postgres/backup/copy-files.ts';
import { type Manifest, type Verification, writeVerification } from '../../platform/postgres/backup/manifest.ts';
import { copyBackup, openTemporaryCopy } from '../../platform/postgres/backup/recover-cluster.ts';
import { removeLeftovers, removeOldBackups } from '../../platform/postgres/backup/retention.ts';
import { sealKeys } from '../../platform/postgres/backup/sealed-keys.ts';
import { type Backup, ownerFor, takeBackup, temporaryName } from '../../platform/postgres/backup/take-backup.ts';
import { databaseUserFor, folderThatBlocks, runsAsRoot } from '../../platform/postgres/embedded/database-user.ts';
import { openOwnerSession } from '../../platform/postgres/embedded/owner-session.ts';
import { describeAudited } from '../audit/audit-stock.ts';
import { auditCopy, unopenable } from './audit-copy.ts';
import { lockBackups, readServer, type ServerOfBackup } from './backup-source-queries.ts';

export interface BackupOrder {
  /** The data folder of the embedded PostgreSQL, which is running. */
  dataDir: string;
  /** The folder that holds the backups. */
  parent: string;
  /** Backups beyond this number are removed; null: none is. */
  keep: number | null;
  /** The key in use first. */
  masterKeys: Buffer[];
  /** null: the backup has no master key. */
  passphrase: string | null;
  isToVerify: boolean;
  ladingVersion: string;
  onProgress: Progress;
  stopping?: AbortSignal | undefined;
}

export interface MadeBackup extends Backup {
  verification: Pick<Verification, 'state' | 'details'>;
  removed: { backups: number; segments: number };
}

/** Makes a backup beside the running service, starts a copy of it, audits that, and removes old backups. */
export async function makeBackup(order: BackupOrder): Promise<MadeBackup> {
  const { dataDir, parent, keep, ladingVersion, onProgress, stopping } = order;
  const session = await openOwnerSession(dataDir, 'backup');
  try {
    if (!(await lockBackups(session.sql))) throw new BackupError('another backup of this database is being made');
    const server = await readServer(session.sql);
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    for (const folder of new Set([parent, scratchParent(order)]))
      await removeLeftovers(folder, server.systemIdentifier, onProgress);
    const masterKey = await protectKeys(order);
    const backup = await takeBackup(session, { dataDir, parent, ladingVersion, masterKey, onProgress, stopping });
    const verification = await verify(backup, order, server);
    const isKept = keep === null || verification.state === 'skipped';
    const removed = isKept
      ? { backups: 0, segments: 0 }
      : await removeOldBackups(parent, server.systemIdentifier, keep);
    return { ...backup, verification, removed };
  } finally {
    session.destroy();
  }
}

async function protectKeys({ masterKeys, passphrase }: BackupOrder): Promise<Manifest['master_key']> {
  const [current, ...previous] = masterKeys;
  const key_id = makeKeyring(current!, previous).currentKeyId;
  if (passphrase === null) return { kind: 'excluded', key_id };
  return { kind: 'sealed', key_id, keys: await sealKeys(masterKeys, passphrase) };
}

async function verify(backup: Backup, order: BackupOrder, server: ServerOfBackup): Promise<MadeBackup['verification']> {
  const result = order.isToVerify
    ? await tryCopy(backup, order, server)
    : { state: 'skipped' as const, details: 'it was made without verification' };
  writeVerification(
    backup.folder,
    backup.manifest,
    { ...result, at: new Date().toISOString() },
    ownerFor(order.parent),
  );
  return result;
}

/** A copy that does not start, or whose audit has findings, makes a failed verification. The backup stays. */
async function tryCopy(
  backup: Backup,
  order: BackupOrder,
  { systemIdentifier, binaries }: ServerOfBackup,
): Promise<MadeBackup['verification']> {
  const { onProgress, stopping } = order;
  const scratch = join(scratchParent(order), temporaryName('verify', systemIdentifier));
  const user = databaseUserFor(join(order.dataDir, 'pg'));
  mkdirSync(scratch, { mode: runsAsRoot() ? 0o711 : 0o700 });
  // The service must be able to remove it if this process dies.
  if (runsAsRoot()) chownSync(scratch, user.uid, user.gid);
  try {
    onProgress('verifying: starting a copy of the backup');
    await copyBackup(backup, { dataDir: scratch, user, isTemporary: true, onProgress, stopping });
    const copy = await openTemporaryCopy(scratch, binaries, onProgress);
    try {
      const result = await auditCopy(copy, onProgress, stopping);
      stopping?.throwIfAborted();
      const audited = formatMessage(describeAudited(result));
      const findings = result.findings.length;
      const missing = unopenable(result.masterKeyIds, order.masterKeys);
      if (missing.length > 0)
        return {
          state: 'failed',
          details: `its secrets need the master key ${missing.join(', ')}, which is not given`,
        };
      if (findings > 0) return { state: 'failed', details: `the audit has ${findings} findings in ${audited}` };
      return { state: 'verified', details: `${audited}: the books match` };
    } finally {
      await copy.close();
    }
  } catch (error) {
    stopping?.throwIfAborted();
    return { state: 'failed', details: (error as Error).message };
  } finally {
    await rm(scratch, { recursive: true, force: true, maxRetries: 20 });
  }
}

/** Beside the backup, unless the user that PostgreSQL runs as cannot go there. */
function scratchParent({ parent, dataDir }: BackupOrder): string {
  const user = databaseUserFor(join(dataDir, 'pg'));
  return folderThatBlocks(join(parent, 'scratch'), user) ? dataDir : parent;
}
