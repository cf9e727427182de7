import assert from 'node:assert/strict';
import { after, beforeEach, test } from 'node:test';
import { formatStored } from '../../messages/format-message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { auditStock } from '../../server/domain/audit/audit-stock.ts';
import { redeliverInBatches } from '../../server/domain/callbacks/redeliver-callbacks.ts';
import { accountIdsOf } from '../../server/domain/partners/partner-queries.ts';
import { lastReports } from '../../server/domain/purge/purge-report-queries.ts';
import { countOrders } from '../../server/domain/trends/count-orders.ts';
import { startServingWaitingOrders } from '../../server/jobs/serve-waiting-orders.ts';
import { runDueJobs } from '../../server/jobs/worker.ts';
import { makeLog } from '../../server/platform/log.ts';
import { becomePurgeRole } from '../../server/platform/postgres/roles.ts';
import { startTestDelivery } from '../callbacks/delivery.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { holdTransaction, lockIsAwaited, mayNot } from '../support/database.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, cancelShipping, form, formPath, item, orderStatus, ship, take } from '../support/logistics.ts';
import {
  assertAuditClean,
  balanceOf,
  correctionsOf,
  correctOldestLot,
  countsOf,
  documentReferences,
  letTimePass,
  purge,
  retentionDays,
  rowsOfAccount,
} from '../support/purge.ts';
import {
  type Caller,
  cancelInbounds,
  cancelOrders,
  createInbound,
  order,
  receive,
  stockOf,
  syncProducts,
} from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
const { database, service } = app.store;
await provisionLive(app);
// With separate ranges an id identifies its document in any column.
await database.read((sql) => sql`alter sequence inbound_id_seq restart with 1000000`);
await database.read((sql) => sql`alter sequence callback_id_seq restart with 2000000`);

beforeEach(async () => {
  await purge(app, { madeBefore: new Date() });
});

const callbackUrl = 'https://partner.example/callbacks';

/** Creates every kind of document, with every kind of row that can belong to one. */
async function makeDocuments(
  mark: string,
  caller: Caller & { apiKey: string; clientId: string; checkValue: string },
): Promise<void> {
  const { apiKey } = caller;
  await syncProducts(app, [`${mark}-TEA`, `${mark}-RICE`], caller);
  await createInbound(app, `${mark}-IN`, { [`${mark}-TEA`]: [['2030-01-01', 10]] }, caller);
  await createInbound(app, `${mark}-IN-CANCELLED`, { [`${mark}-TEA`]: [['2030-02-01', 5]] }, caller);
  await cancelInbounds(app, [`${mark}-IN-CANCELLED`], caller);
  await order(app, `${mark}-OUT`, [[`${mark}-TEA`, 2]], caller);
  await order(app, `${mark}-OUT-CANCELLED`, [[`${mark}-TEA`, 3]], caller);
  await cancelOrders(app, [`${mark}-OUT-CANCELLED`], caller);
  await take(app, formPath, form(`${mark}-FORM`, [item(`${mark}-RICE`, 7)]), apiKey);
  await take(app, formPath, form(`${mark}-RETURN`, [item(`${mark}-RICE`, 1)], { form_type: 2 }), apiKey);
  await ship(app, `${mark}-SHIP`, [item(`${mark}-RICE`, 2)], { callback_url: callbackUrl }, apiKey);
  await ship(app, `${mark}-SHIP-CANCELLED`, [item(`${mark}-RICE`, 1)], { callback_url: callbackUrl }, apiKey);
  await cancelShipping(app, [`${mark}-SHIP-CANCELLED`], caller);
  await ship(app, `${mark}-WAITS`, [item(`${mark}-SALT`, 4)], {}, apiKey);
  await countOrders(service, { now: new Date(), youngestSeconds: 0, restRatio: 0 });
  await database.transaction(async (tx) => {
    await tx`
      insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status)
      select callback_id, 1, account_id, 5, 500 from callback where document_no like ${`${mark}-%`}`;
    await tx`
      insert into transfer (order_id, transfer_id, account_id, warehouse_no, status)
      select order_id, gen_random_uuid(), account_id, 1, 'rejected' from orders where partner_number = ${`${mark}-OUT`}`;
    await tx`
      insert into order_change (account_id, order_id, kind, state, actor, fields)
      select account_id, order_id, 'hold', 'made', 'boss', '{}' from orders where partner_number = ${`${mark}-OUT`}`;
    await tx`
      insert into order_print (account_id, order_id, document, prints, print_id, printed_by)
      select account_id, order_id, 'packing_slip', 1, gen_random_uuid(), 'boss' from orders where partner_number = ${`${mark}-OUT`}`;
    await tx`
      insert into receipt (inbound_id, receipt_no, account_id, payload_digest)
      select inbound_id, 'R-1', account_id, '' from inbound_document where partner_number = ${`${mark}-FORM`}`;
    await tx`
      insert into document_note (document_type, document_id, account_id, author, text)
      select 'order', order_id, account_id, 'boss', 'as it was' from orders where partner_number = ${`${mark}-OUT`}
      union all select 'inbound', inbound_id, account_id, 'boss', 'as it was' from inbound_document where partner_number = ${`${mark}-IN`}`;
  });
}

