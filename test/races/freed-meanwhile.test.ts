import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { cancelOrders, order, orderBody, receive } from '../support/warehouse.ts';

const app = await startTestApp();
const { database } = app.store;

async function lockWaiters(): Promise<number> {
  const [row] = await database.read(
    (sql) => sql`select count(*)::int from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return row!.count;
}

/** Another node takes all of the lot that expires first, and commits only when told to. */
async function takeFirstLot(skuId: string) {
  const taken = Promise.withResolvers<void>();
  const commit = Promise.withResolvers<void>();
  const committed = database.transaction(async (tx) => {
    const [lot] = await tx`
      select lot_id, l.account_id, on_hand from lot l where sku_id = ${skuId} order by expire_date limit 1
      for no key update of l`;
    await tx`update lot set locked = on_hand where lot_id = ${lot!.lot_id}`;
    await tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      values (${lot!.account_id}, ${lot!.lot_id}, 'adjust', 0, ${lot!.on_hand}, 'test', 'taken by another node')`;
    taken.resolve();
    await commit.promise;
  });
  await taken.promise;
  return async () => {
    commit.resolve();
    await committed;
  };
}

async function waitForLot(): Promise<void> {
  while ((await lockWaiters()) === 0) await new Promise(setImmediate);
}

test('an order that waits for a lot in vain takes what was freed meanwhile: enough was free at every instant', async () => {
  await receive(app, {
    FREED: [
      ['2030-01-01', 5],
      ['2031-01-01', 5],
    ],
  });
  await order(app, 'FREED-FIRST', [['FREED', 5]]);
  await order(app, 'FREED-SECOND', [['FREED', 5]]);
  await cancelOrders(app, ['FREED-FIRST']);
  const commit = await takeFirstLot('FREED');
  const waiting = app.callWarehouse('/outbound/create', orderBody('FREED-WAITING', [['FREED', 5]]));
  await waitForLot();
  await cancelOrders(app, ['FREED-SECOND']);
  await commit();

  const { status, json } = await waiting;
  assert.deepEqual([status, json.message], [200, 'success']);
});

test('an order that waits for a lot in vain, with nothing freed, is told what is left', async () => {
  await receive(app, {
    GONE: [
      ['2030-01-01', 5],
      ['2031-01-01', 2],
    ],
  });
  const commit = await takeFirstLot('GONE');
  const waiting = app.callWarehouse('/outbound/create', orderBody('GONE-WAITING', [['GONE', 3]]));
  await waitForLot();
  await commit();

  const { status, json } = await waiting;
  assert.deepEqual([status, json.message], [400, 'sku GONE available=2 < requested=3']);
});
