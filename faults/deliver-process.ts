/** Runs only the delivery of callbacks, on the database in DATA_DIR, with settings as JSON in the first argument. */
import { configOrFail } from '../cli/command-line.ts';
import { makeAccountDirectory } from '../server/domain/partners/account-directory.ts';
import { makeLogisticsKeyDirectory } from '../server/domain/partners/logistics-key-directory.ts';
import { startDelivery } from '../server/jobs/deliver-callbacks.ts';
import { makeDeliveryMetrics } from '../server/jobs/delivery-metrics.ts';
import { openStore } from '../server/open-store.ts';
import { systemClock } from '../server/platform/clock.ts';
import { makeLog } from '../server/platform/log.ts';
import { makeMetrics } from '../server/platform/metrics.ts';
import { makeAddressGuard } from '../server/platform/outgoing/address-guard.ts';
import { makeOutgoingHttp } from '../server/platform/outgoing/http-client.ts';

const config = configOrFail();
const store = await openStore(config, { migrations: 'refuse', deadlineSeconds: 60, onProgress: () => {} });
const { database, keyring } = store;
const accounts = makeAccountDirectory(database, keyring);
const keys = makeLogisticsKeyDirectory({ database, keyring, accounts, clock: systemClock });
const http = makeOutgoingHttp({ guard: makeAddressGuard(['127.0.0.0/8']) });
const delivery = startDelivery({
  database,
  http,
  secretsOf: keys.callbackSecretsOf,
  clock: systemClock,
  log: makeLog(config.logLevel),
  metrics: makeDeliveryMetrics(makeMetrics().registry),
  settings: JSON.parse(process.argv[2] ?? '{}'),
});
process.stdout.write('delivering\n');

process.on('SIGTERM', async () => {
  await delivery.close();
  await http.close();
  await store.close();
});
