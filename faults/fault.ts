export interface FaultOptions {
  quick: boolean;
  seed: number;
  /** Kinds of a fault that has several; empty: all. */
  only?: string[];
  /** The folder of another version, from which an upgrade starts. */
  before?: string | undefined;
  progress(line: string): void;
}

/** The effects of one fault on the service, and on the changes that the service had acknowledged. */
export interface FaultReport {
  fault: string;
  rounds: number;
  /** Acknowledged changes. A field is null if it does not apply to the fault. */
  acknowledged: number;
  /** Acknowledged changes that are missing. */
  lost: number;
  /** Changes that took effect twice. */
  duplicated: number | null;
  /** Units that were allocated but never received. */
  oversold: number | null;
  /** Other violations of the contract. */
  wrong: number;
  callbacksOwed: number | null;
  callbacksMissing: number | null;
  /** The longest time without a 200 response while requests should have been served. */
  longestOutageMs: number | null;
  /** The result of `lading audit` at the end; `-` if there is nothing to audit. */
  audit: string;
  /** Other measurements. */
  figures?: Record<string, number | string>;
  /** All errors found. */
  findings: string[];
}

/** The machine lacks something that the fault needs. */
export class FaultSkipped extends Error {}

export type Fault = (options: FaultOptions) => Promise<FaultReport>;

/** An empty report for a fault with its own counting. */
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
