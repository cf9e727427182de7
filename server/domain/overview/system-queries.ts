import type { Sql } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { Connector } from '../transfers/transfer.ts';

export interface DatabaseFacts {
  version: string;
  sizeBytes: number;
  migrations: { count: number; lastName: string; lastAt: string };
  connections: { state: string; count: number }[];
  connectionsMax: number;
  oldestTransactionAt: string | null;
}

export async function readDatabaseFacts(sql: Sql): Promise<DatabaseFacts> {
  const [facts] = await sql<[Omit<DatabaseFacts, 'migrations' | 'connections'>]>`
    select current_setting('server_version') as version, pg_database_size(current_database())::float8 as "sizeBytes",
      current_setting('max_connections')::integer as "connectionsMax",
      (select ${sql.unsafe(taipeiTime('min(xact_start)', 'at'))} from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()) as "oldestTransactionAt"`;
  const connections = await sql<{ state: string; count: number }[]>`
    select coalesce(state, 'unknown') as state, count(*)::integer as count from pg_stat_activity
    where datname = current_database() group by 1 order by 2 desc, 1`;
  const [migrations] = await sql<[DatabaseFacts['migrations']]>`
    select (count(*) over ())::integer as count, name as "lastName", ${sql.unsafe(taipeiTime('applied_at', '"lastAt"'))}
    from schema_migration order by version desc limit 1`;
  return { ...facts, migrations, connections };
}

/** The size of the whole database; on Citus only of this server. */
export async function readDatabaseSize(sql: Sql): Promise<number> {
  const [row] = await sql<[{ bytes: number }]>`select pg_database_size(current_database())::float8 as bytes`;
  return row.bytes;
}

export interface AccountsByEnvironment {
  uat: number;
  production: number;
}

export async function countAccounts(sql: Sql): Promise<AccountsByEnvironment> {
  const [row] = await sql<[AccountsByEnvironment]>`
    select count(*) filter (where environment = 'uat')::integer as uat,
      count(*) filter (where environment = 'production')::integer as production
    from account`;
  return row;
}

export interface ListedJob {
  name: string;
  lastRunAt: string | null;
  lastOutcome: string | null;
  nextRunAt: string;
}

export async function listJobs(sql: Sql): Promise<ListedJob[]> {
  return await sql<ListedJob[]>`
    select name, ${sql.unsafe(taipeiTime('last_run_at', '"lastRunAt"'))}, last_outcome as "lastOutcome",
      ${sql.unsafe(taipeiTime('next_run_at', '"nextRunAt"'))}
    from schedule order by name`;
}

export interface ListedWaves {
  warehouseNo: number;
  name: string;
  connector: Connector['type'];
  everySeconds: number;
  lastWaveAt: string | null;
  lastOutcome: string | null;
  failures: number;
  nextWaveAt: string | null;
}

export async function listWaves(sql: Sql): Promise<ListedWaves[]> {
  return await sql<ListedWaves[]>`
    select warehouse_no as "warehouseNo", name, connector->>'type' as connector, transfer_every_s as "everySeconds",
      ${sql.unsafe(taipeiTime('last_wave_at', '"lastWaveAt"'))}, last_outcome as "lastOutcome", coalesce(failures, 0) as failures,
      ${sql.unsafe(taipeiTime("(case when connector->>'type' <> 'manual' then next_wave_at end)", '"nextWaveAt"'))}
    from warehouse left join push_schedule using (warehouse_no) order by warehouse_no`;
}
