import { type LaneName, laneName, laneOf } from '../domain/callbacks/callback.ts';
import type { CrowdedLane } from '../domain/callbacks/record-and-claim.ts';
import { slotsFor } from '../domain/callbacks/retry-schedule.ts';
import { firstOf } from './first-of.ts';
import type { SlotUsage } from './slot-usage.ts';

/** Receivers with due callbacks for which there was no free slot. Those that have waited longest are admitted first. */
export class CrowdedLanes {
  private readonly healthy: Set<LaneName>;
  /** By host, because hosts take turns. */
  private readonly suspects: Map<string, Set<LaneName>>;
  private readonly all: Set<LaneName>;

  constructor() {
    this.healthy = new Set();
    this.suspects = new Map();
    this.all = new Set();
  }

  has(name: LaneName): boolean {
    return this.all.has(name);
  }

  add(lane: CrowdedLane): void {
    const { suspect, host } = lane;
    const name = laneName(lane);
    const waiting = suspect ? (this.suspects.get(host) ?? new Set()) : this.healthy;
    if (suspect) this.suspects.set(host, waiting);
    waiting.add(name);
    this.all.add(name);
  }

  /** Removes and returns the receivers for which there are slots now. */
  admit(usage: SlotUsage): LaneName[] {
    const admitted = [...this.admitHealthy(usage), ...this.admitSuspects(usage)];
    for (const name of admitted) this.all.delete(name);
    return admitted;
  }

  private admitHealthy(usage: SlotUsage): LaneName[] {
    const free = usage.free();
    const admitted = firstOf(this.healthy, free.all).filter(
      (name) => slotsFor({ wanted: 1, mine: usage.usedBy(laneOf(name)), suspect: false }, free) > 0,
    );
    for (const name of admitted) this.healthy.delete(name);
    return admitted;
  }

  private admitSuspects(usage: SlotUsage): LaneName[] {
    const admitted: LaneName[] = [];
    let left = usage.free().suspect;
    for (const [host, waiting] of [...this.suspects]) {
      const room = Math.min(left, usage.freeForSuspectsAt(host));
      if (room <= 0) continue;
      const admittedHere = firstOf(waiting, room);
      for (const name of admittedHere) waiting.delete(name);
      admitted.push(...admittedHere);
      left -= room;
      this.suspects.delete(host);
      // A host with more waiting receivers goes to the end of the line.
      if (waiting.size > 0) this.suspects.set(host, waiting);
    }
    return admitted;
  }
}