async function idsOf(mark: string): Promise<number[]> {
  const rows = await database.read(
    (sql) => sql<{ id: number }[]>`
      select order_id as id from orders where partner_number like ${`${mark}-%`}
      union all select inbound_id from inbound_document where partner_number like ${`${mark}-%`}
      union all select callback_id from callback where document_no like ${`${mark}-%`}`,
  );
  return rows.map((row) => row.id);
}

/** No order of a UAT account reaches a warehouse, so a purge finds no rows there, and its role may not delete any. */
function isOfShipments(table: string): boolean {
  const ofFloor = ['pick_batch_order', 'pick_task', 'packed_unit', 'planned_shipment'];
  return ['parcel', 'parcel_item', 'short_line', ...ofFloor].includes(table);
}

/** Rows that belong to these documents and callbacks, by table and column. */
async function rowsOf(ids: number[]): Promise<Record<string, string[]>> {
  const rows: Record<string, string[]> = {};
  for (const { table, column } of await documentReferences(app)) {
    const found = await database.read(
      (sql) =>
        sql`select t::text as row from ${sql(table)} t where ${sql(column)} = any(${ids}::bigint[]) order by t::text`,
    );
    rows[`${table}.${column}`] = found.map(({ row }) => row);
  }
  return rows;
}

test('documents past their retention are purged with all their rows; younger ones, and production documents of any age, stay', async () => {
  await makeDocuments('OLD', alpha);
  await makeDocuments('PROD', live);
  const oldIds = await idsOf('OLD');
  await letTimePass(app, retentionDays + 1);
  await makeDocuments('YOUNG', alpha);
  await makeDocuments('OTHER', beta);
  const [youngIds, otherIds] = [await idsOf('YOUNG'), await idsOf('OTHER')];
  const belongings = await rowsOf(oldIds);
  const before = {
    young: await rowsOf(youngIds),
    other: await rowsOf(otherIds),
    production: await rowsOfAccount(app, 'LIVE'),
  };
  const products = await database.read((sql) => sql`select count(*) from product`);
  assert.deepEqual(
    Object.entries(belongings).filter(([name, rows]) => rows.length === 0 && !isOfShipments(name.split('.')[0]!)),
    [],
    'a table that refers to documents has no row here: add one, and see that it is purged',
  );

  const report = await purge(app);

  assert.deepEqual(countsOf(report), { orders: 5, inbounds: 4, movements: 11, callbacks: 3, unitsKept: 0 });
  assert.ok(report!.finishedAt! >= report!.startedAt);
  assert.deepEqual(await idsOf('OLD'), []);
  for (const [where, rows] of Object.entries(await rowsOf(oldIds))) assert.deepEqual(rows, [], where);
  assert.deepEqual(
    { young: await rowsOf(youngIds), other: await rowsOf(otherIds), production: await rowsOfAccount(app, 'LIVE') },
    before,
  );
  assert.deepEqual(await database.read((sql) => sql`select count(*) from product`), products);
  assert.deepEqual(await balanceOf(app, 'OLD-TEA'), [0, 0]);
  assert.deepEqual(await balanceOf(app, 'OLD-RICE'), [0, 0]);
  assert.deepEqual(await balanceOf(app, 'YOUNG-TEA'), [10, 2]);
  await assertAuditClean(app);

  assert.equal(await purge(app), null, 'nothing is left to purge or report');
  const reports = await database.read((sql) => lastReports(sql, 10));
  assert.deepEqual(
    reports.map(({ purgeId, actor }) => [purgeId, actor]),
    [[report!.purgeId, 'test']],
  );
});

test('changes of an order that a node of an earlier version has purged are purged later', async () => {
  await database.transaction(
    (tx) => tx`
      insert into order_change (account_id, order_id, kind, state, actor, fields, reason)
      select account_id, 900000 + n, 'hold', 'made', 'boss', '{}', 'left' from account, generate_series(1, 3) n where account_no = 'ALPHA'`,
  );
  assert.equal((await auditStock(app.store.service)).findings.length, 3);
  assert.equal(await purge(app, { batchMax: { documents: 1, rows: 1 } }), null);
  await assertAuditClean(app);
});

