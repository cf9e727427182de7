import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareForAllocation, freeOf, type Lot } from '../../server/domain/stock/lot.ts';
import { earliestLotsLock, type WantedUnits } from '../../server/domain/stock/stock-queries.ts';
import { startTestApp } from '../support/app.ts';
import { holdTransaction } from '../support/database.ts';
import { item, ship } from '../support/logistics.ts';
import { accountIdOf } from '../support/main.ts';
import { goodRow, order, orderBody, putLot, receive, stockOf, syncProducts } from '../support/warehouse.ts';

const app = await startTestApp();
const accountId = await accountIdOf(app, 'ALPHA');
const dates = ['2030-01-01', '2030-02-01', '2030-03-01', null];

async function placeOfSku(skuId: string) {
  const [row] = await app.store.database.read(
    (sql) => sql`select product_id from product where account_id = ${accountId} and sku_id = ${skuId}`,
  );
  return { accountId, productId: row!.product_id as number, warehouseNo: 1 };
}

async function lockedFor(wanted: WantedUnits[]): Promise<Lot[]> {
  return await app.store.service.transaction(
    [accountId],
    async (tx) => await tx<Lot[]>`${earliestLotsLock(accountId, wanted)}`,
  );
}

/** The lots with the earliest expiry that have the units together; all lots if they have fewer. */
function earliest(lots: Lot[], from: string | null, qty: number): number[] {
  const sellable = lots.filter(
    (lot) => lot.stockType === 'good' && freeOf(lot) > 0 && (lot.expireDate ?? '9999') >= (from ?? ''),
  );
  const taken: number[] = [];
  let free = 0;
  for (const lot of sellable.toSorted(compareForAllocation)) {
    if (free >= qty) break;
    taken.push(lot.lotId);
    free += freeOf(lot);
  }
  return taken;
}

test('for each first expiry date, the lots that expire first are locked, as many as all orders of the product need', async () => {
  const skus = ['FIRST', 'SECOND'];
  await syncProducts(app, skus);
  for (const skuId of skus)
    for (const [index, expireDate] of dates.entries())
      for (const qty of [1, 3, 9])
        await putLot(app, {
          skuId,
          qty,
          expireDate,
          batchId: `${index}-${qty}`,
          stockType: qty === 9 ? 'bad' : 'good',
        });
  await order(app, 'TAKES-A-LOT', [['FIRST', 1]]);
  const places = await Promise.all(skus.map(placeOfSku));
  const all = await app.store.service.read(
    [accountId],
    (sql) => sql<Lot[]>`
      select lot_id as "lotId", product_id as "productId", stock_type as "stockType", on_hand as "onHand", locked,
        nullif(expire_date, 'infinity') as "expireDate" from lot where account_id = ${accountId}`,
  );
  const someWanted = fc.record({
    place: fc.constantFrom(...places),
    qty: fc.integer({ min: 1, max: 12 }),
    sellableFrom: fc.constantFrom(...dates),
  });

  await fc.assert(
    fc.asyncProperty(fc.array(someWanted, { minLength: 1, maxLength: 5 }), async (wanted) => {
      const expected = places.flatMap(({ productId }) => {
        const own = wanted.filter(({ place }) => place.productId === productId);
        const together = own.reduce((sum, { qty }) => sum + qty, 0);
        const lots = all.filter((lot) => lot.productId === productId);
        return own.flatMap(({ sellableFrom }) => earliest(lots, sellableFrom, together));
      });
      const locked = await lockedFor(wanted.map(({ place, ...units }) => ({ ...place, ...units })));
      assert.deepEqual(
        locked.map(({ lotId }) => lotId),
        [...new Set(expected)].toSorted((a, b) => a - b),
      );
    }),
    { numRuns: 60 },
  );
});

const dayMs = 86_400_000;
const dateAfter = (days: number) => new Date(Date.parse('2030-01-01') + days * dayMs).toISOString().slice(0, 10);
/** 150 lots of three units. The first order reads them all, and so finds out that they are many. */
async function receiveManyLots(sku: string, first: (sku: string) => Promise<unknown>): Promise<void> {
  for (const from of [0, 75])
    await receive(app, { [sku]: Array.from({ length: 75 }, (_, index) => [dateAfter(from + index), 3]) });
  await first(sku);
}

for (const [api, send] of [
  ['warehouse API', (sku: string, number: string, qty: number) => order(app, number, [[sku, qty]])],
  ['logistics webhook', (sku: string, number: string, qty: number) => ship(app, number, [item(sku, qty)])],
] as const)
  test(`an order of the ${api} does not wait for lots that it does not need, if there are many`, async () => {
    const sku = `MANY-${api.slice(0, 3)}`;
    await receiveManyLots(sku, () => send(sku, `FIRST-${sku}`, 1));
    const held = await holdTransaction(
      app.store.database,
      (tx) => tx`
        select from lot where account_id = ${accountId} and sku_id = ${sku} and expire_date >= ${dateAfter(2)} for update`,
    );
    await send(sku, `SECOND-${sku}`, 4);
    await held.release();
    assert.deepEqual((await stockOf(app, sku)).slice(0, 3), [
      goodRow(sku, dateAfter(0), 3, 3),
      goodRow(sku, dateAfter(1), 3, 2),
      goodRow(sku, dateAfter(2), 3),
    ]);
  });

test('an order for more units than many lots have is refused with their number, and nothing is locked', async () => {
  await receiveManyLots('ALL-OF-MANY', (sku) => order(app, 'FIRST-OF-ALL', [[sku, 1]]));
  await receive(app, { OTHER: [['2030-01-01', 1]] });
  const before = await stockOf(app, ['ALL-OF-MANY', 'OTHER']);
  const { status, json } = await app.callWarehouse(
    '/outbound/create',
    orderBody('TOO-MANY', [
      ['OTHER', 1],
      ['ALL-OF-MANY', 450],
    ]),
  );
  assert.deepEqual([status, json.message], [400, 'sku ALL-OF-MANY available=449 < requested=450']);
  assert.deepEqual(await stockOf(app, ['ALL-OF-MANY', 'OTHER']), before);
  await order(app, 'ALL-THE-REST', [
    ['OTHER', 1],
    ['ALL-OF-MANY', 449],
  ]);
});

test('a shipping order leaves the units that older orders wait for, also if there are many lots', async () => {
  await receiveManyLots('RESERVED', (sku) => ship(app, 'FIRST-RESERVED', [item(sku, 1)]));
  assert.equal(await ship(app, 'WAITS', [item('RESERVED', 450)]), 'awaiting_stock');
  assert.equal(await ship(app, 'BEHIND', [item('RESERVED', 1)]), 'awaiting_stock');
});

test('a line that names a batch gets its units although the first lots to expire are of another batch', async () => {
  await receiveManyLots('MIXED', (sku) => ship(app, 'FIRST-MIXED', [item(sku, 1)]));
  await putLot(app, { skuId: 'MIXED', qty: 2, expireDate: '2031-02-01', batchId: 'B2' });
  assert.equal(
    await ship(app, 'OF-MIXED', [item('MIXED', 2, { batch: 'B2' }), item('MIXED', 1)]),
    'pending_warehouse_transfer',
  );
  const stock = await stockOf(app, 'MIXED');
  assert.deepEqual(
    [stock[0], stock.at(-1)],
    [goodRow('MIXED', dateAfter(0), 3, 2), { ...goodRow('MIXED', '2031-02-01', 2, 2), batch_id: 'B2' }],
  );
});
