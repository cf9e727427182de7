import { rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeliveryRules } from '../server/domain/callbacks/retry-schedule.ts';
import { insertManyCallbacks } from '../test/callbacks/insert-callbacks.ts';
import { type CallbackStore, openCallbackStore } from './callback-store.ts';
import { makeDataDir, stopService } from './child-process.ts';
import { startDeliveryWorker } from './delivery-worker.ts';
import { emptyReport, type FaultOptions, type FaultReport } from './fault.ts';
import { extendForQuickRun, until } from './patience.ts';
import { makeRandom, type Random } from './random.ts';
import { throwIfEnded } from './worker-process.ts';

interface CallbacksRound {
  worker: string;
  kills: number;
  callbacks: number;
  lost: number;
  /** Callbacks that arrived more than once. */
  duplicates: number;
  /** Callbacks in progress when a worker was killed. Only these can arrive again, */
  inHandAtKills: number;
  /** together with those whose attempt was recorded as failed, for example because the receiver was slow. */
  failedTries: number;
  outOfOrder: number;
  /** Callbacks recorded as delivered. */
  delivered: number;
  /**
   * The time from a kill to the arrival of the interrupted callbacks; with repeated kills, they wait behind newer ones.
   */
  longestDelayMs: number;
}

interface Mode {
  name: string;
  kills: number;
  /** Waits until everything has arrived before the next kill, to measure the cost of a single kill. */
  oneByOne?: true;
  settings: Partial<DeliveryRules>;
}

/** Short leases, so that fifty kills do not take half an hour; the last mode uses the leases of the service. */
const soon = { leaseSeconds: 2, lookEverySeconds: 0.5, attemptSeconds: 1 };
/** If a worker may pause for a second, its lease must be longer. */
const soonOnBusyMachine = { ...soon, leaseSeconds: 5, attemptSeconds: 4 };
const asInService: Mode = {
  name: 'as in the service, one kill after the other',
  kills: 5,
  settings: {},
  oneByOne: true,
};
const perDocument = 2;
const callbacksPerKill = 40;
const arrivedBeforeKillMax = 10;
const answersAfterMs = 20;
const arrivesWithinMs = 120_000;

