import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, type Log } from '../log.ts';
import { makeBoundedFetch } from '../outgoing/bounded-fetch.ts';

/** A span in the JSON format of OTLP. */
export type OtlpSpan = Record<string, unknown>;

export interface Exporter {
  /** Never waits. If the receiver is too slow or away, spans are dropped. */
  add(span: OtlpSpan): void;
  /** Sends everything that is queued, once. */
  flush(): Promise<void>;
  /** Sends what is queued, within a short time. */
  close(): Promise<void>;
}

export interface ExporterOptions {
  url: string;
  headers: Record<string, string>;
  /** Describes this node: the same for all spans. */
  resource: Record<string, unknown>;
  scope: Record<string, unknown>;
  log: Log;
  onSpans(outcome: 'exported' | 'dropped', count: number): void;
}

const batchMax = 512;
const queueMax = 4096;
const sendEveryMs = 2000;
const answerWithinMs = 5000;
const boundedFetch = makeBoundedFetch({ bytesMax: 65_536, timeoutMs: answerWithinMs });
const closeWithinMs = 2000;
const pauseMinMs = 1000;
const pauseMaxMs = 30_000;
/** The receiver wants the same batch again later. */
const retriedStatuses = new Set([429, 502, 503, 504]);

export function makeOtlpExporter(options: ExporterOptions): Exporter {
  return new OtlpExporter(options);
}

/** Sends spans in batches, one batch at a time. */
class OtlpExporter implements Exporter {
  private readonly options: ExporterOptions;
  private queue: OtlpSpan[] = [];
  private sending: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private pauseMs = 0;
  private isAway = false;

  constructor(options: ExporterOptions) {
    this.options = options;
  }

  add(span: OtlpSpan): void {
    if (this.queue.length >= queueMax) {
      this.options.onSpans('dropped', 1);
      return;
    }
    this.queue.push(span);
    if (this.queue.length >= batchMax && this.pauseMs === 0) void this.flush();
    else this.startTimer();
  }

  async flush(): Promise<void> {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.sending ??= this.sendQueued().finally(() => {
      this.sending = null;
      if (this.queue.length > 0) this.startTimer();
    });
    await this.sending;
  }

  async close(): Promise<void> {
    await Promise.race([this.flush(), sleep(closeWithinMs, undefined, { ref: false })]);
    if (this.timer !== null) clearTimeout(this.timer);
    this.drop(this.queue.splice(0));
  }

  private startTimer(): void {
    if (this.sending !== null) return;
    this.timer ??= setTimeout(() => void this.flush(), Math.max(sendEveryMs, this.pauseMs)).unref();
  }

  private async sendQueued(): Promise<void> {
    let left = this.queue.length;
    while (left > 0) {
      const batch = this.queue.splice(0, Math.min(left, batchMax));
      left -= batch.length;
      const verdict = await this.send(batch);
      if (verdict === 'again') {
        this.putBack(batch);
        return;
      }
    }
  }

  /** Newer spans have filled the queue meanwhile, so a part of the batch may have no room. */
  private putBack(batch: OtlpSpan[]): void {
    const room = Math.max(0, queueMax - this.queue.length);
    this.drop(batch.splice(room));
    this.queue = [...batch, ...this.queue];
    this.pauseMs = Math.min(pauseMaxMs, Math.max(pauseMinMs, this.pauseMs * 2));
  }

  private async send(spans: OtlpSpan[]): Promise<'done' | 'again'> {
    const { url, headers, resource, scope } = this.options;
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope, spans }] }] });
    try {
      const response = await boundedFetch(url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body,
      });
      const text = await response.text();
      if (response.ok) return this.accepted(spans, text);
      this.reportAway({ status: response.status });
      if (retriedStatuses.has(response.status)) return 'again';
      this.drop(spans);
      return 'done';
    } catch (error) {
      this.reportAway({ error: describeError((error as Error).cause ?? error).error });
      return 'again';
    }
  }

  private accepted(spans: OtlpSpan[], text: string): 'done' {
    const rejected = Math.min(spans.length, rejectedIn(text));
    if (rejected > 0) this.options.onSpans('dropped', rejected);
    if (rejected < spans.length) this.options.onSpans('exported', spans.length - rejected);
    if (this.isAway) this.options.log.info('the receiver of traces answers again');
    this.isAway = false;
    this.pauseMs = 0;
    return 'done';
  }

  private drop(spans: OtlpSpan[]): void {
    if (spans.length > 0) this.options.onSpans('dropped', spans.length);
  }

  /** Once per outage. */
  private reportAway(reason: Record<string, unknown>): void {
    if (!this.isAway)
      this.options.log.warn(reason, 'the receiver of traces does not accept spans; some may be dropped');
    this.isAway = true;
  }
}

/** A receiver may accept a batch and reject some of its spans. */
function rejectedIn(text: string): number {
  try {
    return Number(JSON.parse(text)?.partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
