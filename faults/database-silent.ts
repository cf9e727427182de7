import { setTimeout as sleep } from 'node:timers/promises';
import type { PlainSql } from '../server/platform/postgres/database.ts';
import { childrenOf, onInterrupt, signalled } from './child-process.ts';
import { combineReports } from './combine-reports.ts';
import { type FaultOptions, type FaultReport, FaultSkipped } from './fault.ts';
import { halfOpenConnections } from './half-open.ts';
import { checkResponseTime, expectOutageDuring, watchRecovery } from './healing.ts';
import { type World, withWorld } from './world.ts';

const nodes = 2;
const quickSeconds = 2.5;

/** Makes the database unusable during `lasting`. */
type Silence = (world: World, lasting: () => Promise<void>) => Promise<void>;

const silences: Record<string, Silence> = {
  'all of PostgreSQL stopped': stopped,
  'all connections taken by others': exhausted,
  'orders locked by another session': locked,
};

/**
 * The database stops responding without an error: its processes are suspended, all its connections are taken, its rows
 * are locked, or packets to it are dropped. Callers must still get a response in time, and the service must recover
 * without a restart.
 */
export async function databaseSilent(options: FaultOptions): Promise<FaultReport> {
  const { quick, seed, progress } = options;
  const rounds = quick ? 1 : 4;
  let healing: Record<string, number> = {};
  const report = await withWorld({ quick, seed, nodes, progress }, async (world) => {
    const watch = watchRecovery(world, quick);
    healing = watch.slowest;
    const random = world.random.fork();
    for (let round = 1; round <= rounds; round++) {
      for (const [name, silence] of Object.entries(silences)) {
        await sleep(quick ? 500 : 4000);
        const seconds = quick ? quickSeconds : random.between(2, 20);
        progress(`round ${round}: ${name} for ${seconds.toFixed(1)} s`);
        await silence(world, () => sleep(seconds * 1000));
        await watch.untilServed(name);
      }
    }
    await sleep(500);
  });
  const own = checkResponseTime({ ...report, figures: { ...report.figures, ...healing } }, quick);
  const parts = [{ name: 'silent', rounds: rounds * Object.keys(silences).length, report: own }];
  try {
    return combineReports('database-silent', [
      ...parts,
      { name: 'half-open', ...(await halfOpenConnections(options)) },
    ]);
  } catch (error) {
    const combined = combineReports('database-silent', parts);
    if (error instanceof FaultSkipped)
      return { ...combined, figures: { ...combined.figures, 'half-open': `skipped: ${error.message}` } };
    const finding = `half-open could not be carried out: ${(error as Error).stack}`;
    return { ...combined, wrong: combined.wrong + 1, findings: [...combined.findings, finding] };
  }
}

async function stopped(world: World, lasting: () => Promise<void>): Promise<void> {
  const postmaster = world.postgresPid();
  // The parent first, so that it starts no more children.
  signalled(postmaster, 'SIGSTOP');
  const children = childrenOf(postmaster);
  for (const pid of children) signalled(pid, 'SIGSTOP');
  const goOn = () => {
    for (const pid of [...children, postmaster]) signalled(pid, 'SIGCONT');
  };
  const forget = onInterrupt(goOn);
  await expectOutageDuring(world, 'all of PostgreSQL was stopped', lasting);
  goOn();
  forget();
}

const strangers = 120;
const strangersName = 'another program';
const tooManyConnections = '53300';

/** Takes all connections of the server, and ends those of the nodes, so that they must open new ones. */
async function exhausted(world: World, lasting: () => Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  let [turnedAway, cutOff] = [0, 0];
  async function takeOne(): Promise<void> {
    while (!isOver) {
      await world
        .read(async (sql) => {
          await sql`select set_config('application_name', ${strangersName}, false)`;
          await over.promise;
        })
        .catch((error: { code?: string }) => {
          if (error.code === tooManyConnections) turnedAway++;
          return sleep(20);
        });
    }
  }
  async function cutNodesOff(sql: PlainSql): Promise<void> {
    while (!isOver) {
      const ended =
        await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'lading%'`;
      cutOff += ended.count;
      await sleep(100);
    }
  }
  await world.read(async (sql) => {
    // Opens its own connection before the others take all.
    await sql`select set_config('application_name', ${strangersName}, false)`;
    const busy = Promise.all([cutNodesOff(sql), ...Array.from({ length: strangers }, takeOne)]);
    const ending = lasting().finally(() => {
      isOver = true;
      over.resolve();
    });
    await Promise.all([busy, ending]);
  });
  if (turnedAway === 0 || cutOff === 0)
    world.find('wrong', 'the nodes kept their connections to the database, so the fault had no effect');
}

async function locked(world: World, lasting: () => Promise<void>): Promise<void> {
  await world.read((sql) =>
    sql.begin(async (tx) => {
      await tx`lock table orders in access exclusive mode`;
      await lasting();
    }),
  );
}
