import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PlainSql } from '../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { type CallbackReceiver, startCallbackReceiver } from './callback-receiver.ts';
import { freePort, makeDataDir, postgresPid, provisioningFile, root } from './child-process.ts';
import { compareCallbacks, missingEvents } from './compare-callbacks.ts';
import {
  compareStored,
  differencesInStock,
  noteWaiting,
  oversoldUnits,
  oversoldUnitsStored,
} from './compare-ledger.ts';
import { type DatabaseUrls, databaseSettings } from './database-link.ts';
import type { FaultReport } from './fault.ts';
import { type FindingKind, type Ledger, makeLedger } from './ledger.ts';
import { withConnection } from './own-connection.ts';
import { eventually, extendForQuickRun } from './patience.ts';
import { type CallerRules, PersistentCaller, type Tally } from './persistent-caller.ts';
import { makeRandom, type Random } from './random.ts';
import { runAudit } from './run-audit.ts';
import { ServiceNode } from './service-node.ts';
import { Traffic } from './traffic.ts';
import type { Sender } from './traffic-tools.ts';

export interface WorldOptions extends CallerRules {
  seed: number;
  nodes: number;
  callersPerNode?: number;
  /** Settings of all nodes, and of one node. */
  env?: Record<string, string>;
  nodeEnv?(node: number): Record<string, string>;
  /** The URLs of an external database for the nodes, and direct ones for the checks at the end, if they differ. */
  databaseUrls?: DatabaseUrls;
  ownDatabaseUrls?: DatabaseUrls;
  /** The folder of the version that the nodes run first, if it is not this one. */
  tree?: string;
  /** That of the nodes on an external database, if the fault needs to know it. */
  masterKey?: string;
  /** Called when all nodes are up, before the load starts. */
  beforeLoad?(nodes: ServiceNode[]): Promise<void>;
  /** Only the nodes restart PostgreSQL. */
  nodesKeepPostgres?: boolean;
  /** A node that kills itself is restarted; otherwise its exit is a finding. */
  nodesMayKillThemselves?: boolean;
  /** The parent of the data folder, if not the folder for temporary files. */
  dataDirIn?: string;
  progress(line: string): void;
}

/** Several nodes on one database, under load from callers that record every response. */
export interface World {
  nodes: ServiceNode[];
  dataDir: string;
  /** The folder of the version to which the database has been migrated. */
  tree: string;
  /** The settings of commands. */
  settings: Record<string, string>;
  random: Random;
  ledger: Ledger;
  receiver: CallbackReceiver;
  postgresPid(): number;
  /** Uses a separate, direct connection to the database. */
  read<T>(work: (sql: PlainSql) => Promise<T>): Promise<T>;
  find(kind: FindingKind, what: string): void;
  /** Number of changes acknowledged so far. */
  acknowledged(): number;
  /** One for each node, then one for all nodes together. */
  tallies(): Tally[];
  /** The longest time without any 200 since the last call. */
  takeLongestGapMs(): number;
  /** The same for changes, for the changes of each contract, and for queries. */
  takeLongestGapsMs(): Record<string, number>;
}

export type WorldReport = Omit<FaultReport, 'fault' | 'rounds'> & { figures: Record<string, number | string> };

/** Few in a quick run, in which several faults share the machine. */
const callersPerNodeDefault = { full: 12, quick: 4 };
const queryStockEveryMs = 100;
const readyWithinMs = 60_000;
/** The time limit for all owed callbacks after the end of the fault. */
const callbacksSettleWithinMs = 90_000;
const stockSettlesWithinMs = 15_000;

/**
 * Keeps the nodes under load during `work`. Afterwards it waits for owed callbacks, and compares all acknowledged changes
 * with the responses of every node, the tables, and the result of `lading audit`.
 */
