import {
  Counter,
  collectDefaultMetrics,
  Gauge,
  Histogram,
  type MetricObjectWithValues,
  type MetricValue,
  Registry,
} from '@prometheus-io/client';

export type Metrics = ReturnType<typeof makeMetrics>;

/**
 * Metrics of the client library whose names break the conventions of Prometheus. The first three only add up others; the
 * lag of the event loop says what the last two do.
 */
const misnamed = [
  'nodejs_active_handles_total',
  'nodejs_active_requests_total',
  'nodejs_active_resources_total',
  'nodejs_eventloop_utilization_histogram',
  'nodejs_eventloop_utilization_summary',
];

/** The library would keep measuring for the last two. */
const neverMs = 2 ** 31 - 1;

/** Metrics use base units, and labels never contain partners' numbers, so that the number of series stays bounded. */
export function makeMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopUtilizationTimeout: neverMs });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const { counter, histogram, ...gauges } = makersFor([registry]);
  return {
    registry,
    ...gauges,
    ...requestMetrics(counter, histogram),
    ...groupMetrics(counter, histogram),
    ...jobMetrics(counter),
  };
}

type Makers = ReturnType<typeof makersFor>;

function requestMetrics(counter: Makers['counter'], histogram: Makers['histogram']) {
  return {
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
    replicaReads: counter(
      'lading_read_replica_reads_total',
      'Reads of lists, exports and audits, by where they went and, if that was the primary, by cause. Only with DATABASE_READ_URL.',
      ['source'],
    ),
    spans: counter(
      'lading_trace_spans_total',
      'Spans of traces, by whether they reached the receiver or were dropped. Only with OTEL_EXPORTER_OTLP_ENDPOINT.',
      ['outcome'],
    ),
  };
}

function groupMetrics(counter: Makers['counter'], histogram: Makers['histogram']) {
  return {
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
  };
}

function jobMetrics(counter: Makers['counter']) {
  return {
    alertAttempts: counter(
      'lading_alert_attempts_total',
      'Attempts to send an alert, by channel and outcome: sent, retry (it will be tried again) or failed.',
      ['channel', 'outcome'],
    ),
    jobRuns: counter('lading_job_runs_total', 'Runs of scheduled jobs, by job and outcome.', ['job', 'outcome']),
    documentsPurged: counter(
      'lading_documents_purged_total',
      'Documents of UAT accounts that were purged on schedule, by type.',
      ['type'],
    ),
    recipientsErased: counter(
      'lading_recipients_erased_total',
      'Orders of production accounts whose recipient was erased on schedule.',
      [],
    ),
  };
}

function makersFor(registers: Registry[]) {
  return {
    counter: <Label extends string = never>(name: string, help: string, labelNames: Label[] = []) =>
      new Counter({ name, help, labelNames, registers }),
    histogram: <Label extends string>(name: string, help: string, labelNames: Label[], buckets: number[]) =>
      new Histogram({ name, help, labelNames, buckets, registers }),
    /** A value that every process of the node would report, so only the one that is asked reads it. NaN if it cannot. */
    gauge: (name: string, help: string, read: Read) => makeGauge({ name, help, aggregator: ofNode, registers }, read),
    /** A value of this process; the node reports the sum. */
    gaugeOfProcess: (name: string, help: string, read: Read) =>
      makeGauge({ name, help, aggregator: 'sum', registers }, read),
  };
}

type Read = () => number | Promise<number>;

/** The client library then takes the value of the first process, because all have the same. */
export const ofNode = 'first';

/** All metrics of a process, as the client library reads and adds them. */
export type MetricValues = MetricObjectWithValues<MetricValue<string>>[];

/** The metrics that the processes of a node combine. */
export async function metricsOfProcess({ registry }: Pick<Metrics, 'registry'>): Promise<MetricValues> {
  const combined = ['sum', 'average', 'min', 'max'].map((aggregator) => registry.getMetricsAsJSON(aggregator));
  return (await Promise.all(combined)).flat();
}

/** The metrics of a node in the text format: all of this process, and those of the others added. */
export async function formatMetrics({ registry }: Pick<Metrics, 'registry'>, others: MetricValues[]): Promise<string> {
  if (others.length === 0) return await registry.metrics();
  return await Registry.aggregate([await registry.getMetricsAsJSON(), ...others]).metrics();
}

/** The counts of processes that have ended: without them, a counter of the node would fall. */
export async function addUpEnded(ended: MetricValues[]): Promise<MetricValues> {
  const all = await Registry.aggregate(ended).getMetricsAsJSON();
  return all.filter(({ type }) => type === 'counter' || type === 'histogram');
}

function makeGauge(
  options: { name: string; help: string; aggregator: 'sum' | typeof ofNode; registers: Registry[] },
  read: Read,
): Gauge {
  return new Gauge({
    ...options,
    async collect() {
      this.set(await Promise.resolve(read()).catch(() => Number.NaN));
    },
  });
}
