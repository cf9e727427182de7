import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from '@prometheus-io/client';

export type Metrics = ReturnType<typeof makeMetrics>;

/** Metrics use base units, and labels never contain partners' numbers, so that the number of series stays bounded. */
export function makeMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const counter = <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
    new Histogram({ name, help, labelNames, buckets, registers });
  return {
    registry,
    requests: counter('lading_http_requests_total', 'Answers given, by contract, endpoint and status.', [
      'contract',
      'endpoint',
      'status',
    ]),
    requestDuration: histogram(
      'lading_http_request_duration_seconds',
      'Time from the first header to the end of the answer.',
      ['contract', 'endpoint'],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    requestsRefused: counter(
      'lading_http_requests_refused_total',
      'Requests turned away before they were worked on, by cause.',
      ['cause'],
    ),
    requestLogDropped: counter('lading_request_log_dropped_total', 'Lines of the request log that could not be kept.'),
    requestLogSuppressed: counter(
      'lading_request_log_suppressed_total',
      'Calls of callers that had not authenticated, counted without a line of their own in the request log, by contract and status.',
      ['contract', 'status'],
    ),
    groupSize: histogram(
      'lading_group_size_requests',
      'Requests that were committed together, by operation.',
      ['operation'],
      [1, 2, 4, 8, 16, 32, 64, 128, 256],
    ),
    groupTroubles: counter(
      'lading_group_troubles_total',
      'Groups that were repeated because another node came first, or halved because they failed, by operation.',
      ['operation', 'trouble'],
    ),
    jobRuns: counter('lading_job_runs_total', 'Runs of scheduled jobs, by job and outcome.', ['job', 'outcome']),
    documentsPurged: counter(
      'lading_documents_purged_total',
      'Documents of UAT accounts that were purged on schedule, by type.',
      ['type'],
    ),
    /** Reports NaN if the value cannot be read. */
    gauge: (name: string, help: string, read: () => number | Promise<number>) => makeGauge(name, help, read, registers),
  };
}

function makeGauge(name: string, help: string, read: () => number | Promise<number>, registers: Registry[]): Gauge {
  return new Gauge({
    name,
    help,
    registers,
    async collect() {
      this.set(await Promise.resolve(read()).catch(() => Number.NaN));
    },
  });
}
