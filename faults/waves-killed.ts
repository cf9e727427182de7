import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TransferBody } from '../contract/connector/transfer.ts';
import type { PushRules } from '../server/domain/transfers/transfer.ts';
import { hasEnded, makeDataDir, type Service, stopService } from './child-process.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { eventually, extendForQuickRun, until } from './patience.ts';
import { makeRandom, type Random } from './random.ts';
import { runAudit } from './run-audit.ts';
import {
  openWavesStore,
  postedWarehouse,
  type StoredOrder,
  simulatedWarehouse,
  type WavesStore,
} from './waves-store.ts';
import { startWorker } from './worker-process.ts';

interface WavesRound {
  kills: number;
  workers: number;
  orders: number;
  /** The orders for the simulated warehouse. */
  simulated: number;
  inWarehouse: number;
  rejected: number;
  posts: number;
  /** Orders that arrived at the warehouse again with the same transfer id. */
  repeats: number;
  inHandAtKills: number;
  /** From a kill to the arrival of the interrupted orders. */
  longestDelayMs: number;
  audit: string;
  /** Violations; all of these must be 0. */
  wrong: {
    lost: number;
    /** Orders that arrived with more than one transfer id. */
    transferredTwice: number;
    /** Orders with a missing or an extra state change. */
    changesOfState: number;
    wronglyRejected: number;
    outOfOrder: number;
    workersCrashed: number;
    killsWithoutEffect: number;
  };
}

const workersAtOnce = 3;
/** Short leases, so that a hundred kills do not take half an hour; small batches, so that waves are long. */
const soon: Partial<PushRules> = {
  leaseSeconds: 1,
  lookEverySeconds: 0.1,
  postedMax: 10,
  handedOverMax: 10,
  retryDelaysSeconds: [0.2],
};
const ordersPerKill = 50;
const simulatedPerKill = 20;
const burst = 10;
const allGoneWithinMs = 120_000;
const inHandWithinMs = 60_000;

/**
 * Repeatedly kills workers with -9 while they post orders to the warehouse, and creates more orders meanwhile. Each order
 * must be transferred once, in the order of creation, and orders that the warehouse rejects must be put on hold.
 */
