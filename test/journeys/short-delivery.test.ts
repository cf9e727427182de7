import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTestApp } from '../support/app.ts';
import { startTestBackground, startToldPartner } from '../support/background.ts';
import { assertBooksInOrder, item, ship } from '../support/logistics.ts';
import { assertNotDone, lists, retvalOf, searchAll } from '../support/main.ts';
import {
  announce,
  announceForm,
  documentOf,
  expiry,
  prod,
  prodTenth,
  provisionReceiving,
  receiveCall,
  receiveUnits,
  stopDocument,
  units,
} from '../support/receiving.ts';
import { dump, goodRow, orderBody, stockOf } from '../support/warehouse.ts';

// What the warehouse finds is not what was announced. The whole of it, with the background work and a receiver over a real socket.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await provisionReceiving(app);
startTestBackground(app);
const { callbackUrl: callback_url, told } = await startToldPartner();

interface Step {
  event: string;
  by: string;
}

async function orderOf(internalName: string): Promise<{ status: string; timeline: Step[] }> {
  const [row] = await searchAll(app, lists.orders, { 'orders.internal_name': internalName }, prod);
  return row as unknown as { status: string; timeline: Step[] };
}

async function served(internalName: string): Promise<void> {
  while (!(await orderOf(internalName)).timeline.some(({ event }) => event === 'allocate')) await sleep(5);
}

/** Of documents and stock; callbacks and orders go their own way meanwhile. */
async function nothingMoves(work: () => Promise<void>): Promise<void> {
  const books = async () => {
    const { inbound_document, receipt, lot, movement } = await dump(app);
    return { inbound_document, receipt, lot, movement };
  };
  const before = await books();
  await work();
  assert.deepEqual(await books(), before);
}

const patience = { timeout: 60_000 };

test(
  'a short delivery: who waits longest is served from what came, the rest waits on, and the sender is told what is missing',
  patience,
  async () => {
    assert.equal(await ship(app, 'W-1', [item('TEA', 6)], {}, prod.apiKey), 'awaiting_stock');
    assert.equal(await ship(app, 'W-2', [item('TEA', 6)], {}, prod.apiKey), 'awaiting_stock');
    await announceForm(app, 'PO-1', { TEA: 12, CAKE: 3 }, { callback_url });

    assert.equal((await receiveUnits(app, { form_no: 'PO-1' }, [units('TEA', 4)])).status, 'receiving');
    assert.equal((await orderOf('W-1')).status, 'awaiting_stock');
    const last = [units('TEA', 3), units('TEA', 1, { stock_type: 'bad' })];
    assert.equal((await receiveUnits(app, { form_no: 'PO-1' }, last, { final: true })).status, 'received');

    await served('W-1');
    assert.equal((await orderOf('W-2')).status, 'awaiting_stock', '1 good unit is left, and 6 are wanted');
    const { products, received } = (await told('PO-1', 'inbound.received')).body;
    assert.deepEqual(
      products.map(({ sku, quantity }) => [sku, quantity]),
      [
        ['TEA', 12],
        ['CAKE', 3],
      ],
    );
    assert.deepEqual(received, [
      { sku: 'TEA', quantity: 7, stock_type: 'good', batch: null, expire_date: expiry },
      { sku: 'TEA', quantity: 1, stock_type: 'bad', batch: null, expire_date: expiry },
    ]);
    assert.deepEqual((await documentOf(app, { form_no: 'PO-1' })).differences, [
      { sku_id: 'TEA', announced: 12, received: 8 },
      { sku_id: 'CAKE', announced: 3, received: 0 },
    ]);

    await announceForm(app, 'PO-2', { TEA: 5 }, { callback_url });
    await receiveUnits(app, { form_no: 'PO-2' }, [units('TEA', 5)]);
    await served('W-2');
  },
);

test('a return that is graded bad is on hand and cannot be sold; what is good of it can', patience, async () => {
  await announceForm(app, 'RT-1', { MUG: 3 }, { form_type: 2, callback_url });
  assert.equal(await ship(app, 'W-3', [item('MUG', 1)], {}, prod.apiKey), 'awaiting_stock');
  await receiveUnits(app, { form_no: 'RT-1' }, [units('MUG', 2, { stock_type: 'bad' })]);
  assert.deepEqual(await stockOf(app, 'MUG', prod), [{ ...goodRow('MUG', expiry, 2), stock_type: 'bad', qty_available: 0 }]);
  await nothingMoves(async () => {
    const answer = await app.callMain('/orders/create', orderBody('OUT-1', [['MUG', 1]], prod), { as: prod });
    assertNotDone(answer, { msg: 'sku MUG available=0 < requested=1' });
  });
  assert.equal((await orderOf('W-3')).status, 'awaiting_stock');

  assert.equal((await receiveUnits(app, { form_no: 'RT-1' }, [units('MUG', 1)])).status, 'received');
  await served('W-3');
  const { document_type, received } = (await told('RT-1', 'return.received')).body;
  assert.equal(document_type, 'return');
  assert.deepEqual(
    received!.map(({ quantity, stock_type }) => [quantity, stock_type]),
    [
      [1, 'good'],
      [2, 'bad'],
    ],
  );
});

test('receiving is stopped after a portion: it stays and is sold, nothing more is taken in, and the sender is told', patience, async () => {
  await announceForm(app, 'PO-3', { SOAP: 10 }, { callback_url });
  await receiveUnits(app, { form_no: 'PO-3' }, [units('SOAP', 4)]);
  assert.deepEqual(await stopDocument(app, { form_no: 'PO-3' }), { status: 'stopped', idempotent: false });
  await nothingMoves(async () => {
    const answer = await receiveCall(app, { form_no: 'PO-3', details: [units('SOAP', 1)] });
    assertNotDone(answer, { msg: 'form_no is stopped already; nothing more can be received' });
  });
  retvalOf(await app.callMain('/orders/create', orderBody('OUT-2', [['SOAP', 4]], prod), { as: prod }));
  const { received, products } = (await told('PO-3', 'inbound.stopped')).body;
  assert.deepEqual([received!.map(({ quantity }) => quantity), products.map(({ quantity }) => quantity)], [[4], [10]]);
});

test(
  'a tenth more is taken where it is allowed, a unit beyond it is sent back, and where it is not allowed none is',
  patience,
  async () => {
    await announce(app, 'IN-TENTH', { SALT: 20 }, { caller: prodTenth });
    await announce(app, 'IN-EXACT', { SALT: 20 });
    const report = (inbound_short_id: string, qty: number) => receiveCall(app, { inbound_short_id, details: [units('SALT', qty)] });
    await nothingMoves(async () => {
      assert.match(assertNotDone(await report('IN-TENTH', 23)), /more than the 22 that are accepted: announced=20 received=0 reported=23$/);
      assert.match(assertNotDone(await report('IN-EXACT', 21)), /more than the 20 that are accepted: announced=20 received=0 reported=21$/);
    });
    assert.equal(retvalOf(await report('IN-TENTH', 22)).status, 'received');
    assert.equal(retvalOf(await report('IN-EXACT', 20)).status, 'received');
    assert.deepEqual(await stockOf(app, 'SALT', prod), [goodRow('SALT', expiry, 42)]);
    assert.deepEqual((await documentOf(app, { inbound_short_id: 'IN-TENTH' })).differences, [
      { sku_id: 'SALT', announced: 20, received: 22 },
    ]);
  },
);

test('after all of it the books are in order', async () => {
  await assertBooksInOrder(app);
});
