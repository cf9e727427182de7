import type { Sql } from '../sql.ts';

/** How the archive of the write-ahead log is doing. PostgreSQL forgets the counts in a crash. */
export interface ArchiveStatus {
  failures: number;
  lastArchivedAt: Date | null;
  /** The last attempt failed. */
  isFailing: boolean;
  /** Since the last archived file, or since the server was started. */
  secondsSinceLast: number;
}

/** Five times the time after which PostgreSQL archives a file that is not full; every running service writes. */
const silentSecondsMax = 300;

export async function readArchiveStatus(sql: Sql): Promise<ArchiveStatus> {
  const [row] = await sql<ArchiveStatus[]>`
    select failed_count::int as failures, last_archived_time as "lastArchivedAt",
      coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) as "isFailing",
      extract(epoch from now() - greatest(last_archived_time, stats_reset, pg_postmaster_start_time()))::float8
        as "secondsSinceLast"
    from pg_stat_archiver`;
  return row!;
}

/** Why a restore would lose more than it should; null if it would not. */
export function troubleOfArchive({ isFailing, secondsSinceLast }: ArchiveStatus): string | null {
  if (isFailing) return 'backup: the write-ahead log cannot be archived in BACKUP_DIR; PostgreSQL tries again';
  if (secondsSinceLast > silentSecondsMax)
    return `backup: no file of the write-ahead log was archived in the last ${silentSecondsMax / 60} minutes`;
  return null;
}
