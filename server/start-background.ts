import { wordTransfer } from './api/connector/word-transfer.ts';
import { wordCallback } from './api/logistics/word-callback.ts';
import { makeAdvanceOrders } from './domain/orders/advance-orders.ts';
import { makeAccountDirectory } from './domain/partners/account-directory.ts';
import { connectorSecretsOf } from './domain/partners/connector-secrets.ts';
import { makeLogisticsKeyDirectory } from './domain/partners/logistics-key-directory.ts';
import { startDelivery } from './jobs/deliver-callbacks.ts';
import { makeDeliveryMetrics } from './jobs/delivery-metrics.ts';
import type { JobContext } from './jobs/job.ts';
import { makePushMetrics } from './jobs/push-metrics.ts';
import { startPush } from './jobs/push-orders.ts';
import { startServingWaitingOrders } from './jobs/serve-waiting-orders.ts';
import { startSimulatedWarehouses } from './jobs/simulate-warehouse.ts';
import { startWorker } from './jobs/worker.ts';
import { makeAddressGuard } from './platform/address-guard.ts';
import type { Log } from './platform/log.ts';
import type { Metrics } from './platform/metrics.ts';
import { makeOutgoingHttp } from './platform/outgoing-http.ts';

/** Everything that a node does without being asked: jobs on a schedule, stock for orders that wait, waves of orders, simulated warehouses, callbacks. */
export function startBackground(context: JobContext & { log: Log; metrics: Metrics }): { close(): Promise<void> } {
  const { database, keyring, clock, config, log, metrics } = context;
  const accounts = makeAccountDirectory(database, keyring);
  const keys = makeLogisticsKeyDirectory({ database, keyring, accounts, clock });
  const http = makeOutgoingHttp({ guard: makeAddressGuard(config.callbackAllowCidrs) });
  const httpAnywhere = makeOutgoingHttp({ guard: makeAddressGuard(['0.0.0.0/0', '::/0']) });
  const worker = startWorker(context);
  const waitingOrders = startServingWaitingOrders({ database, clock, log });
  const simulation = startSimulatedWarehouses({ database, advanceOrders: makeAdvanceOrders({ clock, wordCallback }), log });
  const push = startPush({
    database,
    // The operator names these addresses, who may reach any.
    http: httpAnywhere,
    secretsOf: (warehouseNo) => connectorSecretsOf(database, keyring, warehouseNo),
    wordTransfer,
    clock,
    log,
    metrics: makePushMetrics(metrics.registry),
  });
  const delivery = startDelivery({
    database,
    http,
    secretsOf: keys.callbackSecretsOf,
    clock,
    log,
    metrics: makeDeliveryMetrics(metrics.registry),
  });
  return {
    async close() {
      await Promise.all([worker.close(), waitingOrders.close(), simulation.close(), push.close(), delivery.close()]);
      await Promise.all([http.close(), httpAnywhere.close()]);
    },
  };
}
