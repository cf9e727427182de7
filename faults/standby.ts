import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceRole } from '../test/support/database.ts';
import {
  type PostgresServer,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from '../test/support/replicated-postgres.ts';
import { onInterrupt } from './child-process.ts';
import { provideDebianProgram } from './debian-programs.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { checkResponseTime, expectOutageDuring, watchRecovery } from './healing.ts';
import { extendForQuickRun, until } from './patience.ts';
import { type World, withWorld } from './world.ts';

const nodes = 2;
const healsWithinMs = 60_000;

/**
 * A primary and its synchronous standby (PostgreSQL from Debian), and nodes that know both. Two faults alternate. In the
 * first, commits wait for an absent standby, an operator cancels the waits, callers repeat their requests, and the
 * standby, which lacks those commits, is promoted. In the second, the standby is the only server left.
 */
export async function standby({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const rounds = quick ? 2 : 12;
  const folder = mkdtempSync(join(tmpdir(), 'lading-standby-'));
  const forget = onInterrupt(() => rmSync(folder, { recursive: true, force: true }));
  const { path: postgres, env } = await provideDebianProgram('postgresql', 'usr/lib/postgresql/*/bin/postgres', folder);
  const pair = await startReplicatedPostgres({
    folder,
    programs: { postgres, initdb: join(dirname(postgres), 'initdb'), env },
  });
  const forgetServers = onInterrupt(() => void pair.close());
  let [primary, other]: PostgresServer[] = pair.servers;
  let cancelled = 0;
  let healing: Record<string, number> = {};
  try {
    const databaseUrls = { service: pair.url(serviceRole), owner: pair.url() };
    const report = await withWorld({ quick, seed, nodes, progress, databaseUrls }, async (world) => {
      const watch = watchRecovery(world, quick);
      healing = watch.slowest;
      const random = world.random.fork();
      for (let round = 1; round <= rounds; round++) {
        await sleep(random.between(500, quick ? 1000 : 3000));
        if (round % 2 === 1) {
          cancelled += await failOverInDoubt({ world, pair, primary: primary!, standby: other!, quick });
          [primary, other] = [other, primary];
          progress(`round ${round}: failed over, ${cancelled} waits cancelled so far`);
          await watch.untilServed('failover');
        } else {
          await onlyAStandby(world, primary!);
          progress(`round ${round}: the primary was unavailable`);
          await watch.untilServed('only a standby');
        }
      }
    });
    const figures = { ...report.figures, ...healing, commitsCancelled: cancelled };
    return { fault: 'standby', rounds, ...checkResponseTime({ ...report, figures }, quick) };
  } finally {
    await pair.close();
    rmSync(folder, { recursive: true, force: true });
    forgetServers();
    forget();
  }
}

interface Failover {
  world: World;
  pair: ReplicatedPostgres;
  primary: PostgresServer;
  standby: PostgresServer;
  quick: boolean;
}

/** Returns the number of cancelled waits. The promoted standby lacks each of these commits. */
async function failOverInDoubt({ world, pair, primary, standby, quick }: Failover): Promise<number> {
  const repeatsMin = quick ? 15 : 100;
  const repeats = () => world.tallies().at(-1)!.retries;
  const repeatsBefore = repeats();
  let cancelled = 0;
  await standby.stop('SIGINT');
  // Until callers have repeated the cancelled requests and got a response, or were cancelled again.
  const cancel = async () => {
    const rows = await primary.ask(
      (sql) => sql`select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`,
    );
    cancelled += rows.length;
    return repeats() - repeatsBefore >= repeatsMin;
  };
  await until(cancel, {
    withinMs: extendForQuickRun(healsWithinMs, quick),
    everyMs: 50,
    what: `${repeatsMin} repeats of commits in doubt`,
  });
  await primary.stop('SIGKILL');
  await standby.start();
  await standby.promote();
  await pair.copy(standby, primary);
  return cancelled;
}

/** No caller may be served, and every node must report why. */
async function onlyAStandby(world: World, primary: PostgresServer): Promise<void> {
  await expectOutageDuring(world, 'only a standby is left', async () => {
    await primary.stop('SIGINT');
    for (const { name, url } of world.nodes) {
      const answer = await fetch(`${url}/health/ready`);
      const text = await answer.text();
      if (answer.status !== 503 || !text.includes('standbys: 1'))
        world.find('wrong', `${name} reports that it is ready: ${answer.status} ${text}`);
    }
    await sleep(2000);
  });
  await primary.start();
}
