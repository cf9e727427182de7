import { type AttentionKind, type AttentionScope, attentionKinds, kindsWithin } from '../overview/attention-kinds.ts';

export const alertRulesMax = 50;

/** When administrators want to hear of items that need attention, and how. */
export interface AlertRule {
  alertRuleId: number;
  name: string;
  enabled: boolean;
  language: 'en' | 'zh-TW';
  /** null: all. */
  kinds: AttentionKind[] | null;
  scope: AttentionScope;
  /** The threshold: at least so many occurrences, for so long. */
  minCount: number;
  minMinutes: number;
  /** After so many hours, a condition that lasts is sent again. */
  repeatHours: number;
  notifyResolved: boolean;
  emails: string[];
  webhookUrl: string | null;
  quiet: QuietHours | null;
  /** Urgent kinds are also sent in quiet hours. */
  urgentIgnoresQuiet: boolean;
}

/** Hours in which nothing is sent, in Taipei. If they end before they begin, or at the same minute, they end on the next day. */
export interface QuietHours {
  /** Minutes after midnight. */
  from: number;
  to: number;
  /** The days on which they begin: 1 is Monday. */
  days: number[];
}

/** The kinds that a rule watches. */
export function kindsOf({ kinds, scope }: Pick<AlertRule, 'kinds' | 'scope'>): AttentionKind[] {
  const possible = kindsWithin(scope);
  return kinds === null ? possible : possible.filter((kind) => kinds.includes(kind));
}

export const alertChannels = ['email', 'webhook'] as const;
export type AlertChannel = (typeof alertChannels)[number];

export function channelsOf({ emails, webhookUrl }: Pick<AlertRule, 'emails' | 'webhookUrl'>): AlertChannel[] {
  return [...(emails.length > 0 ? (['email'] as const) : []), ...(webhookUrl === null ? [] : (['webhook'] as const))];
}

/** Whether nothing may be sent about this kind now; without a kind: about those that are not urgent. */
export function isQuietFor(
  { quiet, urgentIgnoresQuiet }: Pick<AlertRule, 'quiet' | 'urgentIgnoresQuiet'>,
  now: Date,
  kind: AttentionKind | null = null,
): boolean {
  if (quiet === null || (kind !== null && urgentIgnoresQuiet && attentionKinds[kind] === 'critical')) return false;
  const { day, minute } = taipeiWeekTime(now);
  const isToday = quiet.days.includes(day);
  if (quiet.from < quiet.to) return isToday && minute >= quiet.from && minute < quiet.to;
  const wasYesterday = quiet.days.includes(day === 1 ? 7 : day - 1);
  return (isToday && minute >= quiet.from) || (wasYesterday && minute < quiet.to);
}

const minuteMs = 60_000;
const dayMinutes = 1440;
const taipeiOffsetMinutes = 480;
/** 1970-01-01 was a Thursday. */
const firstDay = 4;

function taipeiWeekTime(instant: Date): { day: number; minute: number } {
  const minutes = Math.floor(instant.getTime() / minuteMs) + taipeiOffsetMinutes;
  const day = ((Math.floor(minutes / dayMinutes) + firstDay - 1) % 7) + 1;
  return { day, minute: minutes % dayMinutes };
}
