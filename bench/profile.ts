import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { reportCpuProfiles } from './cpu-profile.ts';
import type { Output } from './figures.ts';

const statementsShown = 25;
const statementLength = 160;
const plansShown = 10;
const slowStatementMs = 100;

/** Profiles the code of the service and the statements of PostgreSQL. */
export interface Profile {
  /** The options to start the service with; it writes its profile when it ends. */
  env: Record<string, string>;
  begin(sql: Sql): Promise<void>;
  reportStatements(sql: Sql, output: Output): Promise<void>;
  /** Call it after the service has ended, while its data folder still exists. */
  reportAfterwards(output: Output): void;
}

/** Call it before the service starts, because PostgreSQL reads its list of libraries only at startup. */
export async function makeProfile(dataDir: string): Promise<Profile> {
  const folder = mkdtempSync(join(tmpdir(), 'lading-profile-'));
  // A service started by root has switched to another user by the time it writes its profile.
  chmodSync(folder, 0o777);
  await loadLibraries(dataDir);
  return {
    env: { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${folder}` },
    async begin(sql) {
      await sql`create extension if not exists pg_stat_statements`;
      await sql`select pg_stat_statements_reset()`;
    },
    reportStatements,
    reportAfterwards(output) {
      reportCpuProfiles(folder, output);
      rmSync(folder, { recursive: true, force: true });
      reportSlowPlans(dataDir, output);
    },
  };
}

async function loadLibraries(dataDir: string): Promise<void> {
  const { connection, close } = await openEmbeddedPostgres({ dataDir });
  const sql = connect(connection, 1);
  await sql.unsafe(`alter system set shared_preload_libraries = 'pg_stat_statements', 'auto_explain'`);
  await sql.unsafe(`alter system set auto_explain.log_min_duration = ${slowStatementMs}`);
  await sql.end({ timeout: 5 });
  await close();
}

async function reportStatements(sql: Sql, output: Output): Promise<void> {
  const statements = await sql<
    { query: string; calls: number; total: number; mean: number; rows: number; share: number; wal: number }[]
  >`
    select query, calls, total_exec_time as total, mean_exec_time as mean, rows, wal_bytes::float8 / calls as wal,
      100 * total_exec_time / sum(total_exec_time) over () as share
    from pg_stat_statements order by total_exec_time desc limit ${statementsShown}`;
  for (const { query, calls, total, mean, rows, share, wal } of statements) {
    output.row('profile: statements in PostgreSQL', {
      statement: query.replace(/\s+/g, ' ').trim().slice(0, statementLength),
      calls,
      'total ms': Math.round(total),
      'mean ms': Number(mean.toFixed(3)),
      'rows a call': Number((rows / calls).toFixed(1)),
      'WAL bytes a call': Math.round(wal),
      '% of all': Number(share.toFixed(1)),
    });
  }
}

/** Reads the output of auto_explain from the log of PostgreSQL. */
function reportSlowPlans(dataDir: string, output: Output): void {
  const folder = join(dataDir, 'pg', 'log');
  const log = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  const plans = log
    .join('\n')
    .split(/(?=^\d{4}-\d\d-\d\d )/m)
    .flatMap((entry) => {
      const [, duration, plan] = /duration: ([\d.]+) ms\s+plan:\n([\s\S]*)/.exec(entry) ?? [];
      return plan === undefined ? [] : [{ ms: Number(duration), plan }];
    });
  const slowest = plans.toSorted((one, other) => other.ms - one.ms).slice(0, plansShown);
  for (const { ms, plan } of slowest)
    output.row(`profile: plans that took over ${slowStatementMs} ms`, { ms: Math.round(ms), plan: plan.trim() });
}
