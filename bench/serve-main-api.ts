/** The service without its background work; with the argument `unchecked`, everybody who calls is taken for the same client. */
import { buildApp } from '../server/app.ts';
import { configOrFail } from '../server/command-line.ts';
import { makeAccountDirectory } from '../server/domain/partners/account-directory.ts';
import { permissions } from '../server/domain/partners/provisioning.ts';
import { openStore } from '../server/open-store.ts';
import { systemClock } from '../server/platform/clock.ts';
import { operationDeadlineSeconds } from '../server/platform/database.ts';
import { makeLog } from '../server/platform/log.ts';

const config = configOrFail();
const store = await openStore(config, { migrations: 'refuse', deadlineSeconds: operationDeadlineSeconds, onProgress: () => {} });
const account = (await makeAccountDirectory(store.database, store.keyring).find('FAULTS'))!;
const anybody = { clientId: 'faults', accountNo: account.accountNo, account, permissions: new Set(permissions) };
const unchecked = process.argv[2] === 'unchecked' ? { checkBearer: async () => anybody } : {};

const app = await buildApp({ config, ...store, clock: systemClock, log: makeLog(config.logLevel), ...unchecked });
await app.http.listen({ host: config.host, port: config.port, backlog: 2048 });

process.on('SIGTERM', async () => {
  await app.close();
  await store.close();
});