export async function withWorld(options: WorldOptions, work: (world: World) => Promise<void>): Promise<WorldReport> {
  const dataDir = makeDataDir('production', options.dataDirIn);
  // Opened first, so that PostgreSQL outlives every node.
  let postgres = options.databaseUrls === undefined ? await openEmbeddedPostgres({ dataDir }) : null;
  const database = postgres?.connection ?? (options.ownDatabaseUrls ?? options.databaseUrls!).owner;
  const databaseEnv = databaseEnvOf(options);
  const ledger = makeLedger();
  const receiver = await startCallbackReceiver(ledger);
  const nodes = await startNodes(dataDir, databaseEnv, options, ledger);
  try {
    await Promise.all(nodes.map((node) => node.untilUp()));
    await options.beforeLoad?.(nodes);
    const random = makeRandom(options.seed);
    const caller = new PersistentCaller(nodes, ledger, options);
    const traffic = new Traffic(caller, ledger, receiver.url, options.nodesMayBeOlder);
    await traffic.prepare({ home: 0, random });
    if (options.nodesKeepPostgres) await postgres?.close();
    const world: World = {
      nodes,
      dataDir,
      tree: options.tree ?? root,
      settings: { DATA_DIR: dataDir, ...databaseEnv, ...ownUrls(options) },
      random,
      ledger,
      receiver,
      postgresPid: () => pidOf(dataDir),
      read: (reading) => withConnection(database, reading),
      find: ledger.find,
      acknowledged: () => countAcknowledged(ledger),
      tallies: () => caller.tallies(),
      takeLongestGapMs: () => caller.takeLongestGapMs(),
      takeLongestGapsMs: () => caller.takeLongestGapsMs(),
    };
    await underLoad(world, traffic, options, () => work(world));
    if (countAcknowledged(ledger) === 0 || ledger.pinnedReads === 0)
      world.find('wrong', 'no acknowledged change could be compared');
    // Taken now, because gaps only count under load.
    const tallies = caller.tallies();

    options.progress('waiting for owed callbacks');
    await Promise.all(nodes.map((node) => node.untilUp()));
    if (options.nodesKeepPostgres) postgres = await openEmbeddedPostgres({ dataDir });
    const settledMs = await settleCallbacks(world, extendForQuickRun(callbacksSettleWithinMs, options.quick));
    await compareStockOfNodes(world, traffic, extendForQuickRun(stockSettlesWithinMs, options.quick));
    await Promise.all(nodes.map((node) => node.stop()));
    const compared = await world.read((sql) => compareAll(sql, world));
    const auditSays = await runAudit(world.settings, world.tree);
    if (auditSays !== 'clean') world.find('wrong', `lading audit ${auditSays}`);
    return reportOf(world, { ...compared, tallies, auditSays, settledMs });
  } catch (error) {
    const found = ledger.findings.map(({ kind, what }) => `\nbefore: ${kind}: ${what}`);
    throw new Error(`${(error as Error).stack}${found.join('')}`);
  } finally {
    await Promise.all(nodes.map((node) => node.stop()));
    receiver.stop();
    await postgres?.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function databaseEnvOf({ databaseUrls, masterKey }: WorldOptions): Record<string, string> {
  if (databaseUrls === undefined) return {};
  return { ...databaseSettings(databaseUrls), MASTER_KEY: masterKey ?? randomBytes(32).toString('base64') };
}

function ownUrls({ ownDatabaseUrls }: WorldOptions): Record<string, string> {
  return ownDatabaseUrls === undefined ? {} : databaseSettings(ownDatabaseUrls);
}

async function startNodes(dataDir: string, databaseEnv: Record<string, string>, options: WorldOptions, ledger: Ledger) {
  const apply = join(dataDir, provisioningFile);
  // Four nodes and our own connections fit into the default limit of 100 connections.
  const limits = { RATE_LIMIT: 'off', DATABASE_POOL: '5' };
  const shared = { ...limits, LOG_LEVEL: 'warn', CALLBACK_ALLOW_CIDRS: '127.0.0.0/8', ...databaseEnv, ...options.env };
  const nodes: ServiceNode[] = [];
  for (let index = 0; index < options.nodes; index++) {
    const env = { ...shared, ...options.nodeEnv?.(index) };
    const settings = {
      name: `node ${index + 1}`,
      dataDir,
      port: await freePort(),
      apply,
      env,
      ...(options.tree === undefined ? {} : { tree: options.tree }),
      mayKillItself: options.nodesMayKillThemselves,
      readyWithinSeconds: extendForQuickRun(readyWithinMs, options.quick) / 1000,
    };
    nodes.push(new ServiceNode(settings, (what) => ledger.find('wrong', what)));
  }
  return nodes;
}

async function underLoad(
  world: World,
  traffic: Traffic,
  options: WorldOptions,
  work: () => Promise<void>,
): Promise<void> {
  let isOver = false;
  async function callUntilOver(sender: Sender): Promise<void> {
    while (!isOver) await traffic.anything(sender);
  }
  async function queryStockUntilOver(random: Random): Promise<void> {
    for (let home = 0; !isOver; home = (home + 1) % world.nodes.length) {
      await traffic.queryStock({ home, random });
      await sleep(queryStockEveryMs);
    }
  }
  const callersPerNode = options.callersPerNode ?? callersPerNodeDefault[options.quick ? 'quick' : 'full'];
  const callers = [
    queryStockUntilOver(world.random.fork()),
    ...world.nodes.flatMap((_, home) =>
      Array.from({ length: callersPerNode }, () => callUntilOver({ home, random: world.random.fork() })),
    ),
  ];
  for (const caller of callers) caller.catch((error: Error) => world.find('wrong', `a caller failed: ${error.stack}`));
  await work().finally(() => {
    isOver = true;
  });
  await Promise.allSettled(callers);
}

/** Returns the time until all owed callbacks have arrived, or the time limit. Missing ones are reported later. */
async function settleCallbacks(world: World, withinMs: number): Promise<number> {
  const startedAt = performance.now();
  await world.read((sql) =>
    eventually(async () => (await missingEvents(sql, world.receiver)).length === 0, { withinMs, everyMs: 200 }),
  );
  return Math.round(performance.now() - startedAt);
}

/** Checks the stock that each node reports. It retries, because waiting orders may still be getting their stock. */
async function compareStockOfNodes(world: World, traffic: Traffic, withinMs: number): Promise<void> {
  for (const [home, { name }] of world.nodes.entries()) {
    let differences: string[] = [];
    const isReported = async () => {
      await world.read((sql) => noteWaiting(sql, world.ledger));
      const { done, tolerated } = world.tallies()[home]!;
      differences = differencesInStock(await traffic.queryStock({ home, random: world.random }), world.ledger);
      const after = world.tallies()[home]!;
      // If a node does not respond, the caller asks the next one, which says nothing about this node.
      if (after.done === done && after.tolerated === tolerated) differences.push('it does not report its stock');
      return differences.length === 0;
    };
    await eventually(isReported, { withinMs, everyMs: 500 });
    for (const difference of differences) world.find('wrong', `${name}: ${difference}`);
  }
}

async function compareAll(sql: PlainSql, { ledger, receiver }: World) {
  await noteWaiting(sql, ledger);
  await compareStored(sql, ledger);
  const callbacks = await compareCallbacks(sql, receiver, ledger);
  const acknowledged = oversoldUnits(ledger);
  const stored = await oversoldUnitsStored(sql);
  let oversold = 0;
  for (const skuId of new Set([...acknowledged.keys(), ...stored.keys()])) {
    const units = Math.max(acknowledged.get(skuId) ?? 0, stored.get(skuId) ?? 0);
    oversold += units;
    ledger.find('oversold', `sku ${skuId}: ${units} units were allocated but never received`);
  }
  return { callbacks, oversold };
}

function pidOf(dataDir: string): number {
  const pid = postgresPid(dataDir);
  if (pid === null) throw new Error('PostgreSQL is not running');
  return pid;
}

interface Settled extends Awaited<ReturnType<typeof compareAll>> {
  tallies: Tally[];
  auditSays: string;
  settledMs: number;
}

function reportOf(world: World, { callbacks, oversold, tallies, auditSays, settledMs }: Settled): WorldReport {
  const { ledger, nodes } = world;
  const together = tallies.at(-1)!;
  const found = (kind: FindingKind) => ledger.findings.filter((finding) => finding.kind === kind).length;
  const { requests, retries, busy, cut, slowestAnswerMs } = together;
  return {
    acknowledged: countAcknowledged(ledger),
    lost: found('lost'),
    duplicated: found('doubled'),
    oversold,
    wrong: found('wrong'),
    callbacksOwed: callbacks.owed,
    callbacksMissing: callbacks.missing,
    longestOutageMs: together.longestGapMs,
    audit: auditSays.split('\n', 1)[0]!,
    figures: {
      requests,
      retries,
      busy,
      cut,
      slowestAnswerMs,
      answersLost: countAnswersLost(ledger),
      callbacksRepeated: callbacks.repeated,
      callbacksSettledMs: settledMs,
      pinnedStockReads: ledger.pinnedReads,
      kills: nodes.reduce((sum, node) => sum + node.kills, 0),
      longestOutageOfOneNodeMs: Math.max(...tallies.slice(0, -1).map((tally) => tally.longestGapMs)),
      slowestStartMs: Math.max(...nodes.map((node) => node.slowestStartMs)),
    },
    findings: ledger.findings.map(({ kind, what }) => `${kind}: ${what}`),
  };
}

function countAcknowledged({ products, inbounds, orders }: Ledger): number {
  const documents = [...inbounds.values(), ...orders.values()];
  const changes = documents.map(
    ({ knownAs, cancelled, shipped }) => Number(knownAs !== null) + Number(cancelled) + Number(shipped),
  );
  return changes.reduce((sum, count) => sum + count, products.size);
}

/** Documents whose creation got no response, and which a repeat then returned. */
function countAnswersLost({ inbounds, orders }: Ledger): number {
  return [...inbounds.values(), ...orders.values()].filter(
    ({ knownAs, creations }) => knownAs !== null && creations === 0,
  ).length;
}
