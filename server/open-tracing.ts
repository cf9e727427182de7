import type { Config } from './config.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import type { OutgoingHttp } from './platform/outgoing/http-client.ts';
import type { Tracer } from './platform/tracing/tracer.ts';
import { version } from './version.ts';

export interface Tracing {
  tracer: Tracer;
  traceHttp(http: OutgoingHttp): OutgoingHttp;
}

/** Its modules are loaded only if tracing is on. null: it is off. */
export async function openTracing(
  { otlpEndpoint, ...settings }: Config,
  { log, metrics }: { log: Log; metrics: Metrics },
): Promise<Tracing | null> {
  if (otlpEndpoint === null) return null;
  const [{ startTracing }, { tracedHttp }] = await Promise.all([
    import('./platform/tracing/tracer.ts'),
    import('./platform/tracing/traced-http.ts'),
  ]);
  const tracer = startTracing({
    settings: { ...settings, otlpEndpoint },
    version,
    log,
    onSpans: (outcome, count) => metrics.spans.inc({ outcome }, count),
  });
  return { tracer, traceHttp: (http) => tracedHttp(http, tracer) };
}
