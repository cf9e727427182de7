import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { syncFolder, writeDurably } from '../../secret-file.ts';
import {
  type DatabaseUser,
  folderThatBlocks,
  mayExecute,
  mayRead,
  realPathOfExisting,
  runsAsRoot,
} from '../embedded/database-user.ts';
import { EmbeddedPostgresError } from '../embedded/error.ts';
import { isOlderThan } from './wal-segment.ts';

/** The folder of the archive below BACKUP_DIR. */
export const walFolder = 'wal';
/**
 * A link in the data folder to the archive. PostgreSQL archives only where this link exists, so neither a copy of the
 * cluster nor a restored one writes into the archive of the original.
 */
const linkName = 'wal-archive';
/** Has the system identifier of the cluster whose backups are in the folder, and its data folder. */
const clusterFile = 'cluster';
const lostSecondsMax = 60;

/**
 * Copies a finished file of the log. It is durable under its name before PostgreSQL may reuse the original. A file that
 * was archived just before a crash is archived again: it must then have the same content. Most of a file that was
 * finished early is zeros, which take no space. The command has no paths of ours: they could contain quotes.
 */
const archiveCommand = [
  'set -e; to=../wal-archive; if test -e $to/%f; then cmp -s %p $to/%f; exec sync $to; fi',
  'dd if=%p of=$to/%f.new bs=8k conv=sparse,fsync 2>/dev/null; mv $to/%f.new $to/%f; exec sync $to',
].join('; ');

/** Settings of a server on this data folder: none if it has no archive. */
export function archiveSettings(dataDir: string): Record<string, string> {
  if (archiveOf(dataDir) === null) return {};
  return { archive_mode: 'on', archive_command: archiveCommand, archive_timeout: `${lostSecondsMax}s` };
}

/** The archive that the link leads to; null if there is none. */
export function archiveOf(dataDir: string): string | null {
  const link = join(dataDir, linkName);
  return lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(link) : null;
}

/** When this data folder began to archive where it does now; null if it has no archive. */
export function archiveBegunAt(dataDir: string): Date | null {
  const link = lstatSync(join(dataDir, linkName), { throwIfNoEntry: false });
  return link?.isSymbolicLink() ? link.mtime : null;
}

/** Makes a server that is started later archive below `backupDir`, or nowhere. Call it under the start lock. */
export function chooseArchive(
  { dataDir, folder, user }: { dataDir: string; folder: string; user: DatabaseUser },
  backupDir: string | null,
): void {
  const wanted = backupDir === null ? null : join(backupDir, walFolder);
  const isSame = archiveOf(dataDir) === wanted;
  if (backupDir !== null) {
    if (isSame) refuseLostFolder(dataDir, backupDir);
    prepareBackupDir(dataDir, backupDir, user, systemIdentifierOf(folder));
  }
  if (isSame) return;
  const link = join(dataDir, linkName);
  rmSync(link, { force: true });
  if (wanted !== null) symlinkSync(wanted, link);
  syncFolder(dataDir);
}

/** A folder whose disk is not mounted looks like a new one, and would fill the wrong disk. */
function refuseLostFolder(dataDir: string, backupDir: string): void {
  if (existsSync(join(backupDir, clusterFile))) return;
  throw new EmbeddedPostgresError(
    `BACKUP_DIR (${backupDir}) has no backups of this database any more. Is its disk mounted? ` +
      `If the backups are really gone, remove ${join(dataDir, linkName)} to begin a new archive there.`,
  );
}

/** The first eight bytes of the control file. */
function systemIdentifierOf(clusterFolder: string): string {
  return readFileSync(join(clusterFolder, 'global', 'pg_control'))
    .readBigUInt64LE(0)
    .toString();
}

