import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CallbackStore, openCallbackStore } from '../faults/callback-store.ts';
import { makeDataDir, type Service, stopService } from '../faults/child-process.ts';
import { startDeliveryWorker } from '../faults/delivery-worker.ts';
import { residentMb } from '../faults/resident-memory.ts';
import { insertManyCallbacks } from '../test/callbacks/insert-callbacks.ts';
import type { BenchOptions } from './benchmark.ts';
import { median, type Output, quantile, rounded } from './figures.ts';
import type { PostLoopCommand } from './post-loop-process.ts';
import type { ReceiverBehaviour, ReceiverCommand, ReceiverReport } from './receiver-process.ts';

interface CallbackPlan {
  rounds: number;
  /** Callbacks per round of the throughput test. */
  count: number;
  pending: number;
  /** The number of consecutive callbacks to the healthy receiver, and the number that wait for the dead ones. */
  streamed: number;
  queuedForDead: number;
}
const quickPlan: CallbackPlan = { rounds: 1, count: 1000, pending: 10_000, streamed: 50, queuedForDead: 1000 };
const fullPlan: CallbackPlan = { rounds: 5, count: 10_000, pending: 1_000_000, streamed: 600, queuedForDead: 10_000 };

const atOnce = 16;
const fastReceivers = 10;
const streamEveryMs = 10;
const padding = 300;
const deadOnes: ReceiverBehaviour[] = [
  ...Array(3).fill('hangs'),
  ...Array(3).fill('drips'),
  ...Array(3).fill('is gone'),
];

/** The maximum time without any callback arriving. */
const givenUpAfterSeconds = 60;

/**
 * Measures the delivery rate of callbacks, the cost of a long queue, and whether dead receivers slow down a healthy
 * one.
 */
