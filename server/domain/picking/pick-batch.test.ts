import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { OrderStatus } from '../orders/order.ts';
import { type BatchOrder, isComplete, linesOf, missingOf, type PickTask, planPut, presentState } from './pick-batch.ts';

const order = (orderId: number, other: Partial<BatchOrder> = {}): BatchOrder => ({
  ...{ accountId: 1, orderId, slot: orderId, state: 'open', reason: null, partnerNumber: `O-${orderId}` },
  ...{ isLogistics: false, status: 'in_warehouse', isHeld: false, isManual: true },
  ...{ logisticsType: null, expressType: null },
  ...other,
});

const task = (orderId: number, lotId: number, location: string | null, other: Partial<PickTask> = {}): PickTask => ({
  ...{ accountId: 1, orderId, lotId, productId: lotId, skuId: `SKU-${lotId}`, name: '', storageType: 'ambient' },
  ...{ batchId: '', expireDate: null, location, qty: 2, picked: 0, short: 0, reason: null },
  ...other,
});

test('lines merge the orders of a lot, in walking order, without orders that have left the batch', () => {
  const orders = [order(1), order(2), order(3, { status: 'cancelled' })];
  const tasks = [
    task(1, 7, null),
    task(1, 8, 'A-10'),
    task(2, 9, 'A-2', { expireDate: '2031-01-01', skuId: 'TEA' }),
    task(2, 10, 'A-2', { expireDate: '2030-01-01', skuId: 'TEA' }),
    task(2, 8, 'A-10', { qty: 5 }),
    task(3, 8, 'A-10'),
    task(3, 11, 'A-1'),
  ];
  const lines = linesOf({ orders, tasks }).map(({ lot, slots }) => [
    lot.lotId,
    slots.map(({ slot, qty }) => [slot, qty]),
  ]);
  assert.deepEqual(lines, [
    [10, [[2, 2]]],
    [9, [[2, 2]]],
    [
      8,
      [
        [1, 2],
        [2, 5],
      ],
    ],
    [7, [[1, 2]]],
  ]);
});

test('units fill the slots one after the other, and missing units are those that no slot has got', () => {
  const slots = [
    { orderId: 1, slot: 1, qty: 3, picked: 1, short: 0 },
    { orderId: 2, slot: 2, qty: 2, picked: 0, short: 2 },
    { orderId: 3, slot: 3, qty: 4, picked: 0, short: 0 },
  ];
  assert.deepEqual(planPut({ slots }, 3), [
    { orderId: 1, slot: 1, units: 2 },
    { orderId: 3, slot: 3, units: 1 },
  ]);
  assert.deepEqual(missingOf({ slots }), [
    { orderId: 1, slot: 1, units: 2 },
    { orderId: 3, slot: 3, units: 4 },
  ]);
});

test('an order leaves the batch when it is cancelled, held or handled elsewhere, and is complete with at least one unit', () => {
  const reasons = (['in_warehouse', 'picking', 'cancelled', 'packed', 'shipped'] satisfies OrderStatus[]).map(
    (status) => presentState(order(1, { status })).reason,
  );
  assert.deepEqual(reasons, [null, null, 'cancelled', 'gone', 'gone']);
  assert.deepEqual(presentState(order(1, { isHeld: true })), { state: 'left', reason: 'held' });
  assert.deepEqual(presentState(order(1, { state: 'picked', status: 'shipped' })), { state: 'picked', reason: null });
  const [found, absent, open] = [
    task(1, 1, null, { picked: 2 }),
    task(1, 2, null, { short: 2 }),
    task(1, 3, null, { picked: 1 }),
  ];
  assert.deepEqual(
    [isComplete([found, absent]), isComplete([absent]), isComplete([found, open])],
    [true, false, false],
  );
});
