import { formatChanges } from './api/connector/format-changes.ts';
import { formatTransfer } from './api/connector/format-transfer.ts';
import { formatCallback } from './api/logistics/format-callback.ts';
import { followCallbackGuard } from './callback-guard.ts';
import { makeAdvanceOrders } from './domain/orders/advance-orders.ts';
import { makeAccountDirectory } from './domain/partners/account-directory.ts';
import { makeCallbackSecrets } from './domain/partners/callback-secrets.ts';
import { connectorSecretsOf } from './domain/partners/connector-secrets.ts';
import { makeLogisticsKeyDirectory } from './domain/partners/logistics-key-directory.ts';
import { withTourInbox } from './domain/test-callbacks/tour-inbox.ts';
import { startDelivery } from './jobs/deliver-callbacks.ts';
import { makeDeliveryMetrics } from './jobs/delivery-metrics.ts';
import type { JobContext } from './jobs/job.ts';
import { makePushMetrics } from './jobs/push-metrics.ts';
import { startPush } from './jobs/push-orders.ts';
import { startServingWaitingOrders } from './jobs/serve-waiting-orders.ts';
import { startSimulatedWarehouses } from './jobs/simulate-warehouse.ts';
import { startWorker } from './jobs/worker.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import { makeAddressGuard } from './platform/outgoing/address-guard.ts';
import { makeOutgoingHttp, type OutgoingHttp } from './platform/outgoing/http-client.ts';

/** Starts all background work of a node: scheduled jobs, waiting orders, waves, simulated warehouses, callbacks. */
export function startBackground(
  context: Omit<JobContext, 'formatCallback'> & {
    log: Log;
    metrics: Metrics;
    traceHttp?: ((http: OutgoingHttp) => OutgoingHttp) | null;
  },
): { close(): Promise<void> } {
  const { database, keyring, clock, config, log, metrics } = context;
  const traced = context.traceHttp ?? ((http) => http);
  const accounts = makeAccountDirectory(database, keyring);
  const keys = makeLogisticsKeyDirectory({ database, keyring, accounts, clock });
  const callbackGuard = followCallbackGuard(database, config, () =>
    log.info(
      'callbacks to this machine are refused from now on, because DEMO is no longer the only account; ' +
        'CALLBACK_ALLOW_CIDRS=127.0.0.0/8 allows them',
    ),
  );
  const http = traced(makeOutgoingHttp({ guard: callbackGuard.guard }));
  const httpAnywhere = traced(makeOutgoingHttp({ guard: makeAddressGuard(['0.0.0.0/0', '::/0']) }));
  const worker = startWorker({ ...context, formatCallback });
  const waitingOrders = startServingWaitingOrders({ database, clock, log });
  const simulation = startSimulatedWarehouses({
    database,
    advanceOrders: makeAdvanceOrders({ clock, formatCallback }),
    log,
  });
  const push = startPush({
    database,
    // The operator chooses these addresses, so any address is allowed.
    http: httpAnywhere,
    secretsOf: (warehouseNo) => connectorSecretsOf(database, keyring, warehouseNo),
    formatTransfer,
    formatChanges,
    clock,
    log,
    metrics: makePushMetrics(metrics.registry),
  });
  const delivery = startDelivery({
    database,
    http: withTourInbox(http, config.publicUrl),
    secretsOf: makeCallbackSecrets({ database, keyring, keys, clock }),
    clock,
    log,
    metrics: makeDeliveryMetrics(metrics.registry),
    isAccountByAccount: config.accountLanes !== null,
  });
  return {
    async close() {
      callbackGuard.close();
      await Promise.all([worker.close(), waitingOrders.close(), simulation.close(), push.close(), delivery.close()]);
      await Promise.all([http.close(), httpAnywhere.close()]);
    },
  };
}
