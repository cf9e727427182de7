import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { databaseUserFor, runsAsRoot } from '../server/platform/postgres/embedded/database-user.ts';
import type { Sql } from '../server/platform/postgres/sql.ts';
import { blockNamed, readGuide } from '../test/docs/guide.ts';
import { serviceRole } from '../test/support/database.ts';
import {
  type PostgresPrograms,
  type PostgresServer,
  startPostgres,
  startPostgresOn,
} from '../test/support/replicated-postgres.ts';
import { onInterrupt, root } from './child-process.ts';
import { type FaultOptions, type FaultReport, FaultSkipped } from './fault.ts';
import { until } from './patience.ts';
import { runAudit } from './run-audit.ts';
import { tableFingerprints } from './table-fingerprints.ts';
import { type World, withWorld } from './world.ts';

const postgresBin = '/usr/lib/postgresql/15/bin';
const pgbackrestProgram = '/usr/bin/pgbackrest';
const nodes = 2;
const loadMs = { quick: 3000, full: 15_000 };
const archivedWithinMs = 120_000;
const recoveredWithinMs = 300_000;
const outputMax = 2000;

/** The folders of docs/backup.md; the run has its own in their place. */
const documented = { clusters: '/var/lib/postgresql/15', moment: '2026-11-18 09:30:00.123456+08' };

/**
 * Follows docs/backup.md with the commands of that page and deploy/pgbackrest.conf: a full and a differential backup
 * under load, a restore of everything, and a restore of one moment.
 */
