import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultOptions, FaultReport } from './fault.ts';
import { checkOutage } from './healing.ts';
import type { Random } from './random.ts';
import type { ServiceNode } from './service-node.ts';
import { withWorld } from './world.ts';

const nodes = 3;
const outageMaxMs = 5000;

/**
 * Kills one of three nodes with -9 every few seconds, sometimes while it is starting. The others must keep serving
 * callers, and no acknowledged change may be lost.
 */
export async function killNode({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const kills = quick ? 2 : 40;
  const report = await withWorld({ quick, seed, nodes, progress }, async (world) => {
    await killAgainAndAgain(world.nodes, world.random.fork(), kills, progress);
  });
  return { fault: 'kill-node', rounds: kills, ...checkOutage(report, outageMaxMs, quick) };
}

/** The other two nodes are up at every kill. Every fourth kill hits a node that is starting. */
async function killAgainAndAgain(
  all: ServiceNode[],
  random: Random,
  kills: number,
  progress: (line: string) => void,
): Promise<void> {
  for (let kill = 1; kill <= kills; kill++) {
    const victim = random.anyOf(all);
    await Promise.all([
      sleep(random.between(500, 2500)),
      ...all.filter((node) => node !== victim).map((node) => node.untilUp()),
    ]);
    await victim.kill();
    progress(`kill ${kill}: ${victim.name}`);
    if (kill % 4 !== 3 || kill === kills) continue;
    await sleep(random.between(0, 1000));
    await victim.kill();
    kill++;
    progress(`kill ${kill}: ${victim.name}, while starting`);
  }
  await Promise.all([sleep(1000), ...all.map((node) => node.untilUp())]);
}
