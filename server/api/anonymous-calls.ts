import type { Metrics } from '../platform/metrics.ts';
import type { DiagnosedCall, RequestLogLine } from '../platform/request-log.ts';
import { makeSampler, type SamplingRules } from '../platform/sampler.ts';

/** What is written down of a finished call. */
export interface CallRecord {
  line: RequestLogLine;
  diagnosis: Promise<DiagnosedCall> | undefined;
}

/** Calls of callers that have not authenticated: anybody can send any number of them, so not each one gets a line. */
export interface AnonymousCalls {
  /** Whether this call is written; otherwise it is counted. */
  admits(record: CallRecord): boolean;
  /** Writes one line for all calls of a cause that were only counted. */
  sumUp(): void;
  close(): void;
}

export interface AnonymousLineRules extends SamplingRules {
  sumUpEveryMs: number;
}

/** A partner's developer who tries things out stays below it. */
const usualRules = { burst: 200, perSecond: 1, sumUpEveryMs: 10_000 };
/** A line with its share of the index, and with a reason or a diagnosis as most have them. */
const lineBytes = 500;
/** Of the request log's size: the other three quarters are for partners, whatever strangers send. */
const shareOfLog = 1 / 4;

export function makeAnonymousCalls(options: {
  logMaxBytes: number;
  logDays: number;
  metrics: Metrics;
  rules?: Partial<AnonymousLineRules> | undefined;
  write(record: CallRecord, suppressed: number): void;
}): AnonymousCalls {
  const { logMaxBytes, logDays, metrics, rules, write } = options;
  const perDay = Math.floor((logMaxBytes * shareOfLog) / logDays / lineBytes);
  const allRules: AnonymousLineRules = { ...usualRules, perDay, ...rules };
  const sampler = makeSampler<CallRecord>(allRules);
  const timer = setInterval(sumUp, allRules.sumUpEveryMs);
  timer.unref();

  function sumUp(): void {
    for (const { item, count } of sampler.takeSuppressed()) write(item, count - 1);
  }

  return {
    admits(record) {
      const { contract, status, account_no } = record.line;
      // Only registered account numbers are in a line, so a stranger cannot make up causes.
      if (sampler.admits(`${contract} ${status} ${account_no ?? ''}`, record)) return true;
      metrics.requestLogSuppressed.inc({ contract, status: String(status) });
      return false;
    },
    sumUp,
    close() {
      clearInterval(timer);
      sumUp();
    },
  };
}
