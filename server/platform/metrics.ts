import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

export type Metrics = ReturnType<typeof makeMetrics>;

/** Base units, and never a partner's number in a label: the count of series stays that of the endpoints. */
export function makeMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    requests: new Counter({
      name: 'lading_http_requests_total',
      help: 'Answers given, by contract, endpoint and status.',
      labelNames: ['contract', 'endpoint', 'status'],
      registers,
    }),
    requestDuration: new Histogram({
      name: 'lading_http_request_duration_seconds',
      help: 'Time from the first header to the end of the answer.',
      labelNames: ['contract', 'endpoint'],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    requestsRefused: new Counter({
      name: 'lading_http_requests_refused_total',
      help: 'Requests turned away before they were worked on, by cause.',
      labelNames: ['cause'],
      registers,
    }),
    requestLogDropped: new Counter({
      name: 'lading_request_log_dropped_total',
      help: 'Lines of the request log that could not be kept.',
      registers,
    }),
    requestLogSuppressed: new Counter({
      name: 'lading_request_log_suppressed_total',
      help: 'Calls of callers that had not authenticated, counted without a line of their own in the request log, by contract and status.',
      labelNames: ['contract', 'status'],
      registers,
    }),
    groupSize: new Histogram({
      name: 'lading_group_size_requests',
      help: 'Requests that were committed together, by operation.',
      labelNames: ['operation'],
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    groupTroubles: new Counter({
      name: 'lading_group_troubles_total',
      help: 'Groups that were repeated because another node came first, or halved because they failed, by operation.',
      labelNames: ['operation', 'trouble'],
      registers,
    }),
    jobRuns: new Counter({
      name: 'lading_job_runs_total',
      help: 'Runs of scheduled jobs, by job and outcome.',
      labelNames: ['job', 'outcome'],
      registers,
    }),
    documentsPurged: new Counter({
      name: 'lading_documents_purged_total',
      help: 'Documents of UAT accounts that were purged on schedule, by type.',
      labelNames: ['type'],
      registers,
    }),
    /** A value that cannot be read just now is not a number. */
    gauge: (name: string, help: string, read: () => number | Promise<number>) =>
      new Gauge({
        name,
        help,
        registers,
        async collect() {
          this.set(await Promise.resolve(read()).catch(() => Number.NaN));
        },
      }),
  };
}
