import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { makeDataDir, root } from './child-process.ts';
import { databaseUrlOf, ownDatabaseUrlOf } from './database-link.ts';
import { holdToBound, watchHealing } from './healing.ts';
import { type WorldReport, withWorld } from './world.ts';

export interface HalfOpenTask {
  quick: boolean;
  seed: number;
  databaseNetwork: string;
  link: string;
  databaseAddress: string;
}

const task: HalfOpenTask = JSON.parse(process.argv[2]!);
const port = 5432;
const progress = (line: string) => void process.stderr.write(`${line}\n`);
process.stdout.write(JSON.stringify(await loseTheLink()));

/** Runs in the network of the nodes. PostgreSQL itself has no network: a relay in the other one leads to its socket. */
async function loseTheLink(): Promise<{ rounds: number; report: WorldReport }> {
  const { quick, seed, databaseAddress } = task;
  const rounds = quick ? 2 : 12;
  const dataDir = makeDataDir();
  const postgres = await openEmbeddedPostgres({ dataDir });
  const { connection } = postgres;
  const relay = await startRelay(`${connection.host}/.s.PGSQL.${connection.port}`);
  let healing: Record<string, number> = {};
  try {
    const databaseUrl = databaseUrlOf(connection, databaseAddress, port);
    const world = { seed, nodes: 2, progress, databaseUrl, ownDatabaseUrl: ownDatabaseUrlOf(connection) };
    const report = await withWorld(world, async (world) => {
      const watch = watchHealing(world);
      healing = watch.slowest;
      const random = world.random.fork();
      for (let round = 1; round <= rounds; round++) {
        await sleep(1000);
        const isForgotten = round % 2 === 0;
        const seconds = quick ? 4 : random.between(1, 20);
        progress(`  round ${round}: the link is lost for ${seconds.toFixed(1)} s${isForgotten ? ', and the other side forgets' : ''}`);
        setLink('down');
        await sleep(seconds * 500);
        if (isForgotten) relay.forget();
        await sleep(seconds * 500);
        setLink('up');
        await watch.untilServed(isForgotten ? 'connections forgotten behind a lost link' : 'a lost link');
      }
      await sleep(1000);
    });
    return { rounds, report: holdToBound({ ...report, figures: { ...report.figures, ...healing } }, quick) };
  } finally {
    relay.stop();
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function setLink(state: 'up' | 'down'): void {
  execFileSync('ip', ['-n', task.databaseNetwork, 'link', 'set', task.link, state]);
}

async function startRelay(socketPath: string) {
  const { databaseNetwork, databaseAddress } = task;
  const program = [join(root, 'bin/node'), join(root, 'faults/relay-process.ts'), databaseAddress, String(port), socketPath];
  const child = spawn('nsenter', [`--net=/run/netns/${databaseNetwork}`, ...program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    forget: () => void child.kill('SIGUSR2'),
    stop: () => void child.kill(),
  };
}
