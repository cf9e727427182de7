import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderStatuses } from './order.ts';
import { nextStep, simulatedShipmentNo } from './simulated-walk.ts';

const smooth = { stepSeconds: 5, shortPickPercent: 0, delayPercent: 0 };
const ids = Array.from({ length: 10_000 }, (_, index) => index + 1);

test('an order goes from the warehouse to picking, packed and shipped, and from nowhere else', () => {
  const steps = orderStatuses.map((status) => [status, nextStep({ orderId: 1, status }, smooth)]);
  assert.deepEqual(
    steps.filter(([, step]) => step !== null),
    [
      ['in_warehouse', { to: 'picking', restSeconds: 5, note: null }],
      ['picking', { to: 'packed', restSeconds: 5, note: null }],
      ['packed', { to: 'shipped', restSeconds: null, note: null }],
    ],
  );
});

test('a short pick keeps an order in picking for three more steps, and nowhere else', () => {
  const warehouse = { ...smooth, shortPickPercent: 100 };
  assert.deepEqual(nextStep({ orderId: 1, status: 'in_warehouse' }, warehouse), {
    to: 'picking',
    restSeconds: 20,
    note: 'short pick: a unit is missing and is being looked for',
  });
  assert.deepEqual(nextStep({ orderId: 1, status: 'picking' }, warehouse), {
    to: 'packed',
    restSeconds: 5,
    note: null,
  });
});

test('a delay makes one step of an order take three times as long', () => {
  const rests = ids.map((orderId) =>
    (['in_warehouse', 'picking'] as const)
      .map((status) => nextStep({ orderId, status }, { ...smooth, delayPercent: 100 })!)
      .map(({ restSeconds, note }) => `${restSeconds} ${note}`),
  );
  const [usual, delayed] = ['5 null', '15 delay: this step takes 3 times as long'];
  const kinds = Map.groupBy(rests, (pair) => pair.join(', '));
  assert.deepEqual([...kinds.keys()].sort(), [`${delayed}, ${usual}`, `${usual}, ${delayed}`]);
});

test('an order may have both at once, and says so', () => {
  const warehouse = { stepSeconds: 1, shortPickPercent: 100, delayPercent: 100 };
  const both = ids
    .map((orderId) => nextStep({ orderId, status: 'in_warehouse' }, warehouse)!)
    .find(({ restSeconds }) => restSeconds === 12);
  assert.equal(
    both?.note,
    'short pick: a unit is missing and is being looked for; delay: this step takes 3 times as long',
  );
});

test('the configured percentage of orders is affected, and always the same orders', () => {
  const drawn = () =>
    ids.filter(
      (orderId) => nextStep({ orderId, status: 'in_warehouse' }, { ...smooth, shortPickPercent: 10 })!.note !== null,
    );
  const first = drawn();
  assert.ok(first.length > 800 && first.length < 1200, String(first.length));
  assert.deepEqual(drawn(), first);
});

test('a simulated shipment number is recognizable, and each order has its own', () => {
  assert.equal(simulatedShipmentNo({ warehouseNo: 7, orderId: 123_456 }), 'SIM-7-2n9c');
});
