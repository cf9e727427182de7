import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allocateWaiting } from '../../../server/domain/orders/allocate-waiting.ts';
import { startTestApp } from '../../support/app.ts';
import { assertBooksInOrder, item, orderPath, placeOf, shippingOrder, take } from '../../support/logistics.ts';
import { movementsOf, order, orderRow, receive, type Units } from '../../support/warehouse.ts';

const app = await startTestApp();
const [waits, allocated] = ['awaiting_stock', 'pending_warehouse_transfer'];
const statusOf = async (number: string) => (await orderRow(app, number))!.status;

/** Orders of one account and warehouse, through keys that differ in their shelf-life rule only. */
const rules = { accountNo: 'RULES', secret: 'rules-secret', warehouseTpwId: 'TPW-RULES' };
const ruledKeys = { default: {}, 'no-limit': { sellable_days_before_expiry: null }, 'two-days': { sellable_days_before_expiry: 2 } };
await app.provision({
  accounts: [
    {
      account_no: 'RULES',
      environment: 'uat',
      secret: rules.secret,
      tenants: [{ warehouse_tpw_id: 'TPW-RULES', warehouse_no: 1, store_no: 10 }],
    },
  ],
  logistics_keys: Object.entries(ruledKeys).map(([name, rule]) => ({
    ...{ name, key: `rules-${name}`, account_no: 'RULES', warehouse_no: 1, store_no: 10, ...rule },
  })),
});

async function shipBy(key: keyof typeof ruledKeys, number: string, sku: string, quantity = 1): Promise<string> {
  return (await take(app, orderPath, shippingOrder(number, [item(sku, quantity)]), `rules-${key}`)).status;
}

const expiriesTakenBy = async (number: string) =>
  (await movementsOf(app, number)).map(({ expire_date, locked_delta }) => [expire_date, locked_delta]);

test('a key sells through the expiry date in Taipei unless it has another rule; a tenant does so too', async () => {
  const lots: Units = [
    ['2030-05-09', 10],
    ['2030-05-10', 10],
    ['2030-05-12', 10],
    [null, 2],
  ];
  await receive(app, { RULED: lots }, rules);
  try {
    app.clock.set(new Date('2030-05-10T15:59:59.999Z'));
    assert.equal(await shipBy('default', 'RULED-1', 'RULED'), allocated);
    assert.equal(await shipBy('no-limit', 'RULED-2', 'RULED'), allocated);
    assert.equal(await shipBy('two-days', 'RULED-3', 'RULED'), allocated);
    await order(app, 'RULED-4', [['RULED', 1]], rules);
    app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
    assert.equal(await shipBy('default', 'RULED-5', 'RULED'), allocated);
    assert.equal(await shipBy('two-days', 'RULED-6', 'RULED'), allocated);
    await order(app, 'RULED-7', [['RULED', 1]], rules);
    assert.equal(await shipBy('two-days', 'RULED-8', 'RULED', 2), waits);
  } finally {
    app.clock.set(null);
  }
  assert.deepEqual(
    await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map((n) => expiriesTakenBy(`RULED-${n}`))),
    [['2030-05-10', 1], ['2030-05-09', 1], ['2030-05-12', 1], ['2030-05-10', 1], ['2030-05-12', 1], [null, 1], ['2030-05-12', 1], null].map(
      (taken) => (taken === null ? [] : [taken]),
    ),
  );
});

test('stock that arrives is given to waiting orders by the rule of their keys, and what one may not have is not kept for it', async () => {
  assert.equal(await shipBy('default', 'LATER-1', 'LATER'), waits);
  assert.equal(await shipBy('two-days', 'LATER-2', 'LATER'), waits);
  assert.equal(await shipBy('no-limit', 'LATER-3', 'LATER'), waits);
  const here = () => placeOf(app, 'LATER', { accountNo: 'RULES' });
  try {
    app.clock.set(new Date('2030-05-10T16:00:00.000Z'));
    await receive(app, { LATER: [['2030-05-10', 5]] }, rules);
    assert.equal(await allocateWaiting(app.store.database, await here(), app.clock.now()), 1);
    assert.deepEqual(await Promise.all([1, 2, 3].map((n) => statusOf(`LATER-${n}`))), [waits, waits, allocated]);
    // A younger order that may have them is not held up by those that may not.
    assert.equal(await shipBy('no-limit', 'LATER-4', 'LATER', 4), allocated);
    assert.equal(await shipBy('default', 'LATER-5', 'LATER'), waits);

    await receive(app, { LATER: [['2030-05-11', 1]] }, rules);
    assert.equal(await allocateWaiting(app.store.database, await here(), app.clock.now()), 1);
    await receive(app, { LATER: [[null, 2]] }, rules);
    assert.equal(await allocateWaiting(app.store.database, await here(), app.clock.now()), 2);
  } finally {
    app.clock.set(null);
  }
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map((n) => expiriesTakenBy(`LATER-${n}`))), [
    [['2030-05-11', 1]],
    [[null, 1]],
    [['2030-05-10', 1]],
    [['2030-05-10', 4]],
    [[null, 1]],
  ]);
});

test('the books are in order, after all of this', () => assertBooksInOrder(app));