function prepareBackupDir(dataDir: string, backupDir: string, user: DatabaseUser, systemIdentifier: string): void {
  const inside = relative(dataDir, realPathOfExisting(resolve(backupDir)));
  if (!inside.startsWith('..'))
    throw new EmbeddedPostgresError(
      `BACKUP_DIR must not be inside of DATA_DIR (${dataDir}): both would be lost together. Set BACKUP_DIR to a folder on another disk.`,
    );
  try {
    for (const path of [backupDir, join(backupDir, walFolder)]) makeFolderFor(path, user);
    claimFor({ systemIdentifier, dataDir }, backupDir, user);
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    throw new EmbeddedPostgresError(
      `BACKUP_DIR (${backupDir}) cannot be used (${(error as NodeJS.ErrnoException).code ?? (error as Error).message}). ` +
        `It must be a folder that ${user.name} can write.`,
    );
  }
}

function makeFolderFor(path: string, user: DatabaseUser): void {
  if (!existsSync(path)) {
    mkdirSync(path, { recursive: true });
    chmodSync(path, 0o700);
    if (runsAsRoot()) chownSync(path, user.uid, user.gid);
  }
  const blocking = folderThatBlocks(path, user);
  const { uid } = statSync(path);
  if (blocking || uid !== user.uid)
    throw new EmbeddedPostgresError(
      blocking
        ? `PostgreSQL runs as ${user.name}, who may not enter ${blocking}, which is on the way to ${path}. Set BACKUP_DIR to another folder.`
        : `${path} must belong to ${user.name}, who archives the write-ahead log. Change its owner (chown -R ${user.uid}:${user.gid} ${path}), or set BACKUP_DIR to another folder.`,
    );
}

/**
 * Files of the log of two clusters have the same names, so two clusters must not share an archive. A restored copy has the
 * identifier of the original. If it archived here too, a later restore would follow the copy.
 */
function claimFor(
  { systemIdentifier, dataDir }: { systemIdentifier: string; dataDir: string },
  backupDir: string,
  user: DatabaseUser,
): void {
  const path = join(backupDir, clusterFile);
  if (!existsSync(path)) {
    const unfinished = `${path}.new-${process.pid}`;
    rmSync(unfinished, { force: true });
    writeDurably(unfinished, `${systemIdentifier} ${dataDir}\n`);
    if (runsAsRoot()) chownSync(unfinished, user.uid, user.gid);
    renameSync(unfinished, path);
    syncFolder(backupDir);
  }
  const [owner, ...folder] = readFileSync(path, 'utf8').trim().split(' ');
  if (owner !== systemIdentifier)
    throw new EmbeddedPostgresError(
      `BACKUP_DIR (${backupDir}) has the backups of another database (system identifier ${owner}, this one has ${systemIdentifier}). Set BACKUP_DIR to another folder.`,
    );
  if (folder.join(' ') !== dataDir)
    throw new EmbeddedPostgresError(
      `BACKUP_DIR (${backupDir}) has the backups of ${folder.join(' ')}, and this data folder is ${dataDir}. ` +
        `To try a restore, start it without BACKUP_DIR. If this folder replaces the other one for good, remove ${path}.`,
    );
}

/** Why this user cannot read an archive; null if the user can. */
export function whyUnreadable(archive: string, user: DatabaseUser): string | null {
  const folder = statSync(archive, { throwIfNoEntry: false });
  if (!folder?.isDirectory()) return `there is no archive of the write-ahead log in ${archive}`;
  const blocking = folderThatBlocks(archive, user);
  if (blocking) return `${user.name} may not enter ${blocking}, which is on the way to ${archive}`;
  return mayRead(folder, user) && mayExecute(folder, user) ? null : `${user.name} may not read ${archive}`;
}

/** Removes the files of the log that no remaining backup needs; returns their number. */
export async function removeOldWal(backupDir: string, firstSegment: string): Promise<number> {
  const folder = join(backupDir, walFolder);
  const old = existsSync(folder) ? readdirSync(folder).filter((name) => isOlderThan(name, firstSegment)) : [];
  for (const name of old) await rm(join(folder, name), { force: true });
  return old.length;
}
