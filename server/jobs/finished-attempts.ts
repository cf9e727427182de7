import type { ClaimedRow } from '../domain/callbacks/delivery-queries.ts';
import type { Attempted, CallbackInHand, FinishedAttempt } from '../domain/callbacks/record-and-claim.ts';

/** A callback that this worker has claimed and is sending. */
export interface CallbackInFlight {
  callback: ClaimedRow & CallbackInHand;
  leaseEndsAtMs: number;
}

export interface UnrecordedAttempt extends CallbackInFlight {
  attempted: Attempted;
  startedAtMs: number;
}

/** Attempts that are finished but not yet recorded. Methods that drop attempts return them. */
export class FinishedAttempts {
  private queue: UnrecordedAttempt[];
  private perTurnMax: number;

  constructor() {
    this.queue = [];
    this.perTurnMax = Number.POSITIVE_INFINITY;
  }

  isEmpty(): boolean {
    return this.queue.length === 0;
  }

  add(attempt: UnrecordedAttempt): void {
    this.queue.push(attempt);
  }

  take(): UnrecordedAttempt[] {
    return this.queue.splice(0, this.perTurnMax);
  }

  /** A turn was committed; those of its attempts whose receiver was locked by another worker remain. */
  settle(attempts: UnrecordedAttempt[], deferred: FinishedAttempt[], nowMs: number): UnrecordedAttempt[] {
    this.perTurnMax = Number.POSITIVE_INFINITY;
    if (deferred.length === 0) return [];
    const deferredIds = new Set(deferred.map(({ callback }) => callback.callbackId));
    return this.putBack(
      attempts.filter(({ callback }) => deferredIds.has(callback.callbackId)),
      nowMs,
    );
  }

  /** Attempts whose lease has ended are dropped: another worker sends the callback again. */
  putBack(attempts: UnrecordedAttempt[], nowMs: number): UnrecordedAttempt[] {
    this.queue.unshift(...attempts);
    const expired = this.queue.filter((one) => nowMs > one.leaseEndsAtMs);
    if (expired.length > 0) this.queue = this.queue.filter((one) => nowMs <= one.leaseEndsAtMs);
    return expired;
  }

  /**
   * One attempt that can never be recorded must not block the others: each failed turn halves the next one, until that
   * attempt is alone and is dropped.
   */
  putBackHalved(attempts: UnrecordedAttempt[], nowMs: number): UnrecordedAttempt[] {
    if (attempts.length > 0) this.perTurnMax = Math.ceil(attempts.length / 2);
    return attempts.length === 1 ? [...attempts, ...this.putBack([], nowMs)] : this.putBack(attempts, nowMs);
  }
}
