import { type FilterValues, textFilter } from '../../kit/url-filters.ts';

export const rangeChoices = ['hour', 'hours', 'day', 'week'] as const;
export type RangeChoice = (typeof rangeChoices)[number];

const minutesOf = { hour: 60, hours: 360, day: 1440, week: 10_080 } as const satisfies Record<RangeChoice, number>;
const daysMax = 7;

/** The range in the URL: `within=day`, or `from` and `to` in Taipei time. */
export const rangeDescription = { within: textFilter, from: textFilter, to: textFilter } as const;
export type RangeValues = FilterValues<typeof rangeDescription>;

/** The range in the form of the request. */
export function rangeBody(values: RangeValues): { minutes: number } | { from: string; to: string } {
  if (isCustom(values) && mistakeIn(values) === null)
    return { from: `${values.from}:00+08:00`, to: `${values.to}:00+08:00` };
  return { minutes: minutesOf[choiceOf(values)] };
}

export function choiceOf({ within }: RangeValues): RangeChoice {
  return rangeChoices.find((choice) => choice === within) ?? 'hour';
}

export function isCustom({ from, to }: RangeValues): boolean {
  return clockForm.test(from) && clockForm.test(to);
}

const clockForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** The reason why the range cannot be searched, or null. */
export function mistakeIn({ from, to }: RangeValues): 'wrongOrder' | 'tooLong' | null {
  const lengthMs = Date.parse(`${to}:00Z`) - Date.parse(`${from}:00Z`);
  if (!(lengthMs > 0)) return 'wrongOrder';
  return lengthMs > daysMax * 86_400_000 ? 'tooLong' : null;
}

const taipeiOffsetMs = 8 * 3_600_000;

/** The date and time in Taipei. */
export function taipeiClock(instant: Date): string {
  return new Date(instant.getTime() + taipeiOffsetMs).toISOString().slice(0, 16);
}
