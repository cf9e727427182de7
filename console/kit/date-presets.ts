import { formatDate } from './time-text.ts';

/** Periods that move with the calendar: a view of "today" shows another day tomorrow. Weeks begin on Monday. */
export const datePresets = ['today', 'yesterday', 'last_7_days', 'this_week', 'this_month', 'last_month'] as const;
export type DatePreset = (typeof datePresets)[number];

const dayMs = 86_400_000;

/** The first and the last day of a period in Taipei, both included. */
export function presetDays(preset: DatePreset, now = new Date()): { from: string; to: string } {
  const today = formatDate(now);
  const [year, month] = today.split('-').map(Number) as [number, number];
  const sinceMonday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  switch (preset) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday':
      return { from: dayAfter(today, -1), to: dayAfter(today, -1) };
    case 'last_7_days':
      return { from: dayAfter(today, -6), to: today };
    case 'this_week':
      return { from: dayAfter(today, -sinceMonday), to: dayAfter(today, 6 - sinceMonday) };
    case 'this_month':
      return { from: dayOf(year, month, 1), to: dayOf(year, month + 1, 0) };
    case 'last_month':
      return { from: dayOf(year, month - 1, 1), to: dayOf(year, month, 0) };
    default:
      return preset satisfies never;
  }
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** Months beyond a year, and day 0, which is the last day of the month before, count on. */
function dayOf(year: number, month: number, day: number): string {
  return new Date(Date.UTC(year, month - 1, day)).toISOString().slice(0, 10);
}
