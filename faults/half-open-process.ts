import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { makeDataDir, removeWhenBrokenOff, root, undoWhenBrokenOff } from './child-process.ts';
import { databaseUrlOf, ownDatabaseUrlOf } from './database-link.ts';
import { holdToBound, nobodyServedDuring, watchHealing } from './healing.ts';
import { inTime } from './patience.ts';
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

/** Runs in the network of the nodes. PostgreSQL itself has no network: a relay in the other one leads to its socket. */
async function loseTheLink(): Promise<{ rounds: number; report: WorldReport }> {
  const { quick, seed, databaseAddress } = task;
  const rounds = quick ? lossKinds : 9;
  const dataDir = makeDataDir();
  const postgres = await openEmbeddedPostgres({ dataDir });
  const { connection } = postgres;
  const relay = await startRelay(`${connection.host}/.s.PGSQL.${connection.port}`);
  let healing: Record<string, number> = {};
  try {
    const databaseUrl = databaseUrlOf(connection, databaseAddress, port);
    const world = { quick, seed, nodes: 2, progress, databaseUrl, ownDatabaseUrl: ownDatabaseUrlOf(connection) };
    const report = await withWorld(world, async (world) => {
      const watch = watchHealing(world, quick);
      healing = watch.slowest;
      const random = world.random.fork();
      for (let round = 1; round <= rounds; round++) {
        const [name, lose] = Object.entries(losses)[(round - 1) % lossKinds]!;
        await sleep(quick ? 500 : 4000);
        const seconds = quick ? 2 : random.between(1, 15);
        progress(`  round ${round}: ${name} for ${seconds.toFixed(1)} s`);
        const regain = lose(relay);
        await nobodyServedDuring(world, name, () => sleep(seconds * 1000));
        regain();
        await watch.untilServed(name);
      }
      await sleep(500);
    });
    return { rounds, report: holdToBound({ ...report, figures: { ...report.figures, ...healing } }, quick) };
  } finally {
    relay.stop();
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const relaysWithinMs = 60_000;

/** Returns how to undo it. */
type Loss = (relay: Relay) => () => void;

const losses: Record<string, Loss> = {
  'the link is lost': () => {
    setLink(['-n', task.databaseNetwork], 'down');
    return () => setLink(['-n', task.databaseNetwork], 'up');
  },
  'the link is lost, and the other side forgets': (relay) => {
    setLink(['-n', task.databaseNetwork], 'down');
    relay.forget();
    return () => setLink(['-n', task.databaseNetwork], 'up');
  },
  // Here nodes are told at once that there is no way.
  'the nodes have no network': () => {
    setLink([], 'down');
    return () => setLink([], 'up');
  },
};
const lossKinds = Object.keys(losses).length;

function setLink(where: string[], state: 'up' | 'down'): void {
  execFileSync('ip', [...where, 'link', 'set', task.link, state]);
}

type Relay = Awaited<ReturnType<typeof startRelay>>;

async function startRelay(socketPath: string) {
  const { databaseNetwork, databaseAddress } = task;
  const program = [join(root, 'bin/node'), join(root, 'faults/relay-process.ts'), databaseAddress, String(port), socketPath];
  const child = spawn('nsenter', [`--net=/run/netns/${databaseNetwork}`, ...program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = Promise.withResolvers<never>();
  // Without it nobody is served any more, which is found.
  ended.promise.catch((error: Error) => progress(error.message));
  child.once('exit', (code, signal) => ended.reject(new Error(`the relay ended with ${code ?? signal}`)));
  undoWhenBrokenOff(() => void child.kill());
  const relays = Promise.race([once(child.stdout, 'data'), ended.promise]);
  await inTime(relays, { withinMs: relaysWithinMs, what: 'the relay to the database' });
  return {
    forget: () => void child.kill('SIGUSR2'),
    stop: () => void child.kill(),
  };
}

removeWhenBrokenOff();
process.stdout.write(JSON.stringify(await loseTheLink()), () => process.exit());
