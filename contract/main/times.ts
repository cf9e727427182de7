import { Type } from 'typebox';
import { type BrokenRule, errorMessage } from '../../messages/errors.ts';
import { instantOrDatePattern } from '../portable-patterns.ts';
import { Form, isRealDay, WithMeaning } from '../values.ts';

/** A time in our format: `2026-11-15T09:30:00.123456+08:00`. */
export const Time = (meaning: string) => WithMeaning(Type.String({ format: 'date-time' }), meaning);

/** The first and the last instant of a time in a filter, in a form that PostgreSQL reads. A date is a day in Taipei. */
export interface Span {
  from: string;
  to: string;
}

const dayForm = /^\d{4}-\d{2}-\d{2}$/;
const instantForm =
  /^(\d{4}-\d{2}-\d{2})[Tt ]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const microsecondDigits = 6;

/** null: neither a date nor a time as in RFC 3339. Times have microseconds; further digits are cut off. */
export function readSpan(text: string): Span | null {
  if (!isRealDay(text.slice(0, 10))) return null;
  if (dayForm.test(text)) {
    const [from, to] = ['00:00:00', '23:59:59.999999'].map((time) => instantOf(`${text}T${time}+08:00`));
    return { from: from!, to: to! };
  }
  if (!instantForm.test(text)) return null;
  const instant = instantOf(text);
  return { from: instant, to: instant };
}

/** In UTC. PostgreSQL knows no year 0, no offset from 16 hours on, and no year of five digits in this form. */
function instantOf(text: string): string {
  const [, day, hour, minute, second, decimals = '', sign, offsetHour = 0, offsetMinute = 0] = instantForm.exec(text)!;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  // A leap second is the first second of the next minute.
  const instant = new Date(Date.parse(`${day}T${hour}:${minute}:00Z`) + Number(second) * 1000 - offset * 60_000);
  const year = instant.getUTCFullYear();
  if (year < 1) return '-infinity';
  if (year > 9999) return 'infinity';
  const micros = decimals.slice(0, microsecondDigits).padEnd(microsecondDigits, '0');
  return `${instant.toISOString().slice(0, 19)}.${micros}Z`;
}

/** A time in a filter. */
export const InstantOrDay = Type.Refine(
  Type.String({
    ...Form(errorMessage('not_instant_or_date')),
    documented: { pattern: instantOrDatePattern },
  }),
  (value) => readSpan(value) !== null,
  (): BrokenRule => 'not_instant_or_date',
);
