/** Waves of orders and nothing else, on the database of DATA_DIR; with settings of its own as JSON in the first argument. */
import { wordTransfer } from '../server/api/connector/word-transfer.ts';
import { configOrFail } from '../server/command-line.ts';
import { connectorSecretsOf } from '../server/domain/partners/connector-secrets.ts';
import { makePushMetrics } from '../server/jobs/push-metrics.ts';
import { startPush } from '../server/jobs/push-orders.ts';
import { openStore } from '../server/open-store.ts';
import { makeAddressGuard } from '../server/platform/address-guard.ts';
import { systemClock } from '../server/platform/clock.ts';
import { makeLog } from '../server/platform/log.ts';
import { makeMetrics } from '../server/platform/metrics.ts';
import { makeOutgoingHttp } from '../server/platform/outgoing-http.ts';

const config = configOrFail();
const store = await openStore(config, { migrations: 'refuse', deadlineSeconds: 60, onProgress: () => {} });
const { database, keyring } = store;
const http = makeOutgoingHttp({ guard: makeAddressGuard(['127.0.0.0/8']) });
const push = startPush({
  database,
  // Who is to be killed must be known by what it sends.
  http: { ...http, post: (request) => http.post({ ...request, headers: { ...request.headers, 'x-worker': String(process.pid) } }) },
  secretsOf: (warehouseNo) => connectorSecretsOf(database, keyring, warehouseNo),
  wordTransfer,
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
