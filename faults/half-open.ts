import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onInterrupt, root } from './child-process.ts';
import { type FaultOptions, FaultSkipped } from './fault.ts';
import type { HalfOpenTask } from './half-open-process.ts';
import { formatToolFailure, runTool, tryTool } from './run-tool.ts';
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
    for (const name of [nodes, database]) tryTool('ip', 'netns', 'del', name);
  };
  try {
    runTool('nsenter', '--version');
    for (const name of [nodes, database]) runTool('ip', 'netns', 'add', name);
    runTool('ip', 'link', 'add', link, 'netns', nodes, 'type', 'veth', 'peer', 'name', link, 'netns', database);
    for (const [name, address] of [
      [nodes, nodesAddress],
      [database, databaseAddress],
    ] as const) {
      runTool('ip', '-n', name, 'addr', 'add', `${address}/30`, 'dev', link);
      runTool('ip', '-n', name, 'link', 'set', 'lo', 'up');
      runTool('ip', '-n', name, 'link', 'set', link, 'up');
    }
  } catch (error) {
    remove();
    throw new FaultSkipped(`a network namespace cannot be created (${formatToolFailure(error)})`);
  }
  const forget = onInterrupt(remove);
  return {
    remove() {
      remove();
      forget();
    },
  };
}
