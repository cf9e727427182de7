import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../server/platform/database.ts';
import { openEmbeddedPostgres } from '../server/platform/embedded-postgres.ts';
import { freePort, makeDataDir, provisioningFile, root } from './child-process.ts';
import { compareStock, compareStored } from './compare-ledger.ts';
import { type Finding, type Ledger, makeLedger } from './ledger.ts';
import { makePersistentCaller, type Tally } from './persistent-caller.ts';
import { type ServiceNode, startNode } from './service-node.ts';
import { makeTraffic, type Traffic } from './warehouse-traffic.ts';

export interface TwoNodesResult {
  /** A row for each node, and one for both together. */
  nodes: object[];
  acknowledged: object;
  audit: string;
  findings: Finding[];
}

const callersPerNode = 24;

/**
 * Two nodes on one database, both under load, one of them killed every second as soon as the other one is back: what callers were told
 * stays true, nothing is done twice, and whoever is served by the other node meanwhile notices nothing.
 */
export async function twoNodes(options: { kills: number }): Promise<TwoNodesResult> {
  const dataDir = makeDataDir();
  // Ours from the beginning, so that PostgreSQL outlives every node.
  const postgres = await openEmbeddedPostgres({ dataDir });
  const ledger = makeLedger();
  const nodes = startNodes(dataDir, [await freePort(), await freePort()], ledger);
  try {
    await Promise.all(nodes.map((node) => node.untilUp()));
    const caller = makePersistentCaller(nodes, ledger);
    const traffic = makeTraffic(caller, ledger);
    await traffic.prepare();
    await underLoad(nodes, traffic, ledger, () => killInTurn(nodes, options.kills));
    const tallies = caller.tallies();

    for (const home of nodes.keys()) compareStock(await traffic.queryStock(home, [...ledger.products.keys()]), ledger);
    await Promise.all(nodes.map((node) => node.stop()));
    const sql = connect(postgres.connection, 1);
    await compareStored(sql, ledger).finally(() => sql.end());
    const auditSays = await audit(dataDir, ledger);
    return { nodes: rowsOf(nodes, tallies), acknowledged: countAcknowledged(ledger), audit: auditSays, findings: ledger.findings };
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    await postgres.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function startNodes(dataDir: string, ports: number[], ledger: Ledger): ServiceNode[] {
  const apply = join(dataDir, provisioningFile);
  const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' };
  return ports.map((port, index) =>
    startNode({ name: `node ${index + 1}`, dataDir, port, apply, env }, (what) => ledger.find('wrong', what)),
  );
}

async function underLoad(nodes: ServiceNode[], traffic: Traffic, ledger: Ledger, work: () => Promise<void>): Promise<void> {
  let isOver = false;
  async function callUntilOver(home: number): Promise<void> {
    while (!isOver) await traffic.anything(home);
  }
  const callers = nodes.flatMap((_, home) => Array.from({ length: callersPerNode }, () => callUntilOver(home)));
  for (const caller of callers) caller.catch((error: Error) => ledger.find('wrong', `a caller failed: ${error.stack}`));
  await work().finally(() => {
    isOver = true;
  });
  await Promise.allSettled(callers);
}

/** One is always there. Every fourth kill hits a node that is just starting. */
async function killInTurn(nodes: ServiceNode[], kills: number): Promise<void> {
  for (let turn = 0; nodes.reduce((sum, node) => sum + node.kills, 0) < kills; turn++) {
    const [victim, survivor] = [nodes[turn % 2]!, nodes[(turn + 1) % 2]!];
    await Promise.all([sleep(1000), survivor.untilUp()]);
    await victim.kill();
    if (turn % 3 !== 2) continue;
    await sleep(Math.random() * 1000);
    await victim.kill();
  }
  await Promise.all([sleep(1000), ...nodes.map((node) => node.untilUp())]);
}

/** `lading audit`, as an operator would run it. */
async function audit(dataDir: string, ledger: Ledger): Promise<string> {
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '/', DATA_DIR: dataDir };
  const child = spawn(join(root, 'bin/lading'), ['audit'], { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  if (code !== 0) ledger.find('wrong', `lading audit ended with ${code}: ${output}`);
  return output.trim();
}

function rowsOf(nodes: ServiceNode[], tallies: Tally[]): object[] {
  const kills = nodes.reduce((sum, node) => sum + node.kills, 0);
  const slowestStartMs = Math.max(...nodes.map((node) => node.slowestStartMs));
  return [...nodes, { name: 'together', kills, slowestStartMs }].map((one, index) => {
    const { lastDoneAt: _, longestGapMs, ...counts } = tallies[index]!;
    return { who: one.name, kills: one.kills, ...counts, longestGapMs, slowestStartMs: one.slowestStartMs };
  });
}

function countAcknowledged({ products, inbounds, orders, findings }: Ledger): object {
  const told = (documents: Ledger['orders']) => [...documents.values()].filter((document) => document.told !== null);
  const cancelled = (documents: Ledger['orders']) => [...documents.values()].filter((document) => document.cancelled);
  const found = (kind: Finding['kind']) => findings.filter((finding) => finding.kind === kind).length;
  return {
    products: products.size,
    inbounds: told(inbounds).length,
    inboundCancels: cancelled(inbounds).length,
    orders: told(orders).length,
    orderCancels: cancelled(orders).length,
    // Created by an attempt whose answer never came, and acknowledged to a repeat of it.
    answersLost: [...told(orders), ...told(inbounds)].filter((document) => document.creations === 0).length,
    lost: found('lost'),
    doubled: found('doubled'),
    wrong: found('wrong'),
  };
}
