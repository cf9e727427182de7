import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { undoWhenBrokenOff } from './child-process.ts';
import { combineReports } from './combine-reports.ts';
import { type FaultOptions, type FaultReport, FaultSkipped } from './fault.ts';
import { halfOpenConnections } from './half-open.ts';
import { holdToBound, watchHealing } from './healing.ts';
import { type World, withWorld } from './world.ts';

const nodes = 2;
const quickSeconds = 2.5;

/** Makes the database useless for as long as `lasting` takes. */
type Silence = (world: World, lasting: () => Promise<void>) => Promise<void>;

const silences: Record<string, Silence> = {
  'all of PostgreSQL stopped': stopped,
  'all connections taken by others': exhausted,
  'orders locked by somebody': locked,
};

/**
 * The database does not answer, and does not say why: its processes are stopped, its connections are all taken, its rows are locked, or whatever is
 * sent to it vanishes on the way. Every answer comes in time, and all is well again without a restart.
 */
export async function databaseSilent(options: FaultOptions): Promise<FaultReport> {
  const { quick, seed, progress } = options;
  const rounds = quick ? 1 : 4;
  let healing: Record<string, number> = {};
  const report = await withWorld({ seed, nodes, progress }, async (world) => {
    const watch = watchHealing(world);
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
  const own = holdToBound({ ...report, figures: { ...report.figures, ...healing } }, quick);
  const parts = [{ name: 'silent', rounds: rounds * Object.keys(silences).length, report: own }];
  try {
    return combineReports('database-silent', [...parts, { name: 'half-open', ...(await halfOpenConnections(options)) }]);
  } catch (error) {
    if (!(error instanceof FaultSkipped)) throw error;
    const { figures, ...combined } = combineReports('database-silent', parts);
    return { ...combined, figures: { ...figures, 'half-open': `skipped, since ${error.message}` } };
  }
}

async function stopped(world: World, lasting: () => Promise<void>): Promise<void> {
  const postmaster = world.postgresPid();
  // First, so that it makes no more children.
  process.kill(postmaster, 'SIGSTOP');
  const children = childrenOf(postmaster);
  for (const pid of children) signal(pid, 'SIGSTOP');
  const goOn = () => {
    for (const pid of [...children, postmaster]) signal(pid, 'SIGCONT');
  };
  const forget = undoWhenBrokenOff(goOn);
  await lasting();
  goOn();
  forget();
}

function childrenOf(parent: number): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.filter((pid) => parentOf(pid) === parent).map(Number);
}

function parentOf(pid: string): number | null {
  try {
    // The name of the program stands in brackets, and may contain anything.
    return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]);
  } catch {
    return null;
  }
}

/** A backend may have ended meanwhile. */
function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

const strangers = 120;
const strangersName = 'somebody else';

/** More of them than the server has connections; and those of the nodes are cut, so that they have to ask for new ones. */
async function exhausted(world: World, lasting: () => Promise<void>): Promise<void> {
  const over = Promise.withResolvers<void>();
  let isOver = false;
  async function takeOne(): Promise<void> {
    while (!isOver) {
      await world
        .read(async (sql) => {
          await sql`select set_config('application_name', ${strangersName}, false)`;
          await over.promise;
        })
        .catch(() => sleep(20));
    }
  }
  const cutting = world.read(async (sql) => {
    await sql`select set_config('application_name', ${strangersName}, false)`;
    while (!isOver) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'lading%'`;
      await sleep(100);
    }
  });
  const taking = Array.from({ length: strangers }, takeOne);
  await lasting();
  isOver = true;
  over.resolve();
  await Promise.all([cutting, ...taking]);
}

async function locked(world: World, lasting: () => Promise<void>): Promise<void> {
  await world.read((sql) =>
    sql.begin(async (tx) => {
      await tx`lock table orders in access exclusive mode`;
      await lasting();
    }),
  );
}