export async function wavesKilled({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const { wrong, audit, ...round } = await killInWaves(quick ? 6 : 100, makeRandom(seed), { quick, progress });
  const { lost, transferredTwice, ...others } = wrong;
  const { kills, orders, ...figures } = round;
  const findings = Object.entries(wrong).flatMap(([what, count]) => (count > 0 ? [`${what}: ${count}`] : []));
  if (audit !== 'clean') findings.push(`lading audit ${audit}`);
  return {
    ...emptyReport('waves'),
    rounds: kills,
    acknowledged: orders,
    lost,
    duplicated: transferredTwice,
    wrong: Object.values(others).reduce((sum, count) => sum + count, audit === 'clean' ? 0 : 1),
    audit: audit.split('\n', 1)[0]!,
    figures,
    findings,
  };
}

async function killInWaves(
  kills: number,
  random: Random,
  { quick, progress }: Pick<FaultOptions, 'quick' | 'progress'>,
): Promise<WavesRound> {
  const dataDir = makeDataDir();
  const system = await startSystem(random.fork());
  const store = await openWavesStore(dataDir, system.url);
  const workers = new Map<number, Service>();
  const startOne = async () => {
    const worker = await startWorker('push-process.ts', { says: 'pushing', dataDir, settings: soon });
    workers.set(worker.process.pid!, worker);
  };
  let creating = true;
  try {
    await Promise.all(Array.from({ length: workersAtOnce }, startOne));
    let wanted = 0;
    const created = createOrders(store, () => (creating ? wanted : null));
    // It is awaited at the end, but may fail earlier.
    created.catch(() => {});
    for (let kill = 1; kill <= kills; kill++) {
      wanted = kill;
      await killInMidWave(system, workers, random, extendForQuickRun(inHandWithinMs, quick));
      await startOne();
      if (kill % 10 === 0) progress(`kill ${kill}`);
    }
    creating = false;
    const orders = await created;
    // Orders that are not transferred in time are counted as lost.
    await eventually(async () => (await store.waiting()) === 0, {
      withinMs: extendForQuickRun(allGoneWithinMs, quick),
      everyMs: 100,
    });
    const workersCrashed = [...workers.values()].filter(hasEnded).length;
    return {
      ...(await figures({ kills, orders, workersCrashed }, system, store)),
      audit: await runAudit({ DATA_DIR: dataDir }),
    };
  } finally {
    creating = false;
    await Promise.all([...workers.values()].map((worker) => stopService(worker)));
    system.stop();
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Kills a worker after it has posted orders and before it has the response. */
async function killInMidWave(
  system: System,
  workers: Map<number, Service>,
  random: Random,
  withinMs: number,
): Promise<void> {
  // At a random point of a wave.
  await sleep(random.between(0, 150));
  let victim: Service | undefined;
  const isOneBusy = () => {
    victim = [...system.inHandOf.keys()].map((pid) => workers.get(pid)).find((worker) => worker !== undefined);
    return victim !== undefined;
  };
  await until(isOneBusy, { withinMs, everyMs: 1, what: 'orders at the warehouse' });
  const pid = victim!.process.pid!;
  system.noteKill(pid);
  workers.delete(pid);
  await stopService(victim!, 'SIGKILL');
}

/** Creates a number of orders for every kill, in bursts; returns how many there are. */
async function createOrders(store: WavesStore, wanted: () => number | null): Promise<number> {
  let rounds = 0;
  for (;;) {
    const target = wanted();
    if (target === null && rounds > 0) return rounds * (ordersPerKill + simulatedPerKill);
    if (rounds > (target ?? 0)) {
      await sleep(20);
      continue;
    }
    rounds++;
    for (let index = 0; index < ordersPerKill; index += burst)
      await store.orderAll(postedWarehouse, numbersOf('P', rounds, index, burst));
    await store.orderAll(simulatedWarehouse, numbersOf('S', rounds, 0, simulatedPerKill));
  }
}

function numbersOf(kind: string, round: number, from: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${kind}-${round}-${from + index}`);
}

/** The warehouse rejects every seventeenth order. */
function isUnwanted(number: string): boolean {
  const [, round, index] = number.split('-').map(Number);
  return (round! * ordersPerKill + index!) % 17 === 0;
}

async function figures(
  { kills, orders, workersCrashed }: { kills: number; orders: number; workersCrashed: number },
  system: System,
  store: WavesStore,
): Promise<Omit<WavesRound, 'audit'>> {
  const posted = await store.ordersOf(postedWarehouse);
  const simulated = await store.ordersOf(simulatedWarehouse);
  const all = [...posted, ...simulated];
  const isRejected = (order: StoredOrder) =>
    order.status === 'pending_warehouse_transfer' && order.transfer === 'rejected';
  const isThere = (order: StoredOrder) => order.status === 'in_warehouse' && order.transfer === 'accepted';
  const isUnwantedThere = ({ number }: StoredOrder) => number.startsWith('P') && isUnwanted(number);
  const count = <T>(list: T[], isSo: (one: T) => boolean) => list.filter(isSo).length;
  return {
    kills,
    workers: workersAtOnce,
    orders: all.length,
    simulated: simulated.length,
    inWarehouse: count(all, isThere),
    rejected: count(all, isRejected),
    posts: system.posts,
    repeats: system.repeats,
    inHandAtKills: system.inHandAtKills,
    longestDelayMs: Math.round(system.longestDelayMs),
    wrong: {
      lost:
        orders -
        all.length +
        count(all, (order) => !isThere(order) && !isRejected(order)) +
        count(posted, ({ number }) => !system.idsOf.has(number)),
      transferredTwice: count([...system.idsOf.values()], (ids) => ids.size !== 1),
      changesOfState: count(all, (order) => order.transfers !== (isThere(order) ? 1 : 0)),
      wronglyRejected: count(all, (order) => isRejected(order) !== isUnwantedThere(order)),
      outOfOrder: countOutOfOrder(posted, system.firstArrivals),
      workersCrashed,
      killsWithoutEffect: system.inHandAtKills === 0 ? kills : 0,
    },
  };
}

/** Orders of one account arrive in the order of their creation. */
function countOutOfOrder(posted: StoredOrder[], firstArrivals: string[]): number {
  const accountOf = new Map(posted.map(({ number, account_id }) => [number, account_id]));
  const arrivals = Map.groupBy(firstArrivals, (number) => accountOf.get(number));
  return [...Map.groupBy(posted, ({ account_id }) => account_id)]
    .flatMap(([account, orders]) => orders.map(({ number }, index) => arrivals.get(account)?.[index] === number))
    .filter((isInOrder) => !isInOrder).length;
}

type System = Awaited<ReturnType<typeof startSystem>>;

/** The system of a warehouse. It recognizes repeated transfer ids, is sometimes slow, sometimes fails, and rejects some orders. */
async function startSystem(random: Random) {
  const verdicts = new Map<string, boolean>();
  const interrupted = new Map<string, number>();
  const server = createServer(async (request, response) => {
    const pid = Number(request.headers['x-worker']);
    let text = '';
    for await (const chunk of request) text += chunk;
    const { orders }: TransferBody = JSON.parse(text);
    system.posts++;
    for (const { transfer_id, outbound_short_id } of orders) take(transfer_id, outbound_short_id!);
    system.inHandOf.set(
      pid,
      orders.map((order) => order.transfer_id),
    );
    await sleep(system.posts % 10 === 0 ? 200 : random.between(5, 25));
    system.inHandOf.delete(pid);
    if (response.destroyed) return;
    if (system.posts % 23 === 0) {
      response.writeHead(500).end();
      return;
    }
    const results = orders
      .filter((order) => !verdicts.get(order.transfer_id))
      .map(({ transfer_id }) => ({ transfer_id, accepted: false, reason: 'unwanted' }));
    response.writeHead(200).end(JSON.stringify({ results }));
  });
  server.on('clientError', (_, socket) => socket.destroy());

  function take(transferId: string, number: string): void {
    const killedMs = interrupted.get(transferId);
    if (killedMs !== undefined) system.longestDelayMs = Math.max(system.longestDelayMs, performance.now() - killedMs);
    interrupted.delete(transferId);
    if (!system.idsOf.has(number)) system.firstArrivals.push(number);
    system.idsOf.set(number, (system.idsOf.get(number) ?? new Set()).add(transferId));
    if (verdicts.has(transferId)) system.repeats++;
    else verdicts.set(transferId, !isUnwanted(number));
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const system = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`,
    posts: 0,
    repeats: 0,
    longestDelayMs: 0,
    inHandAtKills: 0,
    firstArrivals: [] as string[],
    /** The transfer ids with which an order arrived. */
    idsOf: new Map<string, Set<string>>(),
    /** The transfer ids that each worker is posting. */
    inHandOf: new Map<number, string[]>(),
    noteKill(pid: number) {
      const inHand = system.inHandOf.get(pid) ?? [];
      system.inHandAtKills += inHand.length;
      for (const transferId of inHand) interrupted.set(transferId, performance.now());
      system.inHandOf.delete(pid);
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return system;
}
