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

export interface KillRound {
  when: 'first start' | 'starting' | 'running';
  killed: string;
  acknowledged: number;
  lost: number;
  readyMs: number;
}

const readyWithinSeconds = 60;

/**
 * kill -9 of node, of PostgreSQL, of both; during the very first start, while starting, and while requests are in flight:
 * it starts again each time, and nothing acknowledged is lost.
 */
export async function killEverything(rounds: number, report: (round: KillRound) => void): Promise<void> {
  const lasting = makeDataDir();
  const acknowledged = new Set<string>();
  const port = await freePort();
  try {
    for (let round = 1; round <= rounds; round++) {
      const when = (['first start', 'running', 'starting', 'running'] as const)[(round - 1) % 4]!;
      const folder = when === 'first start' ? makeDataDir() : lasting;
      report(await killOnce(folder, port, round, when, when === 'first start' ? new Set() : acknowledged));
      if (folder !== lasting) await removeFolder(folder);
    }
  } finally {
    await removeFolder(lasting);
  }
}

async function killOnce(
  dataDir: string,
  port: number,
  round: number,
  when: KillRound['when'],
  acknowledged: Set<string>,
): Promise<KillRound> {
  const apply = join(dataDir, provisioningFile);
  const service = startService({ dataDir, port, apply });
  const before = acknowledged.size;
  if (when === 'running') await workUntilKilled(service, round, acknowledged);
  else await sleep(Math.random() * (when === 'first start' ? 3000 : 1200));
  const killed = kill(service, dataDir, round);
  await gone(service);

  const again = startService({ dataDir, port, apply });
  const readyMs = Math.round(await waitUntilReady(again, readyWithinSeconds));
  const lost = await countLost(dataDir, acknowledged);
  again.process.kill('SIGKILL');
  await gone(again);
  return { when, killed, acknowledged: acknowledged.size - before, lost, readyMs };
}

/** Whoever opens a left-over PostgreSQL last also stops it. */
async function removeFolder(folder: string): Promise<void> {
  await openEmbeddedPostgres({ dataDir: folder }).then((postgres) => postgres.close());
  rmSync(folder, { recursive: true, force: true });
}

async function workUntilKilled(service: Service, round: number, acknowledged: Set<string>): Promise<void> {
  await waitUntilReady(service, readyWithinSeconds);
  const until = performance.now() + 300 + Math.random() * 700;
  const worker = async (name: number) => {
    for (let count = 0; performance.now() < until; count++) {
      const sku = `R${round}-${name}-${count}`;
      if ((await syncProduct(service, sku).catch(() => 0)) === 200) acknowledged.add(sku);
    }
  };
  // Not awaited to the end by the killer: the kill comes while requests are in flight.
  void Promise.all([1, 2, 3, 4].map(worker));
  await sleep(300 + Math.random() * 600);
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

async function countLost(dataDir: string, acknowledged: Set<string>): Promise<number> {
  const postgres = await openEmbeddedPostgres({ dataDir });
  const sql = connect(postgres.connection, 1);
  try {
    const rows = await sql<{ sku_id: string }[]>`select sku_id from product`;
    const found = new Set(rows.map((row) => row.sku_id));
    return [...acknowledged].filter((sku) => !found.has(sku)).length;
  } finally {
    await sql.end();
    await postgres.close();
  }
}
