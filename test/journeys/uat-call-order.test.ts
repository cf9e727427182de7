import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { reportedStatuses } from '../../contract/main/fulfilment-advance.ts';
import type { AdvanceReport, WarehouseClient } from '../../sdk/client.ts';
import { startTestApp } from '../support/app.ts';
import { startTestBackground } from '../support/background.ts';
import { clientsOf } from '../support/clients.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, item, shippingOrder, unchanged } from '../support/logistics.ts';
import { goodRow, inboundBody, orderBody, orderRow } from '../support/warehouse.ts';

// A UAT order in a warehouse that ships the orders of production accounts.
const app = await startTestApp();
await provisionLive(app);
const connector = { type: 'simulator', step_s: 1 } as const;
await app.provision({ warehouses: [{ warehouse_no: 1, connector, transfer_every_s: 1 }] });

startTestBackground(app);
const { warehouse, main, logistics } = await clientsOf(app);
const others = (await clientsOf(app, live)).warehouse;

async function bring(to: WarehouseClient, skuId: string, qty: number, caller?: typeof live): Promise<void> {
  await to.productSync({ sku_id: skuId, sku_name: skuId, storage_type: 1 });
  await to.inboundCreate(inboundBody(`IN-${skuId}`, { [skuId]: [['2030-01-01', qty]] }, caller));
}

/** One order of each API. */
const uatOrders = ['BY-WAREHOUSE', 'BY-MAIN', 'BY-LOGISTICS'];
const reportOn = (number: string, status: AdvanceReport['status']): AdvanceReport => ({
  [number === 'BY-LOGISTICS' ? 'internal_name' : 'outbound_short_id']: number,
  status,
  ...(status === 'shipped' ? { shipment_no: 'S-1' } : {}),
});

async function statuses(): Promise<unknown[]> {
  return await Promise.all(uatOrders.map(async (number) => (await orderRow(app, number))!.status));
}

const waiting = uatOrders.map(() => 'pending_warehouse_transfer');

test('nothing advances an order of a UAT account beyond pending_warehouse_transfer', {
  timeout: 60_000,
}, async (journey) => {
  await bring(warehouse, 'TEA', 10);
  await warehouse.outboundCreate(orderBody('BY-WAREHOUSE', [['TEA', 1]]));
  await main.ordersCreate(orderBody('BY-MAIN', [['TEA', 1]]));
  const shipping = await logistics.shippingOrder(shippingOrder('BY-LOGISTICS', [item('TEA', 1)]));
  assert.deepEqual(shipping, { document_no: 'BY-LOGISTICS', status: 'pending_warehouse_transfer', idempotent: false });
  assert.deepEqual(await statuses(), waiting);

  await journey.test('a report of the warehouse is refused, whatever its status', async () => {
    await unchanged(app, async () => {
      for (const status of reportedStatuses) {
        const results = await main.fulfilmentAdvance(uatOrders.map((number) => reportOn(number, status)));
        assert.equal(results.length, uatOrders.length);
        for (const result of results) {
          assert.deepEqual(
            [result.status, result.message],
            ['refused', 'orders of a UAT account stay in pending_warehouse_transfer'],
          );
        }
      }
    });
  });

  await journey.test(
    'waves and the simulator skip it, while a younger order of a production account is shipped',
    async () => {
      await bring(others, 'RICE', 1, live);
      await others.outboundCreate(orderBody('REAL', [['RICE', 1]], live));
      while ((await orderRow(app, 'REAL'))!.status !== 'shipped') await sleep(10);

      assert.deepEqual(await statuses(), waiting);
      const handedOver = await app.store.database.read(
        (sql) => sql`select partner_number from transfer join orders using (account_id, order_id)`,
      );
      assert.deepEqual([...handedOver], [{ partner_number: 'REAL' }]);
      const changed = await app.store.database.read(
        (sql) =>
          sql`select from state_change join orders on orders.account_id = state_change.account_id and document_type = 'order' and document_id = order_id where partner_number = any(${uatOrders})`,
      );
      assert.equal(changed.length, 0);
    },
  );

  await journey.test('the database refuses it', async () => {
    for (const status of reportedStatuses) {
      const forced = app.store.database.transaction(
        (tx) => tx`update orders set status = ${status} where partner_number = 'BY-WAREHOUSE'`,
      );
      await assert.rejects(forced, { code: '23514', message: /orders_uat_stays/ });
    }
    assert.deepEqual(await statuses(), waiting);
  });

  await journey.test('it can be cancelled, and its units are free again', async () => {
    assert.deepEqual(await warehouse.stockQuery(['TEA']), [goodRow('TEA', '2030-01-01', 10, 3)]);
    assert.deepEqual(await warehouse.outboundCancel(['BY-WAREHOUSE', 'BY-MAIN']), [
      { outbound_short_id: 'BY-WAREHOUSE', status: 'cancelled' },
      { outbound_short_id: 'BY-MAIN', status: 'cancelled' },
    ]);
    assert.deepEqual(await main.ordersCancel({ internal_names: ['BY-LOGISTICS'] }), [
      { internal_name: 'BY-LOGISTICS', status: 'cancelled' },
    ]);
    assert.deepEqual(await warehouse.stockQuery(['TEA']), [goodRow('TEA', '2030-01-01', 10)]);
    await assertBooksInOrder(app);
  });
});
