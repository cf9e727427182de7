import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type OutboundCreated, RefusedError, type WarehouseClient } from '../../sdk/client.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { clientsOf, refusalOf } from '../support/clients.ts';
import { startSecondNode } from '../support/second-node.ts';
import {
  assertBalancesAreSums,
  assertRefused,
  type Caller,
  dataOf,
  emptyRow,
  goodRow,
  inboundBody,
  type Lines,
  orderBody,
  orderRow,
  type Units,
} from '../support/warehouse.ts';

const app = await startTestApp();
const otherApp = await startSecondNode(app);
const { warehouse: first } = await clientsOf(app);
const { warehouse: second } = await clientsOf(otherApp);

function callsOnBothNodes<T>(count: number, call: (node: WarehouseClient, index: number) => Promise<T>): Promise<T>[] {
  return Array.from({ length: count }, (_, index) => call(index % 2 === 0 ? first : second, index));
}

/** So many calls at once, half of them to each node. */
async function onBothNodes<T>(count: number, call: (node: WarehouseClient, index: number) => Promise<T>): Promise<T[]> {
  return await Promise.all(callsOnBothNodes(count, call));
}

async function sync(skuIds: string[], node = first): Promise<void> {
  for (const sku_id of skuIds) await node.productSync({ sku_id, sku_name: `Name of ${sku_id}`, storage_type: 1 });
}

let documents = 0;

/** Makes the products known and brings their units in; the number of the document. */
async function receive(stock: Record<string, Units>, node = first, caller?: Caller): Promise<string> {
  const number = `RECEIVED-${++documents}`;
  await sync(Object.keys(stock), node);
  await node.inboundCreate(inboundBody(number, stock, caller));
  return number;
}

async function order(node: WarehouseClient, number: string, lines: Lines): Promise<OutboundCreated> {
  return await node.outboundCreate(orderBody(number, lines));
}

const refused = (message: string) => ({ status: 400, code: 'PARAM_INVALID', message });

test('what one node has made known the other one knows at once', async () => {
  await receive({ KNOWN: [['2030-01-01', 5]] });
  await order(second, 'OUT-KNOWN', [['KNOWN', 5]]);
  assert.deepEqual(await first.stockQuery(['KNOWN']), [goodRow('KNOWN', '2030-01-01', 5, 5)]);
  assert.equal((await order(first, 'OUT-KNOWN', [['KNOWN', 5]])).idempotent, true);
});

test('one new product, synced on both nodes at once, is one product', async () => {
  for (let round = 1; round <= 5; round++) {
    const answers = await onBothNodes(10, (node) => node.productSync({ sku_id: `SYNC-${round}`, sku_name: 'Tea', storage_type: 1 }));
    assert.equal(new Set(answers.map(({ products_id }) => products_id)).size, 1);
  }
});

test('one order number on both nodes at once gives one order', async () => {
  await receive({ ONCE: [['2030-01-01', 1000]] });
  for (let round = 1; round <= 10; round++) {
    const answers = await onBothNodes(10, (node) => order(node, `OUT-ONCE-${round}`, [['ONCE', 2]]));
    assert.equal(answers.filter(({ idempotent }) => !idempotent).length, 1);
    assert.equal(new Set(answers.map(({ orders_id }) => orders_id)).size, 1);
  }
  assert.deepEqual(await first.stockQuery(['ONCE']), [goodRow('ONCE', '2030-01-01', 1000, 20)]);
});

test('one order number of two skus on both nodes at once: whoever comes second finds the order of the first', async () => {
  await receive({ 'APART-1': [['2030-01-01', 10]], 'APART-2': [['2030-01-01', 10]] });
  for (let round = 1; round <= 10; round++) {
    const answers = await onBothNodes(2, (node, index) => order(node, `OUT-APART-${round}`, [[`APART-${index + 1}`, 1]]));
    assert.deepEqual(answers.map(({ idempotent }) => idempotent).sort(), [false, true]);
    assert.equal(answers.find(({ idempotent }) => idempotent)?.payload_differs, true);
  }
  const rows = await first.stockQuery(['APART-1', 'APART-2']);
  assert.equal(rows[0]!.qty_lock + rows[1]!.qty_lock, 10);
});

test('one inbound number on both nodes at once brings its units once', async () => {
  await sync(['ARRIVES']);
  for (let round = 1; round <= 10; round++) {
    const body = inboundBody(`IN-ARRIVES-${round}`, { ARRIVES: [['2030-01-01', 3]] });
    const answers = await onBothNodes(10, (node) => node.inboundCreate(body));
    assert.equal(answers.filter(({ duplicate }) => !duplicate).length, 1);
    assert.equal(new Set(answers.map(({ stock_in_no }) => stock_in_no)).size, 1);
  }
  assert.deepEqual(await first.stockQuery(['ARRIVES']), [goodRow('ARRIVES', '2030-01-01', 30)]);
});