test('the number of a purged document can be used again', async () => {
  await receive(app, { AGAIN: [['2030-01-01', 5]] });
  const first = await order(app, 'AGAIN-1', [['AGAIN', 1]]);
  await letTimePass(app, retentionDays + 1);
  await receive(app, { AGAIN: [['2030-01-01', 5]] });
  await purge(app);

  const second = await order(app, 'AGAIN-1', [['AGAIN', 2]]);
  assert.equal(second.idempotent, false);
  assert.notEqual(second.orders_id, first.orders_id);
  assert.deepEqual(await balanceOf(app, 'AGAIN'), [5, 2]);
});

test('units that younger orders hold stay, with a movement that names the reason, until a later purge', async () => {
  await syncProducts(app, ['HELD']);
  const { stock_in_no } = await createInbound(app, 'HELD-IN', { HELD: [['2030-01-01', 10]] });
  await letTimePass(app, retentionDays + 1);
  await order(app, 'HELD-OUT', [['HELD', 4]]);

  assert.deepEqual(countsOf(await purge(app)), { orders: 0, inbounds: 1, movements: 1, callbacks: 0, unitsKept: 4 });
  assert.deepEqual(await balanceOf(app, 'HELD'), [4, 4]);
  assert.deepEqual(await correctionsOf(app, 'HELD'), [
    {
      kind: 'adjust',
      on_hand_delta: 4,
      locked_delta: 0,
      actor: 'test',
      reason: `kept for younger orders when ${stock_in_no} was purged`,
    },
  ]);
  await assertAuditClean(app);
  assert.deepEqual(await cancelOrders(app, ['HELD-OUT']), [{ outbound_short_id: 'HELD-OUT', status: 'cancelled' }]);
  assert.equal((await stockOf(app, 'HELD'))[0]!.qty_available, 4);
  assert.equal(await purge(app), null);

  await letTimePass(app, retentionDays + 1);
  assert.deepEqual(countsOf(await purge(app)), { orders: 1, inbounds: 0, movements: 3, callbacks: 0, unitsKept: 0 });
  assert.deepEqual(await balanceOf(app, 'HELD'), [0, 0]);
  assert.deepEqual(await correctionsOf(app, 'HELD'), []);
  await assertAuditClean(app);
});

test('units that several documents brought stay without naming one, and stay again while they are held', async () => {
  await syncProducts(app, ['BOTH']);
  await createInbound(app, 'BOTH-1', { BOTH: [['2030-01-01', 2]] });
  await createInbound(app, 'BOTH-2', { BOTH: [['2030-01-01', 2]] });
  await letTimePass(app, retentionDays + 1);
  await order(app, 'BOTH-OUT', [['BOTH', 3]]);
  await purge(app);
  assert.deepEqual(
    (await correctionsOf(app, 'BOTH')).map((row) => row.reason),
    ['kept for younger orders when several documents were purged'],
  );

  await letTimePass(app, retentionDays + 1);
  await database.read((sql) => sql`update orders set created_at = now() where partner_number = 'BOTH-OUT'`);
  assert.deepEqual(countsOf(await purge(app)), { orders: 0, inbounds: 0, movements: 1, callbacks: 0, unitsKept: 3 });
  assert.deepEqual(
    (await correctionsOf(app, 'BOTH')).map((row) => [row.on_hand_delta, row.reason]),
    [[3, 'kept for younger orders when corrections were purged']],
  );
  assert.deepEqual(await balanceOf(app, 'BOTH'), [3, 3]);
  await assertAuditClean(app);
});

test('a correction that removed units is never purged before the units it removed: a purge makes nothing sellable', async () => {
  await syncProducts(app, ['LOST']);
  await createInbound(app, 'LOST-IN', { LOST: [['2030-01-01', 10]] });
  await letTimePass(app, retentionDays + 1);
  await correctOldestLot(app, 'LOST', -3, 'broken');
  await purge(app);
  assert.deepEqual(await balanceOf(app, 'LOST'), [0, 0]);
  assert.deepEqual(
    (await correctionsOf(app, 'LOST')).map((row) => [row.on_hand_delta, row.reason.replace(/si_\w+/, 'si_')]),
    [
      [-3, 'broken'],
      [3, 'kept for younger corrections when si_ was purged'],
    ],
  );

  await letTimePass(app, retentionDays - 1);
  await purge(app, { madeBefore: new Date(Date.now() - (retentionDays - 1) * 86_400_000 - 3_600_000) });
  assert.deepEqual(await balanceOf(app, 'LOST'), [0, 0]);
  await letTimePass(app, 2);
  await purge(app);
  assert.deepEqual(await balanceOf(app, 'LOST'), [0, 0]);
  assert.deepEqual(await correctionsOf(app, 'LOST'), []);
  await assertAuditClean(app);
});

