/** The rules of delivery; tests and fault runs use smaller numbers. */
export const deliveryRules = {
  /** Delays after the first attempt, the second and so on; there is one more attempt than delays. */
  retryDelaysSeconds: [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600],
  /** Lengthens each delay by up to this share, so that callbacks that failed together are not retried together. */
  jitter: 0.1,
  retryAfterMaxSeconds: 3600,
  /** A receiver that failed this many times in a row is put on hold, then probed with one callback at a time. */
  openAfterFailures: 5,
  openSeconds: 10,
  openMaxSeconds: 300,
  /** Concurrent callbacks for one receiver, across all workers. */
  healthyAtOnce: 16,
  suspectAtOnce: 2,
  /** How many more a worker may claim for a fast receiver, so that it always has the next one to send. */
  aheadMax: 64,
  /** Concurrent callbacks of one worker, and how many of them may go to receivers that may be dead. */
  slots: 200,
  suspectSlots: 100,
  /** How many of these may go to one host, because a partner may use a different address there for each document. */
  suspectSlotsPerHost: 4,
  attemptSeconds: 15,
  /** A worker that has neither recorded nor renewed its callbacks for this long is considered dead. */
  leaseSeconds: 10,
  /** How often to check for callbacks that became due, were left by a dead worker, or whose notification was lost. */
  lookEverySeconds: 3,
  /** Deadline of the one transaction that records and claims. */
  turnSeconds: 5,
};
export type DeliveryRules = typeof deliveryRules;

/** The result of an attempt; a status of null means that there was no response. */
export interface Answer {
  status: number | null;
  retryAfterSeconds: number | null;
}

export type Verdict = { kind: 'delivered' } | { kind: 'again'; afterSeconds: number } | { kind: 'failed' };

/** Decides what happens to a callback after an attempt; `attempt` starts at 1. */
export function verdictOn(answer: Answer, attempt: number, rules: DeliveryRules, random: number): Verdict {
  if (isSuccess(answer)) return { kind: 'delivered' };
  if (answer.status === gone) return { kind: 'failed' };
  const delaySeconds = rules.retryDelaysSeconds[attempt - 1];
  if (delaySeconds === undefined) return { kind: 'failed' };
  return {
    kind: 'again',
    afterSeconds: Math.max(delaySeconds * (1 + rules.jitter * random), askedForSeconds(answer, rules)),
  };
}

const gone = 410;
const tooManyRequests = 429;
const serviceUnavailable = 503;

export function isSuccess({ status }: Answer): boolean {
  return status !== null && status >= 200 && status <= 299;
}

function askedForSeconds({ retryAfterSeconds }: Answer, { retryAfterMaxSeconds }: DeliveryRules): number {
  return Math.min(retryAfterSeconds ?? 0, retryAfterMaxSeconds);
}

/**
 * How long a `Retry-After` asks to wait: seconds, or one of the three date formats (RFC 9110, 5.6.7). null: it cannot
 * be parsed.
 */
export function readRetryAfter(text: string | null, now: Date): number | null {
  if (text === null) return null;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  // Date.parse alone would accept `in 5 minutes` as a date.
  if (!httpDates.some((form) => form.test(text))) return null;
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? null : Math.max(0, Math.ceil((instant - now.getTime()) / 1000));
}

const httpDates = [
  /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** The recent history of a receiver. */
export interface ReceiverHealth {
  /** Consecutive attempts without a sign of life. */
  failures: number;
  /**
   * Consecutive attempts without success, whatever the response was. Shown to operators; deliveries do not depend on
   * it.
   */
  unsuccessful: number;
  /** How long the receiver is on hold. */
  openForSeconds: number;
  hasSucceeded: boolean;
  paused: boolean;
}

/** Every response is a sign of life, unless it says that the receiver is broken or overloaded. */
export function isFailure({ status }: Answer): boolean {
  return status === null || status >= 500 || status === tooManyRequests;
}

export function healthAfter(
  health: ReceiverHealth,
  answer: Answer,
  rules: DeliveryRules,
  random: number,
): ReceiverHealth {
  if (isFailure(answer)) return healthAfterFailure(health, answer, rules, random);
  return {
    ...health,
    failures: 0,
    unsuccessful: isSuccess(answer) ? 0 : health.unsuccessful + 1,
    hasSucceeded: health.hasSucceeded || isSuccess(answer),
    // A wait that the receiver asked for stays, whatever else it answers meanwhile.
    openForSeconds: isBroken(health, rules) ? 0 : health.openForSeconds,
  };
}

function healthAfterFailure(
  health: ReceiverHealth,
  answer: Answer,
  rules: DeliveryRules,
  random: number,
): ReceiverHealth {
  // Attempts that were under way when the receiver was put on hold belong to the same outage. They must not double the
  // time again.
  const isOpen = isBroken(health, rules) && health.openForSeconds > 0;
  const failures = isOpen ? health.failures : health.failures + 1;
  const opensForSeconds =
    isOpen || failures < rules.openAfterFailures ? 0 : openSecondsAfter(failures, rules) * (1 + rules.jitter * random);
  const asksForSilence = answer.status === tooManyRequests || answer.status === serviceUnavailable;
  const askedSeconds = asksForSilence ? askedForSeconds(answer, rules) : 0;
  const openForSeconds = Math.max(health.openForSeconds, opensForSeconds, askedSeconds);
  return { ...health, failures, unsuccessful: health.unsuccessful + 1, openForSeconds };
}

function openSecondsAfter(failures: number, { openAfterFailures, openSeconds, openMaxSeconds }: DeliveryRules): number {
  return Math.min(openSeconds * 2 ** (failures - openAfterFailures), openMaxSeconds);
}

/** Whether only one callback at a time may probe the receiver. */
export function isBroken({ failures }: ReceiverHealth, { openAfterFailures }: DeliveryRules): boolean {
  return failures >= openAfterFailures;
}

/** Whether the receiver may hang: it has never accepted a callback, or the last one failed. */
export function isSuspect({ failures, hasSucceeded }: ReceiverHealth): boolean {
  return failures > 0 || !hasSucceeded;
}

/** How many concurrent callbacks the receiver may be sent. */
export function atOnceFor(health: ReceiverHealth, rules: DeliveryRules): number {
  if (health.paused || health.openForSeconds > 0) return 0;
  if (isBroken(health, rules)) return 1;
  return isSuspect(health) ? rules.suspectAtOnce : rules.healthyAtOnce;
}

/** The free slots of a worker, and how many of them suspects may use. */
export interface FreeSlots {
  all: number;
  suspect: number;
}

/**
 * How many slots a worker gives to a receiver that could use `wanted` more and has `mine` already. A healthy receiver
 * gets at most an eighth of the slots that are free then: even if thirty receivers start to hang at the same time,
 * slots remain for the next one.
 */
export function slotsFor(
  { wanted, mine, suspect }: { wanted: number; mine: number; suspect: boolean },
  free: FreeSlots,
): number {
  const share = suspect ? free.suspect : Math.max(1, Math.floor(free.all / 8)) - mine;
  return Math.max(0, Math.min(wanted, share, free.all));
}
