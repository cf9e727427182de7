import { taipeiDay } from '../../platform/clock.ts';
import { type WorkingDay, workingDays as weekdays } from '../partners/provisioning.ts';

/** When orders have to leave a warehouse. */
export interface CutOff {
  /** `15:00`, in Taipei. */
  time: string;
  workingDays: readonly WorkingDay[];
}

/**
 * The day on which an order has to be shipped: the day of its creation, if that is a working day and the cut-off has not
 * passed, and the next working day otherwise.
 */
export function dueDay(createdAt: Date, { time, workingDays }: CutOff): string {
  const isSameDay = isWorkingDay(createdAt, 0, workingDays) && taipeiTimeOfDay(createdAt) < time;
  let daysLater = isSameDay ? 0 : 1;
  while (!isWorkingDay(createdAt, daysLater, workingDays)) daysLater++;
  return taipeiDay(createdAt, daysLater);
}

function isWorkingDay(instant: Date, daysLater: number, workingDays: readonly WorkingDay[]): boolean {
  const day = new Date(`${taipeiDay(instant, daysLater)}T00:00:00Z`).getUTCDay();
  return workingDays.includes(weekdays[(day + 6) % 7]!);
}

function taipeiTimeOfDay(instant: Date): string {
  return new Date(instant.getTime() + 8 * 3_600_000).toISOString().slice(11, 16);
}
