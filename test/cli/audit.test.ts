import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { runDueJobs } from '../../server/jobs/worker.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { makeLog } from '../../server/platform/log.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { retvalOf } from '../support/main.ts';
import { cancelInbounds, cancelOrders, dump, moveInbound, moveOrder, order, receive, stockOf } from '../support/warehouse.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const { database } = app.store;
const here = makeRunHere(settingsFor(app.store));

async function audit(...options: string[]) {
  const { code, stdout, stderr } = await here.run(['audit', '--json', ...options]);
  // On a slow machine it tells how far it is.
  assert.match(stderr, /^(\d+ [a-z ]+ compared with their [a-z ]+\n)*$/);
  return { code, ...JSON.parse(stdout) };
}

/** As somebody with a database console might. */
async function tamper(sku: string, change: 'on_hand + 5' | 'on_hand - 2' | 'locked + 1' | 'locked - 1'): Promise<void> {
  const column = change.split(' ')[0];
  await database.read((sql) =>
    sql.unsafe(`update lot set ${column} = ${change} where product_id = (select product_id from product where sku_id = '${sku}')`),
  );
}

async function adjustments(sku: string) {
  const rows = await database.read(
    (sql) => sql`
      select m.on_hand_delta, m.locked_delta, m.actor, m.reason from movement m join lot using (lot_id)
      where sku_id = ${sku} and m.kind = 'adjust' order by movement_id`,
  );
  return rows.map((row) => ({ ...row }));
}

beforeEach(async () => {
  assert.equal((await audit()).clean, true, 'every test begins with stock that adds up');
});

test('after orders, cancels, receipts and retractions everything adds up', async () => {
  await receive(app, { PLAIN: [['2030-01-01', 10]] });
  const retracted = await receive(app, { PLAIN: [['2030-02-01', 3]] });
  await order(app, 'PLAIN-1', [['PLAIN', 2]]);
  await order(app, 'PLAIN-2', [['PLAIN', 3]]);
  await cancelOrders(app, ['PLAIN-2']);
  await cancelInbounds(app, [retracted]);

  const { code, clean, lots, orders, inbounds, findings } = await audit();
  assert.deepEqual([code, clean, lots, orders, inbounds, findings], [0, true, 2, 2, 2, []]);
  const { stdout } = await here.run(['audit']);
  assert.equal(stdout, '2 lots, 2 orders and 2 inbound documents: everything adds up\n');
});

test('a balance that was changed without a movement is found, told apart, and changed by nothing but --repair', async () => {
  await receive(app, { HAND: [['2030-01-01', 10]] });
  await tamper('HAND', 'on_hand + 5');
  const before = await dump(app);
  const found = await audit();
  const words = await here.run(['audit']);

  assert.equal(found.code, 1);
  assert.equal(found.findings.length, 1);
  const { lotId, ...finding } = found.findings[0];
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
  assert.equal(words.code, 1);
  assert.match(words.stdout, /lot \d+ \(ALPHA, sku HAND, warehouse 1\): on hand 15, by its movements 10\n/);
  assert.match(words.stdout, /"lading audit --repair" writes movements/);
  assert.deepEqual(await dump(app), before);

  const repaired = await audit('--repair');
  assert.deepEqual([repaired.code, repaired.clean], [0, true]);
  assert.deepEqual(
    repaired.repairs.map(({ outcome }: { outcome: unknown }) => outcome),
    [{ kind: 'repaired', what: 'recorded +5 on hand, undid 0 locked' }],
  );
  assert.deepEqual(await adjustments('HAND'), [
    {
      on_hand_delta: 5,
      locked_delta: 0,
      actor: 'lading audit --repair',
      reason: 'audit: the balance had been changed without a movement',
    },
  ]);
  assert.equal((await stockOf(app, 'HAND'))[0]!.qty, 15);
});

for (const [change, lockedAgain] of [
  ['locked + 1', -1],
  ['locked - 1', 1],
] as const) {
  test(`a lock that was changed by hand (${change}) is set back to what the orders hold`, async () => {
    const sku = `LOCK ${change}`;
    await receive(app, { [sku]: [['2030-01-01', 10]] });
    await order(app, `ORDER ${change}`, [[sku, 4]]);
    await tamper(sku, change);
    assert.equal((await audit()).findings.length, 1);

    const repaired = await audit('--repair');
    assert.deepEqual([repaired.code, repaired.clean], [0, true]);
    assert.equal((await stockOf(app, sku))[0]!.qty_lock, 4);
    assert.deepEqual(
      (await adjustments(sku)).map((row) => row.locked_delta),
      [-lockedAgain, lockedAgain],
    );
    assert.deepEqual(await cancelOrders(app, [`ORDER ${change}`]), [{ outbound_short_id: `ORDER ${change}`, status: 'cancelled' }]);
  });
}

