import { type LanePosition, type LaneSearch, startOf } from '../domain/callbacks/lane-queries.ts';

/** Two scans that notifications without receivers ask for are at least this far apart. */
const scanGapMs = 50;

/**
 * When to scan the queue for receivers with due callbacks, and how far the current scan has come. All accounts are
 * scanned at intervals, and those that are asked for in between.
 */
export class QueueScan {
  private readonly everyMs: number;
  /** The page that is to be read next, or is being read; null: no scan has begun. */
  private page: LaneSearch | null;
  /** The scan that has begun is one of all accounts. */
  private isOfAll: boolean;
  private endedAtMs: number;
  private nextOfAllAtMs: number;
  /** The accounts of the next scan. */
  private readonly requested: Set<number>;
  private isAllRequested: boolean;

  constructor(everySeconds: number) {
    this.everyMs = everySeconds * 1000;
    this.page = null;
    this.isOfAll = false;
    this.endedAtMs = 0;
    this.nextOfAllAtMs = 0;
    this.requested = new Set();
    this.isAllRequested = false;
  }

  dueAtMs(): number {
    if (this.page !== null) return 0;
    const isRequested = this.isAllRequested || this.requested.size > 0;
    return isRequested ? Math.min(this.nextOfAllAtMs, this.endedAtMs + scanGapMs) : this.nextOfAllAtMs;
  }

  /** Asks for a new scan. One that has begun may miss what happens from now on, so another one follows it. */
  request(accountId: number): void {
    this.requested.add(accountId);
  }

  requestAll(): void {
    this.isAllRequested = true;
  }

  /** Returns the page to read; null: none is due. A page that could not be read stays due. */
  beginPage(nowMs: number): LaneSearch | null {
    if (nowMs < this.dueAtMs()) return null;
    this.page ??= this.begin(nowMs);
    return this.page;
  }

  /** The scan goes on at these positions, or has ended. */
  endPage(next: LanePosition[], nowMs: number): void {
    this.page = next.length > 0 ? next : null;
    if (this.page !== null) return;
    this.endedAtMs = nowMs;
    if (this.isOfAll) this.nextOfAllAtMs = nowMs + this.everyMs;
  }

  private begin(nowMs: number): LaneSearch {
    const accountIds = [...this.requested];
    this.isOfAll = this.isAllRequested || nowMs >= this.nextOfAllAtMs;
    this.requested.clear();
    this.isAllRequested = false;
    return this.isOfAll ? 'all' : accountIds.map(startOf);
  }
}
