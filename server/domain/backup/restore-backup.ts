import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { makeKeyring } from '../../platform/keyring.ts';
import { BackupError } from '../../platform/postgres/backup/backup-error.ts';
import type { Progress } from '../../platform/postgres/backup/copy-files.ts';
import { listBackups, readManifest } from '../../platform/postgres/backup/manifest.ts';
import { parseMoment } from '../../platform/postgres/backup/moment.ts';
import {
  checkFiles,
  copyBackup,
  type RecoveryTarget,
  recoverCluster,
} from '../../platform/postgres/backup/recover-cluster.ts';
import { unsealKeys } from '../../platform/postgres/backup/sealed-keys.ts';
import type { Backup } from '../../platform/postgres/backup/take-backup.ts';
import { walFolder, whyUnreadable } from '../../platform/postgres/backup/wal-archive.ts';
import { connect } from '../../platform/postgres/database.ts';
import { providePostgresBinaries } from '../../platform/postgres/embedded/binaries.ts';
import {
  type PostgresCluster,
  passwordFile,
  prepareDataDir,
  restoringFolder,
} from '../../platform/postgres/embedded/cluster.ts';
import type { EmbeddedPostgres } from '../../platform/postgres/embedded/embedded-postgres.ts';
import { isRunning } from '../../platform/postgres/embedded/server-process.ts';
import { migrate } from '../../platform/postgres/migrate.ts';
import { serviceLoginOf } from '../../platform/postgres/roles.ts';
import { syncFolder, writeDurably } from '../../platform/secret-file.ts';
import type { AuditResult } from '../audit/audit-stock.ts';
import { auditCopy, unopenable } from './audit-copy.ts';
import { type DocumentCounts, readRecovery } from './backup-queries.ts';

export interface RestoreOrder {
  backup: Backup;
  target: RecoveryTarget;
  /** The archive of the write-ahead log; by default the one beside the backup. */
  archive: string | null;
  dataDir: string;
  /** The key in use first; null: the backup has none, or it is not wanted. */
  masterKeys: Buffer[] | null;
  onProgress: Progress;
}

export interface Restored {
  audit: AuditResult;
  documents: DocumentCounts;
  /** Master keys that the restored secrets need and the backup does not have, because they changed after it. */
  missingKeys: string[];
  /** null if the recovery replayed no transaction. */
  lastTransactionAt: Date | null;
  timeline: number;
}

const masterKeyFile = 'master.key';
export const previousKeysFile = 'master-keys-previous';

/** The backup in a folder or, if the folder holds several, the newest one that can be used for the target. */
export async function chooseBackup(path: string, target: RecoveryTarget): Promise<Backup> {
  const folder = resolve(path);
  if (!existsSync(folder)) throw new BackupError(`${folder} does not exist`);
  const all = existsSync(join(folder, 'manifest.json')) ? [] : await listBackups(folder);
  if (all.length === 0) return { folder, manifest: await readManifest(folder) };
  if (new Set(all.map(({ manifest }) => manifest.system_identifier)).size > 1)
    throw new BackupError(`${folder} has backups of several databases; name one of them`);
  const suitable = all.filter(({ manifest }) => whyTooEarly({ folder, manifest }, target) === null);
  const chosen = suitable.find(({ isVerified }) => isVerified) ?? suitable[0];
  if (chosen) return chosen;
  throw new BackupError(whyTooEarly(all.at(-1)!, target)!);
}

function whyTooEarly({ manifest }: Backup, target: RecoveryTarget): string | null {
  if (target.kind !== 'moment' || target.moment.micros >= parseMoment(manifest.ended_at)!.micros) return null;
  return `${target.moment.text} is before the end of backup ${manifest.name} (${manifest.ended_at}); choose an older backup`;
}

/** null if the passphrase is wrong. */
export async function openMasterKeys({ manifest }: Backup, passphrase: string): Promise<Buffer[] | null> {
  if (manifest.master_key.kind === 'excluded') return null;
  const keys = await unsealKeys(manifest.master_key.keys, passphrase);
  return keys && makeKeyring(keys[0]!).currentKeyId === manifest.master_key.key_id ? keys : null;
}

/** Nothing is written before all checks have passed; if a later step fails, everything is removed again. */
export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const { backup, target, onProgress } = order;
  const tooEarly = whyTooEarly(backup, target);
  if (tooEarly) throw new BackupError(tooEarly);
  const dataDir = resolve(order.dataDir);
  await refuseUsedFolder(dataDir);
  refuseWithoutArchive(order);
  await checkFiles(backup, onProgress);
  await refuseUsedFolder(dataDir);
  const made = firstMissing(dataDir);
  const final = prepareDataDir(dataDir);
  claimFolder(final.dataDir);
  try {
    return await restoreInto(final, order);
  } catch (error) {
    // Once the database is in its place, a service may use it.
    if (!existsSync(final.folder)) removeMade(made, dataDir);
    throw error;
  }
}

