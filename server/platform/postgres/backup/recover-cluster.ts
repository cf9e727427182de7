import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresBinaries } from '../embedded/binaries.ts';
import { passwordFile } from '../embedded/cluster.ts';
import { type DatabaseUser, runsAsRoot } from '../embedded/database-user.ts';
import { type EmbeddedPostgres, EmbeddedPostgresError, openEmbeddedPostgres } from '../embedded/embedded-postgres.ts';
import { BackupError } from './backup-error.ts';
import {
  checksumOfFile,
  copyDurably,
  countBytes,
  forEachFile,
  listTree,
  type Progress,
  refuseWithoutSpace,
  syncFolders,
} from './copy-files.ts';
import { type Manifest, readFileList } from './manifest.ts';
import type { Moment } from './moment.ts';
import type { Backup } from './take-backup.ts';
import { newestTimelineAfter, parseHistory } from './wal-segment.ts';

/** PostgreSQL needs these folders; programs that copy backups may leave out empty ones. */
const neededFolders = [
  ...['pg_commit_ts', 'pg_dynshmem', 'pg_notify', 'pg_replslot', 'pg_serial', 'pg_snapshots', 'pg_stat', 'pg_stat_tmp'],
  ...[
    'pg_subtrans',
    'pg_tblspc',
    'pg_twophase',
    'pg_logical/mappings',
    'pg_logical/snapshots',
    'pg_wal/archive_status',
  ],
];
/** Inside of the data folder, so that the command that PostgreSQL runs has no paths of ours. */
const archiveLink = 'restore-from';

export interface CopiedTo {
  dataDir: string;
  user: DatabaseUser;
  isTemporary: boolean;
  onProgress: Progress;
  stopping?: AbortSignal | undefined;
}

/** Reads every file of a backup and compares its checksum. */
export async function checkFiles({ folder, manifest }: Backup, onProgress: Progress): Promise<void> {
  const onBytes = countBytes('checking the files of the backup', manifest.bytes, onProgress);
  await forEachFile(readFileList(folder, manifest), async ({ path, sha256 }) => {
    const found = await checksumOfFile(join(folder, path), { onBytes });
    if (found !== sha256) throw damaged(join(folder, path), found === null);
  });
}

/** Copies the cluster of a backup into a data folder, and compares the checksums once more. */
export async function copyBackup({ folder, manifest }: Backup, to: CopiedTo): Promise<void> {
  const { dataDir, user, isTemporary, onProgress, stopping } = to;
  const files = readFileList(folder, manifest);
  await refuseWithoutSpace(dataDir, manifest.bytes, 'a copy of the backup');
  const { folders } = await listTree(folder);
  const wanted = new Set(['pg', ...folders, ...neededFolders.map((name) => join('pg', name))]);
  for (const path of wanted) {
    mkdirSync(join(dataDir, path), { recursive: true, mode: 0o700 });
    give(join(dataDir, path), user);
  }
  give(join(dataDir, 'pg', 'pg_logical'), user);
  const onBytes = countBytes('copying the backup', manifest.bytes, onProgress);
  const options = { onBytes, stopping, isTemporary };
  await forEachFile(files, async ({ path, sha256 }) => {
    // The password belongs to the user who starts Lading, the cluster to the user of PostgreSQL.
    const owner = runsAsRoot() && path !== passwordFile ? user : null;
    const found = await copyDurably(join(folder, path), join(dataDir, path), { ...options, owner });
    if (found !== sha256) throw damaged(join(folder, path), found === null);
  });
  if (!isTemporary) await syncFolders(['', ...wanted].map((path) => join(dataDir, path)));
}

function give(path: string, user: DatabaseUser): void {
  if (runsAsRoot()) chownSync(path, user.uid, user.gid);
}

function damaged(path: string, isMissing: boolean): BackupError {
  return new BackupError(
    isMissing ? `${path} is missing in the backup` : `${path} is damaged: its checksum is not the one in the backup`,
  );
}

