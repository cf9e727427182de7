import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type FaultEnvironment,
  faultAccount,
  freePort,
  makeDataDir,
  provisioningFile,
  type Service,
  startProgram,
  startService,
  stopService,
  waitUntilReady,
} from '../faults/child-process.ts';
import { connect, type Database, openDatabase } from '../server/platform/postgres/database.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import type { BenchOptions } from './benchmark.ts';
import type { Output } from './figures.ts';
import { type LoadGenerator, startLoadGenerator } from './load-generator.ts';
import { type Watch, watchOthers } from './others.ts';
import { makeProfile } from './profile.ts';

/**
 * The environment of a benchmark: the service as users run it, on its own data folder, a load generator, and direct
 * access to its PostgreSQL.
 */
export interface Workbench {
  service: Service;
  port: number;
  dataDir: string;
  /** The account used by the benchmark. */
  accountId: number;
  load: LoadGenerator;
  watch: Watch;
  /** The login of the owner of the tables. */
  connection: EmbeddedPostgres['connection'];
  /** Opens one connection, as the owner. */
  sql: Sql;
  /** For code of the service that the benchmark runs in its own process. */
  database: Database;
  /** Starts another program on the same PostgreSQL, which runs until the end; resolves when it is ready. */
  beside(args: string[]): Promise<Service>;
}

const readyWithinSeconds = 60;
const serviceEnv = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };

export interface WorkbenchSettings {
  /** Settings of the service. */
  env?: Record<string, string>;
  /** The environment of the account: uat or production. */
  environment?: FaultEnvironment;
  /** An existing data folder to keep; by default a new one, which is removed with the workbench. */
  dataDir?: string;
}

/** Provides the workbench during `work` and removes it afterwards. */
export async function withWorkbench<Result>(
  options: BenchOptions,
  output: Output,
  work: (workbench: Workbench) => Promise<Result>,
  { env = {}, environment, dataDir: kept }: WorkbenchSettings = {},
): Promise<Result> {
  const dataDir = kept ?? makeDataDir(environment);
  const profile = options.profile ? await makeProfile(dataDir) : null;
  const port = await freePort();
  const apply = join(dataDir, provisioningFile);
  const service = startService({ dataDir, port, apply, env: { ...serviceEnv, ...env, ...profile?.env } });
  try {
    await waitUntilReady(service, readyWithinSeconds);
    return await withDatabase(dataDir, async (connections) => {
      const load = startLoadGenerator();
      const programs: Service[] = [];
      async function beside(args: string[]): Promise<Service> {
        const program = startProgram(args, { dataDir, port: await freePort(), env: { ...serviceEnv, ...env } });
        programs.push(program);
        await waitUntilReady(program, readyWithinSeconds);
        return program;
      }
      try {
        await profile?.begin(connections.sql);
        const watch = watchOthers(options.plan.patienceSeconds);
        const result = await work({ service, port, dataDir, load, watch, beside, ...connections });
        await profile?.reportStatements(connections.sql, output);
        return result;
      } finally {
        load.stop();
        for (const program of programs) await stopService(program);
      }
    });
  } finally {
    await stopService(service);
    profile?.reportAfterwards(output);
    if (kept === undefined) rmSync(dataDir, { recursive: true, force: true });
  }
}

type Connections = Pick<Workbench, 'connection' | 'sql' | 'database' | 'accountId'>;

async function withDatabase<Result>(
  dataDir: string,
  work: (connections: Connections) => Promise<Result>,
): Promise<Result> {
  const { connection, service, close } = await openEmbeddedPostgres({ dataDir });
  const sql = connect(connection, 1);
  const database = openDatabase(service, { max: 2, deadlineSeconds: null });
  try {
    const [account] = await sql<
      { account_id: number }[]
    >`select account_id from account where account_no = ${faultAccount.accountNo}`;
    return await work({ connection, sql, database, accountId: account!.account_id });
  } finally {
    await Promise.all([sql.end({ timeout: 5 }), database.close()]);
    await close();
  }
}
