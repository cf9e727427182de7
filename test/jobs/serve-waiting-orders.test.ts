import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exampleShippingOrder } from '../../contract/logistics/shipping-order.ts';
import { startServingWaitingOrders } from '../../server/jobs/serve-waiting-orders.ts';
import { openDatabase } from '../../server/platform/database.ts';
import { makeLog } from '../../server/platform/log.ts';
import { startTestApp } from '../support/app.ts';
import { retvalOf } from '../support/main.ts';
import { receive } from '../support/warehouse.ts';

const app = await startTestApp();
const databases = [1, 2].map(() => openDatabase(app.store.connection, { max: 2, deadlineSeconds: 60 }));
const log = makeLog('trace', { write() {} });
const servers = databases.map((database) => startServingWaitingOrders({ database, clock: app.clock, log }));
after(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await Promise.all(databases.map((database) => database.close()));
});

async function order(internal_name: string, products: [sku: string, quantity: number][]): Promise<string> {
  const items = products.map(([sku, quantity]) => ({ sku, quantity, storage_type: 'ambient' }));
  return retvalOf(await app.callLogistics('/orders/order', { ...exampleShippingOrder, internal_name, products: items })).status;
}

async function statusOf(internalName: string): Promise<string> {
  const [row] = await app.store.database.read((sql) => sql`select status from orders where partner_number = ${internalName}`);
  return row!.status;
}

/** Ends with the test's own limit where it does not come. */
async function untilServed(...internalNames: string[]): Promise<void> {
  for (const name of internalNames) while ((await statusOf(name)) !== 'pending_warehouse_transfer') await sleep(5);
}

const patience = { timeout: 30_000 };

test('an order is served as soon as its stock arrives through another contract', patience, async () => {
  assert.equal(await order('TEA-1', [['TEA', 3]]), 'awaiting_stock');
  await receive(app, { TEA: [['2030-01-01', 3]] });
  await untilServed('TEA-1');
});

test('the cancel of a waiting order lets those behind it go', patience, async () => {
  await order('BIG', [['RICE', 10]]);
  await order('SMALL', [['RICE', 2]]);
  await receive(app, { RICE: [['2030-01-01', 5]] });
  await sleep(100);
  assert.equal(await statusOf('SMALL'), 'awaiting_stock');

  retvalOf(await app.callMain('/orders/cancel', { internal_names: ['BIG'] }));

  await untilServed('SMALL');
});

test('after its connections are cut it hears again, and finds what came meanwhile', patience, async () => {
  await order('LATER', [['MILK', 1]]);
  await app.store.database.read(
    (sql) => sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like '%pg_listening_channels%'`,
  );
  await receive(app, { MILK: [['2030-01-01', 1]] });
  await untilServed('LATER');
});

test('many products at a time: everybody is served', patience, async () => {
  const names = Array.from({ length: 60 }, (_, index) => `MANY-${index}`);
  for (const name of names) await order(name, [[`SKU-${name}`, 1]]);
  await receive(app, Object.fromEntries(names.map((name) => [`SKU-${name}`, [['2030-01-01', 1]] as [string, number][]])));
  await untilServed(...names);
});

test('a product that cannot be served for the moment keeps no other from its turn', patience, async () => {
  await order('STUCK', [['LOCKED', 1]]);
  await order('FREE', [['UNLOCKED', 1]]);
  const [row] = await app.store.database.read((sql) => sql`select product_id from product where sku_id = 'LOCKED'`);
  await app.store.database.read((sql) =>
    sql.unsafe(`
      create function break_one() returns trigger language plpgsql as $$
      begin if new.partner_number = 'STUCK' then raise exception 'not now'; end if; return new; end $$;
      create trigger break_one before update on orders for each row execute function break_one()`),
  );
  await receive(app, { LOCKED: [['2030-01-01', 1]], UNLOCKED: [['2030-01-01', 1]] });
  await untilServed('FREE');
  assert.equal(await statusOf('STUCK'), 'awaiting_stock');
  await app.store.database.read((sql) => sql.unsafe('drop trigger break_one on orders'));
  await app.store.database.read((sql) => sql`select pg_notify('lading_stock', ${`places:${row!.product_id}/1`})`);
  await untilServed('STUCK');
});
