import type { Message } from '../../../messages/message.ts';
import { outcome } from '../../../messages/outcome-texts.ts';

export interface ErasureCounts {
  orders: number;
  /** Callbacks whose body was erased. */
  callbacks: number;
  /** Notes of operators whose text was erased. */
  notes: number;
}

export const nothingErased: ErasureCounts = { orders: 0, callbacks: 0, notes: 0 };

/** A scheduled erasure. */
export interface ErasureReport extends ErasureCounts {
  recipientErasureId: number;
  startedAt: Date;
  /** null: the erasure was interrupted, or is still running. */
  finishedAt: Date | null;
  actor: string;
  /** Erased the recipients of orders that ended before this time. */
  endedBefore: Date;
}

const millisecondsPerDay = 86_400_000;

/** Orders that ended before this time are past the retention of their recipients. */
export function endedBeforeOf(now: Date, retentionDays: number): Date {
  return new Date(now.getTime() - retentionDays * millisecondsPerDay);
}

export function describeErasure({ orders, callbacks, notes }: ErasureCounts): Message {
  return outcome('erasure_counts', { orders, callbacks, notes });
}
