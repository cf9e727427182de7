import { randomBytes } from 'node:crypto';
import type { DeliveryRules } from '../../server/domain/callbacks/retry-schedule.ts';
import { type DeliveryContext, startDelivery } from '../../server/jobs/deliver-callbacks.ts';
import { makeDeliveryMetrics } from '../../server/jobs/delivery-metrics.ts';
import { systemClock } from '../../server/platform/clock.ts';
import type { Database } from '../../server/platform/postgres/database.ts';
import { startTestWorker, type TestWorker } from '../support/worker.ts';

export const secret = `whsec_${randomBytes(32).toString('base64')}`;

/** The usual rules with short times. */
export const quick: Partial<DeliveryRules> = {
  retryDelaysSeconds: [0.05, 0.05, 0.05, 0.05, 0.05, 0.05, 0.05],
  openSeconds: 0.05,
  openMaxSeconds: 0.2,
  lookEverySeconds: 0.1,
};

/** A worker that delivers callbacks. */
export function startTestDelivery(database: Database, options: Partial<DeliveryContext> = {}): TestWorker {
  return startTestWorker(options.http, ({ http, log, registry }) =>
    startDelivery({
      database,
      http,
      secretsOf: async () => [secret],
      clock: systemClock,
      log,
      metrics: makeDeliveryMetrics(registry),
      settings: quick,
      ...options,
    }),
  );
}
