import { type FilterValues, textFilter } from '../../kit/url-filters.ts';

export const periods = ['week', 'month', 'quarter', 'lastWeek', 'lastMonth'] as const;
export type Period = (typeof periods)[number];

/** The period in the URL: `period=week`, or `from` and `to`. */
export const periodDescription = { period: textFilter, from: textFilter, to: textFilter } as const;
export type PeriodValues = FilterValues<typeof periodDescription>;

const dayMs = 86_400_000;
const trendDaysMax = 400;
const usualPeriod: Period = 'month';
const lengths = { week: 7, month: 30, quarter: 90 } as const;

export interface Days {
  from: string;
  to: string;
}

/** The days of the period, both included; `today` is that of Taipei. */
export function daysOf(values: PeriodValues, today: string): Days {
  if (isCustom(values) && mistakeIn(values) === null) return { from: values.from, to: values.to };
  const period = periodOf(values);
  if (period === 'lastMonth') {
    const end = later(`${today.slice(0, 7)}-01`, -1);
    return { from: `${end.slice(0, 7)}-01`, to: end };
  }
  if (period === 'lastWeek') {
    const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
    return { from: later(today, -weekday - 7), to: later(today, -weekday - 1) };
  }
  return { from: later(today, 1 - lengths[period]), to: today };
}

export function periodOf({ period }: PeriodValues): Period {
  return periods.find((one) => one === period) ?? usualPeriod;
}

export function isCustom({ from, to }: PeriodValues): boolean {
  return dayForm.test(from) && dayForm.test(to);
}

const dayForm = /^\d{4}-\d\d-\d\d$/;

/** The reason why there are no such days, or null. */
export function mistakeIn({ from, to }: Days): 'wrongOrder' | 'tooLong' | null {
  if (!(from <= to)) return 'wrongOrder';
  return (Date.parse(to) - Date.parse(from)) / dayMs >= trendDaysMax ? 'tooLong' : null;
}

function later(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** The day in Taipei. */
export function taipeiToday(now = new Date()): string {
  return new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 10);
}
