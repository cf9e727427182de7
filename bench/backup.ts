import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentWith, root } from '../faults/child-process.ts';
import { stockUpForOrders } from './api-requests.ts';
import type { BenchOptions } from './benchmark.ts';
import { judged, median, type Output, rounded } from './figures.ts';
import { makeOrderTraffic } from './order-traffic.ts';
import { othersOf, ratioOf, takeTurns, typical } from './turns.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const connectionCounts = [64];
const ratioMin = 0.5;
const mebibyte = 1_048_576;

interface Made {
  seconds: number;
  bytes: number;
}

/**
 * Compares the orders per second beside a backup with those without one. The service archives its log in both cases.
 * One verified backup follows the other during a whole turn, which is far more than any schedule asks for.
 */
export async function benchBackup(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'lading-bench-backup-'));
  // If this runs as root, PostgreSQL runs as another user, who must be able to enter the folder.
  chmodSync(folder, 0o755);
  const mistakes: string[] = [];
  try {
    await withWorkbench(options, output, (workbench) => compare(workbench, options, { folder, mistakes, output }), {
      env: { BACKUP_DIR: join(folder, 'archive') },
    });
    return { mistakes };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function compare(
  { service, port, dataDir, load, watch }: Workbench,
  options: BenchOptions,
  { folder, mistakes, output }: { folder: string; mistakes: string[]; output: Output },
): Promise<void> {
  await stockUpForOrders(service.url);
  const traffic = makeOrderTraffic({ name: 'orders', numbersBeginWith: 'B', load, port, seed: options.seed }, output);
  const made: Made[] = [];
  for (const connections of options.connections ?? (options.quick ? [16] : connectionCounts)) {
    const send = (seconds: number) => traffic.run('spread', connections, seconds);
    const contestants = {
      alone: { name: `no backup, ${connections} connections`, run: send },
      beside: {
        name: `beside a backup, ${connections} connections`,
        run: (seconds: number) => besideBackups(dataDir, folder, { made, mistakes }, () => send(seconds)),
      },
    };
    const { alone, beside } = await takeTurns(contestants, { plan: options.plan, watch, output });
    output.row('orders beside a backup, divided by orders without one', {
      connections,
      'without, per second': rounded(typical(alone, 'perSecond'), 0),
      'beside, per second': rounded(typical(beside, 'perSecond'), 0),
      p50: rounded(ratioOf(beside, alone, 'p50Ms'), 2),
      p99: rounded(ratioOf(beside, alone, 'p99Ms'), 2),
      'others took, %': othersOf([...alone, ...beside]),
      ...judged(ratioOf(beside, alone), { atLeast: ratioMin }),
    });
  }
  output.row('verified backups under this load', {
    backups: made.length,
    'seconds each': rounded(median(made.map(({ seconds }) => seconds)), 1),
    'MiB, the last one': rounded((made.at(-1)?.bytes ?? 0) / mebibyte, 0),
  });
  if (traffic.wrong + traffic.unanswered > 0)
    mistakes.push(`${traffic.wrong} wrong answers, ${traffic.unanswered} requests without one`);
}

/** Makes backups from before the work until after it. */
async function besideBackups<Result>(
  dataDir: string,
  folder: string,
  { made, mistakes }: { made: Made[]; mistakes: string[] },
  work: () => Promise<Result>,
): Promise<Result> {
  let isDone = false;
  const makeAll = async () => {
    do {
      const outcome = await makeOne(dataDir, join(folder, 'backups'));
      if (typeof outcome === 'string') mistakes.push(outcome);
      else made.push(outcome);
    } while (!isDone && mistakes.length === 0);
  };
  const making = makeAll();
  const result = await work();
  isDone = true;
  await making;
  return result;
}

/** Returns the complaint of a backup that failed. */
async function makeOne(dataDir: string, parent: string): Promise<Made | string> {
  const startedAt = performance.now();
  const child = spawn(join(root, 'bin/lading'), ['backup', parent, '--without-master-key', '--json'], {
    env: environmentWith({ DATA_DIR: dataDir }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  rmSync(parent, { recursive: true, force: true });
  if (code !== 0) return `a backup ended with ${code}: ${stderr}`;
  return { seconds: (performance.now() - startedAt) / 1000, bytes: JSON.parse(stdout).bytes };
}
