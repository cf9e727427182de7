import type { CrowdedLane } from '../domain/callbacks/record-and-claim.ts';
import { slotsFor } from '../domain/callbacks/retry-schedule.ts';
import { firstOf } from './first-of.ts';
import type { SlotUsage } from './slot-usage.ts';

/** Receivers with due callbacks for which there was no free slot. Those that have waited longest are admitted first. */
export class CrowdedLanes {
  private readonly healthy: Set<string>;
  /** By host, because hosts take turns. */
  private readonly suspects: Map<string, Set<string>>;
  private readonly all: Set<string>;

  constructor() {
    this.healthy = new Set();
    this.suspects = new Map();
    this.all = new Set();
  }

  has(receiverId: string): boolean {
    return this.all.has(receiverId);
  }

  add({ receiverId, suspect, host }: CrowdedLane): void {
    const waiting = suspect ? (this.suspects.get(host) ?? new Set()) : this.healthy;
    if (suspect) this.suspects.set(host, waiting);
    waiting.add(receiverId);
    this.all.add(receiverId);
  }

  /** Removes and returns the receivers for which there are slots now. */
  admit(usage: SlotUsage): string[] {
    const admitted = [...this.admitHealthy(usage), ...this.admitSuspects(usage)];
    for (const receiverId of admitted) this.all.delete(receiverId);
    return admitted;
  }

  private admitHealthy(usage: SlotUsage): string[] {
    const free = usage.free();
    const admitted = firstOf(this.healthy, free.all).filter(
      (receiverId) => slotsFor({ wanted: 1, mine: usage.usedBy(receiverId), suspect: false }, free) > 0,
    );
    for (const receiverId of admitted) this.healthy.delete(receiverId);
    return admitted;
  }

  private admitSuspects(usage: SlotUsage): string[] {
    const admitted: string[] = [];
    let left = usage.free().suspect;
    for (const [host, waiting] of [...this.suspects]) {
      const room = Math.min(left, usage.freeForSuspectsAt(host));
      if (room <= 0) continue;
      const admittedHere = firstOf(waiting, room);
      for (const receiverId of admittedHere) waiting.delete(receiverId);
      admitted.push(...admittedHere);
      left -= room;
      this.suspects.delete(host);
      // A host with more waiting receivers goes to the end of the line.
      if (waiting.size > 0) this.suspects.set(host, waiting);
    }
    return admitted;
  }
}