test('fewer on hand than orders hold is for a person: nothing is invented', async () => {
  await receive(app, { LOST: [['2030-01-01', 4]] });
  await order(app, 'LOST-1', [['LOST', 4]]);
  await database.read(
    (sql) => sql`update lot set on_hand = 2, locked = 2 where product_id = (select product_id from product where sku_id = 'LOST')`,
  );

  const { code, clean, repairs } = await audit('--repair');
  assert.deepEqual([code, clean], [1, false]);
  assert.deepEqual(repairs[0].outcome, { kind: 'needs_a_person', why: 'orders hold 4, but only 2 are on hand' });
  assert.deepEqual(await adjustments('LOST'), []);
  await database.read(
    (sql) => sql`update lot set on_hand = 4, locked = 4 where product_id = (select product_id from product where sku_id = 'LOST')`,
  );
});

test('units of an order that is not alive any more are found and freed', async () => {
  await receive(app, {
    STRAY: [
      ['2030-01-01', 3],
      ['2030-02-01', 3],
    ],
  });
  await order(app, 'STRAY-1', [['STRAY', 5]]);
  await moveOrder(app, 'STRAY-1', 'cancelled');

  const { findings } = await audit();
  const { orderId, ...finding } = findings[0];
  assert.equal(findings.length, 1);
  assert.deepEqual(finding, {
    kind: 'lock',
    partnerNumber: 'STRAY-1',
    status: 'cancelled',
    accountNo: 'ALPHA',
    skuId: 'STRAY',
    held: 5,
    owed: 0,
  });
  const repaired = await audit('--repair');
  assert.deepEqual([repaired.code, repaired.clean], [0, true]);
  assert.deepEqual(
    (await stockOf(app, 'STRAY')).map((row) => row.qty_available),
    [3, 3],
  );
  assert.match((await adjustments('STRAY'))[0]!.reason, /^audit: freed, because an order in state cancelled is owed it$/);
});

test('locks of an order that does not exist are found and freed', async () => {
  await receive(app, { GHOST: [['2030-01-01', 3]] });
  await database.transaction(async (tx) => {
    const [lot] = await tx`
      update lot set locked = 2 where product_id = (select product_id from product where sku_id = 'GHOST') returning lot_id, account_id`;
    await tx`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, order_id, actor)
      values (${lot!.account_id}, ${lot!.lot_id}, 'lock', 0, 2, 900000, 'test')`;
  });

  const { findings } = await audit();
  assert.deepEqual(
    findings.map(({ orderId, status, held, owed }: Record<string, unknown>) => [orderId, status, held, owed]),
    [[900000, null, 2, 0]],
  );
  assert.equal((await audit('--repair')).clean, true);
  assert.equal((await stockOf(app, 'GHOST'))[0]!.qty_available, 3);
});

test('an order that holds less than it should is for a person', async () => {
  await receive(app, { LESS: [['2030-01-01', 3]] });
  await order(app, 'LESS-1', [['LESS', 2]]);
  await cancelOrders(app, ['LESS-1']);
  await moveOrder(app, 'LESS-1', 'picking');

  const { code, repairs } = await audit('--repair');
  assert.equal(code, 1);
  assert.deepEqual(repairs[0].outcome, { kind: 'needs_a_person', why: 'the order holds 0 of 2: cancel it, or send it again' });
  await moveOrder(app, 'LESS-1', 'cancelled');
});

for (const [title, status, announced, least, most] of [
  ['received units, although it is expected', 'expected', 5, 0, 0],
  ['received units, although it is cancelled', 'cancelled', 5, 0, 0],
] as const) {
  test(`an inbound document that has ${title}, is found, and left to a person`, async () => {
    const sku = `BROUGHT ${status}`;
    const number = await receive(app, { [sku]: [['2030-01-01', announced]] });
    await moveInbound(app, number, status);
    const { inboundId, ...finding } = (await audit()).findings[0];
    assert.deepEqual(finding, {
      ...{ kind: 'inbound', partnerNumber: number, status, accountNo: 'ALPHA', skuId: sku },
      ...{ announced, received: 5, least, most },
    });
    const { stdout } = await here.run(['audit']);
    assert.ok(
      stdout.includes(
        `inbound document ${number} (${status}) of ALPHA has brought 5 of sku ${sku}, and should have brought 0 (announced: 5)\n`,
      ),
    );

    const before = await dump(app);
    const { code, repairs } = await audit('--repair');
    assert.equal(code, 1);
    assert.equal(repairs[0].outcome.kind, 'needs_a_person');
    assert.deepEqual(await dump(app), before);
    await moveInbound(app, number, 'received');
  });
}

test('a document that was received with its creation must have brought exactly what it announces', async () => {
  const number = await receive(app, { EXACT: [['2030-01-01', 5]], OTHER: [['2030-01-01', 1]] });
  const announce = (qty: number) =>
    database.read(
      (sql) => sql`
        update inbound_line set qty = ${qty} where inbound_id = (select inbound_id from inbound_document where partner_number = ${number})
          and product_id = (select product_id from product where sku_id = 'EXACT')`,
    );
  for (const qty of [4, 6]) {
    await announce(qty);
    const { findings } = await audit();
    assert.deepEqual(
      findings.map(({ skuId, announced, received, least, most }: Record<string, unknown>) => [skuId, announced, received, least, most]),
      [['EXACT', qty, 5, qty, qty]],
    );
  }
  await announce(5);
});

