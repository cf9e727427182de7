import { listBackups } from '../../platform/postgres/backup/manifest.ts';
import { archiveBegunAt } from '../../platform/postgres/backup/wal-archive.ts';
import { before } from '../../platform/postgres/deadline.ts';

/** The age of the last verified backup, as the metrics and the home page show it. */
export interface BackupState {
  /** null: there is no schedule. */
  everyHours: number | null;
  /** The state that a restore of it gives; null if there is none, or if BACKUP_DIR cannot be read. */
  lastVerifiedAt: Date | null;
}

/** A disk in the network may not answer. */
const readWithinMs = 1000;
/** One missed run may have a good reason, such as a restart. */
const missedRunsMax = 2;

/** The facts are in the backups themselves: a backup that somebody has removed does not count. */
export async function readBackupState(backupDir: string, everyHours: number | null): Promise<BackupState> {
  const tooLate = () => new Error('BACKUP_DIR does not answer');
  const backups = await before(listBackups(backupDir), performance.now() + readWithinMs, tooLate).catch(() => []);
  const last = backups.find(({ isVerified }) => isVerified);
  return { everyHours, lastVerifiedAt: last ? new Date(last.manifest.ended_at) : null };
}

/**
 * An archive that begins after the last backup cannot be restored to any moment, because no backup begins in it: after
 * BACKUP_DIR has changed, and after a time without it.
 */
export async function isFirstBackupMissing(dataDir: string, backupDir: string): Promise<boolean> {
  const begunAt = archiveBegunAt(dataDir);
  if (begunAt === null) return false;
  const backups = await listBackups(backupDir);
  return !backups.some(({ manifest }) => new Date(manifest.started_at) >= begunAt);
}

export function isLate({ everyHours, lastVerifiedAt }: BackupState, now: Date): boolean {
  if (everyHours === null) return false;
  const allowedMs = missedRunsMax * everyHours * 3_600_000;
  return lastVerifiedAt === null || now.getTime() - lastVerifiedAt.getTime() > allowedMs;
}