test('two accounts, one number, one node each: one has it, the other learns nothing of it', async () => {
  await receive({ TEA: [['2030-01-01', 100]] });
  await receive({ TEA: [['2030-01-01', 100]] }, (await clientsOf(app, beta)).warehouse, beta);
  for (let round = 1; round <= 10; round++) {
    const number = `OUT-WHOSE-${round}`;
    // Raw, since no byte of the refusal may tell.
    const answers = await Promise.all(
      [alpha, beta].map((caller, index) =>
        (index === 0 ? app : otherApp).callWarehouse('/outbound/create', orderBody(number, [['TEA', 1]], caller), caller),
      ),
    );
    const [created, refused] = answers.toSorted((a, b) => a.status - b.status);
    assertRefused(refused!, { message: 'outbound_short_id already in use' });
    assert.ok(!refused!.text.includes(dataOf(created!).orders_id));
  }
});

test('documents that make the same new lots on both nodes at once all arrive, and their units add up', async () => {
  const skus = ['LOT-1', 'LOT-2', 'LOT-3'];
  await sync(skus);
  for (let round = 1; round <= 5; round++) {
    const date = `203${round}-01-01`;
    await onBothNodes(8, (node, index) => {
      const ordered = index % 4 < 2 ? skus : skus.toReversed();
      return node.inboundCreate(inboundBody(`IN-LOT-${round}-${index}`, Object.fromEntries(ordered.map((sku) => [sku, [[date, 1]]]))));
    });
    for (const sku of skus) assert.deepEqual((await first.stockQuery([sku])).at(-1), goodRow(sku, date, 8));
  }
});

test('sixty orders for ten units on both nodes: ten have one each, fifty are told that there is none', async () => {
  await receive({ SCARCE: [['2030-01-01', 4]] });
  await receive({ SCARCE: [['2031-01-01', 6]] });
  const answers = callsOnBothNodes(60, (node, index) => order(node, `OUT-SCARCE-${index}`, [['SCARCE', 1]]));
  const outcomes = await Promise.allSettled(answers);

  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 10);
  for (const [index, { status }] of outcomes.entries()) {
    if (status === 'rejected') assert.deepEqual(await refusalOf(answers[index]!), refused('sku SCARCE available=0 < requested=1'));
  }
  assert.deepEqual(await first.stockQuery(['SCARCE']), [goodRow('SCARCE', '2030-01-01', 4, 4), goodRow('SCARCE', '2031-01-01', 6, 6)]);
});

test('orders of many skus in opposite orders on both nodes are all accepted', async () => {
  const skus = Array.from({ length: 10 }, (_, index) => `CROSS-${index}`);
  await receive(Object.fromEntries(skus.map((sku) => [sku, [['2030-01-01', 40]]])));
  const lines: Lines = skus.map((sku) => [sku, 1]);
  await onBothNodes(40, (node, index) => order(node, `OUT-CROSS-${index}`, index % 4 < 2 ? lines : lines.toReversed()));
  assert.deepEqual(
    await first.stockQuery(skus),
    skus.map((sku) => goodRow(sku, '2030-01-01', 40, 40)),
  );
});

test('one order cancelled on both nodes at once gives its units back once', async () => {
  await receive({ BACK: [['2030-01-01', 20]] });
  await order(first, 'OUT-BACK-STAYS', [['BACK', 5]]);
  for (let round = 1; round <= 10; round++) {
    const number = `OUT-BACK-${round}`;
    await order(first, number, [['BACK', 3]]);
    const answers = await onBothNodes(6, (node) => node.outboundCancel([number]));
    for (const results of answers) assert.deepEqual(results, [{ outbound_short_id: number, status: 'cancelled' }]);
    assert.deepEqual(await first.stockQuery(['BACK']), [goodRow('BACK', '2030-01-01', 20, 5)]);
  }
});

test('one inbound document cancelled on both nodes at once takes its units back once', async () => {
  await receive({ TAKEN: [['2030-01-01', 7]] });
  for (let round = 1; round <= 10; round++) {
    const number = await receive({ TAKEN: [['2030-01-01', 5]] });
    const answers = await onBothNodes(6, (node) => node.inboundCancel([number]));
    for (const results of answers) assert.deepEqual(results, [{ stock_in_sn: number, status: 'cancelled' }]);
    assert.deepEqual(await first.stockQuery(['TAKEN']), [goodRow('TAKEN', '2030-01-01', 7)]);
  }
});

