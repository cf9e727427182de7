import type { DiagnosedRequest, RequestLogLine } from '../domain/requests/request-log-line.ts';
import { makeSampler, type SamplingRules } from '../platform/limits/sampler.ts';
import type { Metrics } from '../platform/metrics.ts';

export interface FinishedRequest {
  line: RequestLogLine;
  diagnosis: Promise<DiagnosedRequest> | undefined;
  /** That of its trace; undefined if tracing is off. */
  w3cTraceId?: string | undefined;
}

/**
 * Requests of callers that have not authenticated. Anyone can send any number of them, so only a sample gets its own
 * line.
 */
export interface AnonymousRequests {
  /** Whether to write a line for this request; otherwise it is only counted. */
  admits(finished: FinishedRequest): boolean;
  /** Writes one line per cause for the requests that were only counted. */
  sumUp(): void;
  close(): void;
}

export interface AnonymousLineRules extends SamplingRules {
  sumUpEveryMs: number;
}

/** Far more than a partner's developer needs while trying things out. */
const usualRules = { burst: 200, perSecond: 1, sumUpEveryMs: 10_000 };
/** A line including its share of the index, with the reason or diagnosis that most lines have. */
const lineBytes = 500;
/** Anonymous requests may fill this part of the request log; the rest is reserved for partners. */
const shareOfLog = 1 / 4;

export function makeAnonymousRequests(options: {
  logMaxBytes: number;
  logDays: number;
  metrics: Metrics;
  rules?: Partial<AnonymousLineRules> | undefined;
  /** The processes of the node share the lines evenly. */
  processes: number;
  write(finished: FinishedRequest, suppressed: number): void;
}): AnonymousRequests {
  const { logMaxBytes, logDays, metrics, rules, processes, write } = options;
  const perDay = Math.floor((logMaxBytes * shareOfLog) / logDays / lineBytes);
  const allRules: AnonymousLineRules = { ...usualRules, perDay, ...rules };
  const sampler = makeSampler<FinishedRequest>({
    burst: Math.ceil(allRules.burst / processes),
    perSecond: allRules.perSecond / processes,
    perDay: allRules.perDay / processes,
  });
  const timer = setInterval(sumUp, allRules.sumUpEveryMs);
  timer.unref();

  function sumUp(): void {
    for (const { item, count } of sampler.takeSuppressed()) write(item, count - 1);
  }

  return {
    admits(finished) {
      const { contract, status, account_no } = finished.line;
      // A line contains registered account numbers only, so an anonymous caller cannot invent new causes.
      if (sampler.admits(`${contract} ${status} ${account_no ?? ''}`, finished)) return true;
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
