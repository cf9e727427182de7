/** Every number that a delivery goes by; tests and fault runs shrink them. */
export const deliveryRules = {
  /** After the first try, the second and so on; one more try than delays. */
  retryDelaysSeconds: [5, 5 * 60, 30 * 60, 2 * 3600, 5 * 3600, 10 * 3600, 10 * 3600],
  /** So that what failed together is not tried together: later by up to this share, never earlier. */
  jitter: 0.1,
  retryAfterMaxSeconds: 3600,
  /** A receiver that failed so often in a row is left alone for a while, then tried with one callback at a time. */
  openAfterFailures: 5,
  openSeconds: 10,
  openMaxSeconds: 300,
  /** Callbacks at a time for one receiver, over all workers. */
  healthyAtOnce: 16,
  suspectAtOnce: 2,
  /** Callbacks at a time for one worker, and how many of them for receivers that may be dead. */
  slots: 200,
  suspectSlots: 100,
  /** And how many of these for one host: a partner may give each document an address of its own there. */
  suspectSlotsPerHost: 4,
  attemptSeconds: 15,
  /** A worker that has neither recorded nor renewed what it has in hand for so long is taken for dead. */
  leaseSeconds: 10,
  /** How often to look for what became due, was left by a dead worker, or was notified in vain. */
  lookEverySeconds: 3,
  /** For the one transaction that records and takes in hand; whoever does not answer by then is not going to. */
  turnSeconds: 5,
};
export type DeliveryRules = typeof deliveryRules;

/** What a try has brought; a status of null means that there was no answer. */
export interface Answer {
  status: number | null;
  retryAfterSeconds: number | null;
}

export type Verdict = { kind: 'delivered' } | { kind: 'again'; afterSeconds: number } | { kind: 'failed' };

/** What becomes of a callback after its how-manieth try. */
export function verdictOn(answer: Answer, attempt: number, rules: DeliveryRules, random: number): Verdict {
  if (isSuccess(answer)) return { kind: 'delivered' };
  if (answer.status === gone) return { kind: 'failed' };
  const delaySeconds = rules.retryDelaysSeconds[attempt - 1];
  if (delaySeconds === undefined) return { kind: 'failed' };
  return { kind: 'again', afterSeconds: Math.max(delaySeconds * (1 + rules.jitter * random), askedForSeconds(answer, rules)) };
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

/** How long a `Retry-After` asks to wait: seconds, or one of the three forms of a date (RFC 9110, 5.6.7). null: it cannot be read. */
export function readRetryAfter(text: string | null, now: Date): number | null {
  if (text === null) return null;
  if (/^\d{1,10}$/.test(text)) return Number(text);
  // Date.parse alone would make a date even of `in 5 minutes`.
  if (!httpDates.some((form) => form.test(text))) return null;
  const instant = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(instant) ? null : Math.max(0, Math.ceil((instant - now.getTime()) / 1000));
}

const httpDates = [
  /^\w{3}, \d{2} \w{3} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^\w{6,9}, \d{2}-\w{3}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^\w{3} \w{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/** How a receiver has been doing. */
export interface ReceiverHealth {
  /** Tries in a row without a sign of life. */
  failures: number;
  /** Tries in a row that did not succeed, whatever was answered. They are shown to operators; deliveries do not depend on them. */
  unsuccessful: number;
  /** So long it is left alone. */
  openForSeconds: number;
  hasSucceeded: boolean;
  paused: boolean;
}

/** Any answer is a sign of life, unless it says that the receiver is broken or overloaded. */
export function isFailure({ status }: Answer): boolean {
  return status === null || status >= 500 || status === tooManyRequests;
}

export function healthAfter(health: ReceiverHealth, answer: Answer, rules: DeliveryRules, random: number): ReceiverHealth {
  if (isFailure(answer)) return healthAfterFailure(health, answer, rules, random);
  return {
    ...health,
    failures: 0,
    unsuccessful: isSuccess(answer) ? 0 : health.unsuccessful + 1,
    hasSucceeded: health.hasSucceeded || isSuccess(answer),
    // A wait that the receiver asked for is kept, whatever else it answers meanwhile.
    openForSeconds: isBroken(health, rules) ? 0 : health.openForSeconds,
  };
}

function healthAfterFailure(health: ReceiverHealth, answer: Answer, rules: DeliveryRules, random: number): ReceiverHealth {
  // What was under way when the circuit opened tells nothing new: sixteen failures at a time are one outage, not twelve doublings.
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

/** Whether only one callback at a time may find out if it is alive. */
export function isBroken({ failures }: ReceiverHealth, { openAfterFailures }: DeliveryRules): boolean {
  return failures >= openAfterFailures;
}

/** Whether it may well hang: it has never taken a callback, or the last one failed. */
export function isSuspect({ failures, hasSucceeded }: ReceiverHealth): boolean {
  return failures > 0 || !hasSucceeded;
}

/** How many callbacks it may be sent at a time. */
export function atOnceFor(health: ReceiverHealth, rules: DeliveryRules): number {
  if (health.paused || health.openForSeconds > 0) return 0;
  if (isBroken(health, rules)) return 1;
  return isSuspect(health) ? rules.suspectAtOnce : rules.healthyAtOnce;
}

/** Free slots of a worker, and how many of them are open to suspects; at one host, fewer. */
export interface FreeSlots {
  all: number;
  suspect: number;
}

/**
 * How many slots a worker gives to a receiver that could use `wanted` more and has `mine` already. A healthy one has at most as many as an
 * eighth of what is then free: should thirty begin to hang at the same moment, there still are slots for the next.
 */
export function slotsFor({ wanted, mine, suspect }: { wanted: number; mine: number; suspect: boolean }, free: FreeSlots): number {
  const share = suspect ? free.suspect : Math.max(1, Math.floor(free.all / 8)) - mine;
  return Math.max(0, Math.min(wanted, share, free.all));
}
