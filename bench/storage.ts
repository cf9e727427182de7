import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { faultAccount, faultKey, makeDataDir, provisioningFile } from '../faults/child-process.ts';
import { makeRandom, type Random } from '../faults/random.ts';
import { stockUpForOrders } from './api-requests.ts';
import { plainRequest } from './bearer-request.ts';
import type { BenchOptions } from './benchmark.ts';
import { type Output, rounded } from './figures.ts';
import { consignee, orderBody, skuIdsOf } from './order-shapes.ts';
import { sendAll } from './send-all.ts';
import { signedRequest } from './signed-request.ts';
import { reportSizes, settle, sizesOf } from './table-sizes.ts';
import { type Workbench, withWorkbench } from './workbench.ts';

const ordersFull = 20_000;
const ordersQuick = 300;
const lookEveryMs = 200;
/** Far longer than the orders of a full run need. */
const givenUpAfterMs = 900_000;

/**
 * Measures the bytes that an order leaves behind over its whole life, from its creation to its shipment: in the tables
 * and in the write-ahead log, which is also the traffic of a standby and of an archive. A simulated warehouse moves the
 * orders on.
 */
export async function benchStorage(options: BenchOptions, output: Output): Promise<{ mistakes: string[] }> {
  // Orders of a UAT account never leave for the warehouse.
  const dataDir = makeDataDir('production');
  simulateWarehouse(dataDir);
  const receiver = createServer((request, response) => request.resume().on('end', () => response.end('ok')));
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/callbacks`;
  const random = makeRandom(options.seed);
  const kinds = {
    'warehouse API': (number: string) => signedRequest('outbound/create', orderBody('spread', number, random)),
    'logistics webhook, with callbacks': (number: string) => shippingOrder(number, callbackUrl, random),
  };
  const settings = { dataDir, env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } };
  try {
    await withWorkbench(
      options,
      output,
      async (workbench) => {
        await stockUpForOrders(workbench.service.url);
        const count = options.quick ? ordersQuick : ordersFull;
        for (const [kind, makeRequest] of Object.entries(kinds))
          await measure(workbench, { kind, count, makeRequest }, output);
      },
      settings,
    );
    return { mistakes: [] };
  } finally {
    receiver.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

interface Measured {
  kind: string;
  count: number;
  makeRequest(number: string): Buffer;
}

async function measure(workbench: Workbench, { kind, count, makeRequest }: Measured, output: Output): Promise<void> {
  const { sql, port } = workbench;
  await settle(sql);
  const before = await sizesOf(sql);
  const [start] = await sql<{ at: string }[]>`select pg_current_wal_lsn()::text as at`;
  const requests = Array.from({ length: count }, (_, index) => makeRequest(`${kind.slice(0, 3)}-${index}`));
  await sendAll(port, requests);
  output.progress(`${kind}: ${count} orders created`);
  await untilShipped(workbench);
  const [end] = await sql<{ bytes: number }[]>`
    select (pg_current_wal_lsn() - ${start!.at}::pg_lsn)::float8 as bytes`;
  await settle(sql);
  const onDisk = reportSizes(kind, before, await sizesOf(sql), count, output);
  output.row('bytes of an order in all', {
    orders: kind,
    measured: count,
    'on disk': rounded(onDisk, 0),
    'in the write-ahead log': rounded(end!.bytes / count, 0),
    'of a request': rounded(requests[0]!.length, 0),
  });
}

/** All orders have left the warehouse, and all callbacks are delivered. */
async function untilShipped({ sql, accountId }: Workbench): Promise<void> {
  const giveUpAt = performance.now() + givenUpAfterMs;
  for (;;) {
    const [open] = await sql<{ orders: number; callbacks: number }[]>`
      select (select count(*) from orders where account_id = ${accountId} and status <> 'shipped') as orders,
        (select count(*) from callback_delivery where account_id = ${accountId}) as callbacks`;
    if (open!.orders === 0 && open!.callbacks === 0) return;
    if (performance.now() > giveUpAt)
      throw new Error(`${open!.orders} orders and ${open!.callbacks} callbacks did not come to their end`);
    await sleep(lookEveryMs);
  }
}

/** The quickest warehouse that there is. */
function simulateWarehouse(dataDir: string): void {
  const file = join(dataDir, provisioningFile);
  const provisioning = JSON.parse(readFileSync(file, 'utf8'));
  provisioning.warehouses = [{ warehouse_no: 1, connector: { type: 'simulator', step_s: 1 }, transfer_every_s: 1 }];
  writeFileSync(file, JSON.stringify(provisioning));
}

function shippingOrder(number: string, callbackUrl: string, random: Random): Buffer {
  const { consignee_name, consignee_phone, consignee_address } = consignee;
  const body = {
    internal_name: number,
    name: `${faultAccount.accountNo}-${number}`,
    customer_name: consignee_name,
    delivery_name: consignee_name,
    phone: consignee_phone,
    address: consignee_address,
    delivery_charge: 60,
    products: skuIdsOf('spread', random).map((sku) => ({ sku, quantity: 1, storage_type: 'ambient' })),
    callback_url: callbackUrl,
  };
  return plainRequest('/logistics/orders/order', body, { authorization: faultKey.apiKey });
}
