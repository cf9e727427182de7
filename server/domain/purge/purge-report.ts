import type { Message } from '../../../messages/message.ts';
import { outcome } from '../../../messages/outcome-texts.ts';

/** The numbers of deleted rows. */
export interface PurgeCounts {
  orders: number;
  inbounds: number;
  movements: number;
  callbacks: number;
  /** Units that stay on hand without their document, because newer movements depend on them. */
  unitsKept: number;
}

export const nothingPurged: PurgeCounts = { orders: 0, inbounds: 0, movements: 0, callbacks: 0, unitsKept: 0 };

export function addCounts(one: PurgeCounts, other: PurgeCounts): PurgeCounts {
  return {
    orders: one.orders + other.orders,
    inbounds: one.inbounds + other.inbounds,
    movements: one.movements + other.movements,
    callbacks: one.callbacks + other.callbacks,
    unitsKept: one.unitsKept + other.unitsKept,
  };
}

export interface PurgeReport extends PurgeCounts {
  purgeId: number;
  startedAt: Date;
  /** null: the purge was interrupted, or is still running. */
  finishedAt: Date | null;
  actor: string;
  /** Deletes documents created before this time. */
  madeBefore: Date;
}

const millisecondsPerDay = 86_400_000;

/** Documents created before this time are past their retention. */
export function madeBeforeOf(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * millisecondsPerDay);
}

export function describeCounts({ unitsKept, orders, inbounds, movements, callbacks }: PurgeCounts): Message {
  const counts = outcome('purge_counts', { orders, inbounds, movements, callbacks });
  return unitsKept === 0 ? counts : outcome('purge_counts_and_units', { counts, units: unitsKept });
}
