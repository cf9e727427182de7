import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import { makeAddressGuard } from '../../server/platform/address-guard.ts';
import { type Log, makeLog } from '../../server/platform/log.ts';
import { makeOutgoingHttp, type OutgoingHttp } from '../../server/platform/outgoing-http.ts';

export interface TestWorker {
  logLines: Record<string, unknown>[];
  /** The value of a metric, such as `transfers_total{outcome="accepted"}`. */
  metric(name: string): Promise<number>;
  close(): Promise<void>;
}

/** A worker that reaches loopback only, and is closed when the test file ends, if not before. */
export function startTestWorker(
  http: OutgoingHttp | undefined,
  start: (parts: { http: OutgoingHttp; log: Log; registry: Registry }) => { close(): Promise<void> },
): TestWorker {
  const logLines: Record<string, unknown>[] = [];
  const log = makeLog('debug', { write: (line) => void logLines.push(JSON.parse(line)) });
  const registry = new Registry();
  const parts = { http: http ?? makeOutgoingHttp({ guard: makeAddressGuard(['127.0.0.0/8']) }), log, registry };
  const worker = start(parts);
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= worker.close().then(() => parts.http.close());
    return closing;
  };
  after(close);
  return {
    logLines,
    close,
    async metric(name) {
      const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`lading_${name} `));
      return line === undefined ? 0 : Number(line.split(' ').at(-1));
    },
  };
}

const patienceMs = 120_000;

/** Waits until it is so; how long that takes says nothing, only that it never ends. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`waited in vain: ${what}`);
    await sleep(5);
  }
}
