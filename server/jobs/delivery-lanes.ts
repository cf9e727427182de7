import type { DueLane } from '../domain/callbacks/delivery-queries.ts';
import type { CallbackInHand, Turn, TurnOutcome } from '../domain/callbacks/record-and-claim.ts';
import type { DeliveryRules } from '../domain/callbacks/retry-schedule.ts';
import { CrowdedLanes } from './crowded-lanes.ts';
import { firstOf } from './first-of.ts';
import { QueueScan } from './queue-scan.ts';
import { SlotUsage } from './slot-usage.ts';

/** How soon a receiver is tried again whose row another worker had locked. */
export const lockedRetryMs = 5;
const lanesPerTurnMax = 200;
/** The clocks of the database and of this process may differ a little. */
const dueMarginMs = 5;

/** The receivers that a turn checks, and the position from which it scans for others. */
export type LanesOfTurn = Pick<Turn, 'lanes' | 'lookAfter'>;

export const noLanes: LanesOfTurn = { lanes: [], lookAfter: null };

/** Knows which receivers to check, and when, and which slots are in use. A lane is the queue of one receiver. */
export class DeliveryLanes {
  readonly usage: SlotUsage;
  private readonly rules: DeliveryRules;
  private readonly scan: QueueScan;
  private readonly crowded: CrowdedLanes;
  /** Receivers that may have due callbacks now. */
  private readonly toCheck: Set<string>;
  /** Receivers whose next callback is due before the next scan, and when it is. */
  private readonly upcoming: Map<string, number>;

  constructor(rules: DeliveryRules) {
    this.rules = rules;
    this.usage = new SlotUsage(rules);
    this.scan = new QueueScan(rules.lookEverySeconds);
    this.crowded = new CrowdedLanes();
    this.toCheck = new Set();
    this.upcoming = new Map();
  }

  /** A crowded receiver is not checked before there is a slot for it. */
  add(receiverId: string): void {
    if (!this.crowded.has(receiverId)) this.toCheck.add(receiverId);
  }

  scanQueue(): void {
    this.scan.request();
  }

  haveWork(): boolean {
    const nowMs = performance.now();
    this.refresh(nowMs);
    return nowMs >= this.scan.dueAtMs() || (this.toCheck.size > 0 && this.usage.hasFree());
  }

  idleForMs(): number {
    let untilMs = this.scan.dueAtMs();
    for (const dueAtMs of this.upcoming.values()) untilMs = Math.min(untilMs, dueAtMs);
    return Math.max(1, untilMs - performance.now());
  }

  /** Chooses what the next turn checks. The turn reports back by `learn` or `putBack`. */
  take(): LanesOfTurn {
    const nowMs = performance.now();
    this.refresh(nowMs);
    const taken = firstOf(this.toCheck, this.usage.hasFree() ? lanesPerTurnMax : 0);
    for (const receiverId of taken) this.toCheck.delete(receiverId);
    return {
      lanes: taken.map((receiverId) => ({ receiverId, mine: this.usage.usedBy(receiverId) })),
      lookAfter: this.scan.beginPage(nowMs),
    };
  }

  putBack({ lanes }: LanesOfTurn): void {
    this.scan.cancelPage();
    for (const { receiverId } of lanes) this.add(receiverId);
  }

  learn(outcome: TurnOutcome, unblocked: string[], { lookAfter }: LanesOfTurn): void {
    for (const lane of outcome.crowded) this.crowded.add(lane);
    for (const receiverId of outcome.passedBy) this.upcoming.set(receiverId, performance.now() + lockedRetryMs);
    for (const receiverId of unblocked) this.add(receiverId);
    if (lookAfter !== null) this.addFound(outcome.found);
  }

  begin(callback: CallbackInHand): void {
    this.usage.begin(callback);
  }

  /** The receiver may have more callbacks due. */
  end(callback: CallbackInHand): void {
    this.usage.end(callback);
    this.add(callback.receiverId);
  }

  private addFound(found: DueLane[]): void {
    const nowMs = performance.now();
    for (const { receiverId, dueInSeconds } of found) {
      if (dueInSeconds <= 0) this.add(receiverId);
      else if (dueInSeconds <= this.rules.lookEverySeconds)
        this.upcoming.set(receiverId, nowMs + dueInSeconds * 1000 + dueMarginMs);
    }
    this.scan.endPage(
      found.map(({ receiverId }) => receiverId),
      nowMs,
    );
  }

  private refresh(nowMs: number): void {
    for (const [receiverId, dueAtMs] of this.upcoming) {
      if (dueAtMs > nowMs) continue;
      this.upcoming.delete(receiverId);
      this.add(receiverId);
    }
    for (const receiverId of this.crowded.admit(this.usage)) this.toCheck.add(receiverId);
  }
}