export async function benchCallbacks(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  const plan = options.quick ? quickPlan : fullPlan;
  const dataDir = makeDataDir();
  const store = await openCallbackStore(dataDir);
  const receivers = await startReceivers([...Array<ReceiverBehaviour>(fastReceivers).fill('answers'), ...deadOnes]);
  const loop = fork(new URL('./post-loop-process.ts', import.meta.url));
  const worker = await startDeliveryWorker(dataDir);
  const [fast, dead] = [receivers.urls.slice(0, fastReceivers), receivers.urls.slice(fastReceivers)];
  const [alive] = fast as [string];
  try {
    const bench = { plan, store, receivers, loop, worker, alive, dead, output };
    if (!options.quick) await deliver(bench, [alive], 1000);
    await compareWithBareLoop(bench, [alive], 'an empty queue');
    await compareWithBareLoop(bench, fast, 'an empty queue');
    await fairness(bench);
    await store.read((sql) =>
      insertManyCallbacks(sql, { urls: dead, count: plan.pending, keyName: store.keyName, padding }),
    );
    output.progress(`${plan.pending} callbacks wait for receivers that do not answer`);
    if (!options.quick) await sleep(5000);
    await compareWithBareLoop(bench, [alive], `${plan.pending} pending for others`);
    const [size] = await store.read(
      (sql) =>
        sql`select pg_total_relation_size('callback_delivery') / count(*) as bytes from callback_delivery where account_id = ${store.accountId}`,
    );
    output.row('queue', { pending: plan.pending, 'bytes a callback in the queue': size!.bytes });
    const repeated = receivers.repeated();
    return { mistakes: repeated === 0 ? [] : [`${repeated} callbacks came twice`] };
  } finally {
    await stopService(worker);
    loop.disconnect();
    receivers.stop();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Bench {
  plan: CallbackPlan;
  store: CallbackStore;
  receivers: Receivers;
  loop: ChildProcess;
  worker: Service;
  alive: string;
  dead: string[];
  output: Output;
}

async function compareWithBareLoop(bench: Bench, urls: string[], queue: string): Promise<void> {
  const { plan, store, loop, output, receivers } = bench;
  const pairs: [ours: number, bare: number][] = [];
  for (let round = 1; round <= plan.rounds; round++) {
    const ours = await deliver(bench, urls, plan.count);
    const bodies = await store.read(
      (sql) =>
        sql<
          { body: string }[]
        >`select body from callback where account_id = ${store.accountId} and url = any(${urls}) order by callback_id desc limit ${plan.count}`,
    );
    const command: PostLoopCommand = { urls, bodies: bodies.map((row) => row.body), atOnce };
    loop.send(command);
    const [{ seconds }] = (await once(loop, 'message')) as [{ seconds: number }];
    await receivers.collect();
    pairs.push([ours, plan.count / seconds]);
    output.progress(
      `${urls.length} receivers, ${queue}: ${rounded(ours, 0)}/s delivered, ${rounded(plan.count / seconds, 0)}/s by a bare loop`,
    );
  }
  output.row('callbacks per second', {
    receivers: urls.length,
    with: queue,
    delivered: rounded(median(pairs.map(([ours]) => ours)), 0),
    'bare undici loop': rounded(median(pairs.map(([, bare]) => bare)), 0),
    ratio: rounded(median(pairs.map(([ours, bare]) => ours / bare)), 2),
  });
}

/** Measures from the commit that queues the callbacks to the last arrival. */
async function deliver({ store, receivers }: Bench, urls: string[], count: number): Promise<number> {
  await store.read((sql) => insertManyCallbacks(sql, { urls, count, keyName: store.keyName, padding }));
  const startedMs = epochMs();
  const arrivals = await receivers.untilArrived(count);
  return (1000 * count) / (Math.max(...arrivals.values()) - startedMs);
}

/** Measures the delay of one receiver, alternately alone and next to nine dead ones with a long queue. */
async function fairness(bench: Bench): Promise<void> {
  const { plan, store, dead, output, worker } = bench;
  const pairs: [alone: number[], among: number[]][] = [];
  const memory: number[] = [residentMb(worker.process.pid!)];
  for (let round = 1; round <= plan.rounds; round++) {
    const alone = await stream(bench);
    await store.read((sql) =>
      insertManyCallbacks(sql, { urls: dead, count: plan.queuedForDead, keyName: store.keyName, padding }),
    );
    const among = await stream(bench);
    memory.push(residentMb(worker.process.pid!));
    pairs.push([alone, among]);
    output.progress(
      `p99 of the delay: ${rounded(quantile(alone, 0.99), 1)} ms alone, ${rounded(quantile(among, 0.99), 1)} ms among nine dead ones`,
    );
    await store.forgetQueue(dead);
    // Longer than the timeout of an attempt, so that no attempt of this round is left.
    if (round < plan.rounds) await sleep(16_000);
  }
  const of = (share: number) =>
    pairs.map(([alone, among]) => [quantile(alone, share), quantile(among, share)] as const);
  for (const [name, share] of [
    ['p50', 0.5],
    ['p99', 0.99],
  ] as const) {
    output.row(`delay of one receiver, beside nine dead ones with ${plan.queuedForDead} callbacks`, {
      quantile: name,
      'alone, ms': rounded(median(of(share).map(([alone]) => alone)), 2),
      'among, ms': rounded(median(of(share).map(([, among]) => among)), 2),
      ratio: rounded(median(of(share).map(([alone, among]) => among / alone)), 2),
    });
  }
  output.row('memory of the worker, MB', { first: memory[0]!, last: memory.at(-1)!, most: Math.max(...memory) });
}

/** Sends callbacks one after the other and returns their delays from commit to arrival, in ascending order. */
async function stream({ store, receivers, alive, plan }: Bench): Promise<number[]> {
  const written = new Map<string, number>();
  for (let index = 0; index < plan.streamed; index++) {
    const { eventId, atMs } = await store.queueOne(alive);
    written.set(eventId, atMs);
    await sleep(streamEveryMs);
  }
  const arrivals = await receivers.untilArrived(plan.streamed);
  return [...arrivals].map(([eventId, atMs]) => atMs - written.get(eventId)!).sort((a, b) => a - b);
}

function epochMs(): number {
  return performance.timeOrigin + performance.now();
}

interface Receivers {
  urls: string[];
  /** The callbacks that arrived since the last call. */
  collect(): Promise<Map<string, number>>;
  untilArrived(count: number): Promise<Map<string, number>>;
  repeated(): number;
  stop(): void;
}

async function startReceivers(behaviours: ReceiverBehaviour[]): Promise<Receivers> {
  const child = fork(new URL('./receiver-process.ts', import.meta.url));
  let repeated = 0;

  async function ask(command: ReceiverCommand): Promise<ReceiverReport> {
    child.send(command);
    const [report] = (await once(child, 'message')) as [ReceiverReport];
    return report;
  }

  async function collect(): Promise<Map<string, number>> {
    const report = await ask({ kind: 'collect' });
    if (report.kind !== 'collected') throw new Error('the receivers are confused');
    repeated += report.repeated;
    return new Map(report.arrivals);
  }

  const opened = await ask({ kind: 'open', behaviours });
  return {
    urls: opened.kind === 'opened' ? opened.urls : [],
    collect,
    async untilArrived(count) {
      const arrived = new Map<string, number>();
      for (let lastCameAt = performance.now(); arrived.size < count; ) {
        await sleep(100);
        const known = arrived.size;
        for (const [eventId, atMs] of await collect()) arrived.set(eventId, atMs);
        if (arrived.size > known) lastCameAt = performance.now();
        if (performance.now() - lastCameAt > givenUpAfterSeconds * 1000)
          throw new Error(`${count - arrived.size} callbacks never came`);
      }
      return arrived;
    },
    repeated: () => repeated,
    stop: () => child.disconnect(),
  };
}
