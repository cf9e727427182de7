import { randomBytes } from 'node:crypto';
import { after } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Registry } from '@prometheus-io/client';
import type { DeliveryRules } from '../../server/domain/callbacks/retry-schedule.ts';
import { type Delivery, type DeliveryContext, startDelivery } from '../../server/jobs/deliver-callbacks.ts';
import { makeDeliveryMetrics } from '../../server/jobs/delivery-metrics.ts';
import { makeAddressGuard } from '../../server/platform/address-guard.ts';
import { systemClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/database.ts';
import { makeLog } from '../../server/platform/log.ts';
import { makeOutgoingHttp } from '../../server/platform/outgoing-http.ts';

export const secret = `whsec_${randomBytes(32).toString('base64')}`;

/** The same rules in a short time; what a test is about it sets itself. */
export const quick: Partial<DeliveryRules> = {
  retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
  openSeconds: 0.05,
  openMaxSeconds: 0.2,
  lookEverySeconds: 0.1,
};

export interface TestDelivery extends Delivery {
  logLines: Record<string, unknown>[];
  /** The value of a metric, such as `attempts_total{outcome="delivered"}`. */
  metric(name: string): Promise<number>;
}

/** A worker that is closed when the test file ends, if not before. */
export function startTestDelivery(database: Database, options: Partial<DeliveryContext> = {}): TestDelivery {
  const logLines: Record<string, unknown>[] = [];
  const registry = new Registry();
  const http = options.http ?? makeOutgoingHttp({ guard: makeAddressGuard(['127.0.0.0/8']) });
  const delivery = startDelivery({
    database,
    http,
    secretsOf: async () => [secret],
    clock: systemClock,
    log: makeLog('debug', { write: (line) => void logLines.push(JSON.parse(line)) }),
    metrics: makeDeliveryMetrics(registry),
    settings: quick,
    ...options,
  });
  let closing: Promise<void> | null = null;
  const close = () => {
    closing ??= delivery.close().then(() => http.close());
    return closing;
  };
  after(close);
  return {
    logLines,
    close,
    async metric(name) {
      const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`lading_callback_${name} `));
      return line === undefined ? 0 : Number(line.split(' ').at(-1));
    },
  };
}

const patienceMs = 20_000;

/** Waits until it is so; how long that takes says nothing, only that it never ends. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + patienceMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error(`waited in vain: ${what}`);
    await sleep(5);
  }
}
