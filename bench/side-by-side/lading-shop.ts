import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  freePort,
  makeDataDir,
  postgresPid,
  provisioningFile,
  startService,
  stopService,
  waitUntilReady,
} from '../../faults/child-process.ts';
import { connect } from '../../server/platform/postgres/database.ts';
import { openEmbeddedPostgres } from '../../server/platform/postgres/embedded/embedded-postgres.ts';
import { version } from '../../server/version.ts';
import { stockUp } from '../stock-up.ts';
import { readDurability } from './durability.ts';
import type { Shop, StockedSku } from './shop.ts';

const readyWithinSeconds = 120;
const env = { RATE_LIMIT: 'off', LOG_LEVEL: 'warn', NODE_ENV: 'production' };

/** Starts this service as `npm start` does, with a PostgreSQL of its own. */
export async function openLadingShop(skus: StockedSku[], cleanup: AsyncDisposableStack): Promise<Shop> {
  const dataDir = makeDataDir();
  cleanup.defer(() => rmSync(dataDir, { recursive: true, force: true }));
  const port = await freePort();
  const service = startService({ dataDir, port, apply: join(dataDir, provisioningFile), env });
  cleanup.defer(() => stopService(service));
  await waitUntilReady(service, readyWithinSeconds);
  for (const [qty, group] of Map.groupBy(skus, (sku) => sku.qty)) {
    const skuIds = group.map(({ skuId }) => skuId);
    await stockUp(service.url, skuIds, ['2099-12-31'], qty);
  }
  const postgres = await openEmbeddedPostgres({ dataDir });
  cleanup.defer(() => postgres.close());
  const sql = connect(postgres.connection, 1);
  cleanup.defer(() => sql.end({ timeout: 5 }));
  await sql`analyze`;
  return {
    name: 'Lading',
    version,
    port,
    ways: [{ name: '', recipe: (numbersBeginWith) => ({ kind: 'lading', numbersBeginWith }) }],
    settings: await readDurability(sql),
    processes: { service: service.process.pid!, postmaster: postgresPid(dataDir)! },
    async countOrders() {
      const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from orders`;
      return row!.count;
    },
    async countSold(skuIds) {
      const [row] = await sql<{ units: number }[]>`
        select coalesce(sum(l.qty), 0)::integer as units
        from order_line l join product p using (account_id, product_id)
        where p.sku_id = any(${skuIds}::text[])`;
      return row!.units;
    },
    log: () => service.output.text,
  };
}
