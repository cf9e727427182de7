import { listBackups } from '../../platform/postgres/backup/manifest.ts';
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

export function isLate({ everyHours, lastVerifiedAt }: BackupState, now: Date): boolean {
  if (everyHours === null) return false;
  const allowedMs = missedRunsMax * everyHours * 3_600_000;
  return lastVerifiedAt === null || now.getTime() - lastVerifiedAt.getTime() > allowedMs;
}
