/**
 * The baseline with the same HTTP server, signature and checks as the service, but with a separate transaction for
 * every order.
 */

import { configOrFail } from '../cli/command-line.ts';
import { buildApp } from '../server/app.ts';
import { openStore } from '../server/open-store.ts';
import { systemClock } from '../server/platform/clock.ts';
import { makeLog } from '../server/platform/log.ts';
import { operationDeadlineSeconds } from '../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../server/platform/postgres/embedded/embedded-postgres.ts';
import { connectYardstick, createOrder } from './one-transaction-per-order.ts';

const connections = 16;
const config = configOrFail();
const store = await openStore(config, {
  migrations: 'refuse',
  deadlineSeconds: operationDeadlineSeconds,
  onProgress: () => {},
});
// All baselines log in as the owner, to whom row-level security does not apply.
const postgres = await openEmbeddedPostgres({ dataDir: config.dataDir! });
const sql = connectYardstick(postgres.connection, connections);

const app = await buildApp({
  config,
  ...store,
  clock: systemClock,
  log: makeLog(config.logLevel),
  operations: {
    async submitOrder({ account, partnerNumber, content }) {
      await createOrder(sql, account.accountId, {
        number: partnerNumber,
        skuIds: content.lines.map((line) => line.skuId),
      });
      return { kind: 'created', orderNo: `ow_${partnerNumber}_1` };
    },
  },
});
await app.http.listen({ host: config.host, port: config.port, backlog: 2048 });

process.on('SIGTERM', async () => {
  await app.close();
  await sql.end({ timeout: 5 });
  await postgres.close();
  await store.close();
});
