import type { Language } from './define-words.ts';

const zone = 'Asia/Taipei';
const units = [
  { unit: 'day', seconds: 86_400 },
  { unit: 'hour', seconds: 3600 },
  { unit: 'minute', seconds: 60 },
] as const;
const relativeDaysMax = 14;

const instantParts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});
const dateParts = new Intl.DateTimeFormat('sv-SE', {
  timeZone: zone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});

/** 2026-11-16 19:45:00, in Taipei. */
export function formatInstant(at: string | Date): string {
  return instantParts.format(new Date(at));
}

/** 2026-11-16, in Taipei. A plain date is returned unchanged. */
export function formatDate(at: string | Date): string {
  return typeof at === 'string' && /^\d{4}-\d\d-\d\d$/.test(at) ? at : dateParts.format(new Date(at));
}

/** "5 minutes ago", or the date if it is more than two weeks away. */
export function relativeText(at: string | Date, now: Date, language: Language, justNow: string): string {
  const seconds = (new Date(at).getTime() - now.getTime()) / 1000;
  if (Math.abs(seconds) < 45) return justNow;
  if (Math.abs(seconds) > relativeDaysMax * 86_400) return formatDate(at);
  const { unit, seconds: unitSeconds } = units.find((one) => Math.abs(seconds) >= one.seconds * 0.9) ?? units[2];
  return new Intl.RelativeTimeFormat(language, { numeric: 'always', style: 'short' }).format(
    Math.round(seconds / unitSeconds),
    unit,
  );
}