test('after every batch the books are in order, and an interrupted purge has counted its work', async () => {
  await syncProducts(app, ['STEP']);
  for (let index = 1; index <= 3; index++) {
    await createInbound(app, `STEP-IN-${index}`, { STEP: [['2030-01-01', 5]] });
    await order(app, `STEP-OUT-${index}`, [['STEP', 2]]);
  }
  await letTimePass(app, retentionDays + 1);
  await order(app, 'STEP-YOUNG', [['STEP', 6]]);

  const steps = [];
  for (;;) {
    const stopping = new AbortController();
    const report = await purge(app, {
      batchMax: { documents: 3, rows: 3 },
      stopping: stopping.signal,
      onBatch: () => stopping.abort(),
    });
    if (report === null) break;
    assert.equal(report.finishedAt, null);
    await assertAuditClean(app);
    const { orders, inbounds, movements, unitsKept } = report;
    steps.push([orders, inbounds, movements, unitsKept]);
  }

  // An order has 2 rows, an inbound document too: the second of a batch would be one too many.
  assert.deepEqual(steps, [...Array(3).fill([1, 0, 1, 0]), [0, 1, 1, 0], [0, 1, 1, 1], [0, 1, 1, 5]]);
  assert.deepEqual(await balanceOf(app, 'STEP'), [6, 6]);
});

test('units of a purged order go to waiting orders, and orders that waited behind a purged order are served', {
  timeout: 30_000,
}, async () => {
  await syncProducts(app, ['QUEUE', 'BEHIND']);
  await createInbound(app, 'QUEUE-IN', { QUEUE: [['2030-01-01', 5]] });
  await order(app, 'QUEUE-OLD', [['QUEUE', 5]]);
  await ship(app, 'BEHIND-OLD', [item('BEHIND', 10)]);
  await database.read(
    (sql) =>
      sql`update orders set created_at = now() - interval '31 days' where partner_number in ('QUEUE-OLD', 'BEHIND-OLD')`,
  );
  assert.equal(await ship(app, 'QUEUE-YOUNG', [item('QUEUE', 3)]), 'awaiting_stock');
  assert.equal(await ship(app, 'BEHIND-YOUNG', [item('BEHIND', 2)]), 'awaiting_stock');
  await bring(app, [item('BEHIND', 4)]);
  const server = startServingWaitingOrders({ database: service, clock: app.clock, log: makeLog('silent') });
  after(() => server.close());
  await until('the server listens', async () => {
    const listeners = await database.read(
      (sql) =>
        sql`select from pg_stat_activity where datname = current_database() and query like '%pg_listening_channels%'`,
    );
    return listeners.length > 0;
  });
  assert.equal(await orderStatus(app, 'BEHIND-YOUNG'), 'awaiting_stock');

  await purge(app);

  for (const name of ['QUEUE-YOUNG', 'BEHIND-YOUNG']) {
    await until(`${name} has its stock`, async () => (await orderStatus(app, name)) === 'pending_warehouse_transfer');
  }
  assert.deepEqual(await balanceOf(app, 'QUEUE'), [5, 3]);
  await assertAuditClean(app);
  await server.close();
});

test('the database refuses to delete production rows, and other rows outside a purge', async () => {
  await makeDocuments('GUARDED-U', alpha);
  await makeDocuments('GUARDED-P', live);
  const before = [await rowsOfAccount(app, 'ALPHA'), await rowsOfAccount(app, 'LIVE')];
  const accountIds = await database.read((sql) => accountIdsOf(sql, null));
  const references = await documentReferences(app);
  const deletedInTraffic = ['waiting_line', 'callback_delivery'];
  const tables = [...new Set(references.map(({ table }) => table))].filter(
    (table) => !deletedInTraffic.includes(table) && !isOfShipments(table),
  );
  for (const table of tables) {
    const deleting = (accountNo: string, isPurging: boolean) =>
      service.transaction(accountIds, async (tx) => {
        if (isPurging) await becomePurgeRole(tx);
        return await tx`delete from ${tx(table)} where account_id = (select account_id from account where account_no = ${accountNo})`;
      });
    await assert.rejects(deleting('ALPHA', false), mayNot(table));
    await assert.rejects(deleting('LIVE', false), mayNot(table));
    assert.equal((await deleting('LIVE', true)).count, 0, table);
  }
  assert.deepEqual([await rowsOfAccount(app, 'ALPHA'), await rowsOfAccount(app, 'LIVE')], before);
});

