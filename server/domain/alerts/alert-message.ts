import type { AttentionKind, attentionKinds } from '../overview/attention-kinds.ts';
import type { AlertChannel } from './alert-rule.ts';
import type { AlertEvent } from './alert-state.ts';

/** A condition in a message. Everything in it may leave the service: it names no person and no document. */
export interface AlertItem {
  kind: AttentionKind;
  /** `held`: something happened in the quiet hours. */
  event: AlertEvent | 'held';
  severity: (typeof attentionKinds)[AttentionKind];
  count: number;
  isMore: boolean;
  /** The time of the oldest occurrence, or the first expiry date; null if it is not known. */
  since: string | null;
  /** Path and query of the console's list of the occurrences. */
  path: string;
  /** Names of warehouses, hosts, accounts or clients. */
  names: string[];
  /** For `held`: since when, the highest count, and whether it is over. */
  held: { since: string; max: number; isOver: boolean } | null;
}

export const alertOccasions = ['alert', 'summary', 'test'] as const;
export type AlertOccasion = (typeof alertOccasions)[number];

export interface NewAlertMessage {
  eventId: string;
  channel: AlertChannel;
  occasion: AlertOccasion;
  items: AlertItem[];
  recipients: string[];
}

/** A message that a worker has claimed. */
export interface ClaimedMessage extends NewAlertMessage {
  alertMessageId: number;
  alertRuleId: number;
  taken: number;
  refused: string[];
  /** Including this one. */
  attempts: number;
  createdAt: Date;
}

export type AlertMessageState = 'pending' | 'sent' | 'failed';

const minuteSeconds = 60;
const hourSeconds = 3600;
/** Delays after the first attempt, the second and so on; there is one more attempt than delays. */
const retryDelaysSeconds = [
  ...[1, 5, 15, 30].map((minutes) => minutes * minuteSeconds),
  ...[1, 3, 6, 12].map((hours) => hours * hourSeconds),
];

/** When the next attempt is due; null: there is none. */
export function nextAttemptAt(attempts: number, now: Date): Date | null {
  const delay = retryDelaysSeconds[attempts - 1];
  return delay === undefined ? null : new Date(now.getTime() + delay * 1000);
}
