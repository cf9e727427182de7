import { firstLane } from '../domain/callbacks/delivery-queries.ts';
import { lanesFoundMax } from '../domain/callbacks/record-and-claim.ts';

/** Two scans that notifications without receivers ask for are at least this far apart. */
const scanGapMs = 50;

/** When to scan the whole queue for receivers with due callbacks, and how far the current scan has come. */
export class QueueScan {
  private readonly everyMs: number;
  /** The next page starts after this receiver. */
  private position: string;
  private nextPageAtMs: number;
  private endedAtMs: number;
  private isReading: boolean;
  private isRequested: boolean;

  constructor(everySeconds: number) {
    this.everyMs = everySeconds * 1000;
    this.position = firstLane;
    this.nextPageAtMs = 0;
    this.endedAtMs = 0;
    this.isReading = false;
    this.isRequested = false;
  }

  dueAtMs(): number {
    return this.nextPageAtMs;
  }

  /** Asks for a new scan. One that has begun may miss what happens from now on, so another one follows it. */
  request(): void {
    if (this.isReading || this.position !== firstLane) this.isRequested = true;
    else this.nextPageAtMs = Math.min(this.nextPageAtMs, this.endedAtMs + scanGapMs);
  }

  /** Returns the receiver after which to read a page; null: no page is due. */
  beginPage(nowMs: number): string | null {
    this.isReading = nowMs >= this.nextPageAtMs;
    return this.isReading ? this.position : null;
  }

  /** The page could not be read, and stays due. */
  cancelPage(): void {
    this.isReading = false;
  }

  endPage(receiverIds: string[], nowMs: number): void {
    this.isReading = false;
    if (receiverIds.length === lanesFoundMax) this.position = receiverIds.at(-1)!;
    else this.end(nowMs);
  }

  private end(nowMs: number): void {
    this.position = firstLane;
    this.endedAtMs = nowMs;
    this.nextPageAtMs = nowMs + (this.isRequested ? scanGapMs : this.everyMs);
    this.isRequested = false;
  }
}