test('a callback that is purged in flight leaves nothing behind, and the worker continues', async () => {
  // The queued callbacks have no receiver.
  await database.read((sql) => sql`delete from callback_delivery`);
  const release = Promise.withResolvers<void>();
  const receiver = await startReceiver(async () => {
    await release.promise;
    return { status: 200 };
  });
  const worker = startTestDelivery(service);
  await take(app, formPath, form('IN-HAND', [item('IN-HAND', 1)], { callback_url: `${receiver.url}/slow` }));
  await until('it is being sent', () => receiver.received.length === 1);

  assert.equal((await purge(app, { madeBefore: new Date() }))!.callbacks, 1);
  release.resolve();
  await until('the worker has noticed', async () => (await worker.metric('callback_attempts_lost_total')) === 1);
  await take(app, formPath, form('NEXT', [item('IN-HAND', 1)], { callback_url: `${receiver.url}/slow` }));
  await until(
    'the next one has arrived',
    async () => (await worker.metric('callback_attempts_total{outcome="delivered"}')) === 2,
  );

  assert.deepEqual(
    worker.logLines.filter(({ level }) => level === 'error'),
    [],
  );
  await until('it is recorded', async () => {
    const rows = await database.read(
      (sql) => sql`select document_no, status from callback where document_no in ('IN-HAND', 'NEXT')`,
    );
    return JSON.stringify(rows) === '[{"document_no":"NEXT","status":"delivered"}]';
  });
  await worker.close();
});

test('a callback that is queued again during its purge leaves nothing in the queue', async () => {
  await take(app, formPath, form('REDELIVERED', [item('REDELIVERED', 1)]));
  const [callback] = await database.read(
    (sql) => sql`select account_id, callback_id from callback where document_no = 'REDELIVERED'`,
  );
  await database.transaction(async (tx) => {
    await tx`delete from callback_delivery where callback_id = ${callback!.callback_id}`;
    await tx`update callback set status = 'delivered' where callback_id = ${callback!.callback_id}`;
  });
  const { release } = await holdTransaction(
    database,
    (tx) => tx`select from lot where sku_id = 'REDELIVERED' for update`,
  );
  const purging = purge(app, { madeBefore: new Date() });
  await lockIsAwaited(database);
  const key = { accountId: callback!.account_id, callbackId: callback!.callback_id };
  const redelivering = redeliverInBatches(service, [key]);
  await lockIsAwaited(database, 2);
  await release();

  assert.ok((await purging)!.callbacks >= 1);
  assert.equal((await redelivering).count, 0);
  const queued = await database.read(
    (sql) => sql`select from callback_delivery where callback_id = ${callback!.callback_id}`,
  );
  assert.equal(queued.length, 0);
});

test('the purge job applies the configured retention and counts what it purged', async () => {
  await receive(app, { JOB: [['2030-01-01', 5]] });
  await order(app, 'JOB-OUT', [['JOB', 1]]);
  await letTimePass(app, 8);
  const context = {
    database: service,
    keyring: app.store.keyring,
    clock: app.clock,
    log: makeLog('silent'),
    metrics: app.metrics,
    formatCallback,
  };
  const runWith = async (uatRetentionDays: number) => {
    await database.read((sql) => sql`delete from schedule`);
    await runDueJobs({ ...context, config: { ...app.config, uatRetentionDays } });
    const [row] = await database.read((sql) => sql`select last_outcome from schedule where name = 'purge_uat'`);
    return formatStored(row!.last_outcome);
  };

  assert.equal(await runWith(9), 'nothing to purge');
  assert.equal(await runWith(7), 'purged 1 orders and 1 inbound documents, with 2 movements and 0 callbacks');
  assert.equal(await runWith(7), 'nothing to purge');
  const metrics = (await app.http.inject('/metrics')).payload;
  assert.match(metrics, /^lading_documents_purged_total\{type="order"\} 1$/m);
  assert.match(metrics, /^lading_documents_purged_total\{type="inbound"\} 1$/m);
  assert.ok(Number(/^lading_purge_timestamp_seconds (.*)$/m.exec(metrics)![1]) > Date.now() / 1000 - 600);
});
