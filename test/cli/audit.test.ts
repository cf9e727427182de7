import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { formatStored } from '../../messages/format-message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { accountIdsOf } from '../../server/domain/partners/partner-queries.ts';
import { runDueJobs } from '../../server/jobs/worker.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { makeLog } from '../../server/platform/log.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { mayNot } from '../support/database.ts';
import { retvalOf } from '../support/main.ts';
import { assertAuditClean } from '../support/purge.ts';
import {
  cancelInbounds,
  cancelOrders,
  dump,
  moveInbound,
  moveOrder,
  order,
  receive,
  stockOf,
} from '../support/warehouse.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const { database, service } = app.store;
const here = makeRunHere(settingsFor(app.store));

async function audit(...options: string[]) {
  const { code, stdout, stderr } = await here.run(['audit', '--json', ...options]);
  // On a slow machine it reports its progress.
  assert.match(stderr, /^(\d+ [a-z ]+ compared with their [a-z ]+\n)*$/);
  return { code, ...JSON.parse(stdout) };
}

/** Repairs, after which nothing may be wrong any more. */
async function repair() {
  const { code, clean, repairs } = await audit('--repair');
  assert.deepEqual([code, clean], [0, true]);
  return repairs.map(({ outcome }: { outcome: unknown }) => outcome);
}

/** A repair that must leave its one finding to a person, with nothing changed. */
async function assertLeftToPerson(why?: string): Promise<void> {
  const before = await dump(app);
  const { code, clean, repairs } = await audit('--repair');
  assert.deepEqual([code, clean, repairs.length, repairs[0].outcome.kind], [1, false, 1, 'needs_a_person']);
  if (why !== undefined) assert.equal(repairs[0].outcome.why, why);
  assert.deepEqual(await dump(app), before);
}

/** Changes the lot of a product as somebody with a database console might. */
async function tamper(sku: string, change: string): Promise<void> {
  await database.read((sql) => sql.unsafe(`update lot set ${change} where sku_id = '${sku}'`));
}

async function adjustments(sku: string) {
  const rows = await database.read(
    (sql) => sql`
      select m.on_hand_delta, m.locked_delta, m.actor, m.reason from movement m join lot using (account_id, lot_id)
      where sku_id = ${sku} and m.kind = 'adjust' order by movement_id`,
  );
  return rows.map((row) => ({ ...row }));
}

const unitsOf = ({ skuId, announced, received, least, most }: Record<string, unknown>) =>
  [skuId, announced, received, least, most].join(' ');

// Every test begins with stock that adds up.
beforeEach(() => assertAuditClean(app));

test('after orders, cancels, receipts and retractions the books match', async () => {
  await receive(app, { PLAIN: [['2030-01-01', 10]] });
  const retracted = await receive(app, { PLAIN: [['2030-02-01', 3]] });
  await order(app, 'PLAIN-1', [['PLAIN', 2]]);
  await order(app, 'PLAIN-2', [['PLAIN', 3]]);
  await cancelOrders(app, ['PLAIN-2']);
  await cancelInbounds(app, [retracted]);

  const { code, clean, lots, orders, inbounds, findings } = await audit();
  assert.deepEqual([code, clean, lots, orders, inbounds, findings], [0, true, 2, 2, 2, []]);
  const { stdout } = await here.run('audit');
  assert.equal(stdout, '2 lots, 2 orders and 2 inbound documents: the books match\n');
});

test('a balance that was changed without a movement is found, and only --repair changes anything', async () => {
  await receive(app, { HAND: [['2030-01-01', 10]] });
  await tamper('HAND', 'on_hand = on_hand + 5');
  const before = await dump(app);
  const found = await audit();
  const printed = await here.run('audit');

  const [{ lotId, ...finding }, ...others] = found.findings;
  assert.deepEqual([found.code, printed.code, others], [1, 1, []]);
  assert.deepEqual(finding, {
    kind: 'balance',
    accountNo: 'ALPHA',
    skuId: 'HAND',
    warehouseNo: 1,
    onHand: 15,
    onHandMoved: 10,
    locked: 0,
    lockedMoved: 0,
  });
  assert.match(printed.stdout, /lot \d+ \(ALPHA, sku HAND, warehouse 1\): on hand 15, by its movements 10\n/);
  assert.match(printed.stdout, /"lading audit --repair" corrects this/);
  assert.deepEqual(await dump(app), before);

  assert.deepEqual(await repair(), [{ kind: 'repaired', what: 'recorded +5 on hand, undid 0 locked' }]);
  const reason = 'audit: the balance had been changed without a movement';
  assert.deepEqual(await adjustments('HAND'), [
    { on_hand_delta: 5, locked_delta: 0, actor: 'lading audit --repair', reason },
  ]);
  assert.equal((await stockOf(app, 'HAND'))[0]!.qty, 15);
});

