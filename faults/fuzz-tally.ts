import { emptyReport, type FaultReport } from './fault.ts';
import type { FuzzCaller } from './fuzz-caller.ts';

/** Counts and findings of a fuzz run. */
export class FuzzTally {
  readonly figures: Record<string, number | string>;
  sent: number;
  acknowledged: number;
  altered: number;
  private readonly caller: FuzzCaller;
  private readonly lost: string[];

  constructor(caller: FuzzCaller) {
    this.caller = caller;
    this.figures = {};
    this.lost = [];
    this.sent = 0;
    this.acknowledged = 0;
    this.altered = 0;
  }

  find(what: string): void {
    this.caller.findings.push(what);
  }

  findLost(what: string): void {
    this.lost.push(what);
  }

  report(stalls: { turnsSuspected: number; requestsSuspected: number }): FaultReport {
    const statuses = [...this.caller.statuses]
      .sort(([left], [right]) => left - right)
      .map(([status, count]) => `${status}: ${count}`);
    return {
      ...emptyReport('fuzz'),
      rounds: this.sent,
      acknowledged: this.acknowledged,
      lost: this.lost.length,
      wrong: this.caller.findings.length,
      figures: {
        answersHeld: this.caller.answers(),
        statuses: statuses.join(', '),
        altered: this.altered,
        ...stalls,
        ...this.figures,
      },
      findings: [...this.lost, ...this.caller.findings],
    };
  }
}
