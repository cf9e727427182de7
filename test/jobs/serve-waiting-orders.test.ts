import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startServingWaitingOrders } from '../../server/jobs/serve-waiting-orders.ts';
import { makeLog } from '../../server/platform/log.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { beta, startTestApp } from '../support/app.ts';
import { cancelShipping, item, orderStatus, placeOf, ship } from '../support/logistics.ts';
import { receive } from '../support/warehouse.ts';
import { breakOrder } from '../support/worker.ts';

const app = await startTestApp();
const databases = [1, 2].map(() => openDatabase(app.store.serviceConnection, { max: 2, deadlineSeconds: 60 }));
const log = makeLog('trace', { write() {} });
const servers = databases.map((database) => startServingWaitingOrders({ database, clock: app.clock, log }));
after(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all(databases.map((database) => database.close()));
});

/** If an order is never served, the time limit of the test ends the wait. */
async function untilServed(...internalNames: string[]): Promise<void> {
  for (const name of internalNames)
    while ((await orderStatus(app, name)) !== 'pending_warehouse_transfer') await sleep(5);
}

const patience = { timeout: 30_000 };

test('an order is served as soon as its stock arrives through another contract', patience, async () => {
  assert.equal(await ship(app, 'TEA-1', [item('TEA', 3)]), 'awaiting_stock');
  await receive(app, { TEA: [['2030-01-01', 3]] });
  await untilServed('TEA-1');
});

test('the cancel of a waiting order lets the orders behind it be served', patience, async () => {
  await ship(app, 'BIG', [item('RICE', 10)]);
  await ship(app, 'SMALL', [item('RICE', 2)]);
  await receive(app, { RICE: [['2030-01-01', 5]] });
  await sleep(100);
  assert.equal(await orderStatus(app, 'SMALL'), 'awaiting_stock');

  await cancelShipping(app, ['BIG']);

  await untilServed('SMALL');
});

test('after lost connections notifications are received again, and missed stock is found', patience, async () => {
  await ship(app, 'LATER', [item('MILK', 1)]);
  await app.store.database.read(
    (sql) => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_listening_channels%'`,
  );
  await receive(app, { MILK: [['2030-01-01', 1]] });
  await untilServed('LATER');
});

test('a notification that names nothing makes the orders of all accounts be looked for', patience, async () => {
  await ship(app, 'MINE', [item('OIL', 1)]);
  await ship(app, 'THEIRS', [item('OIL', 1)], {}, beta.apiKey);
  await app.store.database.transaction(async (tx) => {
    await tx`
      insert into lot (account_id, warehouse_no, product_id, stock_type, expire_date, on_hand, locked, sku_id)
      select account_id, 1, product_id, 'good', 'infinity', 1, 0, sku_id from product where sku_id = 'OIL'`;
    await tx`select pg_notify('lading_stock', '')`;
  });
  await untilServed('MINE');
  while ((await orderStatus(app, 'THEIRS', 'BETA')) !== 'pending_warehouse_transfer') await sleep(5);
});

test('orders of many products at once are all served', patience, async () => {
  const names = Array.from({ length: 12 }, (_, index) => `MANY-${index}`);
  for (const name of names) await ship(app, name, [item(`SKU-${name}`, 1)]);
  await receive(
    app,
    Object.fromEntries(names.map((name) => [`SKU-${name}`, [['2030-01-01', 1]] as [string, number][]])),
  );
  await untilServed(...names);
});

test('a product that cannot be served at the moment holds up no other', patience, async () => {
  await ship(app, 'STUCK', [item('LOCKED', 1)]);
  await ship(app, 'FREE', [item('UNLOCKED', 1)]);
  const { accountId, productId, warehouseNo } = await placeOf(app, 'LOCKED');
  const { repair } = await breakOrder(app.store.database, 'STUCK');
  await receive(app, { LOCKED: [['2030-01-01', 1]], UNLOCKED: [['2030-01-01', 1]] });
  await untilServed('FREE');
  assert.equal(await orderStatus(app, 'STUCK'), 'awaiting_stock');
  await repair();
  const payload = `places:${accountId}:${productId}/${warehouseNo}`;
  await app.store.database.read((sql) => sql`select pg_notify('lading_stock', ${payload})`);
  await untilServed('STUCK');
});