/** Starts a copy of a backup for a look at it: it is thrown away afterwards. */
export function openTemporaryCopy(
  dataDir: string,
  binaries: PostgresBinaries,
  onProgress: Progress,
): Promise<EmbeddedPostgres> {
  const settings = { fsync: 'off', full_page_writes: 'off', shared_buffers: '64MB', autovacuum: 'off' };
  return openEmbeddedPostgres({ dataDir, binaries, settings, onProgress });
}

/** The end of a recovery: the end of the backup, a moment, or the end of the archive. */
export type RecoveryTarget = { kind: 'backup' } | { kind: 'moment'; moment: Moment } | { kind: 'latest' };

export interface Recovery {
  /** The data folder that has the copy of the backup. */
  dataDir: string;
  user: DatabaseUser;
  manifest: Manifest;
  target: RecoveryTarget;
  /** The archive of the write-ahead log; null: only the files in the backup. */
  archive: string | null;
  binaries: PostgresBinaries;
  onProgress: Progress;
}

/** Starts the copy, and waits until PostgreSQL has replayed the log up to the target, on a new timeline. */
export async function recoverCluster(recovery: Recovery): Promise<EmbeddedPostgres> {
  const { dataDir, user, manifest, target, archive, binaries, onProgress } = recovery;
  const signal = join(dataDir, 'pg', 'recovery.signal');
  writeFileSync(signal, '', { mode: 0o600 });
  give(signal, user);
  if (archive !== null) symlinkSync(archive, join(dataDir, archiveLink));
  const settings = {
    // Nobody connects before the recovery is complete.
    hot_standby: 'off',
    // A file that is missing ends the recovery. One that cannot be read stops it: codes above 125 do.
    restore_command:
      archive === null ? 'false' : `test -e ../${archiveLink}/%f || exit 1; cp ../${archiveLink}/%f %p || exit 200`,
    recovery_target_timeline: target.kind === 'backup' ? 'current' : String(newestTimeline(manifest, archive)),
    // Nothing is archived yet, but the new timeline is marked for it: a service with BACKUP_DIR archives it first.
    archive_mode: 'on',
    archive_command: '',
    recovery_target_action: 'promote',
    ...(target.kind === 'backup' ? { recovery_target: 'immediate' } : {}),
    ...(target.kind === 'moment' ? { recovery_target_time: target.moment.text } : {}),
  };
  onProgress('recovering the database');
  try {
    return await openEmbeddedPostgres({ dataDir, binaries, settings, onProgress });
  } catch (error) {
    throw error instanceof EmbeddedPostgresError ? explainRecovery(error, recovery) : error;
  }
}

function newestTimeline(manifest: Manifest, archive: string | null): number {
  const names = archive !== null && existsSync(archive) ? readdirSync(archive) : [];
  const histories = names.flatMap((name) => {
    const [, number] = /^([0-9A-F]{8})\.history$/.exec(name) ?? [];
    return number
      ? [[Number.parseInt(number, 16), parseHistory(readFileSync(join(archive!, name), 'utf8'))] as const]
      : [];
  });
  return newestTimelineAfter({ timeline: manifest.timeline, end: manifest.end_position }, new Map(histories));
}

function explainRecovery(error: EmbeddedPostgresError, { target, archive }: Recovery): Error {
  const { message } = error;
  if (target.kind === 'moment' && message.includes('recovery ended before configured recovery target was reached')) {
    const [, last] = /last completed transaction was at log time (.+)/.exec(message) ?? [];
    const end = last ? `; its last transaction is of ${last}` : '';
    return new BackupError(`the archive ${archive} ends before ${target.moment.text}${end}`);
  }
  if (message.includes('requested recovery stop point is before consistent recovery point'))
    return new BackupError('this moment is before the end of the backup; choose an older backup');
  return error;
}
