/** Runs only the waves, on the database in DATA_DIR, with settings as JSON in the first argument. */

import { configOrFail } from '../cli/command-line.ts';
import { formatChanges } from '../server/api/connector/format-changes.ts';
import { formatTransfer } from '../server/api/connector/format-transfer.ts';
import { connectorSecretsOf } from '../server/domain/partners/connector-secrets.ts';
import { makePushMetrics } from '../server/jobs/push-metrics.ts';
import { startPush } from '../server/jobs/push-orders.ts';
import { openStore } from '../server/open-store.ts';
import { systemClock } from '../server/platform/clock.ts';
import { makeLog } from '../server/platform/log.ts';
import { makeMetrics } from '../server/platform/metrics.ts';
import { makeAddressGuard } from '../server/platform/outgoing/address-guard.ts';
import { makeOutgoingHttp } from '../server/platform/outgoing/http-client.ts';

const config = configOrFail();
const store = await openStore(config, { migrations: 'refuse', deadlineSeconds: 60, onProgress: () => {} });
const { database, keyring } = store;
const http = makeOutgoingHttp({ guard: makeAddressGuard(['127.0.0.0/8']) });
const push = startPush({
  database,
  // Lets the receiver identify the worker to kill.
  http: {
    ...http,
    post: (request) => http.post({ ...request, headers: { ...request.headers, 'x-worker': String(process.pid) } }),
  },
  secretsOf: (warehouseNo) => connectorSecretsOf(database, keyring, warehouseNo),
  formatTransfer,
  formatChanges,
  clock: systemClock,
  log: makeLog(config.logLevel),
  metrics: makePushMetrics(makeMetrics().registry),
  settings: JSON.parse(process.argv[2] ?? '{}'),
});
process.stdout.write('pushing\n');

process.on('SIGTERM', async () => {
  await push.close();
  await http.close();
  await store.close();
});
