import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type CorrectionOutcome, correctStock } from '../../server/domain/stock/correct-stock.ts';
import { type RegradeOutcome, regradeStock } from '../../server/domain/stock/regrade-stock.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { startTestApp, type TestAnswer } from '../support/app.ts';
import {
  allocateEverything,
  assertBooksInOrder,
  item,
  orderPath,
  shippingOrder,
  textsOf,
} from '../support/logistics.ts';
import { accountIdOf } from '../support/main.ts';
import { startSecondNode } from '../support/second-node.ts';
import { assertBalancesAreSums, inboundBody, orderBody, syncProducts } from '../support/warehouse.ts';
import { assertNoDeadlocks, listOf, oneOf, roundsOf, upTo } from './races.ts';

const app = await startTestApp();
const nodes = [app, await startSecondNode(app)];
/** Connections of two operators, beside the two nodes. */
const databases = [1, 2].map(() => openDatabase(app.store.serviceConnection, { max: 4, deadlineSeconds: 30 }));
after(() => Promise.all(databases.map((database) => database.close())));
const rounds = roundsOf({ usual: 1, full: 200 });

const accountId = await accountIdOf(app, 'ALPHA');
const cause = { actor: 'race', traceId: null };
const expireDate = '2030-01-01';

/** The expected units on hand by sku, good and bad together: only receipts and corrections change them. */
type Counted = Map<string, number>;

async function correct(counted: Counted, skuId: string, units: number): Promise<CorrectionOutcome> {
  const lot = {
    warehouseNo: 1,
    skuId,
    stockType: oneOf(['good', 'good', 'bad'] as const),
    batchId: '',
    expireDate,
  };
  const outcome = await correctStock(
    oneOf(databases),
    { accountId, lot, units: { delta: units }, reason: 'counted' },
    cause,
  );
  if (outcome.kind === 'corrected') counted.set(skuId, counted.get(skuId)! + units);
  else assert.ok(['too_few_free', 'not_found'].includes(outcome.kind), outcome.kind);
  return outcome;
}

async function regrade(skuId: string): Promise<RegradeOutcome> {
  const lot = { warehouseNo: 1, skuId, batchId: '', expireDate };
  const outcome = await regradeStock(
    oneOf(databases),
    { accountId, lot, to: oneOf(['good', 'bad'] as const), units: upTo(4), reason: 'looked at' },
    cause,
  );
  assert.ok(['regraded', 'too_few_free', 'not_found'].includes(outcome.kind), outcome.kind);
  return outcome;
}

function assertOfContract({ status, text }: TestAnswer): void {
  assert.ok([200, 400, 409].includes(status), `${status} ${text}`);
}

test('corrections, regrades, receipts, orders and cancels at once: no unit is sold twice or lost', async () => {
  const outcomes = new Map<string, number>();
  for (let round = 1; round <= rounds; round++) {
    const skus = [1, 2, 3].map((n) => `STORM-${round}-${n}`);
    await syncProducts(app, skus);
    const counted: Counted = new Map(skus.map((sku) => [sku, 0]));
    const numbers = listOf(25, (index) => `S-${round}-${index}`);
    let receipts = 0;

    const anyCall = async (): Promise<string> => {
      const [node, sku, number] = [oneOf(nodes), oneOf(skus), oneOf(numbers)];
      const answered = async (call: Promise<TestAnswer>) => {
        const answer = await call;
        assertOfContract(answer);
        return answer.status === 200 ? 'answered' : 'refused';
      };
      return await oneOf<() => Promise<string>>([
        async () => (await correct(counted, sku, upTo(8))).kind,
        async () => (await correct(counted, sku, -upTo(6))).kind,
        async () => (await regrade(sku)).kind,
        async () => (await regrade(sku)).kind,
        async () => {
          const answer = await node.callWarehouse(
            '/inbound/create',
            inboundBody(`IN-${round}-${++receipts}`, { [sku]: [[expireDate, 5]] }),
          );
          assert.equal(answer.status, 200, answer.text);
          counted.set(sku, counted.get(sku)! + 5);
          return 'received';
        },
        () =>
          answered(
            node.callWarehouse(
              '/outbound/create',
              orderBody(number, [
                [sku, upTo(4)],
                [oneOf(skus), upTo(3)],
              ]),
            ),
          ),
        () =>
          answered(
            node.callLogistics(orderPath, shippingOrder(number, [item(oneOf(skus), upTo(4)), item(sku, upTo(3))])),
          ),
        () => answered(node.callWarehouse('/outbound/cancel', { outbound_short_ids: [number, oneOf(numbers)] })),
        () => answered(node.callMain('/orders/cancel', { internal_names: [number, oneOf(numbers)] })),
        async () => `served ${Math.min(1, await allocateEverything(app))}`,
      ])();
    };
    for (const kind of await Promise.all(listOf(100, anyCall))) outcomes.set(kind, (outcomes.get(kind) ?? 0) + 1);

    const onHand = await textsOf(
      app,
      'select sku_id, sum(on_hand)::text as units from lot where sku_id like $1 group by sku_id',
      [`STORM-${round}-%`],
    );
    const units = new Map(onHand.map((row) => [row.sku_id, Number(row.units)]));
    for (const [sku, expected] of counted) assert.equal(units.get(sku) ?? 0, expected, sku);
    await assertBalancesAreSums(app);
    await assertBooksInOrder(app);

    // Remaining orders would slow down the next round.
    await app.callWarehouse('/outbound/cancel', { outbound_short_ids: numbers });
    await app.callMain('/orders/cancel', { internal_names: numbers });
    const locked = await textsOf(app, 'select sku_id from lot where locked <> 0', []);
    assert.deepEqual(locked, []);
  }
  for (const kind of ['corrected', 'received', 'answered']) {
    assert.ok((outcomes.get(kind) ?? 0) > 0, `${kind} happened: ${JSON.stringify([...outcomes])}`);
  }
  const wrong = await textsOf(
    app,
    `select sku_id, on_hand::text, locked::text from lot where locked > on_hand or locked < 0 or (stock_type = 'bad' and locked <> 0)`,
    [],
  );
  assert.deepEqual(wrong, [], 'no order has bad units');
  await assertNoDeadlocks(app);
});

