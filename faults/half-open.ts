import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onInterrupt, root } from './child-process.ts';
import { type FaultOptions, FaultSkipped } from './fault.ts';
import type { HalfOpenTask } from './half-open-process.ts';
import type { WorldReport } from './world.ts';

/** Nodes and callers run in one network namespace, the relay to the database in another. */
const nodesAddress = '198.18.0.1';
const databaseAddress = '198.18.0.2';

/**
 * Cuts the link to the database without closing connections: packets are dropped, and both sides still consider their
 * connections open. Both ends are in network namespaces of this run, so the network of the machine is not affected.
 */
export async function halfOpenConnections({
  quick,
  seed,
  progress,
}: FaultOptions): Promise<{ rounds: number; report: WorldReport }> {
  const names = {
    nodes: `lading-nodes-${process.pid}`,
    database: `lading-database-${process.pid}`,
    link: 'lading-link',
  };
  const networks = makeNetworks(names);
  try {
    const task: HalfOpenTask = { quick, seed, databaseNetwork: names.database, link: names.link, databaseAddress };
    const child = spawn(
      'nsenter',
      [
        `--net=/run/netns/${names.nodes}`,
        join(root, 'bin/node'),
        join(root, 'faults/half-open-process.ts'),
        JSON.stringify(task),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let lastLine = '';
    createInterface(child.stderr).on('line', (line) => {
      lastLine = line;
      progress(line);
    });
    const forget = onInterrupt(() => void child.kill('SIGTERM'));
    const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    forget();
    if (code !== 0) throw new Error(`the half-open world ended with ${code ?? signal}: ${lastLine}`);
    return JSON.parse(output);
  } finally {
    networks.remove();
  }
}

function makeNetworks({ nodes, database, link }: { nodes: string; database: string; link: string }): {
  remove(): void;
} {
  const remove = () => {
    for (const name of [nodes, database]) tryRun('ip', 'netns', 'del', name);
  };
  try {
    run('nsenter', '--version');
    for (const name of [nodes, database]) run('ip', 'netns', 'add', name);
    run('ip', 'link', 'add', link, 'netns', nodes, 'type', 'veth', 'peer', 'name', link, 'netns', database);
    for (const [name, address] of [
      [nodes, nodesAddress],
      [database, databaseAddress],
    ] as const) {
      run('ip', '-n', name, 'addr', 'add', `${address}/30`, 'dev', link);
      run('ip', '-n', name, 'link', 'set', 'lo', 'up');
      run('ip', '-n', name, 'link', 'set', link, 'up');
    }
  } catch (error) {
    remove();
    throw new FaultSkipped(`a network namespace cannot be created (${formatFailure(error)})`);
  }
  const forget = onInterrupt(remove);
  return {
    remove() {
      remove();
      forget();
    },
  };
}

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' });
}

function tryRun(program: string, ...args: string[]): void {
  try {
    run(program, ...args);
  } catch {
    // It may not exist.
  }
}

function formatFailure(error: unknown): string {
  const { code, stderr, message } = error as { code?: string; stderr?: string; message: string };
  return (stderr?.trim() || code || message).split('\n', 1)[0]!;
}
