import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isShortOfStock } from '../../bench/side-by-side/medusa-buyer.ts';
import { otherNames, others, wantedVersion, whatIsMissing } from '../../bench/side-by-side/other-products.ts';
import { countPurchases } from '../../bench/side-by-side/purchase-counts.ts';
import { outcomeOfErrors } from '../../bench/side-by-side/vendure-buyer.ts';

test('an error of Vendure that names the stock is a refusal, and any other error a failure', () => {
  const placed = { __typename: 'Order', state: 'PaymentSettled' };
  const noStock = { __typename: 'InsufficientStockError', errorCode: 'INSUFFICIENT_STOCK_ERROR' };
  const tooLate = {
    __typename: 'OrderStateTransitionError',
    errorCode: 'ORDER_STATE_TRANSITION_ERROR',
    transitionError: 'Cannot transition Order to the "ArrangingPayment" state due to insufficient stock of Bench HOT',
  };
  const declined = { __typename: 'PaymentDeclinedError', errorCode: 'PAYMENT_DECLINED_ERROR' };

  assert.equal(outcomeOfErrors([placed]), null);
  assert.deepEqual(outcomeOfErrors([noStock, placed]), { kind: 'refused' });
  assert.deepEqual(outcomeOfErrors([placed, tooLate, declined]), { kind: 'refused' });
  assert.deepEqual(outcomeOfErrors([placed, declined]), { kind: 'failed', reason: JSON.stringify(declined) });
  assert.deepEqual(outcomeOfErrors([null]), { kind: 'failed', reason: 'null' });
});

test('an error of Medusa that names the inventory is a refusal', () => {
  assert.equal(isShortOfStock({ body: { message: 'Some variant does not have the required inventory' } }), true);
  assert.equal(isShortOfStock({ body: { message: 'Not enough stock available for item iitem_1' } }), true);
  assert.equal(isShortOfStock({ body: { message: 'Timed-out acquiring lock.' } }), false);
});

test('the rate counts accepted orders of each buyer until the end of its own last one', () => {
  const accepted = { kind: 'accepted' } as const;
  const counts = countPurchases([
    { buyer: 0, purchase: accepted, ms: 400, requests: 6, endedMs: 400 },
    { buyer: 0, purchase: { kind: 'refused' }, ms: 100, requests: 1, endedMs: 500 },
    { buyer: 1, purchase: accepted, ms: 1000, requests: 6, endedMs: 1000 },
    { buyer: 1, purchase: { kind: 'failed', reason: 'late' }, ms: 1000, requests: 2, endedMs: 2000 },
  ]);
  assert.deepEqual(counts, {
    accepted: 2,
    refused: 1,
    failed: 1,
    example: 'late',
    perSecond: 2 + 0.5,
    latenciesMs: Float64Array.of(400, 1000),
    requestsPerOrder: 6,
  });
});

test('the benchmark says how to install what is missing', () => {
  assert.match(whatIsMissing(null)!, /--into FOLDER/);
  const folder = mkdtempSync(join(tmpdir(), 'lading-side-by-side-'));
  try {
    assert.match(whatIsMissing(folder)!, /but nothing/);
    for (const name of otherNames) placeVersion(folder, name, wantedVersion(name));
    assert.equal(whatIsMissing(folder), null);
    placeVersion(folder, 'medusa', '1.0.0');
    assert.match(whatIsMissing(folder)!, /medusa.* but 1\.0\.0/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function placeVersion(folder: string, name: (typeof otherNames)[number], version: string): void {
  const place = join(folder, name, 'node_modules', others[name]);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'package.json'), JSON.stringify({ version }));
}
