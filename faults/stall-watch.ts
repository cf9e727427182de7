import { setTimeout as sleep } from 'node:timers/promises';
import { extendForQuickRun } from './patience.ts';
import { type Random, someOf } from './random.ts';
import { type LongTurn, readLongTurns } from './turn-watch.ts';

const stallMs = 50;
const stallTries = 5;
const suspectsMax = 300;
/** The turn watch writes a line within a few milliseconds after a turn has ended. */
const reportedWithinMs = 30;

/** A request that was sent, and how to send a similar one again. */
interface Observed {
  what: string;
  startedMs: number;
  endedMs: number;
  again(): Promise<unknown>;
}

interface StallWatchParts {
  /** Where the service writes its long event loop turns. */
  turnsFile: string;
  quick: boolean;
  random: Random;
  onSent(): void;
  onStall(finding: string): void;
}

/** Finds requests that keep the event loop of the service busy for too long. */
export class StallWatch {
  private readonly parts: StallWatchParts;
  private readonly tooLongMs: number;
  private readonly observed: Observed[];
  private turnsSuspected: number;
  private requestsSuspected: number;

  constructor(parts: StallWatchParts) {
    this.parts = parts;
    this.tooLongMs = extendForQuickRun(stallMs, parts.quick);
    this.observed = [];
    this.turnsSuspected = 0;
    this.requestsSuspected = 0;
  }

  counts(): { turnsSuspected: number; requestsSuspected: number } {
    const { turnsSuspected, requestsSuspected } = this;
    return { turnsSuspected, requestsSuspected };
  }

  async observe<T>(what: string, work: () => Promise<T>, again: () => Promise<unknown> = work): Promise<T> {
    const startedMs = Date.now();
    this.parts.onSent();
    const result = await work();
    this.observed.push({ what, startedMs, endedMs: Date.now(), again });
    return result;
  }

  /** A long turn under parallel requests may be many short ones: each request of that time is sent again, alone. */
  async withoutStalls(work: () => Promise<void>): Promise<void> {
    this.observed.length = 0;
    const from = Date.now();
    await work();
    await sleep(reportedWithinMs);
    const long = this.turnsSince(from).filter((turn) => turn.cpuMs > this.tooLongMs);
    const suspects = [...new Set(long.flatMap((turn) => this.observedDuring(turn)))];
    this.turnsSuspected += long.length;
    this.requestsSuspected += suspects.length;
    for (const { what, again } of someOf(suspects, suspectsMax, this.parts.random)) await this.findStall(what, again);
  }

  private observedDuring(turn: LongTurn): Observed[] {
    return this.observed.filter(
      ({ startedMs, endedMs }) => startedMs <= turn.atMs && endedMs >= turn.atMs - turn.wallMs,
    );
  }

  /** Returns the processor time of the longest turn that this work causes; too long is a finding. */
  async findStall(what: string, work: () => Promise<unknown>): Promise<number> {
    const cpuMs = await this.costOf(work);
    if (cpuMs > this.tooLongMs) this.parts.onStall(`a stall of ${cpuMs} ms: ${what}`);
    return cpuMs;
  }

  /** The median of several tries, because the first one may include compilation. */
  private async costOf(work: () => Promise<unknown>): Promise<number> {
    const costs: number[] = [];
    for (let round = 0; round < stallTries; round++) {
      await sleep(20);
      const from = Date.now();
      await work();
      costs.push(await this.longestTurnSince(from));
      // A quick run does not repeat what is fast enough.
      if (this.parts.quick && costs[0]! <= this.tooLongMs) return costs[0]!;
    }
    return costs.sort((left, right) => left - right)[costs.length >> 1]!;
  }

  async longestTurnSince(from: number): Promise<number> {
    await sleep(reportedWithinMs);
    return Math.round(Math.max(0, ...this.turnsSince(from).map((turn) => turn.cpuMs)));
  }

  private turnsSince(from: number): LongTurn[] {
    return readLongTurns(this.parts.turnsFile).filter((turn) => turn.atMs >= from);
  }
}
