import type { Sql } from './sql.ts';

/**
 * A place in the write-ahead log. A standby that has replayed the log up to it shows everything that was committed
 * before. Positions of two timelines are not comparable by `lsn` alone: after a failover, a standby that still follows
 * the old primary may have replayed more bytes than the new primary has written.
 */
export interface LogPosition {
  timeline: number;
  lsn: bigint;
}

/** Whether a server at `replayed` shows everything that a reader at `seen` has seen. */
export function hasReached(replayed: LogPosition, seen: LogPosition): boolean {
  return replayed.timeline >= seen.timeline && replayed.lsn >= seen.lsn;
}

/** The newest of several positions that were read in the course of time. */
export function laterOf(one: LogPosition | null, other: LogPosition): LogPosition {
  if (one === null || one.timeline !== other.timeline) return one && one.timeline > other.timeline ? one : other;
  return one.lsn > other.lsn ? one : other;
}

/** Texts of one length, so that their order is that of the positions. */
export function formatPosition({ timeline, lsn }: LogPosition): string {
  return timeline.toString(16).padStart(8, '0') + lsn.toString(16).padStart(16, '0');
}

export function parsePosition(text: string): LogPosition | null {
  if (!/^[0-9a-f]{24}$/.test(text)) return null;
  return { timeline: Number.parseInt(text.slice(0, 8), 16), lsn: BigInt(`0x${text.slice(8)}`) };
}

interface PositionRow {
  timeline: number;
  lsn: string;
}

/**
 * Everything that this primary shows now was committed before this position. If the last record ends with its page, the
 * position of the next record is behind the header of the next page, which a standby replays only together with that
 * record. The header has 24 bytes, or 40 at the start of a segment.
 */
export async function positionOfPrimary(sql: Sql): Promise<LogPosition> {
  const [row] = await sql<PositionRow[]>`
    select (bytes - case when bytes % pg_size_bytes(current_setting('wal_segment_size')) = 40 then 40
        when bytes % current_setting('wal_block_size')::int = 24 then 24 else 0 end)::text as lsn,
      ('x' || left(pg_walfile_name('0/0'::pg_lsn + bytes), 8))::bit(32)::int as timeline
    from (select pg_current_wal_insert_lsn() - '0/0'::pg_lsn as bytes) written`;
  return toPosition(row!);
}

/**
 * How far this standby has replayed; null if it is a standby no more. The control file says on which timeline the
 * standby was at its last restartpoint, so the timeline may be too low for some minutes after a failover, but is never
 * too high. The view of the WAL receiver knows it at once, but only roles with `pg_read_all_stats` may see it.
 */
export async function positionOfStandby(sql: Sql): Promise<LogPosition | null> {
  const [row] = await sql<PositionRow[]>`
    select coalesce(pg_last_wal_replay_lsn() - '0/0'::pg_lsn, 0)::text as lsn,
      greatest((select timeline_id from pg_control_checkpoint()),
        (select min_recovery_end_timeline from pg_control_recovery()),
        (select received_tli from pg_stat_wal_receiver)) as timeline
    where pg_is_in_recovery()`;
  return row ? toPosition(row) : null;
}

function toPosition({ timeline, lsn }: PositionRow): LogPosition {
  return { timeline, lsn: BigInt(lsn) };
}

/** Equal for a primary and its standbys, and different for all other databases. */
export interface DatabaseIdentity {
  system: string;
  databaseId: number;
  /** The rows of a distributed database are on other servers, whose positions this log does not have. */
  isDistributed: boolean;
}

/** Whether the server that was asked is a standby is not part of the identity. */
type AskedServer = DatabaseIdentity & { isStandby: boolean };

export async function identityOf(sql: Sql): Promise<AskedServer> {
  const [row] = await sql<AskedServer[]>`
    select system_identifier::text as system, pg_is_in_recovery() as "isStandby",
      (select oid::bigint from pg_database where datname = current_database()) as "databaseId",
      exists (select from pg_extension where extname = 'citus') as "isDistributed"
    from pg_control_system()`;
  return row!;
}
