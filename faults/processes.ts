import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalled } from './child-process.ts';
import { type FaultOptions, type FaultReport, FaultSkipped } from './fault.ts';
import { checkOutage } from './healing.ts';
import { extendForQuickRun, until } from './patience.ts';
import type { ServiceNode } from './service-node.ts';
import { type World, withWorld } from './world.ts';

const processes = 3;
const outageMaxMs = 1000;
const replacedWithinMs = 30_000;
/** Responses that are on their way when a process is killed arrive within this time. */
const cutsNoticedMs = 200;

/**
 * Kills the processes of one node with -9, one after the other, while callers use it; then restarts all of them with
 * SIGHUP. Requests may fail only on connections that the killed process had accepted.
 */
export async function killProcesses({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  if (process.platform !== 'linux') throw new FaultSkipped('the processes of a node are found in /proc, on Linux only');
  const kills = quick ? 3 : 40;
  // The log of the supervisor reports which processes serve.
  const env = { PROCESSES: String(processes), DATABASE_POOL: String(2 * processes), LOG_LEVEL: 'info' };
  const figures = { connectionsOfKilled: 0, failedByKills: 0, failedInRestart: 0 };
  const options = { quick, seed, nodes: 1, env, connectionsMayBreak: true, progress };
  const { figures: others, ...report } = await withWorld(options, async (world) => {
    const [node] = world.nodes as [ServiceNode];
    const random = world.random.fork();
    // A node is ready as soon as one process serves. If another one ends before it serves, the start has failed.
    const isStarted = () => node.output().includes('Lading is ready at');
    await until(isStarted, {
      withinMs: extendForQuickRun(replacedWithinMs, quick),
      what: 'the start of all processes',
    });
    const serving = new Set(processesOf(node));
    for (let kill = 1; kill <= kills; kill++) {
      await sleep(random.between(200, quick ? 500 : 1500));
      const victim = random.anyOf([...serving]);
      const { connections, failed } = await killOne(world, node, { victim, serving, quick });
      figures.connectionsOfKilled += connections;
      figures.failedByKills += failed;
      progress(`kill ${kill}: process ${victim} with ${connections} connections; ${failed} requests failed`);
      if (failed > connections)
        world.find('wrong', `${failed} requests failed, but the killed process had ${connections} connections`);
    }

    const before = failures(world);
    signalled(node.pid()!, 'SIGHUP');
    const isDone = () => node.output().includes('the restart of the processes is done');
    const withinMs = processes * extendForQuickRun(replacedWithinMs, quick);
    await until(isDone, { withinMs, what: 'the restart of all processes' });
    progress('all processes were restarted with SIGHUP');
    figures.failedInRestart = failures(world) - before;
    if (figures.failedInRestart > 0)
      world.find('wrong', `${figures.failedInRestart} requests failed during the restart with SIGHUP`);
  });
  const checked = checkOutage({ ...report, figures: { ...others, ...figures } }, outageMaxMs, quick);
  return { fault: 'processes', rounds: kills, ...checked };
}

/** Kills it and waits until another process serves in its place. */
async function killOne(
  world: World,
  node: ServiceNode,
  { victim, serving, quick }: { victim: number; serving: Set<number>; quick: boolean },
): Promise<{ connections: number; failed: number }> {
  // A stopped process accepts nothing more, so its connections can be counted.
  signalled(victim, 'SIGSTOP');
  const connections = connectionsOf(victim, Number(new URL(node.url).port));
  const before = failures(world);
  signalled(victim, 'SIGKILL');
  serving.delete(victim);

  let replacement: number | undefined;
  // Kept, because a later look may not find it: the log that we read has a limited length.
  const isReplaced = () => {
    replacement = processesOf(node).find((pid) => !serving.has(pid) && node.output().includes(`"started":${pid},`));
    return replacement !== undefined;
  };
  const withinMs = extendForQuickRun(replacedWithinMs, quick);
  await until(isReplaced, { withinMs, what: `a process in the place of ${victim}` });
  serving.add(replacement!);
  await sleep(cutsNoticedMs);
  return { connections, failed: failures(world) - before };
}

function failures(world: World): number {
  const { cut, unreached } = world.tallies()[0]!;
  return cut + unreached;
}

/** The processes that serve: all children of the node's supervisor except PostgreSQL. */
function processesOf(node: ServiceNode): number[] {
  const supervisor = node.pid();
  const isOurs = (pid: number) => parentOf(pid) === supervisor && read(pid, 'cmdline').includes('serve-process');
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(isOurs);
}

function parentOf(pid: number): number {
  return Number(read(pid, 'stat').split(') ').at(-1)!.split(' ')[1]);
}

/** The connections that the process has accepted on this port. */
function connectionsOf(pid: number, port: number): number {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => linkOf(`/proc/${pid}/fd/${fd}`)));
  const localPort = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const established = '01';
  const rows = ['net/tcp', 'net/tcp6'].flatMap((table) => read(pid, table).split('\n').slice(1));
  return rows.filter((row) => {
    const [, local = '', , state, , , , , , inode] = row.trim().split(/\s+/);
    return local.endsWith(localPort) && state === established && sockets.has(`socket:[${inode}]`);
  }).length;
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

/** Empty if the process has ended. */
function read(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
