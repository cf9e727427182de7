import { randomUUID } from 'node:crypto';
import { setImmediate as nextImmediate, setTimeout as sleep } from 'node:timers/promises';
import { sending } from '../../messages/sending-texts.ts';
import { type LaneName, laneOf } from '../domain/callbacks/callback.ts';
import { signedHeaders } from '../domain/callbacks/callback-signature.ts';
import { findLanes, type LaneSearch } from '../domain/callbacks/lane-queries.ts';
import { callbackChannel } from '../domain/callbacks/owed-callback-queries.ts';
import {
  type Attempted,
  type FinishedAttempt,
  lanesFoundMax,
  recordAndClaim,
} from '../domain/callbacks/record-and-claim.ts';
import { type DeliveryRules, deliveryRules, isSuccess, readRetryAfter } from '../domain/callbacks/retry-schedule.ts';
import type { Clock } from '../platform/clock.ts';
import { UnknownMasterKey } from '../platform/keyring.ts';
import { describeError, type Log } from '../platform/log.ts';
import type { OutgoingHttp } from '../platform/outgoing/http-client.ts';
import type { Database } from '../platform/postgres/database.ts';
import { DatabaseUnavailable } from '../platform/postgres/deadline.ts';
import { isRepeatable, isUnavailable } from '../platform/postgres/errors.ts';
import { type Listener, startListening } from '../platform/postgres/listen.ts';
import { accountsOf } from '../platform/postgres/per-account.ts';
import { openPipelinedConnection } from '../platform/postgres/pipelined-connection.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import { DeliveryLanes, type LanesOfTurn, lockedRetryMs, noLanes } from './delivery-lanes.ts';
import type { DeliveryMetrics } from './delivery-metrics.ts';
import { outcomeOf, reportLost, reportTurn } from './delivery-report.ts';
import { type CallbackInFlight, FinishedAttempts, type UnrecordedAttempt } from './finished-attempts.ts';

export interface Delivery {
  /** Claims no more callbacks; those being sent are finished and recorded. */
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
  /** Each transaction of a turn has one account; otherwise a turn is one transaction for all accounts. */
  isAccountByAccount?: boolean;
}

/** The work of one transaction. */
interface TurnPart extends LanesOfTurn {
  recording: UnrecordedAttempt[];
  renewing: CallbackInFlight[];
}

/** The share of a lease that is left when it is renewed. */
const renewShare = 0.6;
const closingCheckMs = 1000;
const unavailablePauseMs = 200;
const errorPauseMs = 1000;

export function startDelivery(context: DeliveryContext): Delivery {
  return new DeliveryWorker(context);
}

/**
 * Delivers queued callbacks until it is closed. It works in turns: one transaction, or one for each account, records the
 * attempts that finished since the last turn and claims the next callbacks. Between turns it waits for a finished
 * attempt, a notification, or the next due time. It keeps in memory only which receivers to check and what it is
 * sending, so any number of workers may run side by side.
 */
class DeliveryWorker implements Delivery {
  private readonly context: DeliveryContext;
  private readonly rules: DeliveryRules;
  private readonly renewBeforeMs: number;
  private readonly connection: ReturnType<typeof openPipelinedConnection>;
  private readonly lanes: DeliveryLanes;
  /** Callbacks that are being sent or claimed ahead. */
  private readonly inHand: Set<CallbackInFlight>;
  private readonly finished: FinishedAttempts;
  private readonly listener: Listener;
  private readonly running: Promise<void>;
  private isClosing: boolean;
  private isDatabaseAway: boolean;
  private wake: () => void;

  constructor(context: DeliveryContext) {
    this.context = context;
    this.rules = { ...deliveryRules, ...context.settings };
    this.renewBeforeMs = this.rules.leaseSeconds * 1000 * renewShare;
    this.connection = openPipelinedConnection(context.database, 'callbacks', this.rules.turnSeconds);
    this.lanes = new DeliveryLanes(this.rules);
    this.inHand = new Set();
    this.finished = new FinishedAttempts();
    this.isClosing = false;
    this.isDatabaseAway = false;
    this.wake = () => {};
    this.listener = startListening(context.database, callbackChannel, {
      onListening: () => this.onNotified(''),
      onNotified: (payload) => this.onNotified(payload),
    });
    this.running = this.run();
  }

  async close(): Promise<void> {
    this.isClosing = true;
    this.giveBack(this.lanes.ahead.takeAll());
    this.wake();
    await this.running;
    await Promise.all([this.listener.close(), this.connection.close()]);
  }

  /** The payload names lanes or accounts with new callbacks. An empty one may concern any account. */
  private onNotified(payload: string): void {
    if (payload === '') this.lanes.scanQueue();
    else for (const name of payload.split(',')) this.onNamed(name);
    this.wake();
  }