for (const change of [1, -1]) {
  test(`a lock that was changed by hand (${change}) is set back to the units that orders hold`, async () => {
    const sku = `LOCK ${change}`;
    await receive(app, { [sku]: [['2030-01-01', 10]] });
    await order(app, sku, [[sku, 4]]);
    await tamper(sku, `locked = locked + ${change}`);
    assert.equal((await audit()).findings.length, 1);

    await repair();
    assert.equal((await stockOf(app, sku))[0]!.qty_lock, 4);
    assert.deepEqual(
      (await adjustments(sku)).map((row) => row.locked_delta),
      [change, -change],
    );
    assert.deepEqual(await cancelOrders(app, [sku]), [{ outbound_short_id: sku, status: 'cancelled' }]);
  });
}

test('fewer units on hand than orders hold are left to a person', async () => {
  await receive(app, { LOST: [['2030-01-01', 4]] });
  await order(app, 'LOST-1', [['LOST', 4]]);
  await tamper('LOST', 'on_hand = 2, locked = 2');
  await assertLeftToPerson('orders hold 4, but only 2 are on hand');
  await tamper('LOST', 'on_hand = 4, locked = 4');
});

test('units of an order that is over are found and freed', async () => {
  for (const day of ['2030-01-01', '2030-02-01']) await receive(app, { STRAY: [[day, 3]] });
  await order(app, 'STRAY-1', [['STRAY', 5]]);
  await moveOrder(app, 'STRAY-1', 'cancelled');

  const [{ orderId, ...finding }, ...others] = (await audit()).findings;
  assert.deepEqual(others, []);
  assert.deepEqual(finding, {
    kind: 'lock',
    partnerNumber: 'STRAY-1',
    status: 'cancelled',
    accountNo: 'ALPHA',
    skuId: 'STRAY',
    held: 5,
    owed: 0,
  });
  await repair();
  assert.deepEqual(
    (await stockOf(app, 'STRAY')).map((row) => row.qty_available),
    [3, 3],
  );
  assert.equal((await adjustments('STRAY'))[0]!.reason, 'audit: freed, because an order in state cancelled is owed it');
});

test('locks of an order that does not exist are found and freed', async () => {
  await receive(app, { GHOST: [['2030-01-01', 3]] });
  await tamper('GHOST', 'locked = 2');
  await database.read(
    (sql) => sql`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor)
      select account_id, lot_id, 'lock', 0, 2, 900000, 'test' from lot where sku_id = 'GHOST'`,
  );
  const { findings } = await audit();
  assert.deepEqual(
    findings.map(({ orderId, status, held, owed }: Record<string, unknown>) => [orderId, status, held, owed]),
    [[900000, null, 2, 0]],
  );
  await repair();
  assert.equal((await stockOf(app, 'GHOST'))[0]!.qty_available, 3);
});

test('an order that holds less than it should is left to a person', async () => {
  await receive(app, { LESS: [['2030-01-01', 3]] });
  await order(app, 'LESS-1', [['LESS', 2]]);
  await cancelOrders(app, ['LESS-1']);
  await moveOrder(app, 'LESS-1', 'picking');
  await assertLeftToPerson('the order holds 0 of 2: cancel it, or send it again');
  await moveOrder(app, 'LESS-1', 'cancelled');
});

for (const status of ['expected', 'cancelled']) {
  test(`an inbound document with received units in status ${status} is found, and left to a person`, async () => {
    const skuId = `BROUGHT ${status}`;
    const number = await receive(app, { [skuId]: [['2030-01-01', 5]] });
    await moveInbound(app, number, status);
    const { inboundId, ...finding } = (await audit()).findings[0];
    assert.deepEqual(finding, {
      kind: 'inbound',
      partnerNumber: number,
      status,
      accountNo: 'ALPHA',
      skuId,
      announced: 5,
      received: 5,
      least: 0,
      most: 0,
    });
    const { stdout } = await here.run('audit');
    const line = `inbound document ${number} (${status}) of ALPHA has brought 5 of sku ${skuId}, and should have brought 0 (announced: 5)\n`;
    assert.ok(stdout.includes(line), stdout);
    await assertLeftToPerson();
    await moveInbound(app, number, 'received');
  });
}

test('a document that was received with its creation must have brought exactly the announced units', async () => {
  const number = await receive(app, { EXACT: [['2030-01-01', 5]], OTHER: [['2030-01-01', 1]] });
  const announce = (qty: number) =>
    database.read(
      (sql) => sql`
        update inbound_line set qty = ${qty} where inbound_id = (select inbound_id from inbound_document where partner_number = ${number})
          and product_id = (select product_id from product where sku_id = 'EXACT')`,
    );
  for (const qty of [4, 6]) {
    await announce(qty);
    assert.deepEqual((await audit()).findings.map(unitsOf), [`EXACT ${qty} 5 ${qty} ${qty}`]);
  }
  await announce(5);
});

