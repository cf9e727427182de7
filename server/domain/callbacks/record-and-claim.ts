import { type Message, storeMessage } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';
import type { Decision } from '../../platform/postgres/pipelined-connection.ts';
import type { Tx } from '../../platform/postgres/sql.ts';
import { type Lane, type LaneName, laneName } from './callback.ts';
import { addCallbackCounts } from './callback-trend-queries.ts';
import { countAttempts } from './count-attempts.ts';
import {
  type AttemptRow,
  type Claim,
  type ClaimedRow,
  claimDeliveries,
  countLaneLoads,
  endDeliveries,
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
import { type FoundLanes, findLanes, type LaneSearch } from './lane-queries.ts';
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

/** A callback that a worker is sending. */
export interface CallbackInHand extends QueuedCallback {
  eventId: string;
  /** The callback is ours as long as the row has this lease. */
  lease: string;
  /** Sent to a receiver that may hang. */
  suspect: boolean;
  host: string;
  /** The only callback that is sent to a broken receiver at a time. */
  probe: boolean;
}

export type Attempted =
  | ({ kind: 'answered'; response: string; address: string; durationMs: number } & Answer & { status: number })
  | { kind: 'unanswered'; error: Message; address: string | null; durationMs: number }
  /** No secret was available to sign it. The attempt failed, but this says nothing about the receiver. */
  | { kind: 'unsigned' }
  /** Not attempted; due again soon. */
  | { kind: 'untried' };

export interface FinishedAttempt {
  callback: CallbackInHand;
  attempted: Attempted;
  /** How long ago the attempt began. */
  agoMs: number;
}

export interface Turn {
  finished: FinishedAttempt[];
  /** Callbacks that are being sent for so long that other workers would consider this worker dead. */
  renewed: CallbackInHand[];
  /**
   * Receivers that may have work, in the order in which they are served: how many callbacks this worker is sending to each,
   * and how many it has claimed ahead.
   */
  lanes: (Lane & { mine: number; ahead: number })[];
  free: FreeSlots;
  /** How many callbacks this worker is sending to suspect receivers, by host. */
  suspectsAt: ReadonlyMap<string, number>;
  /** Search for other receivers with work; null: do not. */
  search: LaneSearch | null;
  lease: string;
}

export interface TurnOutcome {
  recorded: { finished: FinishedAttempt; verdict: Verdict | null }[];
  /** Another worker has taken these over, because the lease had expired. */
  lost: FinishedAttempt[];
  /** Another worker has locked the receivers of these. */
  deferred: FinishedAttempt[];
  passedBy: Lane[];
  givenUp: OverdueDelivery[];
  /** Receivers that are on hold from now on, and receivers that have recovered. */
  opened: ReceiverNews[];
  closed: ReceiverNews[];
  /** Receivers that have more due callbacks than there were slots. */
  crowded: CrowdedLane[];
  found: FoundLanes;
  /** Resolves when the transaction has ended. */
  claimed: Promise<(ClaimedRow & CallbackInHand)[]>;
  unblocked: Promise<Lane[]>;
}

export interface CrowdedLane extends Lane {
  suspect: boolean;
  host: string;
}

/** Lanes of each account that one turn finds. */
export const lanesFoundMax = 200;
const givenUpMax = 1000;
const untriedAgainMs = 1000;

/** Records the results since the last turn and claims the next callbacks, for all receivers concerned at once. */
export async function recordAndClaim(tx: Tx, turn: Turn, rules: DeliveryRules): Promise<Decision<TurnOutcome>> {
  const { finished, renewed, lanes, lease } = turn;
  const inHand = [...finished.map(({ callback }) => callback), ...renewed];
  const concerned = distinctLanes([...lanes, ...finished.map(({ callback }) => callback)]);
  const failedProbes = finished.filter(({ callback, attempted }) => callback.probe && isSilence(attempted));
  const stillBroken = distinctLanes(failedProbes.map(({ callback }) => callback));
  const [receivers, deliveries, loads, overdue, found] = await Promise.all([
    lockReceivers(tx, concerned),
    lockDeliveries(tx, inHand),
    countLaneLoads(tx, lanes, rules.healthyAtOnce + rules.aheadMax),
    lockOverdue(tx, stillBroken, givenUpMax),
    turn.search === null ? nothingFound : findLanes(tx, turn.search, lanesFoundMax),
  ]);

  const health: Health = new Map(
    receivers.map((one) => [laneName(one), { ...one, heard: false, succeeded: false, failed: false }]),
  );
  const { recorded, lost, deferred, done } = record(finished, deliveries, health, rules);
  const news = [...health.values()].filter((one) => one.heard && !isAsBefore(one, receivers));
  const givenUp = overdue.filter(
    (one) => isBrokenNow(health.get(laneName(one)), rules) && !deliveries.some(isSame(one)),
  );
  const { claims, crowded } = shareOut(turn, loads, done, health, rules);

  const { attempts, delivered, failed, later } = changes(recorded, givenUp, deliveries);
  const gone = [...delivered, ...failed];
  const writes: Promise<unknown>[] = [];
  if (attempts.length > 0) writes.push(insertAttempts(tx, attempts));
  const counts = countAttempts(recorded, givenUp);
  if (counts.length > 0) writes.push(addCallbackCounts(tx, counts));
  if (delivered.length > 0) writes.push(endDeliveries(tx, delivered, 'delivered'));
  if (failed.length > 0) writes.push(endDeliveries(tx, failed, 'failed'));
  if (later.length > 0) writes.push(postponeDeliveries(tx, later));
  if (renewed.length > 0) writes.push(renewLeases(tx, renewed, rules.leaseSeconds));
  if (news.length > 0) writes.push(saveHealth(tx, news));
  // Only now can we see whether callbacks wait behind these: one may have been added while we waited for the locks.
  const unblocked = gone.length > 0 ? unblockDeliveries(tx, gone) : Promise.resolve([]);
  const claimed = claims.length > 0 ? claimDeliveries(tx, claims, lease, rules.leaseSeconds) : Promise.resolve([]);
  if (gone.length > 0) writes.push(unblocked);
  if (claims.length > 0) writes.push(claimed);

  const wasBroken = new Set(receivers.filter((one) => isBroken(one, rules)).map(laneName));
  const opened = news.filter((one) => isBroken(one, rules) && !wasBroken.has(laneName(one)));
  const closed = news.filter((one) => !isBroken(one, rules) && wasBroken.has(laneName(one)));
  const marked = claimed.then((rows) =>
    rows.map((row) => ({ ...row, lease, ...kindOf(health.get(laneName(row))!, rules) })),
  );
  // The caller that awaits the transaction handles the failure.
  marked.catch(() => {});
  const passedBy = lanes.filter((lane) => !health.has(laneName(lane)));
  return {
    answer: { recorded, lost, deferred, passedBy, givenUp, opened, closed, crowded, found, claimed: marked, unblocked },
    writes,
  };
}

const nothingFound: FoundLanes = { lanes: [], next: [] };

function distinctLanes(lanes: Lane[]): Lane[] {
  return [...new Map(lanes.map((lane) => [laneName(lane), lane])).values()];
}

function isBrokenNow(receiver: ReceiverNews | undefined, rules: DeliveryRules): boolean {
  return receiver !== undefined && isBroken(receiver, rules);
}

/** A receiver that keeps answering need not be updated in every turn. */
function isAsBefore(
  { accountId, receiverId, failures, unsuccessful, openForSeconds, failed }: ReceiverNews,
  receivers: LockedReceiver[],
): boolean {
  const before = receivers.find((one) => one.accountId === accountId && one.receiverId === receiverId)!;
  const hasSameCounts = before.failures === failures && before.unsuccessful === unsuccessful;
  return before.isFresh && !failed && hasSameCounts && before.openForSeconds === openForSeconds;
}

type Health = Map<LaneName, ReceiverNews & { heard: boolean }>;

/** How many callbacks of a receiver this turn releases, and how many of them the receiver has accepted. */
interface Done {
  released: number;
  accepted: number;
}
const nothingDone: Done = { released: 0, accepted: 0 };

/** Decides what happens to each callback and to the health of its receiver. */
function record(finished: FinishedAttempt[], deliveries: LockedDelivery[], health: Health, rules: DeliveryRules) {
  const rows = new Map(deliveries.map((row) => [row.callbackId, row]));
  const recorded: TurnOutcome['recorded'] = [];
  const lost: FinishedAttempt[] = [];
  const deferred: FinishedAttempt[] = [];
  const done = new Map<LaneName, Done>();
  for (const one of finished) {
    const { callback, attempted } = one;
    const row = rows.get(callback.callbackId);
    const lane = laneName(callback);
    if (!health.has(lane)) {
      deferred.push(one);
      continue;
    }
    if (row?.lease !== callback.lease) {
      lost.push(one);
      continue;
    }
    const answer = answerOf(attempted);
    const verdict =
      attempted.kind === 'untried' ? null : verdictOn(answer ?? noAnswer, row.attempts + 1, rules, Math.random());
    recorded.push({ finished: one, verdict });
    const { released, accepted } = done.get(lane) ?? nothingDone;
    done.set(lane, {
      released: released + (row.leaseRuns ? 1 : 0),
      accepted: accepted + (verdict?.kind === 'delivered' ? 1 : 0),
    });
    if (answer) learn(health, lane, answer, rules);
  }
  return { recorded, lost, deferred, done };
}

const noAnswer: Answer = { status: null, retryAfterSeconds: null };

/** The response of the receiver; null if the attempt reveals nothing about the receiver. */
function answerOf(attempted: Attempted): Answer | null {
  if (attempted.kind === 'answered') return attempted;
  return attempted.kind === 'unanswered' ? noAnswer : null;
}

function isSilence(attempted: Attempted): boolean {
  const answer = answerOf(attempted);
  return answer !== null && isFailure(answer);
}

function learn(health: Health, lane: LaneName, answer: Answer, rules: DeliveryRules): void {
  const before = health.get(lane)!;
  const after = { ...before, ...healthAfter(before, answer, rules, Math.random()), heard: true };
  health.set(lane, {
    ...after,
    failed: before.failed || !isSuccess(answer),
    succeeded: before.succeeded || isSuccess(answer),
  });
}

/** Distributes slots among the receivers that have work and may be sent more, in turn. */
function shareOut(
  { lanes, free, suspectsAt }: Turn,
  loads: LaneLoad[],
  done: Map<LaneName, Done>,
  health: Health,
  rules: DeliveryRules,
) {
  const loadOf = new Map(loads.map((load) => [laneName(load), load]));
  const left = { ...free };
  const atHost = new Map(suspectsAt);
  const claims: Claim[] = [];
  const crowded: TurnOutcome['crowded'] = [];
  for (const { mine, ahead, ...lane } of lanes) {
    const name = laneName(lane);
    const receiver = health.get(name);
    const load = loadOf.get(name);
    if (!receiver || !load) continue;
    const suspect = isSuspect(receiver);
    const wanted = wantedBy({ ...load, mine, ahead }, done.get(name) ?? nothingDone, receiver, left, rules);
    const { host } = receiver;
    const leftAtHost = suspect ? rules.suspectSlotsPerHost - (atHost.get(host) ?? 0) : wanted.now;
    const begun = slotsFor({ wanted: Math.min(wanted.now, leftAtHost), mine, suspect }, left);
    if (begun < wanted.now) crowded.push({ ...lane, suspect, host });
    const count = begun < wanted.now ? begun : begun + wanted.ahead;
    if (count === 0) continue;
    claims.push({ ...lane, count });
    left.all -= begun;
    if (!suspect) continue;
    left.suspect -= begun;
    atHost.set(host, (atHost.get(host) ?? 0) + begun);
  }
  return { claims, crowded };
}

/**
 * How many callbacks a receiver could be sent now, and how many are worth claiming ahead: as many as it has accepted since
 * the last turn. They take no slots. If another worker sends to the receiver too, nothing is claimed ahead, so that all
 * workers together keep to the limit.
 */
function wantedBy(
  load: LaneLoad & { mine: number; ahead: number },
  { released, accepted }: Done,
  receiver: ReceiverNews,
  left: FreeSlots,
  rules: DeliveryRules,
): { now: number; ahead: number } {
  const { due, inHand, mine, ahead } = load;
  const atOnce = atOnceFor(receiver, rules);
  const held = inHand - released;
  const now = Math.max(0, Math.min(due, atOnce - held));
  const isShared = held > mine + ahead;
  const areSlotsScarce = slotsFor({ wanted: atOnce, mine: 0, suspect: false }, left) < atOnce;
  if (atOnce === 0 || isSuspect(receiver) || isShared || areSlotsScarce) return { now, ahead: 0 };
  const heldMax = atOnce + Math.min(accepted, rules.aheadMax);
  return { now, ahead: Math.max(0, Math.min(due, heldMax - held) - now) };
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
    const { accountId, callbackId } = callback;
    if (!verdict) {
      later.push({ accountId, callbackId, afterMs: untriedAgainMs, attempts: 0 });
      continue;
    }
    attempts.push(attemptRow(finished, rows.get(callbackId)!));
    if (verdict.kind === 'delivered') delivered.push(callback);
    else if (verdict.kind === 'failed') failed.push(callback);
    else later.push({ accountId, callbackId, afterMs: Math.ceil(verdict.afterSeconds * 1000), attempts: 1 });
  }
  return { attempts, delivered, failed, later };
}