test('corrections, a regrade and a receipt open the same lots at once: there is one lot of each grade, with all units', async () => {
  for (let round = 1; round <= rounds * 2; round++) {
    const sku = `OPEN-${round}`;
    await syncProducts(app, [sku]);
    const lot = { warehouseNo: 1, skuId: sku, batchId: '', expireDate };
    const opening = (stockType: 'good' | 'bad', units: number, index: number) =>
      correctStock(
        databases[index % 2]!,
        { accountId, lot: { ...lot, stockType }, units: { delta: units }, reason: 'found' },
        cause,
      );
    const [received, ...corrected] = await Promise.all([
      nodes[round % 2]!.callWarehouse('/inbound/create', inboundBody(`IN-${sku}`, { [sku]: [[expireDate, 1]] })),
      ...[10, 100, 1000].map((units, index) => opening('good', units, index)),
      ...[20, 200].map((units, index) => opening('bad', units, index)),
      regradeStock(databases[0]!, { accountId, lot, to: 'bad', units: 1, reason: 'wet' }, cause),
    ]);
    assert.equal(received.status, 200, received.text);
    const moved = corrected.at(-1)!.kind === 'regraded' ? 1 : 0;
    assert.deepEqual(
      corrected.slice(0, -1).map(({ kind }) => kind),
      Array(5).fill('corrected'),
    );
    const lots = await textsOf(app, 'select stock_type, on_hand::text from lot where sku_id = $1 order by stock_type', [
      sku,
    ]);
    assert.deepEqual(lots, [
      { stock_type: 'bad', on_hand: String(220 + moved) },
      { stock_type: 'good', on_hand: String(1111 - moved) },
    ]);
  }
  await assertBooksInOrder(app);
});

test('an order, a correction and a regrade take the last unit at once: one of them gets it', async () => {
  for (let round = 1; round <= rounds * 2; round++) {
    const sku = `LAST-${round}`;
    await syncProducts(app, [sku]);
    const lot = { warehouseNo: 1, skuId: sku, batchId: '', expireDate };
    await correctStock(
      databases[0]!,
      { accountId, lot: { ...lot, stockType: 'good' }, units: { delta: 1 }, reason: 'found' },
      cause,
    );
    const [ordered, taken, moved] = await Promise.all([
      nodes[round % 2]!.callWarehouse('/outbound/create', orderBody(`LAST-${round}`, [[sku, 1]])),
      correctStock(
        databases[0]!,
        { accountId, lot: { ...lot, stockType: 'good' }, units: { delta: -1 }, reason: 'lost' },
        cause,
      ),
      regradeStock(databases[1]!, { accountId, lot, to: 'bad', units: 1, reason: 'wet' }, cause),
    ]);
    const had = [ordered.status === 200, taken.kind === 'corrected', moved.kind === 'regraded'];
    assert.equal(had.filter(Boolean).length, 1, JSON.stringify([ordered.json, taken, moved]));
  }
  await assertBooksInOrder(app);
});