test('batches with the same numbers in opposite orders on both nodes all end, each order cancelled once', async () => {
  await receive({ BATCH: [['2030-01-01', 20]], 'BATCH-2': [['2030-01-01', 20]] });
  const numbers = Array.from({ length: 20 }, (_, index) => `OUT-BATCH-${index}`);
  for (const [index, number] of numbers.entries()) await order(first, number, [[index % 2 === 0 ? 'BATCH' : 'BATCH-2', 1]]);
  const answers = await onBothNodes(6, (node, index) => node.outboundCancel(index % 4 < 2 ? numbers : numbers.toReversed()));

  for (const results of answers) assert.deepEqual(new Set(results.map(({ status }) => status)), new Set(['cancelled']));
  assert.deepEqual(await first.stockQuery(['BATCH', 'BATCH-2']), [
    goodRow('BATCH', '2030-01-01', 20),
    goodRow('BATCH-2', '2030-01-01', 20),
  ]);
});

test('a cancel of the document on one node and an order on the other race for the same units: one of them has them', async () => {
  for (let round = 1; round <= 10; round++) {
    const sku = `CONTEST-${round}`;
    const number = await receive({ [sku]: [['2030-01-01', 5]] });
    const cancelled = second.inboundCancel([number]);
    const ordered = order(first, `OUT-CONTEST-${round}`, [[sku, 1]]);
    const [outcome] = await Promise.allSettled([ordered, cancelled]);
    const results = await cancelled;

    if (outcome.status === 'fulfilled') {
      assert.deepEqual(results, [{ stock_in_sn: number, status: 'cannot_cancel_after_receiving' }]);
      assert.deepEqual(await first.stockQuery([sku]), [goodRow(sku, '2030-01-01', 5, 1)]);
    } else {
      assert.deepEqual(await refusalOf(ordered), refused(`sku ${sku} available=0 < requested=1`));
      assert.deepEqual(results, [{ stock_in_sn: number, status: 'cancelled' }]);
      assert.deepEqual(await first.stockQuery([sku]), [emptyRow(sku)]);
    }
  }
});

test('an order on one node and its cancel on the other: cancelled or not there yet, and the lock says the same', async () => {
  for (let round = 1; round <= 10; round++) {
    const sku = `SWIFT-${round}`;
    const number = `OUT-SWIFT-${round}`;
    await receive({ [sku]: [['2030-01-01', 5]] });
    const [, results] = await Promise.all([order(first, number, [[sku, 5]]), second.outboundCancel([number])]);

    const isCancelled = results[0]!.status === 'cancelled';
    assert.deepEqual(results, [{ outbound_short_id: number, status: isCancelled ? 'cancelled' : 'not_found' }]);
    assert.equal((await orderRow(app, number))?.status, isCancelled ? 'cancelled' : 'pending_warehouse_transfer');
    assert.deepEqual(await first.stockQuery([sku]), [goodRow(sku, '2030-01-01', 5, isCancelled ? 0 : 5)]);
  }
});

test('all of it at once on both nodes: every call is answered by its contract, and the books balance', async () => {
  const skus = ['STORM-1', 'STORM-2', 'STORM-3'];
  await receive(Object.fromEntries(skus.map((sku) => [sku, [['2030-01-01', 20]]])));
  const outcomes = await Promise.allSettled(
    callsOnBothNodes<unknown>(120, async (node, index) => {
      const number = `STORM-${index % 30}`;
      const lines: Lines = [
        [skus[index % 3]!, 1 + (index % 5)],
        [skus[(index + 1) % 3]!, 1],
      ];
      const calls = [
        () => order(node, number, lines),
        () => node.outboundCancel([number, `STORM-${(index + 1) % 30}`]),
        () => node.inboundCreate(inboundBody(number, { [skus[index % 3]!]: [[`203${index % 2}-01-01`, 2]] })),
        () => node.inboundCancel([number, `STORM-${(index + 2) % 30}`]),
      ];
      return await calls[Math.floor(index / 2) % 4]!();
    }),
  );

  const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  assert.deepEqual(
    refusals.filter((reason) => !(reason instanceof RefusedError && reason.status === 400 && reason.code === 'PARAM_INVALID')),
    [],
  );
  await assertBalancesAreSums(app);
});

test('balances are the sums of the movements, and locks are those of the orders that hold them', async () => {
  await assertBalancesAreSums(app);
  const wrong = await app.store.database.read(
    (sql) => sql`
      select o.partner_number, o.status, sum(m.locked_delta) as locked, (select sum(qty) from order_line l where l.order_id = o.order_id) as ordered
      from orders o left join movement m using (order_id) group by o.order_id
      having coalesce(sum(m.locked_delta), 0)
        <> case when o.status = 'cancelled' then 0 else (select sum(qty) from order_line l where l.order_id = o.order_id) end`,
  );
  assert.deepEqual([...wrong], []);
});