/** No service creates a database beside this folder: see cluster.ts. */
function claimFolder(dataDir: string): void {
  try {
    mkdirSync(join(dataDir, restoringFolder), { mode: 0o711 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new BackupError(`another restore into ${dataDir} is under way or was interrupted; empty the folder first`);
  }
}

function removeMade(made: string | null, dataDir: string): void {
  if (made) rmSync(made, { recursive: true, force: true, maxRetries: 20 });
  else for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name), { recursive: true, force: true });
}

async function refuseUsedFolder(dataDir: string): Promise<void> {
  const found = lstatSync(dataDir, { throwIfNoEntry: false });
  if (!found) return;
  if (!statSync(dataDir).isDirectory()) throw new BackupError(`${dataDir} is not a folder`);
  if (await isRunning({ folder: join(dataDir, 'pg') }))
    throw new BackupError(`a server is running on ${dataDir}; restore into an empty folder`);
  if (readdirSync(dataDir).length > 0) throw new BackupError(`${dataDir} is not empty; restore into an empty folder`);
}

/** The outermost folder on the way to `path` that does not exist; null if all do. */
function firstMissing(path: string): string | null {
  if (existsSync(path)) return null;
  return firstMissing(dirname(path)) ?? path;
}

function archiveFor({ backup, archive }: RestoreOrder): string {
  return resolve(archive ?? join(dirname(backup.folder), walFolder));
}

function refuseWithoutArchive(order: RestoreOrder): void {
  if (order.target.kind === 'backup' || existsSync(archiveFor(order))) return;
  throw new BackupError(
    `there is no archive of the write-ahead log in ${archiveFor(order)}; name it with --wal, or leave out --to`,
  );
}

async function restoreInto(final: PostgresCluster, order: RestoreOrder): Promise<Restored> {
  const { backup, target, onProgress } = order;
  const { user } = final;
  const binaries = await providePostgresBinaries(final.dataDir, user, onProgress);
  const [major] = backup.manifest.postgres_version.split('.');
  if (major !== binaries.majorVersion)
    throw new BackupError(
      `the backup was made by PostgreSQL ${major}, and this Lading brings PostgreSQL ${binaries.majorVersion}; use the Lading that made it (${backup.manifest.lading_version})`,
    );
  const unreadable = whyUnreadable(archiveFor(order), user);
  if (unreadable && target.kind !== 'backup') throw new BackupError(unreadable);

  const dataDir = join(final.dataDir, restoringFolder);
  await copyBackup(backup, { dataDir, user, isTemporary: false, onProgress });
  writeMasterKeys(dataDir, order.masterKeys);
  const archive = unreadable ? null : archiveFor(order);
  const { manifest } = backup;
  const recovered = await recoverCluster({ dataDir, user, manifest, target, archive, binaries, onProgress });
  const restored = await finish(recovered, order).finally(() => recovered.close());
  for (const name of [passwordFile, masterKeyFile, previousKeysFile, 'pg']) {
    if (existsSync(join(dataDir, name))) renameSync(join(dataDir, name), join(final.dataDir, name));
  }
  rmSync(dataDir, { recursive: true, force: true });
  syncFolder(final.dataDir);
  return restored;
}

async function finish(recovered: EmbeddedPostgres, { masterKeys, onProgress }: RestoreOrder): Promise<Restored> {
  const { connection, service } = recovered;
  const sql = connect(connection, 1);
  const recovery = await readRecovery(sql).finally(() => sql.end());
  const migrated = await migrate(connection, { apply: true, service: serviceLoginOf(service, connection), onProgress });
  if (migrated.kind === 'refused') throw new BackupError(migrated.mistakes.join('\n'));
  onProgress('auditing the restored database');
  const { documents, masterKeyIds, ...audit } = await auditCopy(recovered, onProgress);
  const missingKeys = masterKeys === null ? [] : unopenable(masterKeyIds, masterKeys);
  return { audit, documents, missingKeys, ...recovery };
}

function writeMasterKeys(dataDir: string, keys: Buffer[] | null): void {
  if (keys === null) return;
  const [current, ...previous] = keys.map((key) => key.toString('base64'));
  writeDurably(join(dataDir, masterKeyFile), `${current}\n`);
  if (previous.length > 0) writeDurably(join(dataDir, previousKeysFile), `${previous.join(',')}\n`);
}
