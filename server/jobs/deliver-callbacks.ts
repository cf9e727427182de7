import { randomUUID } from 'node:crypto';
import { setImmediate as othersOfThisMoment, setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '../domain/callbacks/callback-signature.ts';
import type { ClaimedRow } from '../domain/callbacks/delivery-queries.ts';
import { callbackChannel } from '../domain/callbacks/owed-callback-queries.ts';
import {
  type Attempted,
  type CallbackInHand,
  type FinishedAttempt,
  recordAndClaim,
  type TurnOutcome,
} from '../domain/callbacks/record-and-claim.ts';
import { type DeliveryRules, deliveryRules, isSuccess, readRetryAfter } from '../domain/callbacks/retry-schedule.ts';
import type { Clock } from '../platform/clock.ts';
import { type Database, DatabaseUnavailable, isRepeatable, isUnavailable } from '../platform/database.ts';
import { UnknownMasterKey } from '../platform/keyring.ts';
import { startListening } from '../platform/listen.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { OutgoingHttp } from '../platform/outgoing-http.ts';
import { openSession } from '../platform/session.ts';
import { makeLanes, nothingToLookAt, passedByMs } from './delivery-lanes.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';

export interface Delivery {
  /** Takes nothing more in hand; what is in hand is finished and recorded. */
  close(): Promise<void>;
}

export interface DeliveryContext {
  database: Database;
  http: OutgoingHttp;
  /** The secrets that are valid now, the current one first. */
  secretsOf(accountId: number, keyName: string): Promise<string[]>;
  clock: Clock;
  log: Log;
  metrics: DeliveryMetrics;
  settings?: Partial<DeliveryRules>;
}

/** How much of a lease is left when it is renewed. */
const renewShare = 0.6;
const closingLookMs = 1000;
const pauseMs = 200;
const surprisePauseMs = 1000;

type Callback = ClaimedRow & CallbackInHand;
type InHand = { callback: Callback; leaseEndsAtMs: number };
type Finished = Omit<FinishedAttempt, 'agoMs'> & InHand & { startedAtMs: number };

/**
 * Delivers what is queued, as long as it runs. It works in turns: one transaction records what was finished since the last one and takes the
 * next callbacks in hand, and without anything to do it waits for a notification or for the next time that something is due. All it has in
 * memory is which receivers to look at and what is in hand; any number of workers may do the same.
 */
export function startDelivery({ database, http, secretsOf, clock, log, metrics, settings = {} }: DeliveryContext): Delivery {
  const rules = { ...deliveryRules, ...settings };
  const renewBeforeMs = rules.leaseSeconds * 1000 * renewShare;
  const session = openSession(database);
  const lanes = makeLanes(rules);
  const inHand = new Set<InHand>();
  let finished: Finished[] = [];
  let finishedPerTurnMax = Number.POSITIVE_INFINITY;
  let closing = false;
  let away = false;
  let wake = () => {};

  const listener = startListening(database, callbackChannel, {
    onListening: lookEverywhere,
    onNotified(payload) {
      if (payload === '') return lookEverywhere();
      for (const name of payload.split(',')) if (receiverIdForm.test(name)) lanes.add(name);
      wake();
    },
  });
  const running = run();

  function lookEverywhere(): void {
    lanes.lookEverywhere();
    wake();
  }

  async function run(): Promise<void> {
    while (!closing || lanes.inFlight() > 0 || finished.length > 0) {
      await workOrTime();
      await othersOfThisMoment();
      if (hasWork()) await takeTurn();
    }
  }

  function hasWork(): boolean {
    return finished.length > 0 || performance.now() >= renewalAtMs() || (!closing && lanes.haveWork());
  }

  /** When the first lease in hand is to be renewed. */
  function renewalAtMs(): number {
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { leaseEndsAtMs } of inHand) firstMs = Math.min(firstMs, leaseEndsAtMs);
    return firstMs - renewBeforeMs;
  }

  async function workOrTime(): Promise<void> {
    if (hasWork()) return;
    const waiting = new AbortController();
    wake = () => waiting.abort();
    const idleMs = Math.min(closing ? closingLookMs : lanes.idleForMs(), renewalAtMs() - performance.now());
    await sleep(Math.max(1, idleMs), undefined, { signal: waiting.signal }).catch(() => {});
    wake = () => {};
  }

  async function takeTurn(): Promise<void> {
    const recording = finished.splice(0, finishedPerTurnMax);
    const lookedAt = closing ? nothingToLookAt : lanes.take();
    const startedAtMs = performance.now();
    const renewing = [...inHand].filter((one) => one.leaseEndsAtMs - renewBeforeMs <= startedAtMs);
    try {
      const turn = {
        finished: recording.map(withAge),
        renewed: renewing.map(({ callback }) => callback),
        free: lanes.free(),
        suspectsAt: lanes.suspectsAt,
        lease: randomUUID(),
        ...lookedAt,
      };
      const outcome = await session.transaction((tx) => recordAndClaim(tx, turn, rules), startedAtMs + rules.turnSeconds * 1000);
      const leaseEndsAtMs = startedAtMs + rules.leaseSeconds * 1000;
      for (const one of renewing) one.leaseEndsAtMs = leaseEndsAtMs;
      for (const callback of await outcome.claimed) void attempt({ callback, leaseEndsAtMs });
      lanes.learn(outcome, await outcome.unblocked, lookedAt);
      report(outcome);
      await defer(recording, outcome);
      finishedPerTurnMax = Number.POSITIVE_INFINITY;
      if (away) log.info('the database is back; callbacks are delivered again');
      away = false;
    } catch (error) {
      lanes.putBack(lookedAt);
      await recover(error, recording);
    }
  }

  /** They are recorded with the next turn, or the one after. */
  async function defer(recording: Finished[], { deferred }: TurnOutcome): Promise<void> {
    if (deferred.length === 0) return;
    const waiting = new Set(deferred.map(({ callback }) => callback.callbackId));
    finished.unshift(...recording.filter(({ callback }) => waiting.has(callback.callbackId)));
    drop(finished.filter((one) => performance.now() > one.leaseEndsAtMs));
    await sleep(passedByMs);
  }

  /** Whatever happened, nothing is lost: what could not be recorded is recorded later, or sent again by whoever takes it over. */
  async function recover(error: unknown, recording: Finished[]): Promise<void> {
    const surprise = !isAway(error);
    if (surprise) log.error(describeError(error), 'callbacks could not be recorded; trying again');
    else if (!away && !isRepeatable(error)) {
      away = true;
      log.warn(describeError(error), 'the database is out of reach; callbacks wait');
    }
    // One that can never be recorded must not keep the others from it: the halves become smaller until it is alone.
    if (surprise && recording.length === 1) drop(recording);
    else finished.unshift(...recording);
    if (surprise && recording.length > 0) finishedPerTurnMax = Math.ceil(recording.length / 2);
    drop(finished.filter((one) => performance.now() > one.leaseEndsAtMs));
    await sleep(surprise ? surprisePauseMs : pauseMs);
  }

  function drop(hopeless: Finished[]): void {
    const gone = new Set(hopeless);
    finished = finished.filter((one) => !gone.has(one));
    for (const { callback } of hopeless) reportLost(callback);
  }

  async function attempt(one: InHand): Promise<void> {
    const { callback } = one;
    inHand.add(one);
    lanes.begin(callback);
    metrics.inFlight.inc();
    const startedAtMs = performance.now();
    if (callback.attempts === 0) metrics.lag.observe(callback.queuedForSeconds);
    const attempted = await send(one).catch(unexpected);
    metrics.inFlight.dec();
    metrics.attempts.inc({ outcome: outcomeOf(attempted) });
    if ('durationMs' in attempted) metrics.attemptDuration.observe(attempted.durationMs / 1000);
    lanes.end(callback);
    inHand.delete(one);
    finished.push({ ...one, attempted, startedAtMs });
    wake();
  }

  async function send(one: InHand): Promise<Attempted> {
    const { eventId, accountId, keyName, url, body } = one.callback;
    const secrets = await secretsOf(accountId, keyName).catch(noSecretsUnlessAway);
    // Somebody else may be about to begin: there must be time to renew the lease.
    if (secrets === null || performance.now() > one.leaseEndsAtMs - renewBeforeMs / 2) return { kind: 'untried' };
    if (secrets.length === 0) return { kind: 'unsigned' };
    const outcome = await http.post({
      url,
      headers: signedHeaders({ eventId, body }, secrets, clock.now()),
      body,
      deadlineMs: rules.attemptSeconds * 1000,
    });
    if (outcome.kind === 'failed') return { ...outcome, kind: 'unanswered' };
    return { ...outcome, retryAfterSeconds: readRetryAfter(outcome.retryAfter, clock.now()) };
  }

  function noSecretsUnlessAway(error: unknown): string[] | null {
    // Another worker may be able to.
    if (isAway(error) || error instanceof UnknownMasterKey) return null;
    log.error(describeError(error), 'the secrets of a callback could not be read');
    return [];
  }

  function unexpected(error: unknown): Attempted {
    log.error(describeError(error), 'a callback could not be sent');
    return { kind: 'unanswered', error: 'internal error', address: null, durationMs: 0 };
  }

  function report({ recorded, lost, givenUp, opened, closed }: TurnOutcome): void {
    for (const { finished, verdict } of recorded) {
      const { eventId, receiverId } = finished.callback;
      const line = { event_id: eventId, receiver_id: receiverId, outcome: outcomeOf(finished.attempted) };
      if (verdict?.kind === 'failed') log.warn(line, 'callback failed for good');
      else log.debug(line, verdict?.kind === 'delivered' ? 'callback delivered' : 'callback is to be sent again');
      if (verdict && verdict.kind !== 'again') metrics.ended.inc({ status: verdict.kind });
    }
    for (const { callback } of lost) reportLost(callback);
    for (const [receiverId, { length: count }] of Map.groupBy(givenUp, (one) => one.receiverId)) {
      log.warn({ receiver_id: receiverId, outcome: 'given_up', count }, 'callbacks failed for good');
    }
    metrics.attempts.inc({ outcome: 'given_up' }, givenUp.length);
    metrics.ended.inc({ status: 'failed' }, givenUp.length);
    for (const { receiverId } of opened)
      log.warn({ receiver_id: receiverId }, 'a receiver fails again and again; it is left alone for a while');
    for (const { receiverId } of closed) log.info({ receiver_id: receiverId }, 'a receiver is back');
    metrics.circuits.inc({ change: 'opened' }, opened.length);
    metrics.circuits.inc({ change: 'closed' }, closed.length);
  }

  function reportLost({ eventId, receiverId }: CallbackInHand): void {
    log.warn({ event_id: eventId, receiver_id: receiverId, outcome: 'lost' }, 'a try came too late to be recorded');
    metrics.lost.inc();
  }

  return {
    async close() {
      closing = true;
      wake();
      await running;
      await Promise.all([listener.close(), session.close()]);
    },
  };
}

function isAway(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isUnavailable(error);
}

const receiverIdForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

function withAge({ callback, attempted, startedAtMs }: Finished): FinishedAttempt {
  return { callback, attempted, agoMs: performance.now() - startedAtMs };
}

function outcomeOf(attempted: Attempted): string {
  if (attempted.kind !== 'answered') return attempted.kind;
  if (isSuccess(attempted)) return 'delivered';
  return attempted.status >= 500 ? 'failed' : 'refused';
}