export async function pgbackrest({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  for (const [file, name] of [
    [postgresBin, 'postgresql-15'],
    [pgbackrestProgram, 'pgbackrest'],
  ] as const)
    if (!existsSync(file)) throw new FaultSkipped(`the Debian package ${name} is not installed`);
  const folder = mkdtempSync(join(tmpdir(), 'lading-pgbackrest-'));
  const forget = onInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  const place = preparePlace(folder);
  const { server, follow } = await startArchiving(place);
  const forgetServer = onInterrupt(() => void server.stop('SIGKILL'));
  try {
    return await backUpAndRestore({ place, server, follow, quick, seed, progress });
  } finally {
    await server.stop('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
    forgetServer();
    forget();
  }
}

interface Place {
  folder: string;
  programs: PostgresPrograms;
  env: Record<string, string>;
}

/** pgBackRest prefers the environment to its file, so the file is used as it is, apart from places. */
function preparePlace(folder: string): Place {
  const config = join(folder, 'pgbackrest.conf');
  copyFileSync(join(root, 'deploy/pgbackrest.conf'), config);
  chmodSync(config, 0o644);
  const { uid, gid } = databaseUserFor(join(folder, 'cluster'));
  for (const name of ['repository', 'log', 'lock', 'spool']) {
    mkdirSync(join(folder, name));
    if (runsAsRoot()) chownSync(join(folder, name), uid, gid);
  }
  const env = {
    PATH: `${dirname(pgbackrestProgram)}:/usr/bin:/bin`,
    PGBACKREST_CONFIG: config,
    PGBACKREST_REPO1_PATH: join(folder, 'repository'),
    PGBACKREST_LOG_PATH: join(folder, 'log'),
    PGBACKREST_LOCK_PATH: join(folder, 'lock'),
    PGBACKREST_SPOOL_PATH: join(folder, 'spool'),
    PGBACKREST_PG1_PATH: join(folder, 'cluster'),
    PGBACKREST_PG1_SOCKET_PATH: folder,
    // The owner of the test's cluster; on Debian it is postgres, as which pgBackRest runs.
    PGBACKREST_PG1_USER: 'lading',
  };
  const programs = { postgres: join(postgresBin, 'postgres'), initdb: join(postgresBin, 'initdb'), env };
  return { folder, programs, env };
}

type Follow = (block: string, replacements?: Record<string, string>) => Promise<string>;

/** A server with the settings of the page, and a function that runs a block of the page as the user of PostgreSQL. */
async function startArchiving({ folder, programs, env }: Place): Promise<{ server: PostgresServer; follow: Follow }> {
  const page = readGuide('backup.md');
  const archiving = blockNamed(page, 'archiving')
    .split('\n')
    .map((line) => /^(\w+) = '?(.*?)'?$/.exec(line)!.slice(1) as [string, string]);
  const server = await startPostgres({
    folder,
    programs,
    settings: { ...Object.fromEntries(archiving), unix_socket_directories: folder, fsync: 'on' },
  });
  const own = { ...env, PGBACKREST_PG1_PORT: String(server.port) };
  const follow: Follow = async (block, replacements = {}) => {
    let text = blockNamed(page, block);
    for (const [from, to] of Object.entries({ [documented.clusters]: folder, ...replacements }))
      text = text.replaceAll(from, to);
    const { spawnAs } = databaseUserFor(join(folder, 'cluster'));
    const { stdout } = await promisify(execFile)('/bin/sh', ['-euc', text], { cwd: '/', env: own, ...spawnAs }).catch(
      (error: Error & { stdout?: string; stderr?: string }) => {
        throw new Error(`${text}\n${error.message}\n${error.stdout}${error.stderr}`.slice(0, outputMax));
      },
    );
    return stdout;
  };
  return { server, follow };
}

interface Run extends Omit<FaultOptions, 'only'> {
  place: Place;
  server: PostgresServer;
  follow: Follow;
}

async function backUpAndRestore(run: Run): Promise<FaultReport> {
  const { server, quick, seed, progress } = run;
  const urls = { service: server.url.replace('lading@', `${serviceRole}@`), owner: server.url };
  const masterKey = randomBytes(32).toString('base64');
  const figures: Record<string, number | string> = {};
  let moment: Moment | null = null;
  const report = await withWorld({ quick, seed, nodes, progress, databaseUrls: urls, masterKey }, async (world) => {
    moment = await backUpUnderLoad(run, world, figures);
  });
  const findings = [...report.findings];
  const check = (name: string, work: () => Promise<string[]>) =>
    work().then((found) => findings.push(...found.map((what) => `wrong: ${name}: ${what}`)));

  await archiveEverything(server);
  progress('restoring everything');
  await check('restore', () => restoreEverything(run, masterKey, figures));
  progress('restoring one moment');
  await check('restore of a moment', () => restoreMoment(run, masterKey, moment!, figures));
  const wrong = report.wrong + findings.length - report.findings.length;
  return { ...report, fault: 'pgbackrest', rounds: 1, wrong, findings, figures: { ...report.figures, ...figures } };
}

/** Orders of which it is certain on which side of a moment they are. */
interface Moment {
  at: string;
  acknowledgedBefore: string[];
  sentBefore: Set<string>;
}

async function backUpUnderLoad(
  { follow, server, quick, progress }: Run,
  world: World,
  figures: Record<string, number | string>,
): Promise<Moment> {
  const load = () => sleep(loadMs[quick ? 'quick' : 'full']);
  const perSecond = async (work: () => Promise<unknown>) => {
    const [before, startedAt] = [world.acknowledged(), performance.now()];
    await work();
    const seconds = (performance.now() - startedAt) / 1000;
    return { seconds: Math.round(seconds * 10) / 10, changes: Math.round((world.acknowledged() - before) / seconds) };
  };
  await follow('set-up');
  const alone = await perSecond(load);
  progress('full backup under load');
  const full = await perSecond(() => follow('full-backup'));
  await load();
  progress('differential backup under load');
  const differential = await perSecond(() => follow('differential-backup'));
  figures['acknowledged changes per second without a backup'] = alone.changes;
  figures['the same during the full backup'] = full.changes;
  figures['the same during the differential backup'] = differential.changes;
  figures['full backup, s'] = full.seconds;
  figures['differential backup, s'] = differential.seconds;
  const listed = await follow('list');
  for (const type of ['full', 'diff'])
    if (!listed.includes(`${type} backup: `)) world.find('wrong', `pgbackrest info lists no ${type} backup: ${listed}`);

  await load();
  const acknowledgedBefore = [...world.ledger.orders.values()]
    .filter(({ knownAs }) => knownAs !== null)
    .map(({ number }) => number);
  const [row] = await server.ask((sql) => sql<{ at: string }[]>`select clock_timestamp()::text as at`);
  const sentBefore = new Set(world.ledger.orders.keys());
  // Until an order is acknowledged that was sent after the moment.
  const isFollowed = () =>
    [...world.ledger.orders.values()].some(({ number, knownAs }) => knownAs !== null && !sentBefore.has(number));
  await until(isFollowed, { withinMs: archivedWithinMs, what: 'an order after the moment' });
  await load();
  return { at: row!.at, acknowledgedBefore, sentBefore };
}

async function archiveEverything(server: PostgresServer): Promise<void> {
  const [row] = await server.ask((sql) => sql<{ file: string }[]>`select pg_walfile_name(pg_switch_wal()) as file`);
  const isArchived = async () => {
    const [archiver] = await server.ask(
      (sql) => sql<{ last: string | null }[]>`select last_archived_wal as last from pg_stat_archiver`,
    );
    return (archiver!.last ?? '') >= row!.file;
  };
  await until(isArchived, { withinMs: archivedWithinMs, everyMs: 100, what: 'the archive of the log' });
}

/** Runs `work` on the restored copy when it has reached its end and accepts changes. */
async function withCopy(
  { place: { folder, programs } }: Run,
  work: (copy: PostgresServer) => Promise<string[]>,
): Promise<string[]> {
  const cluster = join(folder, 'restored');
  const copy = await startPostgresOn(cluster, programs, { ...settingsOfCopy(), unix_socket_directories: '' });
  const forget = onInterrupt(() => void copy.stop('SIGKILL'));
  try {
    const isOpen = async () => {
      const [row] = await copy.ask((sql) => sql<{ recovering: boolean }[]>`select pg_is_in_recovery() as recovering`);
      return !row!.recovering;
    };
    await until(isOpen, { withinMs: recoveredWithinMs, everyMs: 100, what: 'the end of the recovery' });
    return await work(copy);
  } finally {
    await copy.stop('SIGKILL');
    rmSync(cluster, { recursive: true, force: true });
    forget();
  }
}

/** The settings with which the page starts a copy; the port is our own. */
function settingsOfCopy(): Record<string, string> {
  const command = blockNamed(readGuide('backup.md'), 'start-copy');
  const given = [...command.matchAll(/ -c (\w+)=(\S+)/g)].map((match) => match.slice(1) as [string, string]);
  return Object.fromEntries(given.filter(([name]) => name !== 'port'));
}

async function auditOf({ url }: PostgresServer, masterKey: string, folder: string): Promise<string[]> {
  const DATABASE_URL = url.replace('lading@', `${serviceRole}@`);
  const said = await runAudit({ DATABASE_URL, MASTER_KEY: masterKey, DATA_DIR: join(folder, 'unused') });
  return said === 'clean' ? [] : [`lading audit ${said}`];
}

/** Nothing has changed since the last archived segment, so the copy has the same rows. */
async function restoreEverything(
  run: Run,
  masterKey: string,
  figures: Record<string, number | string>,
): Promise<string[]> {
  const { server, follow, place } = run;
  const original = await server.ask(tableFingerprints);
  const startedAt = performance.now();
  makeEmpty(place);
  await follow('restore');
  return await withCopy(run, async (copy) => {
    figures['restore until it accepts changes, s'] = Math.round((performance.now() - startedAt) / 100) / 10;
    const restored = await copy.ask(tableFingerprints);
    const differing = Object.keys(original).filter((table) => restored[table] !== original[table]);
    figures['tables compared after the restore'] = Object.keys(original).length;
    figures['orders at the end'] = (await copy.ask(orderNumbers)).length;
    return [
      ...differing.map((table) => `${table} has ${restored[table]} instead of ${original[table]}`),
      ...(await auditOf(copy, masterKey, place.folder)),
    ];
  });
}

async function restoreMoment(
  run: Run,
  masterKey: string,
  moment: Moment,
  figures: Record<string, number | string>,
): Promise<string[]> {
  const { follow, place } = run;
  makeEmpty(place);
  await follow('restore-moment', { [documented.moment]: moment.at });
  return await withCopy(run, async (copy) => {
    const stored = new Set((await copy.ask(orderNumbers)).map(({ number }) => number));
    const missing = moment.acknowledgedBefore.filter((number) => !stored.has(number));
    const early = [...stored].filter((number) => !moment.sentBefore.has(number));
    figures['orders acknowledged before the moment'] = moment.acknowledgedBefore.length;
    figures['orders in the restored moment'] = stored.size;
    return [
      ...(moment.acknowledgedBefore.length === 0 ? ['no order was acknowledged before the moment'] : []),
      ...missing.map((number) => `${number} was acknowledged before the moment and is missing`),
      ...early.map((number) => `${number} was sent after the moment and is there`),
      ...(await auditOf(copy, masterKey, place.folder)),
    ];
  });
}

const orderNumbers = (sql: Sql) => sql<{ number: string }[]>`select partner_number as number from orders`;

/** pgBackRest restores into an empty folder of the user of PostgreSQL. */
function makeEmpty({ folder }: Place): void {
  const cluster = join(folder, 'restored');
  const { uid, gid } = databaseUserFor(join(folder, 'cluster'));
  mkdirSync(cluster, { mode: 0o700 });
  if (runsAsRoot()) chownSync(cluster, uid, gid);
}
