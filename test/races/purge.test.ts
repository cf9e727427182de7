import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { printOrders } from '../../contract/console/print.ts';
import type { PurgeReport } from '../../server/domain/purge/purge-report.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { assertAuditClean, letTimePass, purge, retentionDays } from '../support/purge.ts';
import { cancelInbounds, inboundBody, type Lines, orderBody, syncProducts } from '../support/warehouse.ts';
import { assertNoDeadlocks, eachRound, listOf, oneOf, roundsOf, sum, upTo } from './races.ts';

const app = await startTestApp();
const other = openDatabase(app.store.serviceConnection, { max: 4, deadlineSeconds: 20 });
test.after(() => other.close());
const rounds = roundsOf({ usual: 1, full: 100 });
const skuIds = ['RACE-1', 'RACE-2', 'RACE-3'];
const documents = 40;

const anyLines = (): Lines => [[oneOf(skuIds), upTo(3)]];
const numbersOf = (kind: string) => listOf(documents, (index) => `${kind}-${index}`);

async function inbound(number: string): Promise<number> {
  const stock = Object.fromEntries(skuIds.map((skuId) => [skuId, [['2030-01-01', 5] as [string, number]]]));
  return (await app.callWarehouse('/inbound/create', inboundBody(number, stock))).status;
}

async function outbound(number: string): Promise<number> {
  return (await app.callWarehouse('/outbound/create', orderBody(number, anyLines()))).status;
}

async function cancel(numbers: string[]): Promise<number> {
  return (await app.callWarehouse('/outbound/cancel', { outbound_short_ids: numbers })).status;
}

test('two purges beside creates of the same numbers and cancels: no document is purged twice, and the books balance', async () => {
  await syncProducts(app, skuIds);
  const { database } = app.store;
  const batchMax = { documents: 4, rows: 20 };
  await eachRound(rounds, async () => {
    await Promise.all(numbersOf('IN').map(inbound));
    await Promise.all(numbersOf('OUT').map(outbound));
    await letTimePass(app, retentionDays + 1);
    const [before] = await database.read(
      (sql) => sql`select (select count(*) from orders) as orders, (select count(*) from inbound_document) as inbounds`,
    );
    const created: number[] = [];

    const again = (number: string, create: (number: string) => Promise<number>) =>
      create(number).then((status) => created.push(status));
    const reports = await Promise.all([
      purge(app, { batchMax }),
      purge({ ...app, store: { ...app.store, service: other } }, { batchMax }),
      ...numbersOf('OUT').map((number) => again(number, outbound)),
      ...numbersOf('IN').map((number) => again(number, inbound)),
      ...numbersOf('OUT').map((number) => cancel([number, oneOf(numbersOf('OUT'))])),
      cancelInbounds(app, numbersOf('IN')),
    ]);
    const late = await purge(app);

    assert.deepEqual(
      created.filter((status) => status !== 200 && status !== 400),
      [],
    );
    const purged = [reports[0], reports[1], late] as (PurgeReport | null)[];
    assert.deepEqual(
      [sum(purged.map((report) => report?.orders ?? 0)), sum(purged.map((report) => report?.inbounds ?? 0))],
      [before!.orders, before!.inbounds],
    );
    await assertAuditClean(app);
    await purge(app, { madeBefore: new Date() });
    const [left] = await database.read(
      (
        sql,
      ) => sql`select (select count(*) from orders) + (select count(*) from inbound_document) + (select count(*) from movement) as rows,
        (select coalesce(sum(on_hand), 0)::bigint from lot) as units`,
    );
    assert.deepEqual({ ...left }, { rows: 0, units: 0 });
  });
  await assertNoDeadlocks(app);
});

test('prints beside a purge: an order is printed or not found, and no print is left of an order that is gone', async () => {
  await provisionOperators(app);
  const staff = await signIn(app, 'staff');
  const { database } = app.store;
  await eachRound(rounds, async (round) => {
    await inbound(`PRINT-${round}`);
    const numbers = listOf(20, (index) => `PRINT-${round}-${index}`);
    await Promise.all(numbers.map(outbound));
    await letTimePass(app, retentionDays + 1);
    const rows = await database.read(
      (sql) => sql<{ id: number }[]>`select order_id as id from orders order by order_id`,
    );
    const prints = rows.map(({ id }) =>
      staff.ask(printOrders, { document: 'order_codes', order_ids: [id], print_id: randomUUID() }),
    );
    const [, ...answers] = await Promise.all([purge(app, { batchMax: { documents: 2, rows: 10 } }), ...prints]);
    for (const { printed, left_out } of answers) assert.equal(printed.length + left_out.length, 1);
    await purge(app);
    const [left] = await database.read((sql) => sql`select count(*) as prints from order_print`);
    assert.equal(left!.prints, 0);
  });
  await assertAuditClean(app);
  await assertNoDeadlocks(app);
});