/** Repeatedly kills a worker with -9 during deliveries: all callbacks arrive in order, and few arrive twice. */
export async function callbacksKilled({ quick, seed, progress }: FaultOptions): Promise<FaultReport> {
  const kills = quick ? 2 : 50;
  const settings = quick ? soonOnBusyMachine : soon;
  const modes: Mode[] = [
    { name: 'one at a time', kills, settings: { ...settings, slots: 1, suspectSlots: 1 } },
    { name: 'sixteen at a time', kills, settings },
    // The leases are too long for a quick run.
    ...(quick ? [] : [asInService]),
  ];
  const random = makeRandom(seed);
  const dataDir = makeDataDir();
  const store = await openCallbackStore(dataDir);
  const rounds: CallbacksRound[] = [];
  try {
    for (const mode of modes) {
      const round = await killAgainAndAgain(mode, dataDir, store, random, extendForQuickRun(arrivesWithinMs, quick));
      progress(JSON.stringify(round));
      rounds.push(round);
    }
    return reportOf(rounds);
  } finally {
    await store.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

function reportOf(rounds: CallbacksRound[]): FaultReport {
  const [oneAtATime, , oneKill] = rounds;
  const sum = (count: (round: CallbacksRound) => number) => rounds.reduce((total, round) => total + count(round), 0);
  const wrong = rounds.flatMap(wrongsOf);
  // Delivery is at least once: with one callback at a time, a kill causes at most one repeat.
  if (oneAtATime!.duplicates > oneAtATime!.kills + oneAtATime!.failedTries)
    wrong.push(`one at a time: ${oneAtATime!.duplicates} repeats`);
  if (oneKill && oneKill.longestDelayMs > lateAfterMs)
    wrong.push(`what a kill interrupted came after ${oneKill.longestDelayMs} ms`);
  const lost = rounds.flatMap(({ worker, lost }) => (lost > 0 ? [`${worker}: ${lost} lost`] : []));
  return {
    ...emptyReport('callbacks'),
    rounds: sum((round) => round.kills),
    acknowledged: sum((round) => round.callbacks),
    lost: sum((round) => round.lost),
    wrong: wrong.length,
    callbacksOwed: sum((round) => round.callbacks),
    callbacksMissing: sum((round) => round.lost),
    figures: {
      repeats: sum((round) => round.duplicates),
      inHandAtKills: sum((round) => round.inHandAtKills),
      failedTries: sum((round) => round.failedTries),
      longestDelayOneAtATimeMs: oneAtATime!.longestDelayMs,
      ...(oneKill ? { longestDelayAsInServiceMs: oneKill.longestDelayMs } : {}),
    },
    findings: [...lost, ...wrong],
  };
}

const lateAfterMs = 30_000;

function wrongsOf({
  worker,
  outOfOrder,
  duplicates,
  inHandAtKills,
  failedTries,
  delivered,
  callbacks,
}: CallbacksRound): string[] {
  return [
    ...(inHandAtKills === 0 ? [`${worker}: nothing was in hand at any kill`] : []),
    ...(outOfOrder > 0 ? [`${worker}: ${outOfOrder} out of order`] : []),
    ...(duplicates > inHandAtKills + failedTries
      ? [
          `${worker}: ${duplicates} repeats, but only ${inHandAtKills} were in hand at kills, and ${failedTries} tries failed`,
        ]
      : []),
    ...(delivered !== callbacks ? [`${worker}: ${delivered} of ${callbacks} are recorded as delivered`] : []),
  ];
}

async function killAgainAndAgain(
  mode: Mode,
  dataDir: string,
  store: CallbackStore,
  random: Random,
  withinMs: number,
): Promise<CallbacksRound> {
  const receiver = await startReceiver();
  const interrupted = new Map<string, number>();
  const leases = new Set<string>();
  let longestDelayMs = 0;
  let inHandAtKills = 0;
  receiver.onArrival = (eventId) => {
    const killedMs = interrupted.get(eventId);
    if (killedMs !== undefined) longestDelayMs = Math.max(longestDelayMs, performance.now() - killedMs);
    interrupted.delete(eventId);
  };
  let callbacks = 0;
  let worker = await startDeliveryWorker(dataDir, mode.settings);
  const untilSo = async (what: string, isSo: () => boolean | Promise<boolean>, everyMs: number) => {
    const isSoYet = () => {
      throwIfEnded(worker);
      return isSo();
    };
    await until(isSoYet, { withinMs, everyMs, what: `${mode.name}: ${what}` });
  };
  const untilAllArrived = () => untilSo('all callbacks arrive', async () => (await store.queueLength()) === 0, 50);
  try {
    for (let kills = 0; kills < mode.kills; kills++) {
      await store.read((sql) =>
        insertManyCallbacks(sql, {
          urls: [receiver.url],
          count: callbacksPerKill,
          perDocument,
          keyName: store.keyName,
        }),
      );
      callbacks += callbacksPerKill;
      // Kills at a random point during a delivery, while most callbacks are still pending.
      const arrived = receiver.arrivals.size + random.upTo(arrivedBeforeKillMax);
      await untilSo(
        'something is at the receiver',
        () => receiver.arrivals.size >= arrived && receiver.inHand.size > 0,
        1,
      );
      await stopService(worker, 'SIGKILL');
      const inHand = (await store.inHand()).filter(({ eventId, lease }) => !leases.has(`${eventId} ${lease}`));
      for (const { eventId, lease } of inHand) {
        leases.add(`${eventId} ${lease}`);
        interrupted.set(eventId, performance.now());
      }
      inHandAtKills += inHand.length;
      worker = await startDeliveryWorker(dataDir, mode.settings);
      if (mode.oneByOne) await untilAllArrived();
    }
    await untilAllArrived();
    return {
      worker: mode.name,
      kills: mode.kills,
      callbacks,
      lost: callbacks - receiver.arrivals.size,
      duplicates: [...receiver.arrivals.values()].reduce((sum, times) => sum + times - 1, 0),
      inHandAtKills,
      failedTries: await store.failedTriesTo(receiver.url),
      outOfOrder: receiver.outOfOrder,
      delivered: await store.deliveredTo(receiver.url),
      longestDelayMs: Math.round(longestDelayMs),
    };
  } finally {
    await stopService(worker);
    receiver.stop();
  }
}

/** A slow receiver that tracks the callbacks in progress. */
async function startReceiver() {
  const arrivals = new Map<string, number>();
  const answered = new Map<number, number>();
  const inHand = new Set<string>();
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { event_id: eventId, document, sequence } = JSON.parse(text);
    arrivals.set(eventId, (arrivals.get(eventId) ?? 0) + 1);
    receiver.onArrival(eventId);
    if (sequence > 1 && (answered.get(document) ?? 0) < sequence - 1) receiver.outOfOrder++;
    inHand.add(eventId);
    await sleep(answersAfterMs);
    inHand.delete(eventId);
    answered.set(document, Math.max(sequence, answered.get(document) ?? 0));
    response.writeHead(200).end();
  });
  server.on('clientError', (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callbacks`,
    arrivals,
    inHand,
    outOfOrder: 0,
    onArrival: (_eventId: string) => {},
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
  return receiver;
}
