import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alpha, beta, startTestApp, type TestApp } from '../support/app.ts';
import { startSecondNode } from '../support/second-node.ts';
import {
  assertBalancesAreSums,
  assertRefused,
  cancelInbounds,
  cancelOrders,
  createInbound,
  dataOf,
  emptyRow,
  goodRow,
  inboundBody,
  type Lines,
  order,
  orderBody,
  orderRow,
  receive,
  stockOf,
  syncProducts,
} from '../support/warehouse.ts';

const first = await startTestApp();
const second = await startSecondNode(first);

/** So many calls at once, half of them to each node. */
function onBothNodes<T>(count: number, call: (node: TestApp, index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index % 2 === 0 ? first : second, index)));
}

test('what one node has made known the other one knows at once', async () => {
  await receive(first, { KNOWN: [['2030-01-01', 5]] });
  await order(second, 'OUT-KNOWN', [['KNOWN', 5]]);
  assert.deepEqual(await stockOf(first, 'KNOWN'), [goodRow('KNOWN', '2030-01-01', 5, 5)]);
  assert.equal((await order(first, 'OUT-KNOWN', [['KNOWN', 5]])).idempotent, true);
});

test('one new product, synced on both nodes at once, is one product', async () => {
  for (let round = 1; round <= 5; round++) {
    const answers = await onBothNodes(10, (node) =>
      node.callWarehouse('/product/sync', { sku_id: `SYNC-${round}`, sku_name: 'Tea', storage_type: 1 }),
    );
    assert.equal(new Set(answers.map((answer) => dataOf(answer).products_id)).size, 1);
  }
});

test('one order number on both nodes at once gives one order', async () => {
  await receive(first, { ONCE: [['2030-01-01', 1000]] });
  for (let round = 1; round <= 10; round++) {
    const answers = await onBothNodes(10, (node) => order(node, `OUT-ONCE-${round}`, [['ONCE', 2]]));
    assert.equal(answers.filter(({ idempotent }) => !idempotent).length, 1);
    assert.equal(new Set(answers.map(({ orders_id }) => orders_id)).size, 1);
  }
  assert.deepEqual(await stockOf(first, 'ONCE'), [goodRow('ONCE', '2030-01-01', 1000, 20)]);
});

test('one order number of two skus on both nodes at once: whoever comes second finds the order of the first', async () => {
  await receive(first, { 'APART-1': [['2030-01-01', 10]], 'APART-2': [['2030-01-01', 10]] });
  for (let round = 1; round <= 10; round++) {
    const answers = await onBothNodes(2, (node, index) => order(node, `OUT-APART-${round}`, [[`APART-${index + 1}`, 1]]));
    assert.deepEqual(answers.map(({ idempotent }) => idempotent).sort(), [false, true]);
    assert.equal(answers.find(({ idempotent }) => idempotent)?.payload_differs, true);
  }
  const rows = await stockOf(first, ['APART-1', 'APART-2']);
  assert.equal(rows[0]!.qty_lock + rows[1]!.qty_lock, 10);
});

test('one inbound number on both nodes at once brings its units once', async () => {
  await syncProducts(first, ['ARRIVES']);
  for (let round = 1; round <= 10; round++) {
    const body = inboundBody(`IN-ARRIVES-${round}`, { ARRIVES: [['2030-01-01', 3]] });
    const answers = await onBothNodes(10, (node) => node.callWarehouse('/inbound/create', body));
    const [created, ...others] = answers.toSorted((a, b) => a.status - b.status);
    const { stock_in_no } = dataOf(created!);
    for (const { status, json } of others) {
      assert.deepEqual([status, json.code, json.data.stock_in_no], [400, 'LST-TPW-2001', stock_in_no]);
    }
  }
  assert.deepEqual(await stockOf(first, 'ARRIVES'), [goodRow('ARRIVES', '2030-01-01', 30)]);
});

test('two accounts, one number, one node each: one has it, the other learns nothing of it', async () => {
  await receive(first, { TEA: [['2030-01-01', 100]] });
  await receive(first, { TEA: [['2030-01-01', 100]] }, beta);
  for (let round = 1; round <= 10; round++) {
    const number = `OUT-WHOSE-${round}`;
    const answers = await onBothNodes(2, (node, index) => {
      const caller = index === 0 ? alpha : beta;
      return node.callWarehouse('/outbound/create', orderBody(number, [['TEA', 1]], caller), caller);
    });
    const [created, refused] = answers.toSorted((a, b) => a.status - b.status);
    assertRefused(refused!, { message: 'outbound_short_id already in use' });
    assert.ok(!refused!.text.includes(dataOf(created!).orders_id));
  }
});

