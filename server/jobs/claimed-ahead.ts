import { type Lane, type LaneName, laneName } from '../domain/callbacks/callback.ts';
import type { CallbackInFlight } from './finished-attempts.ts';

/**
 * Callbacks that this worker has claimed and not yet begun to send, by receiver. A fast receiver need not wait for the next
 * turn: its next callback begins when another one ends.
 */
export class ClaimedAhead {
  private readonly waiting: Map<LaneName, CallbackInFlight[]>;

  constructor() {
    this.waiting = new Map();
  }

  countOf(lane: Lane): number {
    return this.waiting.get(laneName(lane))?.length ?? 0;
  }

  add(one: CallbackInFlight): void {
    const name = laneName(one.callback);
    const queue = this.waiting.get(name);
    if (queue) queue.push(one);
    else this.waiting.set(name, [one]);
  }

  /** Removes and returns the callback that has waited longest for a receiver that may be sent one more. */
  takeNext(mayBeSent: (lane: Lane) => boolean): CallbackInFlight | null {
    for (const [name, queue] of this.waiting) {
      if (!mayBeSent(queue[0]!.callback)) continue;
      const next = queue.shift()!;
      this.waiting.delete(name);
      // The receivers take turns.
      if (queue.length > 0) this.waiting.set(name, queue);
      return next;
    }
    return null;
  }

  takeAllOf(lane: Lane): CallbackInFlight[] {
    const name = laneName(lane);
    const queue = this.waiting.get(name) ?? [];
    this.waiting.delete(name);
    return queue;
  }

  takeAll(): CallbackInFlight[] {
    const all = [...this.waiting.values()].flat();
    this.waiting.clear();
    return all;
  }
}