test('a document that the warehouse has received may be short, and have as many more as its rule accepts, and no unit more', async () => {
  await app.provision({
    accounts: [
      {
        ...{ account_no: 'ALPHA', environment: 'uat', secret: alpha.secret },
        tenants: [{ warehouse_tpw_id: 'TPW-LATER', warehouse_no: 1, store_no: 10, receiving: 'on_confirm', over_delivery_percent: 10 }],
      },
    ],
  });
  const number = await receive(app, { MORE: [['2030-01-01', 19]], FEWER: [['2030-01-01', 9]] }, { ...alpha, warehouseTpwId: 'TPW-LATER' });
  const details = [
    { sku_id: 'MORE', expire_date: '2030-01-01', qty: 20, stock_type: 'good' },
    { sku_id: 'FEWER', expire_date: null, qty: 1, stock_type: 'bad' },
  ];
  retvalOf(await app.callMain('/inbounds/receive', { inbound_short_id: number, details, final: true }));
  assert.equal((await audit()).clean, true);

  const allow = (percent: number) =>
    database.read((sql) => sql`update inbound_document set over_delivery_percent = ${percent} where partner_number = ${number}`);
  await allow(5);
  const { findings } = await audit();
  assert.deepEqual(
    findings.map(({ skuId, announced, received, least, most }: Record<string, unknown>) => [skuId, announced, received, least, most]),
    [['MORE', 19, 20, 0, 19]],
  );
  await allow(10);
});

test('an audit beside running orders finds nothing', async () => {
  await receive(app, { BUSY: [['2030-01-01', 1000]] });
  let stop = false;
  const loops = Array.from({ length: 8 }, async (_, loop) => {
    for (let count = 0; !stop; count++) {
      if (loop === 0) await cancelInbounds(app, [await receive(app, { BUSY: [['2031-01-01', 1]] })]);
      await order(app, `BUSY-${loop}-${count}`, [['BUSY', 1]]);
      await cancelOrders(app, [`BUSY-${loop}-${count}`]);
    }
  });
  const audits = [];
  for (let round = 0; round < 5; round++) audits.push(await audit());
  stop = true;
  await Promise.all(loops);

  assert.deepEqual(
    audits.flatMap(({ findings }) => findings),
    [],
  );
});

test('the audit runs by itself, and /metrics shows what it found', async () => {
  const context = {
    database,
    keyring: app.store.keyring,
    clock: systemClock,
    config: app.config,
    log: makeLog('silent'),
    metrics: app.metrics,
  };
  const gauge = async (name: string) =>
    new RegExp(`^lading_stock_audit_${name} (.*)$`, 'm').exec((await app.http.inject('/metrics')).payload)![1];
  await database.read((sql) => sql`delete from schedule`);
  await runDueJobs(context);
  assert.equal(await gauge('findings'), '0');
  const firstAt = Number(await gauge('timestamp_seconds'));
  assert.ok(Math.abs(firstAt - Date.now() / 1000) < 600);

  await receive(app, { SHOWN: [['2030-01-01', 10]] });
  await tamper('SHOWN', 'on_hand - 2');
  await database.read((sql) => sql`update schedule set next_run_at = now()`);
  await runDueJobs(context);
  assert.equal(await gauge('findings'), '1');
  const [row] = await database.read((sql) => sql`select last_outcome from schedule where name = 'audit_stock'`);
  assert.match(
    row!.last_outcome,
    /^1 findings in \d+ lots, \d+ orders and \d+ inbound documents: lot \d+ \(ALPHA, sku SHOWN, warehouse 1\): on hand 8, by its movements 10$/,
  );
  assert.equal((await audit('--repair')).clean, true);
});

test('the database itself refuses to change or delete a movement, or to delete a lot', async () => {
  for (const statement of ['update movement set reason = null', 'delete from movement', 'truncate movement', 'delete from lot']) {
    await assert.rejects(
      database.read((sql) => sql.unsafe(statement)),
      /is append-only|by a purge only|violates foreign key|cannot truncate/,
      statement,
    );
  }
  await assert.rejects(
    database.read((sql) => sql`update lot set locked = on_hand + 1`),
    /lot_balance/,
  );
  await assert.rejects(
    database.read((sql) => sql`update lot set on_hand = -1, locked = -1`),
    /lot_balance/,
  );
});

// The last one: movements stay for ever, so nothing adds up in this database afterwards.
test('movements of a lot that does not exist are found, and left to a person', async () => {
  await database.read(
    (sql) => sql`
      insert into movement (account_id, lot_id, kind, on_hand_delta, locked_delta, actor, reason)
      select account_id, 900000, 'adjust', 3, 0, 'test', 'a lot that never was' from account where account_no = 'ALPHA'`,
  );
  const { code, findings, repairs } = await audit('--repair');
  const { stdout } = await here.run(['audit']);

  assert.equal(code, 1);
  assert.deepEqual(findings, [
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
  assert.equal(repairs[0].outcome.kind, 'needs_a_person');
  assert.match(stdout, /lot 900000 of ALPHA does not exist, but has movements\n/);
});
