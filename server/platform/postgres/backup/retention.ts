import { existsSync, readdirSync, realpathSync, renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stopServer } from '../embedded/server-process.ts';
import { type BackupSummary, countBackups, listBackups } from './manifest.ts';
import { temporaryName } from './take-backup.ts';
import { removeOldWal } from './wal-archive.ts';

/**
 * Which backups may go: those that are neither among the newest verified ones nor among the newest of all. The newest
 * verified one therefore always stays. Every backup is complete by itself, so none depends on another.
 */
export function planRetention<One extends Pick<BackupSummary, 'isVerified'>>(newestFirst: One[], keep: number): One[] {
  const kept = new Set([
    ...newestFirst.filter(({ isVerified }) => isVerified).slice(0, keep),
    ...newestFirst.slice(0, keep),
  ]);
  return newestFirst.filter((one) => !kept.has(one));
}

/** Removes old backups of a cluster, and the files of the log that no remaining backup needs. */
export async function removeOldBackups(
  backupDir: string,
  systemIdentifier: string,
  keep: number,
): Promise<{ backups: number; segments: number }> {
  const all = await listBackups(backupDir);
  // A backup that cannot be read at the moment needs its part of the log too.
  const isAnyUnreadable = all.length < countBackups(backupDir);
  const own = all.filter(({ manifest }) => manifest.system_identifier === systemIdentifier);
  const removed = planRetention(own, keep);
  for (const { folder } of removed) {
    // Under another name first: half of a backup must not look like a whole one.
    const going = join(backupDir, temporaryName('removed', systemIdentifier));
    renameSync(folder, going);
    await rm(going, { recursive: true, force: true, maxRetries: 5 });
  }
  const segments = own.filter((one) => !removed.includes(one)).map(({ manifest }) => manifest.first_segment);
  const oldest = segments.toSorted((one, other) => (one.slice(8) < other.slice(8) ? -1 : 1))[0];
  return { backups: removed.length, segments: oldest && !isAnyUnreadable ? await removeOldWal(backupDir, oldest) : 0 };
}

/** Removes the remains of processes that died. Call it while no other backup of the cluster is running. */
export async function removeLeftovers(
  folder: string,
  systemIdentifier: string,
  onProgress: (line: string) => void,
): Promise<void> {
  const isLeftover = new RegExp(`^\\.(unfinished|removed|verify)-${systemIdentifier}-`);
  for (const name of existsSync(folder) ? readdirSync(folder).filter((one) => isLeftover.test(one)) : []) {
    try {
      // The server of a verification outlives its process.
      await stopServer({ folder: join(realpathSync(folder), name, 'pg') });
      await rm(join(folder, name), { recursive: true, force: true, maxRetries: 5 });
    } catch (error) {
      onProgress(`${join(folder, name)} is left over and cannot be removed: ${(error as Error).message}`);
    }
  }
}
