import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { onInterrupt, root } from './child-process.ts';
import { makeClusterNetworks, placesOnLoopback } from './cluster-networks.ts';
import { failoverKinds } from './failover-kinds.ts';
import { type FailoverTask, runFailover } from './failover-run.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { findPatroniPrograms } from './patroni-programs.ts';

const members = 3;

/**
 * A cluster of three PostgreSQL servers with automatic failover (Patroni, etcd, haproxy), and two nodes under load. Each
 * member has its own network if this machine allows it; otherwise all run on loopback, and the network stays whole.
 */
export async function failover({ progress, ...options }: FaultOptions): Promise<FaultReport> {
  const unknown = (options.only ?? []).filter((kind) => !Object.hasOwn(failoverKinds, kind));
  if (unknown.length > 0)
    throw new Error(`unknown: ${unknown.join(', ')}; there are: ${Object.keys(failoverKinds).join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'lading-failover-'));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const forget = onInterrupt(remove);
  try {
    const task = { ...options, folder, programs: findPatroniPrograms(folder) };
    const networks = makeClusterNetworks(members);
    if ('unavailable' in networks)
      return await runFailover(
        { ...task, places: placesOnLoopback(members), skipped: skippedWithoutNetworks(networks.unavailable) },
        progress,
      );
    try {
      return await runInNetwork(networks.hub, { ...task, places: networks.places, skipped: {} }, progress);
    } finally {
      networks.remove();
    }
  } finally {
    remove();
    forget();
  }
}

function skippedWithoutNetworks(reason: string): Record<string, string> {
  const kinds = Object.entries(failoverKinds).filter(([, { needsNetworks }]) => needsNetworks);
  return Object.fromEntries(kinds.map(([name]) => [name, `skipped: ${reason}`]));
}

async function runInNetwork(
  network: string,
  task: FailoverTask,
  progress: (line: string) => void,
): Promise<FaultReport> {
  const program = [join(root, 'bin/node'), join(root, 'faults/failover-process.ts'), JSON.stringify(task)];
  const child = spawn('nsenter', [`--net=/run/netns/${network}`, ...program], { stdio: ['ignore', 'pipe', 'pipe'] });
  const last: string[] = [];
  createInterface(child.stderr).on('line', (line) => {
    last.push(line);
    last.splice(0, last.length - lastLinesMax);
    progress(line);
  });
  const forget = onInterrupt(() => void child.kill('SIGTERM'));
  const [output, [code, signal]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  forget();
  if (code !== 0) throw new Error(`it ended with ${code ?? signal}:\n${last.join('\n')}`);
  return JSON.parse(output);
}

const lastLinesMax = 100;
