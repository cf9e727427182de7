export interface FaultOptions {
  quick: boolean;
  seed: number;
  progress(line: string): void;
}

/** What one fault did to the service, and what became of what the service had told its callers. */
export interface FaultReport {
  fault: string;
  rounds: number;
  /** Changes that callers were told of. What is null here has nothing of its kind in this fault. */
  acknowledged: number;
  /** Told, and not so. */
  lost: number;
  /** Done twice. */
  duplicated: number | null;
  /** Units that were promised and never received. */
  oversold: number | null;
  /** Whatever else the contract does not allow. */
  wrong: number;
  callbacksOwed: number | null;
  callbacksMissing: number | null;
  /** Longest time without any 200 while something should have been served. */
  longestOutageMs: number | null;
  /** What `lading audit` said at the end; `-` where there is nothing to audit. */
  audit: string;
  /** What else was measured. */
  figures?: Record<string, number | string>;
  /** Every single thing that was not right. */
  findings: string[];
}

/** The machine does not have what the fault needs. */
export class FaultSkipped extends Error {}

export type Fault = (options: FaultOptions) => Promise<FaultReport>;

/** For a fault that goes its own way: all is well until something is counted. */
export function emptyReport(fault: string): FaultReport {
  return {
    fault,
    rounds: 0,
    acknowledged: 0,
    lost: 0,
    duplicated: null,
    oversold: null,
    wrong: 0,
    callbacksOwed: null,
    callbacksMissing: null,
    longestOutageMs: null,
    audit: '-',
    findings: [],
  };
}
