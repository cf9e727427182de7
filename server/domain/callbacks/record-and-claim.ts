import type { Tx } from '../../platform/database.ts';
import { distinct } from '../../platform/distinct.ts';
import type { Decision } from '../../platform/session.ts';
import {
  type AttemptRow,
  type Claim,
  type ClaimedRow,
  claimDeliveries,
  countLaneLoads,
  type DueLane,
  endDeliveries,
  findLanes,
  insertAttempts,
  type LaneLoad,
  type LaterDelivery,
  type LockedDelivery,
  type LockedReceiver,
  lockDeliveries,
  lockOverdue,
  lockReceivers,
  type OverdueDelivery,
  postponeDeliveries,
  type QueuedCallback,
  type ReceiverNews,
  renewLeases,
  saveHealth,
  unblockDeliveries,
} from './delivery-queries.ts';
import { giveUpAfterHours } from './owed-callback-queries.ts';
import {
  type Answer,
  atOnceFor,
  type DeliveryRules,
  type FreeSlots,
  healthAfter,
  isBroken,
  isFailure,
  isSuccess,
  isSuspect,
  slotsFor,
  type Verdict,
  verdictOn,
} from './retry-schedule.ts';

/** A callback that a worker has in hand. */
export interface CallbackInHand extends QueuedCallback {
  eventId: string;
  /** Ours as long as the row says the same. */
  lease: string;
  /** For a receiver that may well hang. */
  suspect: boolean;
  host: string;
  /** The only one that its broken receiver is sent. */
  probe: boolean;
}

export type Attempted =
  | ({ kind: 'answered'; response: string; address: string; durationMs: number } & Answer & { status: number })
  | { kind: 'unanswered'; error: string; address: string | null; durationMs: number }
  /** There was no secret to sign it with: a failed try, but none that says anything about the receiver. */
  | { kind: 'unsigned' }
  /** It was not tried, and is due again soon. */
  | { kind: 'untried' };

export interface FinishedAttempt {
  callback: CallbackInHand;
  attempted: Attempted;
  /** How long ago the try began. */
  agoMs: number;
}

export interface Turn {
  finished: FinishedAttempt[];
  /** Still being sent, for so long that others would take the worker for dead. */
  renewed: CallbackInHand[];
  /** Receivers that may have work, in the order in which they are served. */
  lanes: { receiverId: string; mine: number }[];
  free: FreeSlots;
  /** How many this worker is sending to suspects at each host. */
  suspectsAt: ReadonlyMap<string, number>;
  /** Look for receivers with work, from the one behind this. */
  lookAfter: string | null;
  lease: string;
}

export interface TurnOutcome {
  recorded: { finished: FinishedAttempt; verdict: Verdict | null }[];
  /** Somebody else has taken them over: the lease had ended. */
  lost: FinishedAttempt[];
  /** Somebody else has their receiver locked just now; and receivers with that fate. */
  deferred: FinishedAttempt[];
  passedBy: string[];
  givenUp: OverdueDelivery[];
  /** Receivers that are left alone from now on, and those that are back. */
  opened: ReceiverNews[];
  closed: ReceiverNews[];
  /** Receivers that could be sent more than there were slots for. */
  crowded: CrowdedLane[];
  found: DueLane[];
  /** Known when the transaction has ended. */
  claimed: Promise<(ClaimedRow & CallbackInHand)[]>;
  unblocked: Promise<string[]>;
}

export interface CrowdedLane {
  receiverId: string;
  suspect: boolean;
  host: string;
}

export const lanesFoundMax = 1000;
const givenUpMax = 1000;
const untriedAgainMs = 1000;
const noSecret = 'no secret to sign with';