function isSame(one: { callbackId: number }): (other: { callbackId: number }) => boolean {
  return (other) => other.callbackId === one.callbackId;
}

type Counted = Pick<LockedDelivery, 'attempts' | 'attemptsBefore'>;

function attemptRow({ callback, attempted, agoMs }: FinishedAttempt, row: Counted): AttemptRow {
  const { callbackId, accountId } = callback;
  const base = { callbackId, accountId, attemptNo: nextAttemptNo(row), agoMs: Math.round(agoMs), ...noDetails };
  if (attempted.kind !== 'answered' && attempted.kind !== 'unanswered')
    return { ...base, error: storeMessage(sending('no_secret')) };
  const { durationMs, address } = attempted;
  const details = { durationMs: Math.max(0, Math.round(durationMs)), address };
  if (attempted.kind === 'unanswered') return { ...base, ...details, error: storeMessage(attempted.error) };
  return { ...base, ...details, httpStatus: attempted.status, response: storable(attempted.response) };
}

function givenUpRow({ callbackId, accountId, ...row }: OverdueDelivery): AttemptRow {
  const error = storeMessage(sending('given_up', { hours: giveUpAfterHours }));
  return { callbackId, accountId, attemptNo: nextAttemptNo(row), agoMs: 0, ...noDetails, error };
}

const noDetails = { durationMs: 0, httpStatus: null, error: null, address: null, response: null };

function nextAttemptNo({ attempts, attemptsBefore }: Counted): number {
  return attemptsBefore + attempts + 1;
}

/** PostgreSQL stores no NUL in a text, and one of them would fail the whole turn. */
function storable(text: string): string {
  return text.replaceAll('\0', '');
}
