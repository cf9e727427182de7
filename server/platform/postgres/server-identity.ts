import type { Sql } from './sql.ts';

/** Which server a connection leads to. It stays the same as long as the connection is open. */
export interface ServerIdentity {
  /** Every copy of a database cluster has the same; another cluster has another one. */
  systemIdentifier: string;
  /** Grows by one with each promotion of a standby. A standby reports 0. */
  timeline: number;
  isStandby: boolean;
}

/**
 * Every login may call these functions. The checkpoint record also has the timeline, but not before the first
 * checkpoint after a promotion.
 */
export async function readIdentity(sql: Sql): Promise<ServerIdentity> {
  const [row] = await sql.unsafe<ServerIdentity[]>(
    `select system_identifier::text as "systemIdentifier", pg_is_in_recovery() as "isStandby",
      case when pg_is_in_recovery() then 0
        else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline
    from pg_control_system()`,
  );
  return row!;
}