test('a document that the warehouse has received may be short, and exceed its announcement as far as its rule accepts', async () => {
  const later = { ...alpha, warehouseTpwId: 'TPW-LATER' };
  const rule = { receiving: 'on_confirm', over_delivery_percent: 10 } as const;
  const tenant = { warehouse_tpw_id: later.warehouseTpwId, warehouse_no: 1, store_no: 10, ...rule };
  await app.provision({
    accounts: [{ account_no: 'ALPHA', environment: 'uat', secret: alpha.secret, tenants: [tenant] }],
  });
  const number = await receive(app, { MORE: [['2030-01-01', 19]], FEWER: [['2030-01-01', 9]] }, later);
  const details = [
    { sku_id: 'MORE', expire_date: '2030-01-01', qty: 20, stock_type: 'good' },
    { sku_id: 'FEWER', expire_date: null, qty: 1, stock_type: 'bad' },
  ];
  retvalOf(await app.callMain('/inbounds/receive', { inbound_short_id: number, details, final: true }));
  await assertAuditClean(app);

  const allow = (percent: number) =>
    database.read(
      (sql) => sql`update inbound_document set over_delivery_percent = ${percent} where partner_number = ${number}`,
    );
  await allow(5);
  assert.deepEqual((await audit()).findings.map(unitsOf), ['MORE 19 20 0 19']);
  await allow(10);
});

test('an audit beside running orders finds nothing', async () => {
  await receive(app, { BUSY: [['2030-01-01', 1000]] });
  let stop = false;
  const loops = Array.from({ length: 4 }, async (_, loop) => {
    for (let count = 0; !stop; count++) {
      if (loop === 0) await cancelInbounds(app, [await receive(app, { BUSY: [['2031-01-01', 1]] })]);
      await order(app, `BUSY-${loop}-${count}`, [['BUSY', 1]]);
      await cancelOrders(app, [`BUSY-${loop}-${count}`]);
    }
  });
  for (let round = 0; round < 3; round++) assert.deepEqual((await audit()).findings, []);
  stop = true;
  await Promise.all(loops);
});

test('the audit runs by itself, and /metrics shows its findings', async () => {
  const { config, metrics } = app;
  const { keyring } = app.store;
  const runAudit = async () => {
    await database.read((sql) => sql`update schedule set next_run_at = now()`);
    const log = makeLog('silent');
    await runDueJobs({ database: service, keyring, clock: systemClock, config, log, metrics, formatCallback });
  };
  const gauge = async (name: string) =>
    new RegExp(`^lading_stock_audit_${name} (.*)$`, 'm').exec((await app.http.inject('/metrics')).payload)![1];
  await database.read((sql) => sql`delete from schedule`);
  await runAudit();
  assert.equal(await gauge('findings'), '0');
  assert.ok(Math.abs(Number(await gauge('timestamp_seconds')) - Date.now() / 1000) < 600);

  await receive(app, { SHOWN: [['2030-01-01', 10]] });
  await tamper('SHOWN', 'on_hand = on_hand - 2');
  await runAudit();
  assert.equal(await gauge('findings'), '1');
  const [row] = await database.read((sql) => sql`select last_outcome from schedule where name = 'audit_stock'`);
  assert.match(
    formatStored(row!.last_outcome),
    /^1 findings in \d+ lots, \d+ orders and \d+ inbound documents: lot \d+ \(ALPHA, sku SHOWN, warehouse 1\): on hand 8, by its movements 10$/,
  );
  await repair();
});

test('the database itself refuses to change or delete a movement, to delete a lot, and a wrong balance', async () => {
  const accountIds = await database.read((sql) => accountIdsOf(sql, null));
  const refusals: [statement: string, error: object][] = [
    ['update movement set reason = null', mayNot('movement')],
    ['delete from movement', mayNot('movement')],
    ['truncate movement', mayNot('movement')],
    ['delete from lot', mayNot('lot')],
    ['update lot set locked = on_hand + 1', { code: '23514', message: /lot_balance/ }],
    ['update lot set on_hand = -1, locked = -1', { code: '23514', message: /lot_balance/ }],
  ];
  for (const [statement, error] of refusals) {
    await assert.rejects(
      service.read(accountIds, (sql) => sql.unsafe(statement)),
      error,
      statement,
    );
  }
});

// This test comes last: movements cannot be removed, so this database does not add up afterwards.
test('movements of a lot that does not exist are found, and left to a person', async () => {
  await database.read(
    (sql) => sql`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      select account_id, 900000, 'adjust', 3, 0, 'test', 'a lot that never was' from account where account_no = 'ALPHA'`,
  );
  assert.deepEqual((await audit()).findings, [
    {
      kind: 'balance',
      lotId: 900000,
      accountNo: 'ALPHA',
      skuId: null,
      warehouseNo: null,
      onHand: 0,
      onHandMoved: 3,
      locked: 0,
      lockedMoved: 0,
    },
  ]);
  await assertLeftToPerson();
  assert.match((await here.run('audit')).stdout, /lot 900000 of ALPHA does not exist, but has movements\n/);
});
