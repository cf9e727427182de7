import { AsyncLocalStorage } from 'node:async_hooks';
import { randomHex } from '../ids.ts';
import type { Log } from '../log.ts';
import { type Exporter, makeOtlpExporter } from './otlp-exporter.ts';
import { type Attributes, keepSpansIn, type Span, type SpanKind, spanKinds } from './span.ts';
import { statementName } from './statement-name.ts';
import { type RemoteSpan, readTraceparent } from './traceparent.ts';
import type { SamplerName, TracingSettings } from './tracing-settings.ts';

/** Starts traces of this node. */
export interface Tracer {
  /** The span of a request. Without a usable `traceparent`, the trace has our own trace id without its hyphens. */
  startRequest(ourTraceId: string, traceparent: unknown): Span;
  /** A trace of its own, for work that nobody waits for. `linkedTo` is the `traceparent` of its cause. */
  startWork(name: string, kind: SpanKind, linkedTo: string | null): Span;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export interface TracerParts {
  settings: TracingSettings & { otlpEndpoint: string };
  version: string;
  log: Log;
  onSpans(outcome: 'exported' | 'dropped', count: number): void;
}

export function startTracing({ settings, version, log, onSpans }: TracerParts): Tracer {
  const { otlpEndpoint, otlpHeaders, tracesSampler, tracesSamplerRatio } = settings;
  const exporter = makeOtlpExporter({
    url: `${otlpEndpoint}/v1/traces`,
    headers: otlpHeaders,
    resource: { attributes: formatAttributes(resourceOf(settings, version)) },
    scope: { name: 'lading', version },
    log,
    onSpans,
  });
  const decide = makeSampler(tracesSampler, tracesSamplerRatio);
  keepSpansIn(new AsyncLocalStorage<Span | null>());

  return {
    startRequest(ourTraceId, traceparent) {
      const parent = readTraceparent(traceparent);
      const traceId = parent?.traceId ?? ourTraceId.replaceAll('-', '');
      const origin = { traceId, parentId: parent?.spanId ?? null, isSampled: decide(traceId, parent) };
      return new RecordedSpan(exporter, origin, 'request', 'server', { 'lading.trace_id': ourTraceId });
    },
    startWork(name, kind, linkedTo) {
      const traceId = randomHex(16);
      const cause = readTraceparent(linkedTo);
      const span = new RecordedSpan(
        exporter,
        { traceId, parentId: null, isSampled: decide(traceId, cause) },
        name,
        kind,
      );
      if (cause) span.link(cause);
      return span;
    },
    flush: () => exporter.flush(),
    close: () => exporter.close(),
  };
}

function resourceOf({ serviceName, resourceAttributes }: TracingSettings, version: string): Attributes {
  return {
    'service.version': version,
    'process.pid': process.pid,
    'process.runtime.name': 'nodejs',
    'process.runtime.version': process.versions.node,
    ...resourceAttributes,
    'service.name': serviceName,
  };
}

/** The low bits of a trace id are random, also of a version 7 UUID; 13 digits are exact as a number. */
const randomDigits = 13;

function makeSampler(name: SamplerName, ratio: number): (traceId: string, parent: RemoteSpan | null) => boolean {
  const isWithinRatio = (traceId: string) =>
    Number.parseInt(traceId.slice(-randomDigits), 16) < ratio * 16 ** randomDigits;
  const ofRoot = name.endsWith('always_on') ? () => true : name.endsWith('always_off') ? () => false : isWithinRatio;
  if (!name.startsWith('parentbased_')) return ofRoot;
  return (traceId, parent) => parent?.isSampled ?? ofRoot(traceId);
}

interface Origin {
  traceId: string;
  parentId: string | null;
  isSampled: boolean;
}

class RecordedSpan implements Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
  isEnded: boolean;
  private readonly exporter: Exporter;
  private readonly parentId: string | null;
  private readonly kind: SpanKind;
  private readonly startedMs: number;
  /** The time of day at which `performance.now()` was 0. All spans of this node in a trace share it. */
  private readonly originMs: number;
  private readonly links: Pick<Span, 'traceId' | 'spanId'>[];
  private name: string;
  private attributes: Attributes;

  constructor(
    exporter: Exporter,
    { traceId, parentId, isSampled }: Origin,
    name: string,
    kind: SpanKind,
    attributes: Attributes = {},
    originMs = Date.now() - performance.now(),
  ) {
    this.exporter = exporter;
    this.traceId = traceId;
    this.spanId = randomHex(8);
    this.parentId = parentId;
    this.isSampled = isSampled;
    this.isEnded = false;
    this.name = name;
    this.kind = kind;
    this.attributes = attributes;
    this.links = [];
    this.startedMs = performance.now();
    this.originMs = originMs;
  }

  child(name: string, kind: SpanKind, attributes: Attributes = {}): Span {
    const { traceId, spanId: parentId, isSampled, originMs } = this;
    return new RecordedSpan(this.exporter, { traceId, parentId, isSampled }, name, kind, attributes, originMs);
  }

  statement(text: string): Span {
    const { operation, table } = statementName(text);
    return this.child(table === null ? operation : `${operation} ${table}`, 'client', {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      ...(table === null ? {} : { 'db.collection.name': table }),
    });
  }

  link(other: Pick<Span, 'traceId' | 'spanId'>): void {
    if (this.links.length < linksMax) this.links.push(other);
  }

  end({ name = this.name, attributes = {}, error }: Parameters<Span['end']>[0] = {}): void {
    if (this.isEnded) return;
    this.isEnded = true;
    if (!this.isSampled) return;
    const all = { ...this.attributes, ...attributes, ...(error === undefined ? {} : { 'error.type': error }) };
    this.exporter.add({
      traceId: this.traceId,
      spanId: this.spanId,
      ...(this.parentId === null ? {} : { parentSpanId: this.parentId }),
      name,
      kind: spanKinds[this.kind],
      startTimeUnixNano: nanoseconds(this.originMs + this.startedMs),
      endTimeUnixNano: nanoseconds(this.originMs + performance.now()),
      attributes: formatAttributes(all),
      ...(this.links.length === 0 ? {} : { links: this.links.map(({ traceId, spanId }) => ({ traceId, spanId })) }),
      ...(error === undefined ? {} : { status: { code: statusError } }),
    });
  }
}

/** A group has at most 256 requests. */
const linksMax = 256;
const statusError = 2;

/** OTLP writes these numbers as text, because they are longer than JavaScript's are exact. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms);
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`;
}

function formatAttributes(attributes: Attributes): object[] {
  return Object.entries(attributes).map(([key, value]) => ({ key, value: formatValue(value) }));
}

function formatValue(value: string | number | boolean): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
