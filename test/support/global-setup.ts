import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLadingDocument } from '../../reference/document.ts';
import { connect } from '../../server/platform/postgres/database.ts';
import {
  type EmbeddedPostgres,
  openEmbeddedPostgres,
} from '../../server/platform/postgres/embedded/embedded-postgres.ts';
import { migrate } from '../../server/platform/postgres/migrate.ts';
import { serviceLoginOf } from '../../server/platform/postgres/roles.ts';
import type { Sql } from '../../server/platform/postgres/sql.ts';
import { version } from '../../server/version.ts';
import { chromiumMissingVariable, chromiumVariable, provideChromium } from '../../tools/install-chromium.ts';
import { chooseOtherPostgres } from '../../tools/other-postgres.ts';
import { answersFolderVariable, documentOf, tallyOf } from './answers-held.ts';
import {
  asOwner,
  type CitusCluster,
  citusMissing,
  findCitusPrograms,
  makeCitusDatabase,
  migrateAndDistribute,
  startCitus,
} from './citus-cluster.ts';
import { type ConnectionOptions, citusVariable, templateDatabase, workersVariable } from './database.ts';
import { isAlive } from './process-alive.ts';
import { volatileFolder, volatileFolders } from './volatile-folder.ts';

const folderPrefix = 'lading-test-';
/** Four processes with several services each: they had more than 100 on a busy machine. */
const connectionsMax = '400';
let postgres: EmbeddedPostgres | null = null;
let citus: CitusCluster | null = null;
let folder = '';

/**
 * Starts one PostgreSQL for the whole run, with a migrated template from which each file clones its own database, and
 * provides one Chromium.
 */
export async function globalSetup(): Promise<void> {
  try {
    await offerChromium();
    await (process.env[citusVariable] ? startDistributed() : startPostgres());
    await watchAnswers();
  } catch (error) {
    // Otherwise Node's test runner would exit with code 0 without running any tests.
    console.error(error);
    process.exit(1);
  }
}

async function startPostgres(): Promise<void> {
  await chooseOtherPostgres();
  await sweepLeftovers();
  folder = await mkdtemp(join(volatileFolder(), `${folderPrefix}${process.pid}-`));
  postgres = await openEmbeddedPostgres({ dataDir: folder, settings: { max_connections: connectionsMax } });
  const sql = connect(postgres.connection, 1);
  await waitForNoDisk(sql);
  await sql.unsafe(`create database ${templateDatabase}`);
  const { connection, service } = postgres;
  await migrate(
    { ...connection, database: templateDatabase },
    { apply: true, service: serviceLoginOf(service, connection) },
  );
  for (const login of [connection, service]) await letInQuickly(sql, login);
  await sql.end();
  process.env.LADING_TEST_POSTGRES = JSON.stringify(postgres.connection);
}

/** The same with a coordinator and two workers: each of them has a template. */
async function startDistributed(): Promise<void> {
  const programs = findCitusPrograms();
  if (programs === null) throw new Error(citusMissing);
  folder = await mkdtemp(join(tmpdir(), `${folderPrefix}${process.pid}-`));
  citus = await startCitus(programs, { workers: 2, settings: { fsync: 'off', full_page_writes: 'off' } });
  await migrateAndDistribute(await makeCitusDatabase(citus, templateDatabase));
  const servers = [citus.coordinator, ...citus.workers].map(({ connection }) => connection);
  for (const server of servers) await asOwner(server, closeTemplate);
  process.env.LADING_TEST_POSTGRES = JSON.stringify(servers[0]);
  process.env[workersVariable] = JSON.stringify(servers.slice(1));
}

/** A database is copied only while it has no connections, and Citus keeps some open. */
async function closeTemplate(sql: Sql): Promise<void> {
  await sql.unsafe(`alter database ${templateDatabase} allow_connections false`);
  const open = () => sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${templateDatabase}`;
  while ((await open()).length > 0) await sleep(20);
}

/** Without a Chromium, browser tests fail with the reason, and the others run. */
async function offerChromium(): Promise<void> {
  try {
    process.env[chromiumVariable] = await provideChromium();
  } catch (error) {
    process.env[chromiumMissingVariable] = (error as Error).message;
    console.error((error as Error).message);
  }
}

/** Each process of the run loads check-answers.ts and records its checks in this folder. */
async function watchAnswers(): Promise<void> {
  const answersFolder = join(folder, 'answers');
  await mkdir(answersFolder);
  const mounts = { warehouseBasePath: '/warehouse/v1', logisticsSegment: 'logistics' };
  const document = makeLadingDocument({ serverUrl: 'http://127.0.0.1:8080', version, ...mounts });
  await writeFile(documentOf(answersFolder), JSON.stringify(document));
  process.env[answersFolderVariable] = answersFolder;
  const loaded = new URL(`check-answers.ts?folder=${encodeURIComponent(answersFolder)}`, import.meta.url);
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${loaded}`.trim();
}

/** These databases do not need durability. Crash tests use their own servers, which sync to disk. */
async function waitForNoDisk(sql: Sql): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes']) await sql.unsafe(`alter system set ${setting} = off`);
  await sql`select pg_reload_conf()`;
}

/**
 * Tests open thousands of connections, so password authentication uses one hash iteration instead of 4096; PostgreSQL
 * 15 cannot change the number.
 */
async function letInQuickly(sql: Sql, { username, password }: ConnectionOptions): Promise<void> {
  const [known] = await sql`select from pg_settings where name = 'scram_iterations'`;
  if (!known) return;
  await sql`set scram_iterations = 1`;
  await sql.unsafe(`alter role "${username}" password '${password}'`);
}

export async function globalTeardown(): Promise<void> {
  if (tallyOf(process.env[answersFolderVariable]!).mismatches.length > 0) process.exitCode = 1;
  await postgres?.close();
  await citus?.close();
  await rm(folder, { recursive: true, force: true });
}

/** Stops the PostgreSQL servers left behind by killed runs. */
async function sweepLeftovers(): Promise<void> {
  for (const parent of volatileFolders) {
    for (const name of await readdir(parent).catch(() => [])) {
      const pid = Number(/^lading-test-(\d+)-/.exec(name)?.[1] ?? 0);
      if (pid !== 0 && !isAlive(pid)) await removeServer(join(parent, name));
    }
  }
}

async function removeServer(leftover: string): Promise<void> {
  await openEmbeddedPostgres({ dataDir: leftover })
    .then((opened) => opened.close())
    .catch(() => {});
  await rm(leftover, { recursive: true, force: true }).catch(() => {});
}