  private onNamed(name: string): void {
    if (laneForm.test(name)) this.lanes.add(laneOf(name as LaneName));
    else if (accountForm.test(name)) this.lanes.scanQueueOf(Number(name));
  }

  private async run(): Promise<void> {
    while (!this.isClosing || this.lanes.usage.inFlight() > 0 || !this.finished.isEmpty()) {
      await this.waitForWork();
      // Attempts that finish in the same pass of the event loop are recorded in the same turn.
      await nextImmediate();
      if (this.hasWork()) await this.takeTurn();
    }
  }

  private hasWork(): boolean {
    return (
      !this.finished.isEmpty() ||
      performance.now() >= this.nextRenewalAtMs() ||
      (!this.isClosing && this.lanes.haveWork())
    );
  }

  private nextRenewalAtMs(): number {
    let firstMs = Number.POSITIVE_INFINITY;
    for (const { leaseEndsAtMs } of this.inHand) firstMs = Math.min(firstMs, leaseEndsAtMs);
    return firstMs - this.renewBeforeMs;
  }

  private async waitForWork(): Promise<void> {
    if (this.hasWork()) return;
    const waiting = new AbortController();
    this.wake = () => waiting.abort();
    const idleMs = Math.min(
      this.isClosing ? closingCheckMs : this.lanes.idleForMs(),
      this.nextRenewalAtMs() - performance.now(),
    );
    await sleep(Math.max(1, idleMs), undefined, { signal: waiting.signal }).catch(() => {});
    this.wake = () => {};
  }

  private async takeTurn(): Promise<void> {
    const parts = await this.partsOfTurn();
    const failed: { part: TurnPart; error: unknown }[] = [];
    for (const part of parts) {
      // Without the database the other parts would fail too, each after its own deadline.
      const away = failed.find(({ error }) => isAway(error));
      if (away) failed.push({ part, error: away.error });
      else await this.recordAndClaim(part).catch((error) => failed.push({ part, error }));
    }
    const pausesMs = failed.map(({ part, error }) => this.recover(error, part));
    if (pausesMs.length > 0) await sleep(Math.max(...pausesMs));
  }

  private async partsOfTurn(): Promise<TurnPart[]> {
    const renewFromMs = performance.now() + this.renewBeforeMs;
    const whole = {
      recording: this.finished.take(),
      renewing: [...this.inHand].filter((one) => one.leaseEndsAtMs <= renewFromMs),
      ...(this.isClosing ? noLanes : this.lanes.take()),
    };
    if (!this.context.isAccountByAccount) return [whole];
    if (whole.search !== null) await this.searchOutside(whole.search);
    return splitByAccount(whole);
  }

  /** A search concerns many accounts, so it belongs to no transaction of one. After a failure it stays due. */
  private async searchOutside(search: LaneSearch): Promise<void> {
    try {
      this.lanes.addFound(await this.context.database.read(noAccounts, (sql) => findLanes(sql, search, lanesFoundMax)));
    } catch (error) {
      await sleep(this.recover(error, { ...noLanes, recording: [], renewing: [] }));
    }
  }

  private async recordAndClaim({ recording, renewing, ...checked }: TurnPart): Promise<void> {
    const startedAtMs = performance.now();
    const turn = {
      finished: recording.map(withAge),
      renewed: renewing.map(({ callback }) => callback),
      free: this.lanes.usage.free(),
      suspectsAt: this.lanes.usage.suspectsAt(),
      lease: randomUUID(),
      ...checked,
    };
    const concerned = [...recording, ...renewing].map(({ callback }) => callback);
    const outcome = await this.connection.transaction(
      accountsOf([...concerned, ...checked.lanes]),
      (tx) => recordAndClaim(tx, turn, this.rules),
      startedAtMs + this.rules.turnSeconds * 1000,
    );
    const leaseEndsAtMs = startedAtMs + this.rules.leaseSeconds * 1000;
    for (const one of renewing) one.leaseEndsAtMs = leaseEndsAtMs;
    for (const callback of await outcome.claimed) this.begin({ callback, leaseEndsAtMs });
    this.lanes.learn(outcome, await outcome.unblocked, checked);
    reportTurn(outcome, this.context);
    this.reportDropped(this.finished.settle(recording, outcome.deferred, performance.now()));
    if (outcome.deferred.length > 0) await sleep(lockedRetryMs);
    if (this.isDatabaseAway) this.context.log.info('the database is back; callbacks are delivered again');
    this.isDatabaseAway = false;
  }

  /**
   * Nothing is lost: attempts are recorded by a later turn, or another worker sends their callbacks again. Returns how
   * long to pause.
   */
  private recover(error: unknown, { recording, ...checked }: TurnPart): number {
    const { log } = this.context;
    this.lanes.putBack(checked);
    if (isAway(error)) {
      if (!this.isDatabaseAway && !isRepeatable(error)) {
        this.isDatabaseAway = true;
        log.warn(describeError(error), 'the database is out of reach; callbacks wait');
      }
      this.reportDropped(this.finished.putBack(recording, performance.now()));
      return unavailablePauseMs;
    }
    log.error(describeError(error), 'callbacks could not be recorded; trying again');
    this.reportDropped(this.finished.putBackHalved(recording, performance.now()));
    return errorPauseMs;
  }