/** Writes down what was done since the last turn and takes the next callbacks in hand, for all receivers concerned at a time. */
export async function recordAndClaim(tx: Tx, turn: Turn, rules: DeliveryRules): Promise<Decision<TurnOutcome>> {
  const { finished, renewed, lanes, lease } = turn;
  const inHand = [...finished.map(({ callback }) => callback), ...renewed];
  const laneIds = lanes.map((lane) => lane.receiverId);
  const receiverIds = distinct([...laneIds, ...finished.map(({ callback }) => callback.receiverId)]);
  const failedProbes = finished.filter(({ callback, attempted }) => callback.probe && isSilence(attempted));
  const [receivers, deliveries, loads, overdue, found] = await Promise.all([
    receiverIds.length > 0 ? lockReceivers(tx, receiverIds) : [],
    inHand.length > 0 ? lockDeliveries(tx, inHand) : [],
    lanes.length > 0 ? countLaneLoads(tx, laneIds, rules.healthyAtOnce) : [],
    failedProbes.length > 0 ? lockOverdue(tx, distinct(failedProbes.map(({ callback }) => callback.receiverId)), givenUpMax) : [],
    turn.lookAfter === null ? [] : findLanes(tx, turn.lookAfter, lanesFoundMax),
  ]);

  const health: Health = new Map(receivers.map((one) => [one.receiverId, { ...one, heard: false, succeeded: false, failed: false }]));
  const { recorded, lost, deferred, released } = record(finished, deliveries, health, rules);
  const news = [...health.values()].filter((one) => one.heard && !isAsBefore(one, receivers));
  const givenUp = overdue.filter((one) => isBrokenNow(health.get(one.receiverId), rules) && !deliveries.some(isSame(one)));
  const { claims, crowded } = shareOut(turn, loads, released, health, rules);

  const { attempts, delivered, failed, later } = changes(recorded, givenUp, deliveries);
  const gone = [...delivered, ...failed];
  const writes: Promise<unknown>[] = [];
  if (attempts.length > 0) writes.push(insertAttempts(tx, attempts));
  if (delivered.length > 0) writes.push(endDeliveries(tx, idsOf(delivered), 'delivered'));
  if (failed.length > 0) writes.push(endDeliveries(tx, idsOf(failed), 'failed'));
  if (later.length > 0) writes.push(postponeDeliveries(tx, later));
  if (renewed.length > 0) writes.push(renewLeases(tx, renewed, rules.leaseSeconds));
  if (news.length > 0) writes.push(saveHealth(tx, news));
  // Whether something waits behind them is seen only now: it may have been added while their rows were waited for.
  const unblocked = gone.length > 0 ? unblockDeliveries(tx, gone) : Promise.resolve([]);
  const claimed = claims.length > 0 ? claimDeliveries(tx, claims, lease, rules.leaseSeconds) : Promise.resolve([]);
  if (gone.length > 0) writes.push(unblocked);
  if (claims.length > 0) writes.push(claimed);

  const wasBroken = new Set(receivers.filter((one) => isBroken(one, rules)).map((one) => one.receiverId));
  const opened = news.filter((one) => isBroken(one, rules) && !wasBroken.has(one.receiverId));
  const closed = news.filter((one) => !isBroken(one, rules) && wasBroken.has(one.receiverId));
  const marked = claimed.then((rows) => rows.map((row) => ({ ...row, lease, ...kindOf(health.get(row.receiverId)!, rules) })));
  // Whoever waits for the transaction hears of a failure there.
  marked.catch(() => {});
  const passedBy = laneIds.filter((receiverId) => !health.has(receiverId));
  return { answer: { recorded, lost, deferred, passedBy, givenUp, opened, closed, crowded, found, claimed: marked, unblocked }, writes };
}

function isBrokenNow(receiver: ReceiverNews | undefined, rules: DeliveryRules): boolean {
  return receiver !== undefined && isBroken(receiver, rules);
}

/** A receiver that goes on answering need not be written to with every turn. */
function isAsBefore({ receiverId, failures, unsuccessful, openForSeconds, failed }: ReceiverNews, receivers: LockedReceiver[]): boolean {
  const before = receivers.find((one) => one.receiverId === receiverId)!;
  const hasSameCounts = before.failures === failures && before.unsuccessful === unsuccessful;
  return before.isFresh && !failed && hasSameCounts && before.openForSeconds === openForSeconds;
}

type Health = Map<string, ReceiverNews & { heard: boolean }>;

/** What becomes of each, and of its receiver's health. Counts for each receiver what is no longer in hand. */
function record(finished: FinishedAttempt[], deliveries: LockedDelivery[], health: Health, rules: DeliveryRules) {
  const rows = new Map(deliveries.map((row) => [row.callbackId, row]));
  const recorded: TurnOutcome['recorded'] = [];
  const lost: FinishedAttempt[] = [];
  const deferred: FinishedAttempt[] = [];
  const released = new Map<string, number>();
  for (const one of finished) {
    const { callback, attempted } = one;
    const row = rows.get(callback.callbackId);
    if (!health.has(callback.receiverId)) {
      deferred.push(one);
      continue;
    }
    if (row?.lease !== callback.lease) {
      lost.push(one);
      continue;
    }
    const answer = answerOf(attempted);
    const verdict = attempted.kind === 'untried' ? null : verdictOn(answer ?? noAnswer, row.attempts + 1, rules, Math.random());
    recorded.push({ finished: one, verdict });
    if (row.leaseRuns) released.set(callback.receiverId, (released.get(callback.receiverId) ?? 0) + 1);
    if (answer) learn(health, callback.receiverId, answer, rules);
  }
  return { recorded, lost, deferred, released };
}

const noAnswer: Answer = { status: null, retryAfterSeconds: null };

/** What it says about the receiver; null: nothing. */
function answerOf(attempted: Attempted): Answer | null {
  if (attempted.kind === 'answered') return attempted;
  return attempted.kind === 'unanswered' ? noAnswer : null;
}

function isSilence(attempted: Attempted): boolean {
  const answer = answerOf(attempted);
  return answer !== null && isFailure(answer);
}

