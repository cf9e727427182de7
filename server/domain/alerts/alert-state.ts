import type { AttentionKind } from '../overview/attention-kinds.ts';
import type { AlertRule } from './alert-rule.ts';

/** What a rule has seen and said of a kind of item. */
export interface AlertState {
  kind: AttentionKind;
  count: number;
  isMore: boolean;
  metSince: Date;
  /** Since when the threshold is no longer reached; null: it is. */
  goneSince: Date | null;
  /** What the last message said; null: there was none since it began. */
  notifiedAt: Date | null;
  notifiedCount: number | null;
  /** Since when something waits for the end of the quiet hours, and the highest count since then. */
  heldSince: Date | null;
  heldMax: number | null;
}

export interface Observed {
  count: number;
  isMore: boolean;
}

/** `grown`: the count is at least twice that of the last message. */
export type AlertEvent = 'raised' | 'repeated' | 'grown' | 'resolved';

export interface Step {
  /** null: there is nothing to remember. */
  state: AlertState | null;
  event: AlertEvent | null;
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** A condition that comes and goes every minute must not send two messages every minute. */
export const resolvedAfterMs = 5 * minuteMs;
const grownFactor = 2;

type Thresholds = Pick<AlertRule, 'minCount' | 'minMinutes' | 'repeatHours' | 'notifyResolved'>;

/** What follows from a look at an item. An event is to be sent now, or at the end of the quiet hours. */
export function nextState(
  kind: AttentionKind,
  state: AlertState | null,
  { observed, rule, now }: { observed: Observed; rule: Thresholds; now: Date },
): Step {
  const seen = { ...observed, heldMax: state?.heldSince ? Math.max(state.heldMax ?? 0, observed.count) : null };
  if (observed.count < rule.minCount) return state === null ? nothing : afterTheEnd({ ...state, ...seen }, rule, now);
  if (state === null || (state.notifiedAt === null && state.goneSince !== null)) {
    const { heldSince = null } = state ?? {};
    const begun = { kind, metSince: now, goneSince: null, notifiedAt: null, notifiedCount: null, heldSince, ...seen };
    return whileItLasts(begun, rule, now);
  }
  return whileItLasts({ ...state, ...seen, goneSince: null }, rule, now);
}

const nothing: Step = { state: null, event: null };

function whileItLasts(state: AlertState, rule: Thresholds, now: Date): Step {
  const { notifiedAt, notifiedCount, count } = state;
  const said = { ...state, notifiedAt: now, notifiedCount: count };
  if (notifiedAt === null) {
    const hasLasted = now.getTime() - state.metSince.getTime() >= rule.minMinutes * minuteMs;
    return hasLasted ? { state: said, event: 'raised' } : { state, event: null };
  }
  if (count >= (notifiedCount ?? 0) * grownFactor) return { state: said, event: 'grown' };
  const isDue = now.getTime() - notifiedAt.getTime() >= rule.repeatHours * hourMs;
  return isDue ? { state: said, event: 'repeated' } : { state, event: null };
}

function afterTheEnd(state: AlertState, rule: Thresholds, now: Date): Step {
  const gone = { ...state, goneSince: state.goneSince ?? now };
  const isHeld = state.heldSince !== null;
  if (state.notifiedAt === null) return { state: isHeld ? gone : null, event: null };
  const over: AlertState = { ...gone, notifiedAt: null, notifiedCount: null };
  if (rule.notifyResolved) {
    const isOver = now.getTime() - gone.goneSince.getTime() >= resolvedAfterMs;
    return isOver ? { state: over, event: 'resolved' } : { state: gone, event: null };
  }
  // Without a message about its end, the same condition is not news when it comes back soon.
  if (now.getTime() - state.notifiedAt.getTime() < rule.repeatHours * hourMs) return { state: gone, event: null };
  return { state: isHeld ? over : null, event: null };
}

/** The state while an event waits for the end of the quiet hours. */
export function hold(state: AlertState, now: Date): AlertState {
  return { ...state, heldSince: state.heldSince ?? now, heldMax: Math.max(state.heldMax ?? 0, state.count) };
}

/** The state after everything that is known of it has been said. */
export function release(state: AlertState): AlertState | null {
  const isOver = state.notifiedAt === null && state.goneSince !== null;
  return isOver ? null : { ...state, heldSince: null, heldMax: null };
}