  private reportDropped(attempts: UnrecordedAttempt[]): void {
    for (const { callback } of attempts) reportLost(callback, this.context);
  }

  private begin(one: CallbackInFlight): void {
    this.inHand.add(one);
    if (one.callback.suspect || this.lanes.mayBegin(one.callback)) void this.attempt(one);
    else if (this.isClosing) this.giveBack([one]);
    else this.lanes.ahead.add(one);
  }

  /** Callbacks that were claimed and not begun are due again for any worker. */
  private giveBack(callbacks: CallbackInFlight[]): void {
    for (const one of callbacks) this.finish(one, { kind: 'untried' }, performance.now());
  }

  private finish(one: CallbackInFlight, attempted: Attempted, startedAtMs: number): void {
    this.inHand.delete(one);
    this.finished.add({ ...one, attempted, startedAtMs });
  }

  private async attempt(one: CallbackInFlight): Promise<void> {
    const { metrics } = this.context;
    const { callback } = one;
    this.lanes.begin(callback);
    metrics.inFlight.inc();
    const startedAtMs = performance.now();
    if (callback.attempts === 0) metrics.lag.observe(callback.queuedForSeconds);
    const attempted = await this.send(one).catch((error) => this.unexpected(error));
    metrics.inFlight.dec();
    metrics.attempts.inc({ outcome: outcomeOf(attempted) });
    if ('durationMs' in attempted) metrics.attemptDuration.observe(attempted.durationMs / 1000);
    this.lanes.end(callback);
    this.finish(one, attempted, startedAtMs);
    if (!isAccepted(attempted)) this.giveBack(this.lanes.ahead.takeAllOf(callback));
    const next = this.lanes.ahead.takeNext((lane) => this.lanes.mayBegin(lane));
    if (next) void this.attempt(next);
    this.wake();
  }

  private async send(one: CallbackInFlight): Promise<Attempted> {
    const { http, clock, secretsOf } = this.context;
    const { eventId, accountId, keyName, url, body, traceparent } = one.callback;
    const secrets = await secretsOf(accountId, keyName).catch((error) => this.noSecrets(error));
    // Another worker may be about to send the callback: there must be time to renew the lease.
    if (secrets === null || performance.now() > one.leaseEndsAtMs - this.renewBeforeMs / 2) return { kind: 'untried' };
    if (secrets.length === 0) return { kind: 'unsigned' };
    const outcome = await http.post({
      url,
      headers: signedHeaders({ eventId, body }, secrets, clock.now()),
      body,
      purpose: 'callback',
      causedBy: traceparent,
      deadlineMs: this.rules.attemptSeconds * 1000,
    });
    if (outcome.kind === 'failed') return { ...outcome, kind: 'unanswered' };
    return { ...outcome, retryAfterSeconds: readRetryAfter(outcome.retryAfter, clock.now()) };
  }

  /** null: a later attempt, or another worker, may be able to read the secrets. */
  private noSecrets(error: unknown): string[] | null {
    if (isAway(error) || error instanceof UnknownMasterKey) return null;
    this.context.log.error(describeError(error), 'the secrets of a callback could not be read');
    return [];
  }

  private unexpected(error: unknown): Attempted {
    this.context.log.error(describeError(error), 'a callback could not be sent');
    return { kind: 'unanswered', error: sending('failed_internally'), address: null, durationMs: 0 };
  }
}

const laneForm = /^\d{1,15}:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const accountForm = /^\d{1,15}$/;

function isAccepted(attempted: Attempted): boolean {
  return attempted.kind === 'answered' && isSuccess(attempted);
}

function isAway(error: unknown): boolean {
  return error instanceof DatabaseUnavailable || isUnavailable(error);
}

/** In the order in which the receivers are served. */
function splitByAccount({ recording, renewing, lanes }: TurnPart): TurnPart[] {
  const parts = new Map<number, TurnPart>();
  function partOf(accountId: number): TurnPart {
    const part = parts.get(accountId) ?? { recording: [], renewing: [], lanes: [], search: null };
    parts.set(accountId, part);
    return part;
  }
  for (const lane of lanes) partOf(lane.accountId).lanes.push(lane);
  for (const attempt of recording) partOf(attempt.callback.accountId).recording.push(attempt);
  for (const one of renewing) partOf(one.callback.accountId).renewing.push(one);
  return [...parts.values()];
}

function withAge({ callback, attempted, startedAtMs }: UnrecordedAttempt): FinishedAttempt {
  return { callback, attempted, agoMs: performance.now() - startedAtMs };
}