test('documents that make the same new lots on both nodes at once all arrive, and their units add up', async () => {
  const skus = ['LOT-1', 'LOT-2', 'LOT-3'];
  await syncProducts(first, skus);
  for (let round = 1; round <= 5; round++) {
    const date = `203${round}-01-01`;
    await onBothNodes(8, (node, index) => {
      const ordered = index % 4 < 2 ? skus : skus.toReversed();
      return createInbound(node, `IN-LOT-${round}-${index}`, Object.fromEntries(ordered.map((sku) => [sku, [[date, 1]]])));
    });
    for (const sku of skus) assert.deepEqual((await stockOf(first, sku)).at(-1), goodRow(sku, date, 8));
  }
});

test('sixty orders for ten units on both nodes: ten have one each, fifty are told that there is none', async () => {
  await receive(first, { SCARCE: [['2030-01-01', 4]] });
  await receive(first, { SCARCE: [['2031-01-01', 6]] });
  const answers = await onBothNodes(60, (node, index) =>
    node.callWarehouse('/outbound/create', orderBody(`OUT-SCARCE-${index}`, [['SCARCE', 1]])),
  );

  assert.equal(answers.filter(({ status }) => status === 200).length, 10);
  for (const answer of answers.filter(({ status }) => status !== 200)) {
    assertRefused(answer, { message: 'sku SCARCE available=0 < requested=1' });
  }
  assert.deepEqual(await stockOf(first, 'SCARCE'), [goodRow('SCARCE', '2030-01-01', 4, 4), goodRow('SCARCE', '2031-01-01', 6, 6)]);
});

test('orders of many skus in opposite orders on both nodes are all accepted', async () => {
  const skus = Array.from({ length: 10 }, (_, index) => `CROSS-${index}`);
  await receive(first, Object.fromEntries(skus.map((sku) => [sku, [['2030-01-01', 40]]])));
  const lines: Lines = skus.map((sku) => [sku, 1]);
  await onBothNodes(40, (node, index) => order(node, `OUT-CROSS-${index}`, index % 4 < 2 ? lines : lines.toReversed()));
  assert.deepEqual(
    await stockOf(first, skus),
    skus.map((sku) => goodRow(sku, '2030-01-01', 40, 40)),
  );
});

test('one order cancelled on both nodes at once gives its units back once', async () => {
  await receive(first, { BACK: [['2030-01-01', 20]] });
  await order(first, 'OUT-BACK-STAYS', [['BACK', 5]]);
  for (let round = 1; round <= 10; round++) {
    const number = `OUT-BACK-${round}`;
    await order(first, number, [['BACK', 3]]);
    const answers = await onBothNodes(6, (node) => cancelOrders(node, [number]));
    for (const results of answers) assert.deepEqual(results, [{ outbound_short_id: number, status: 'cancelled' }]);
    assert.deepEqual(await stockOf(first, 'BACK'), [goodRow('BACK', '2030-01-01', 20, 5)]);
  }
});

test('one inbound document cancelled on both nodes at once takes its units back once', async () => {
  await receive(first, { TAKEN: [['2030-01-01', 7]] });
  for (let round = 1; round <= 10; round++) {
    const number = await receive(first, { TAKEN: [['2030-01-01', 5]] });
    const answers = await onBothNodes(6, (node) => cancelInbounds(node, [number]));
    for (const results of answers) assert.deepEqual(results, [{ stock_in_sn: number, status: 'cancelled' }]);
    assert.deepEqual(await stockOf(first, 'TAKEN'), [goodRow('TAKEN', '2030-01-01', 7)]);
  }
});

test('batches with the same numbers in opposite orders on both nodes all end, each order cancelled once', async () => {
  await receive(first, { BATCH: [['2030-01-01', 20]], 'BATCH-2': [['2030-01-01', 20]] });
  const numbers = Array.from({ length: 20 }, (_, index) => `OUT-BATCH-${index}`);
  for (const [index, number] of numbers.entries()) await order(first, number, [[index % 2 === 0 ? 'BATCH' : 'BATCH-2', 1]]);
  const answers = await onBothNodes(6, (node, index) => cancelOrders(node, index % 4 < 2 ? numbers : numbers.toReversed()));

  for (const results of answers)
    assert.deepEqual(new Set(results.map((result) => (result as { status: string }).status)), new Set(['cancelled']));
  assert.deepEqual(await stockOf(first, ['BATCH', 'BATCH-2']), [goodRow('BATCH', '2030-01-01', 20), goodRow('BATCH-2', '2030-01-01', 20)]);
});

