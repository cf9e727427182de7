import type { AsyncLocalStorage } from 'node:async_hooks';

/** How a span relates to other services, as OpenTelemetry numbers it. */
export const spanKinds = { internal: 1, server: 2, client: 3 } as const;
export type SpanKind = keyof typeof spanKinds;

export type Attributes = Record<string, string | number | boolean>;

/** A piece of work in a trace. Attributes never hold values of requests or statements. */
export interface Span {
  readonly traceId: string;
  readonly spanId: string;
  /** Otherwise it is not sent, and nothing below it is measured. */
  readonly isSampled: boolean;
  readonly isEnded: boolean;
  child(name: string, kind: SpanKind, attributes?: Attributes): Span;
  /** A span for a statement, named after its command and its table. */
  statement(text: string): Span;
  link(other: Pick<Span, 'traceId' | 'spanId'>): void;
  /** `error` is a short code, never a message: messages may quote values. */
  end(result?: { name?: string; attributes?: Attributes; error?: string | undefined }): void;
}

/** Exists only while tracing is on, so that without it every question costs one comparison. */
let storage: AsyncLocalStorage<Span | null> | null = null;

export function keepSpansIn(opened: AsyncLocalStorage<Span | null>): void {
  storage ??= opened;
}

export function isTracing(): boolean {
  return storage !== null;
}

/** The sampled span that the current work belongs to. Work that outlives its span, such as a timer, belongs to none. */
export function currentSpan(): Span | null {
  if (storage === null) return null;
  const span = storage.getStore() ?? null;
  return span === null || span.isEnded ? null : span;
}

/** Work for several requests must not belong to the one that happened to start it, so `span` may be null. */
export function runInSpan<T>(span: Span | null, work: () => T): T {
  return storage === null ? work() : storage.run(span?.isSampled ? span : null, work);
}

/** The W3C header that names a span to another service. */
export function traceparentOf({ traceId, spanId, isSampled }: Pick<Span, 'traceId' | 'spanId' | 'isSampled'>): string {
  return `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;
}

/** That of the current span, to be stored with work that is done later; null if there is none. */
export function currentTraceparent(): string | null {
  const span = currentSpan();
  return span === null ? null : traceparentOf(span);
}
