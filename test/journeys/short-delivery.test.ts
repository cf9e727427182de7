import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { InboundRow, OrderRow } from '../../sdk/client.ts';
import { startTestApp } from '../support/app.ts';
import { startTestBackground, startToldPartner } from '../support/background.ts';
import { clientsOf, refusalOf } from '../support/clients.ts';
import { assertBooksInOrder, type Body, form, item, shippingOrder } from '../support/logistics.ts';
import { expiry, type Named, prod, prodTenth, provisionReceiving, units } from '../support/receiving.ts';
import { dump, goodRow, inboundBody, orderBody } from '../support/warehouse.ts';

// What the warehouse finds is not what was announced. The whole of it, with the background work and a receiver over a real socket.
const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await provisionReceiving(app);
startTestBackground(app);
const { warehouse, main, logistics } = await clientsOf(app, prod);
const { callbackUrl: callback_url, told } = await startToldPartner();

async function orderOf(internalName: string): Promise<OrderRow> {
  const [row] = await Array.fromAsync(main.searchOrders({ 'orders.internal_name': internalName }));
  return row!;
}

async function differencesOf(name: Named): Promise<InboundRow['differences']> {
  const [[field, number]] = Object.entries(name) as [['inbound_short_id' | 'form_no', string]];
  const [row] = await Array.fromAsync(main.searchInbounds({ [`inbounds.${field}`]: number }));
  return row!.differences;
}

async function served(internalName: string): Promise<void> {
  while (!(await orderOf(internalName)).timeline.some(({ event }) => event === 'allocate')) await sleep(5);
}

async function ship(internalName: string, sku: string, quantity: number): Promise<string> {
  return (await logistics.shippingOrder(shippingOrder(internalName, [item(sku, quantity)]))).status;
}

async function announceForm(formNo: string, stock: Record<string, number>, other: Body = {}): Promise<void> {
  const products = Object.entries(stock).map(([sku, quantity]) => ({ sku, quantity }));
  await logistics.inboundForm(form(formNo, products, { callback_url, ...other }));
}

const refused = (message: string) => ({ status: 400, code: null, message });

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
    assert.equal(await ship('W-1', 'TEA', 6), 'awaiting_stock');
    assert.equal(await ship('W-2', 'TEA', 6), 'awaiting_stock');
    await announceForm('PO-1', { TEA: 12, CAKE: 3 });

    assert.equal((await main.inboundsReceive({ form_no: 'PO-1', details: [units('TEA', 4)] })).status, 'receiving');
    assert.equal((await orderOf('W-1')).status, 'awaiting_stock');
    const last = [units('TEA', 3), units('TEA', 1, { stock_type: 'bad' })];
    assert.equal((await main.inboundsReceive({ form_no: 'PO-1', details: last, final: true })).status, 'received');

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
    assert.deepEqual(await differencesOf({ form_no: 'PO-1' }), [
      { sku_id: 'TEA', announced: 12, received: 8 },
      { sku_id: 'CAKE', announced: 3, received: 0 },
    ]);

    await announceForm('PO-2', { TEA: 5 });
    await main.inboundsReceive({ form_no: 'PO-2', details: [units('TEA', 5)] });
    await served('W-2');
  },
);

test('a return that is graded bad is on hand and cannot be sold; what is good of it can', patience, async () => {
  await announceForm('RT-1', { MUG: 3 }, { form_type: 2 });
  assert.equal(await ship('W-3', 'MUG', 1), 'awaiting_stock');
  await main.inboundsReceive({ form_no: 'RT-1', details: [units('MUG', 2, { stock_type: 'bad' })] });
  assert.deepEqual(await warehouse.stockQuery(['MUG']), [{ ...goodRow('MUG', expiry, 2), stock_type: 'bad', qty_available: 0 }]);
  await nothingMoves(async () => {
    const call = main.ordersCreate(orderBody('OUT-1', [['MUG', 1]], prod));
    assert.deepEqual(await refusalOf(call), refused('sku MUG available=0 < requested=1'));
  });
  assert.equal((await orderOf('W-3')).status, 'awaiting_stock');

  assert.equal((await main.inboundsReceive({ form_no: 'RT-1', details: [units('MUG', 1)] })).status, 'received');
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
  await announceForm('PO-3', { SOAP: 10 });
  await main.inboundsReceive({ form_no: 'PO-3', details: [units('SOAP', 4)] });
  assert.deepEqual(await main.inboundsStop({ form_no: 'PO-3' }), { status: 'stopped', idempotent: false });
  await nothingMoves(async () => {
    const call = main.inboundsReceive({ form_no: 'PO-3', details: [units('SOAP', 1)] });
    assert.deepEqual(await refusalOf(call), refused('form_no is stopped already; nothing more can be received'));
  });
  await main.ordersCreate(orderBody('OUT-2', [['SOAP', 4]], prod));
  const { received, products } = (await told('PO-3', 'inbound.stopped')).body;
  assert.deepEqual([received!.map(({ quantity }) => quantity), products.map(({ quantity }) => quantity)], [[4], [10]]);
});

test(
  'a tenth more is taken where it is allowed, a unit beyond it is sent back, and where it is not allowed none is',
  patience,
  async () => {
    await warehouse.productSync({ sku_id: 'SALT', sku_name: 'Salt', storage_type: 1 });
    await warehouse.inboundCreate(inboundBody('IN-TENTH', { SALT: [[expiry, 20]] }, prodTenth));
    await warehouse.inboundCreate(inboundBody('IN-EXACT', { SALT: [[expiry, 20]] }, prod));
    const report = (inbound_short_id: string, qty: number) => main.inboundsReceive({ inbound_short_id, details: [units('SALT', qty)] });
    await nothingMoves(async () => {
      assert.match(
        (await refusalOf(report('IN-TENTH', 23))).message,
        /more than the 22 that are accepted: announced=20 received=0 reported=23$/,
      );
      assert.match(
        (await refusalOf(report('IN-EXACT', 21))).message,
        /more than the 20 that are accepted: announced=20 received=0 reported=21$/,
      );
    });
    assert.equal((await report('IN-TENTH', 22)).status, 'received');
    assert.equal((await report('IN-EXACT', 20)).status, 'received');
    assert.deepEqual(await warehouse.stockQuery(['SALT']), [goodRow('SALT', expiry, 42)]);
    assert.deepEqual(await differencesOf({ inbound_short_id: 'IN-TENTH' }), [{ sku_id: 'SALT', announced: 20, received: 22 }]);
  },
);

test('after all of it the books are in order', async () => {
  await assertBooksInOrder(app);
});
