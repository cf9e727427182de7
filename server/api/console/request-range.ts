import { requestDaysMax, requestMinutesDefault } from '../../../contract/console/requests.ts';
import { rejection } from '../../../messages/rejection-texts.ts';
import { mistakeAt } from './console-list.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** Without an end it is until now, and a little beyond: clocks differ. */
export function rangeOf(asked: { minutes?: number; from?: string; to?: string }, now: Date): { from: Date; to: Date } {
  if (asked.minutes !== undefined && (asked.from ?? asked.to) !== undefined)
    throw mistakeAt('minutes', rejection('minutes_and_range'));
  const to = asked.to === undefined ? new Date(now.getTime() + minuteMs) : new Date(asked.to);
  const end = Math.min(to.getTime(), now.getTime());
  const from =
    asked.from === undefined
      ? new Date(end - (asked.minutes ?? requestMinutesDefault) * minuteMs)
      : new Date(asked.from);
  if (from >= to) throw mistakeAt('from', rejection('range_reversed'));
  if (to.getTime() - from.getTime() > requestDaysMax * dayMs + minuteMs)
    throw mistakeAt('from', rejection('range_too_long', { days: requestDaysMax }));
  return { from, to };
}
