import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { makeDataDir, onInterrupt, removeWhenBrokenOff, root } from './child-process.ts';
import { databaseUrlsOf, ownDatabaseUrlsOf } from './database-link.ts';
import { checkResponseTime, expectOutageDuring, watchRecovery } from './healing.ts';
import { withTimeout } from './patience.ts';
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

/** Runs in the network of the nodes. PostgreSQL only has a unix socket; a relay in the other network forwards to it. */
async function loseTheLink(): Promise<{ rounds: number; report: WorldReport }> {
  const { quick, seed, databaseAddress } = task;
  const rounds = quick ? lossKinds : 9;
  const dataDir = makeDataDir();
  const postgres = await openEmbeddedPostgres({ dataDir });
  const { connection } = postgres;
  const relay = await startRelay(`${connection.host}/.s.PGSQL.${connection.port}`);
  let healing: Record<string, number> = {};
  try {
    const databaseUrls = databaseUrlsOf(postgres, databaseAddress, port);
    const world = { quick, seed, nodes: 2, progress, databaseUrls, ownDatabaseUrls: ownDatabaseUrlsOf(postgres) };
    const report = await withWorld(world, async (world) => {
      const watch = watchRecovery(world, quick);
      healing = watch.slowest;
      const random = world.random.fork();
      for (let round = 1; round <= rounds; round++) {
        const [name, lose] = Object.entries(losses)[(round - 1) % lossKinds]!;
        await sleep(quick ? 500 : 4000);
        const seconds = quick ? 2 : random.between(1, 15);
        progress(`  round ${round}: ${name} for ${seconds.toFixed(1)} s`);
        const regain = lose(relay);
        await expectOutageDuring(world, name, () => sleep(seconds * 1000));
        regain();
        await watch.untilServed(name);
      }
      await sleep(500);
    });
    return { rounds, report: checkResponseTime({ ...report, figures: { ...report.figures, ...healing } }, quick) };
  } finally {
    relay.stop();
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const relaysWithinMs = 60_000;

/** Returns a function that undoes the loss. */
type Loss = (relay: Relay) => () => void;

const losses: Record<string, Loss> = {
  'the link is lost': () => {
    setLink(['-n', task.databaseNetwork], 'down');
    return () => setLink(['-n', task.databaseNetwork], 'up');
  },
  'the link is lost, and the database side drops its connections': (relay) => {
    setLink(['-n', task.databaseNetwork], 'down');
    relay.forget();
    return () => setLink(['-n', task.databaseNetwork], 'up');
  },
  // In this case the kernel reports to the nodes at once that the network is unreachable.
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
  const program = [
    join(root, 'bin/node'),
    join(root, 'faults/relay-process.ts'),
    databaseAddress,
    String(port),
    socketPath,
  ];
  const child = spawn('nsenter', [`--net=/run/netns/${databaseNetwork}`, ...program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = Promise.withResolvers<never>();
  // If the relay ends, no caller is served any more, which is a finding.
  ended.promise.catch((error: Error) => progress(error.message));
  child.once('exit', (code, signal) => ended.reject(new Error(`the relay ended with ${code ?? signal}`)));
  onInterrupt(() => void child.kill());
  const relays = Promise.race([once(child.stdout, 'data'), ended.promise]);
  await withTimeout(relays, { withinMs: relaysWithinMs, what: 'the relay to the database' });
  return {
    forget: () => void child.kill('SIGUSR2'),
    stop: () => void child.kill(),
  };
}

removeWhenBrokenOff();
process.stdout.write(JSON.stringify(await loseTheLink()), () => process.exit());
