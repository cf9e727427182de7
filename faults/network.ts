import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { type BadNetwork, type NetworkTally, openBadNetwork } from './bad-network.ts';
import { makeDataDir } from './child-process.ts';
import { combineReports } from './combine-reports.ts';
import { openDatabaseLink, ownDatabaseUrlsOf } from './database-link.ts';
import type { FaultOptions, FaultReport } from './fault.ts';
import { checkResponseTime, watchRecovery } from './healing.ts';
import { eventually, extendForQuickRun } from './patience.ts';
import { makeRandom } from './random.ts';
import { type WorldReport, withWorld } from './world.ts';

const nodes = 2;
/** Extra time, because with few requests some kinds of fault happen late. */
const triedWithinMs = 30_000;

/** A network that drops, duplicates, delays and splits, between callers and nodes, and between nodes and their database. */
export async function network(options: FaultOptions): Promise<FaultReport> {
  return combineReports('network', [
    { name: 'callers', rounds: 1, report: await badForCallers(options) },
    { name: 'database', rounds: 1, report: await badForNodes(options) },
  ]);
}

async function badForCallers({ quick, seed, progress }: FaultOptions): Promise<WorldReport> {
  const networks: BadNetwork[] = [];
  const tally: Record<string, number> = {};
  const urlOf = (node: number) => networks[node]?.url;
  progress('between callers and nodes');
  const report = await withWorld({ quick, seed, nodes, progress, urlOf, connectionsMayBreak: true }, async (world) => {
    for (const node of world.nodes) networks.push(await openBadNetwork(node, world.nodes, world.random.fork()));
    await sleep(quick ? 4000 : 90_000);
    const hasTriedAll = () => {
      for (const fate of Object.keys(networks[0]!.tally) as (keyof NetworkTally)[])
        tally[fate] = networks.reduce((sum, one) => sum + one.tally[fate], 0);
      return Object.values(tally).every((tries) => tries > 0);
    };
    await eventually(hasTriedAll, { withinMs: extendForQuickRun(triedWithinMs, quick) });
    for (const one of networks.splice(0)) one.close();
    for (const [fate, count] of Object.entries(tally))
      if (count === 0) world.find('wrong', `no request was ${fate}, so that fault was not tested`);
  });
  return { ...report, figures: { ...report.figures, ...tally } };
}

/** The response to any statement may be lost, including a commit. */
async function badForNodes({ quick, seed, progress }: FaultOptions): Promise<WorldReport> {
  const dataDir = makeDataDir();
  const postgres = await openEmbeddedPostgres({ dataDir });
  const link = await openDatabaseLink(postgres, makeRandom(seed));
  let healing: Record<string, number> = {};
  progress('between nodes and the database');
  try {
    const urls = { databaseUrls: link.urls, ownDatabaseUrls: ownDatabaseUrlsOf(postgres) };
    const report = await withWorld({ quick, seed, nodes, progress, ...urls }, async (world) => {
      const watch = watchRecovery(world, quick);
      healing = watch.slowest;
      link.spoil();
      await sleep(quick ? 3000 : 60_000);
      await eventually(() => link.cuts > 0, { withinMs: extendForQuickRun(triedWithinMs, quick) });
      link.repair();
      if (link.cuts === 0) world.find('wrong', 'no connection was cut, so the fault had no effect');
      await watch.untilServed('a bad link to the database');
      await sleep(500);
    });
    return checkResponseTime(
      { ...report, figures: { ...report.figures, connectionsCut: link.cuts, ...healing } },
      quick,
    );
  } finally {
    link.close();
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
