import type { Connection } from './connection.ts';
import type { Database } from './database.ts';
import { before, DatabaseUnavailable } from './deadline.ts';
import type { Query } from './sql.ts';

/** The state of the primary, as far as its users need to know it. */
export interface ServerStatus {
  timeline: number;
  /** Such as `18.4`. */
  version: string;
  /** The number of the last migration; 0 if there is none. */
  migration: number;
  /** Commits wait for a standby (`synchronous_standby_names`). */
  needsStandby: boolean;
  /** How long the oldest commit of our login has waited for a standby; 0 if none waits. */
  standbyWaitSeconds: number;
  /** Whether the last attempt to archive a segment of the log failed; null if the server does not archive. */
  isArchivingFailing: boolean | null;
  /** null if our login may not look at the standbys: it is no member of pg_monitor. */
  standbys: StandbyStatus | null;
}

export interface StandbyStatus {
  /** Connected standbys that confirm commits. */
  synchronous: number;
  /** The lag of the slowest synchronous standby, or of the slowest one if none is synchronous; null without standbys. */
  lagBytes: number | null;
  lagSeconds: number | null;
}

export interface StatusReader {
  /** Throws if the primary cannot be asked. */
  read(): Promise<ServerStatus>;
  close(): void;
}

const answerWithinMs = 1500;
/** Probes and metrics of the same moment share a result. */
const validMs = 1000;

/**
 * Reads the status on a connection of its own: a full pool says nothing about the server. The statements do not commit
 * anything, so they do not wait for a standby.
 */
export function makeStatusReader(database: Database): StatusReader {
  let connection: Connection | null = null;
  let opening: Promise<Connection> | null = null;
  let last: { status: ServerStatus; atMs: number } | null = null;
  let reading: Promise<ServerStatus> | null = null;
  let isClosed = false;

  async function connected(): Promise<Connection> {
    if (connection?.isOpen) return connection;
    opening ??= database.openConnection({ purpose: 'readiness' }).finally(() => {
      opening = null;
    });
    connection = await opening;
    if (isClosed) connection.destroy();
    return connection;
  }

  async function readNow(): Promise<ServerStatus> {
    const current = await connected();
    const status = await before(askServer(current), performance.now() + answerWithinMs, () => {
      current.destroy();
      return new DatabaseUnavailable('the database did not answer in time');
    });
    last = { status, atMs: performance.now() };
    return status;
  }

  return {
    async read() {
      if (last && connection?.isOpen && performance.now() - last.atMs < validMs) return last.status;
      reading ??= readNow().finally(() => {
        reading = null;
      });
      return await reading;
    },
    close() {
      isClosed = true;
      connection?.destroy();
    },
  };
}

async function askServer(connection: Connection): Promise<ServerStatus> {
  const statements = [own, begin, becomeWatcher, standbys, rollback];
  const answers = await Promise.all(statements.map((query) => connection.run(query)));
  const { mayWatch, ...status } = answers[0]![0] as Omit<ServerStatus, 'standbys'> & { mayWatch: boolean };
  return { ...status, standbys: mayWatch ? (answers[3]![0] as StandbyStatus) : null };
}

const plain = (text: string): Query => ({ text, values: [], isPrepared: false });
const prepared = (text: string): Query => ({ text, values: [], isPrepared: true });
const begin = plain('begin read only');
const rollback = plain('rollback');

/** From version 16 on, a member may be without the right to become the role. */
const mayWatch = `pg_has_role(session_user, 'pg_read_all_stats',
      case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)`;

const own = prepared(`
  select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline,
    (select coalesce(max(version), 0) from schema_migration) as migration,
    current_setting('synchronous_standby_names') <> '' as "needsStandby",
    ${mayWatch} as "mayWatch",
    (select coalesce(max(extract(epoch from clock_timestamp() - query_start)), 0)::float8 from pg_stat_activity
      where wait_event = 'SyncRep' and usename = current_user) as "standbyWaitSeconds",
    substring(current_setting('server_version') from '^[0-9.]+') as version,
    case when current_setting('archive_mode') <> 'off' then (
      select coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false) from pg_stat_archiver
    ) end as "isArchivingFailing"`);

/** A login that does not inherit the privileges of its roles (PostgreSQL 15) has them only as that role. */
const becomeWatcher = prepared(`
  select set_config('role', 'pg_read_all_stats', true) where ${mayWatch}`);

const standbys = prepared(`
  select count(*) filter (where is_synchronous)::int as synchronous,
    coalesce(max(lag_bytes) filter (where is_synchronous), max(lag_bytes))::float8 as "lagBytes",
    coalesce(max(lag_s) filter (where is_synchronous), max(lag_s))::float8 as "lagSeconds"
  from (
    select sync_state in ('sync', 'quorum') and state = 'streaming' as is_synchronous,
      pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) as lag_bytes,
      -- It is null while there is nothing to replay.
      coalesce(extract(epoch from replay_lag), 0) as lag_s
    from pg_stat_replication
  ) as standby`);