test('a cancel of the document on one node and an order on the other race for the same units: one of them has them', async () => {
  for (let round = 1; round <= 10; round++) {
    const sku = `CONTEST-${round}`;
    const number = await receive(first, { [sku]: [['2030-01-01', 5]] });
    const [results, ordered] = await Promise.all([
      cancelInbounds(second, [number]),
      first.callWarehouse('/outbound/create', orderBody(`OUT-CONTEST-${round}`, [[sku, 1]])),
    ]);

    if (ordered.status === 200) {
      assert.deepEqual(results, [{ stock_in_sn: number, status: 'cannot_cancel_after_receiving' }]);
      assert.deepEqual(await stockOf(first, sku), [goodRow(sku, '2030-01-01', 5, 1)]);
    } else {
      assertRefused(ordered, { message: `sku ${sku} available=0 < requested=1` });
      assert.deepEqual(results, [{ stock_in_sn: number, status: 'cancelled' }]);
      assert.deepEqual(await stockOf(first, sku), [emptyRow(sku)]);
    }
  }
});

test('an order on one node and its cancel on the other: cancelled or not there yet, and the lock says the same', async () => {
  for (let round = 1; round <= 10; round++) {
    const sku = `SWIFT-${round}`;
    const number = `OUT-SWIFT-${round}`;
    await receive(first, { [sku]: [['2030-01-01', 5]] });
    const [, results] = await Promise.all([order(first, number, [[sku, 5]]), cancelOrders(second, [number])]);

    const isCancelled = (results[0] as { status: string }).status === 'cancelled';
    assert.deepEqual(results, [{ outbound_short_id: number, status: isCancelled ? 'cancelled' : 'not_found' }]);
    assert.equal((await orderRow(first, number))?.status, isCancelled ? 'cancelled' : 'pending_warehouse_transfer');
    assert.deepEqual(await stockOf(first, sku), [goodRow(sku, '2030-01-01', 5, isCancelled ? 0 : 5)]);
  }
});

test('all of it at once on both nodes: every call is answered by its contract, and the books balance', async () => {
  const skus = ['STORM-1', 'STORM-2', 'STORM-3'];
  await receive(first, Object.fromEntries(skus.map((sku) => [sku, [['2030-01-01', 20]]])));
  const statuses = await onBothNodes(120, async (node, index) => {
    const number = `STORM-${index % 30}`;
    const lines: Lines = [
      [skus[index % 3]!, 1 + (index % 5)],
      [skus[(index + 1) % 3]!, 1],
    ];
    const calls = [
      () => node.callWarehouse('/outbound/create', orderBody(number, lines)),
      () => node.callWarehouse('/outbound/cancel', { outbound_short_ids: [number, `STORM-${(index + 1) % 30}`] }),
      () => node.callWarehouse('/inbound/create', inboundBody(number, { [skus[index % 3]!]: [[`203${index % 2}-01-01`, 2]] })),
      () => node.callWarehouse('/inbound/cancel', { inbound_short_ids: [number, `STORM-${(index + 2) % 30}`] }),
    ];
    const { status, json } = await calls[Math.floor(index / 2) % 4]!();
    return `${status} ${json.code}`;
  });

  assert.deepEqual(
    [...new Set(statuses)].filter((status) => !['200 LST-TPW-2000', '400 LST-TPW-2001', '400 PARAM_INVALID'].includes(status)),
    [],
  );
  await assertBalancesAreSums(first);
});

test('balances are the sums of the movements, and locks are those of the orders that hold them', async () => {
  await assertBalancesAreSums(first);
  const wrong = await first.store.database.read(
    (sql) => sql`
      select o.partner_number, o.status, sum(m.locked_delta) as locked, (select sum(qty) from order_line l where l.order_id = o.order_id) as ordered
      from orders o left join movement m using (order_id) group by o.order_id
      having coalesce(sum(m.locked_delta), 0)
        <> case when o.status = 'cancelled' then 0 else (select sum(qty) from order_line l where l.order_id = o.order_id) end`,
  );
  assert.deepEqual([...wrong], []);
});
