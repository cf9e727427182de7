/**
 * The service without background jobs; with the argument `unchecked`, all requests are attributed to the same client
 * without authentication.
 */

import { configOrFail } from '../cli/command-line.ts';
import { buildApp } from '../server/app.ts';
import { makeAccountDirectory } from '../server/domain/partners/account-directory.ts';
import { permissions } from '../server/domain/partners/provisioning.ts';
import { openStore } from '../server/open-store.ts';
import { systemClock } from '../server/platform/clock.ts';
import { makeLog } from '../server/platform/log.ts';
import { operationDeadlineSeconds } from '../server/platform/postgres/database.ts';

const config = configOrFail();
const store = await openStore(config, {
  migrations: 'refuse',
  deadlineSeconds: operationDeadlineSeconds,
  onProgress: () => {},
});
const account = (await makeAccountDirectory(store.database, store.keyring).find('FAULTS'))!;
const { accountNo, environment } = account;
const anybody = { clientId: 'faults', accountNo, environment, account, permissions: new Set(permissions) };
const unchecked = process.argv[2] === 'unchecked' ? { checkBearer: async () => anybody } : {};

const app = await buildApp({ config, ...store, clock: systemClock, log: makeLog(config.logLevel), ...unchecked });
await app.http.listen({ host: config.host, port: config.port, backlog: 2048 });

process.on('SIGTERM', async () => {
  await app.close();
  await store.close();
});
