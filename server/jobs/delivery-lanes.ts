import { type Lane, type LaneName, laneName, laneOf } from '../domain/callbacks/callback.ts';
import type { FoundLanes } from '../domain/callbacks/lane-queries.ts';
import type { CallbackInHand, Turn, TurnOutcome } from '../domain/callbacks/record-and-claim.ts';
import type { DeliveryRules } from '../domain/callbacks/retry-schedule.ts';
import { ClaimedAhead } from './claimed-ahead.ts';
import { CrowdedLanes } from './crowded-lanes.ts';
import { firstOf } from './first-of.ts';
import { QueueScan } from './queue-scan.ts';
import { SlotUsage } from './slot-usage.ts';

/** How soon a receiver is tried again whose row another worker had locked. */
export const lockedRetryMs = 5;
const lanesPerTurnMax = 200;
/** The clocks of the database and of this process may differ a little. */
const dueMarginMs = 5;

/** The receivers that a turn checks, and where it searches for others. */
export type LanesOfTurn = Pick<Turn, 'lanes' | 'search'>;

export const noLanes: LanesOfTurn = { lanes: [], search: null };

/** Knows which receivers to check, and when, and which slots are in use. A lane is the queue of one receiver. */
export class DeliveryLanes {
  readonly usage: SlotUsage;
  readonly ahead: ClaimedAhead;
  private readonly rules: DeliveryRules;
  private readonly scan: QueueScan;
  private readonly crowded: CrowdedLanes;
  /** Receivers that may have due callbacks now. */
  private readonly toCheck: Set<LaneName>;
  /** Receivers whose next callback is due before the next scan, and when it is. */
  private readonly upcoming: Map<LaneName, number>;

  constructor(rules: DeliveryRules) {
    this.rules = rules;
    this.usage = new SlotUsage(rules);
    this.ahead = new ClaimedAhead();
    this.scan = new QueueScan(rules.lookEverySeconds);
    this.crowded = new CrowdedLanes();
    this.toCheck = new Set();
    this.upcoming = new Map();
  }

  /** A crowded receiver is not checked before there is a slot for it. */
  add(lane: Lane): void {
    this.addNamed(laneName(lane));
  }

  scanQueue(): void {
    this.scan.requestAll();
  }

  scanQueueOf(accountId: number): void {
    this.scan.request(accountId);
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
    for (const name of taken) this.toCheck.delete(name);
    return {
      lanes: taken.map(laneOf).map((lane) => ({
        ...lane,
        mine: this.usage.usedBy(lane),
        ahead: this.ahead.countOf(lane),
      })),
      search: this.scan.beginPage(nowMs),
    };
  }

  putBack({ lanes }: LanesOfTurn): void {
    for (const lane of lanes) this.add(lane);
  }

  learn(outcome: TurnOutcome, unblocked: Lane[], { search }: LanesOfTurn): void {
    for (const lane of outcome.crowded) this.crowded.add(lane);
    for (const lane of outcome.passedBy) this.upcoming.set(laneName(lane), performance.now() + lockedRetryMs);
    for (const lane of unblocked) this.add(lane);
    if (search !== null) this.addFound(outcome.found);
  }

  /** The result of the search that `take` has asked for. */
  addFound({ lanes, next }: FoundLanes): void {
    const nowMs = performance.now();
    for (const lane of lanes) {
      if (lane.dueInSeconds <= 0) this.add(lane);
      else if (lane.dueInSeconds <= this.rules.lookEverySeconds)
        this.upcoming.set(laneName(lane), nowMs + lane.dueInSeconds * 1000 + dueMarginMs);
    }
    this.scan.endPage(next, nowMs);
  }

  /** Whether a callback that was claimed ahead may be sent now. */
  mayBegin(lane: Lane): boolean {
    return this.usage.hasFree() && this.usage.usedBy(lane) < this.rules.healthyAtOnce;
  }

  begin(callback: CallbackInHand): void {
    this.usage.begin(callback);
  }

  /** The receiver may have more callbacks due. */
  end(callback: CallbackInHand): void {
    this.usage.end(callback);
    this.add(callback);
  }

  private addNamed(name: LaneName): void {
    if (!this.crowded.has(name)) this.toCheck.add(name);
  }

  private refresh(nowMs: number): void {
    for (const [name, dueAtMs] of this.upcoming) {
      if (dueAtMs > nowMs) continue;
      this.upcoming.delete(name);
      this.addNamed(name);
    }
    for (const name of this.crowded.admit(this.usage)) this.toCheck.add(name);
  }
}
