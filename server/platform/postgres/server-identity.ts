import type { Sql } from './sql.ts';

/** Which server a connection leads to. It stays the same as long as the connection is open. */
export interface ServerIdentity {
  /** Every copy of a database cluster has the same; another cluster has another one. */
  systemIdentifier: string;
  /** Grows by one with each promotion of a standby. A standby reports 0. */
  timeline: number;
  isStandby: boolean;
  /** Many commits of our login already wait for a standby; another connection would wait too. */
  isStalled: boolean;
}

interface DatabaseContent {
  hasCitus: boolean;
  /** The numbers of the composite types for rows (row-array.ts). */
  rowTypes: Record<string, number>;
}

/**
 * A commit that waits for a standby keeps its server process, also after its caller has given up and closed the
 * connection. New connections would fill the server with such processes until even operators are locked out.
 */
const waitingForLong = `(select count(*) from pg_stat_activity
        where wait_event = 'SyncRep' and usename = current_user and query_start < now() - interval '3 s')`;
const stalledShare = "current_setting('max_connections')::int / 4";

/**
 * Every login may call these functions. The checkpoint record also has the timeline, but not before the first
 * checkpoint after a promotion.
 */
export async function readIdentity(sql: Sql): Promise<ServerIdentity & DatabaseContent> {
  const [row] = await sql.unsafe<(ServerIdentity & DatabaseContent)[]>(
    `select system_identifier::text as "systemIdentifier", pg_is_in_recovery() as "isStandby",
      exists (select from pg_extension where extname = 'citus') as "hasCitus",
      (select coalesce(json_object_agg(typname, oid::bigint), '{}') from pg_type
        where typtype = 'c' and typname like '%\\_row' and pg_type_is_visible(oid)) as "rowTypes",
      case when pg_is_in_recovery() then 0
        else ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int end as timeline,
      current_setting('synchronous_standby_names') <> '' and ${waitingForLong} > ${stalledShare} as "isStalled"
    from pg_control_system()`,
  );
  return row!;
}