function learn(health: Health, receiverId: string, answer: Answer, rules: DeliveryRules): void {
  const before = health.get(receiverId)!;
  const after = { ...before, ...healthAfter(before, answer, rules, Math.random()), heard: true };
  health.set(receiverId, { ...after, failed: before.failed || !isSuccess(answer), succeeded: before.succeeded || isSuccess(answer) });
}

/** Slots for the receivers that have work and may be sent more, in turn. */
function shareOut(
  { lanes, free, suspectsAt }: Turn,
  loads: LaneLoad[],
  released: Map<string, number>,
  health: Health,
  rules: DeliveryRules,
) {
  const loadOf = new Map(loads.map((load) => [load.receiverId, load]));
  const left = { ...free };
  const atHost = new Map(suspectsAt);
  const claims: Claim[] = [];
  const crowded: TurnOutcome['crowded'] = [];
  for (const { receiverId, mine } of lanes) {
    const receiver = health.get(receiverId);
    const load = loadOf.get(receiverId);
    if (!receiver || !load) continue;
    const suspect = isSuspect(receiver);
    const wanted = Math.min(load.due, atOnceFor(receiver, rules) - load.inHand + (released.get(receiverId) ?? 0));
    if (wanted <= 0) continue;
    const { host } = receiver;
    const leftAtHost = suspect ? rules.suspectSlotsPerHost - (atHost.get(host) ?? 0) : wanted;
    const count = slotsFor({ wanted: Math.min(wanted, leftAtHost), mine, suspect }, left);
    if (count < wanted) crowded.push({ receiverId, suspect, host });
    if (count === 0) continue;
    claims.push({ receiverId, count });
    left.all -= count;
    if (!suspect) continue;
    left.suspect -= count;
    atHost.set(host, (atHost.get(host) ?? 0) + count);
  }
  return { claims, crowded };
}

function kindOf(receiver: ReceiverNews, rules: DeliveryRules) {
  return { suspect: isSuspect(receiver), host: receiver.host, probe: isBroken(receiver, rules) };
}

/** The rows to write. */
function changes(recorded: TurnOutcome['recorded'], givenUp: OverdueDelivery[], deliveries: LockedDelivery[]) {
  const rows = new Map(deliveries.map((row) => [row.callbackId, row]));
  const attempts: AttemptRow[] = givenUp.map(givenUpRow);
  const delivered: QueuedCallback[] = [];
  const failed: QueuedCallback[] = [...givenUp];
  const later: LaterDelivery[] = [];
  for (const { finished, verdict } of recorded) {
    const { callback } = finished;
    const { callbackId } = callback;
    if (!verdict) {
      later.push({ callbackId, afterMs: untriedAgainMs, attempts: 0 });
      continue;
    }
    attempts.push(attemptRow(finished, rows.get(callbackId)!));
    if (verdict.kind === 'delivered') delivered.push(callback);
    else if (verdict.kind === 'failed') failed.push(callback);
    else later.push({ callbackId, afterMs: Math.ceil(verdict.afterSeconds * 1000), attempts: 1 });
  }
  return { attempts, delivered, failed, later };
}

function idsOf(callbacks: QueuedCallback[]): number[] {
  return callbacks.map((one) => one.callbackId);
}

function isSame(one: { callbackId: number }): (other: { callbackId: number }) => boolean {
  return (other) => other.callbackId === one.callbackId;
}

type Counted = Pick<LockedDelivery, 'attempts' | 'attemptsBefore'>;

function attemptRow({ callback, attempted, agoMs }: FinishedAttempt, row: Counted): AttemptRow {
  const { callbackId, accountId } = callback;
  const base = { callbackId, accountId, attemptNo: nextAttemptNo(row), agoMs: Math.round(agoMs), ...noDetails };
  if (attempted.kind !== 'answered' && attempted.kind !== 'unanswered') return { ...base, error: noSecret };
  const { durationMs, address } = attempted;
  const details = { durationMs: Math.max(0, Math.round(durationMs)), address };
  if (attempted.kind === 'unanswered') return { ...base, ...details, error: storable(attempted.error) };
  return { ...base, ...details, httpStatus: attempted.status, response: storable(attempted.response) };
}

function givenUpRow({ callbackId, accountId, ...row }: OverdueDelivery): AttemptRow {
  const error = `given up: the receiver did not answer for ${giveUpAfterHours} h`;
  return { callbackId, accountId, attemptNo: nextAttemptNo(row), agoMs: 0, ...noDetails, error };
}

const noDetails = { durationMs: 0, httpStatus: null, error: null, address: null, response: null };

function nextAttemptNo({ attempts, attemptsBefore }: Counted): number {
  return attemptsBefore + attempts + 1;
}

/** PostgreSQL keeps no NUL in a text, and one of them would fail the whole turn. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}
