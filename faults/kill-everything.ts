import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import {
  freePort,
  makeDataDir,
  postgresPid,
  provisioningFile,
  type Service,
  startService,
  syncProduct,
  waitUntilReady,
} from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { makeRandom, type Random } from './random.ts';

interface KillRound {
  when: 'first start' | 'starting' | 'running';
  killed: string;
  acknowledged: number;
  lost: string[];
  readyMs: number;
}

const readyWithinSeconds = 60;

/**
 * kill -9 of node, of PostgreSQL, of both; during the very first start, while starting, and while requests are in flight:
 * it starts again each time, and nothing acknowledged is lost.
 */
export async function killEverything({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const random = makeRandom(seed);
  const lasting = makeDataDir();
  const acknowledged = new Set<string>();
  const port = await freePort();
  const rounds: KillRound[] = [];
  try {
    for (let round = 1; round <= (quick ? 3 : 24); round++) {
      const when = (['first start', 'running', 'starting', 'running'] as const)[(round - 1) % 4]!;
      const folder = when === 'first start' ? makeDataDir() : lasting;
      const told = when === 'first start' ? new Set<string>() : acknowledged;
      const { lost, ...done } = await killOnce({ dataDir: folder, port, round, when, acknowledged: told, random });
      rounds.push({ lost, ...done });
      progress(`kill ${round}: ${JSON.stringify({ ...done, lost: lost.length })}`);
      if (folder !== lasting) await removeFolder(folder);
    }
    return reportOf(rounds, acknowledged.size);
  } finally {
    await removeFolder(lasting);
  }
}

function reportOf(rounds: KillRound[], acknowledged: number): FaultReport {
  const lost = new Set(rounds.flatMap((round) => round.lost));
  const slowestReadyMs = (when: KillRound['when']) =>
    Math.max(0, ...rounds.filter((round) => round.when === when).map((round) => round.readyMs));
  return {
    ...emptyReport('kill'),
    rounds: rounds.length,
    acknowledged,
    lost: lost.size,
    longestOutageMs: Math.max(...rounds.map((round) => round.readyMs)),
    figures: {
      readyAfterFirstStartMs: slowestReadyMs('first start'),
      readyAfterStartingMs: slowestReadyMs('starting'),
      readyAfterRunningMs: slowestReadyMs('running'),
    },
    findings: [...lost].map((sku) => `lost: sku ${sku} was acknowledged, and is not stored`),
  };
}

interface Kill {
  dataDir: string;
  port: number;
  round: number;
  when: KillRound['when'];
  acknowledged: Set<string>;
  random: Random;
}

async function killOnce({ dataDir, port, round, when, acknowledged, random }: Kill): Promise<KillRound> {
  const apply = join(dataDir, provisioningFile);
  const service = startService({ dataDir, port, apply });
  const before = acknowledged.size;
  if (when === 'running') await workUntilKilled(service, round, acknowledged, random);
  else await sleep(random.between(0, when === 'first start' ? 3000 : 1200));
  const killed = kill(service, dataDir, round);
  await gone(service);

  const again = startService({ dataDir, port, apply });
  const readyMs = Math.round(await waitUntilReady(again, readyWithinSeconds));
  const lost = await findLost(dataDir, acknowledged);
  again.process.kill('SIGKILL');
  await gone(again);
  return { when, killed, acknowledged: acknowledged.size - before, lost, readyMs };
}

/** Whoever opens a left-over PostgreSQL last also stops it. */
async function removeFolder(folder: string): Promise<void> {
  await openEmbeddedPostgres({ dataDir: folder }).then((postgres) => postgres.close());
  rmSync(folder, { recursive: true, force: true });
}

async function workUntilKilled(service: Service, round: number, acknowledged: Set<string>, random: Random): Promise<void> {
  await waitUntilReady(service, readyWithinSeconds);
  const until = performance.now() + random.between(300, 1000);
  const worker = async (name: number) => {
    for (let count = 0; performance.now() < until; count++) {
      const sku = `R${round}-${name}-${count}`;
      if ((await syncProduct(service, sku).catch(() => 0)) === 200) acknowledged.add(sku);
    }
  };
  // Not awaited to the end by the killer: the kill comes while requests are in flight.
  void Promise.all([1, 2, 3, 4].map(worker));
  await sleep(random.between(300, 900));
}

function kill(service: Service, dataDir: string, round: number): string {
  const postgres = postgresPid(dataDir);
  const targets = (['node', 'postgres', 'both'] as const)[round % 3]!;
  if (targets !== 'postgres') service.process.kill('SIGKILL');
  if (targets !== 'node' && postgres !== null) tryKill(postgres);
  // What was not killed is killed too, a moment later: nothing of this round survives but orphans of PostgreSQL.
  setTimeout(() => service.process.kill('SIGKILL'), 100);
  return targets;
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It was gone already.
  }
}

async function gone(service: Service): Promise<void> {
  while (service.process.exitCode === null && service.process.signalCode === null) await sleep(10);
}

async function findLost(dataDir: string, acknowledged: Set<string>): Promise<string[]> {
  const postgres = await openEmbeddedPostgres({ dataDir });
  const sql = connect(postgres.connection, 1);
  try {
    const rows = await sql<{ sku_id: string }[]>`select sku_id from product`;
    const found = new Set(rows.map((row) => row.sku_id));
    return [...acknowledged].filter((sku) => !found.has(sku));
  } finally {
    await sql.end();
    await postgres.close();
  }
}
