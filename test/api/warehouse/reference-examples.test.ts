import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import type { OutboundCreateBody } from '../../../contract/warehouse/outbound-create.ts';
import { warehouseReference } from '../../../reference/warehouse/endpoints.ts';
import { formatInboundOutcome } from '../../../server/api/warehouse/inbound.ts';
import { lotUnitsMax } from '../../../server/domain/stock/lot.ts';
import { formatErrors, withList } from '../../../server/http/error-list.ts';
import { startTestApp } from '../../support/app.ts';
import { assertExamples } from '../../support/reference-examples.ts';
import { moveOrder } from '../../support/warehouse.ts';

/** The demo account of a first start, so that the examples can be sent there too. */
const demo = { accountNo: 'DEMO', secret: 'demo-secret-of-thirty-two-characters-or-more' };
const app = await startTestApp();
await app.provision({
  accounts: [
    {
      account_no: demo.accountNo,
      environment: 'uat',
      secret: demo.secret,
      tenants: [{ warehouse_tpw_id: 'TPW-DEMO', warehouse_no: 1, store_no: 10 }],
    },
  ],
});
const requestOf = (path: string) => endpointOf(path).body!.example as Record<string, unknown>;

function endpointOf(path: string) {
  return warehouseReference.endpoints.find((endpoint) => endpoint.path === path)!;
}

async function succeed(path: string, body: object, caller = demo): Promise<void> {
  const { status, text } = await app.callWarehouse(path, body, caller);
  assert.equal(status, 200, text);
}

/** In an order in which each finds what its examples speak of. */
const play: [path: string, before?: () => Promise<void>][] = [
  ['/product/sync'],
  ['/inbound/create'],
  ['/outbound/create'],
  ['/stock/query', () => succeed('/product/sync', { ...requestOf('/product/sync'), sku_id: 'TEA-2' })],
  ['/inbound/return'],
  ['/inbound/cancel'],
  ['/outbound/cancel', anotherOrderReachesTheWarehouse],
  ['/diagnose'],
];

async function anotherOrderReachesTheWarehouse(): Promise<void> {
  const order = requestOf('/outbound/create') as OutboundCreateBody;
  await succeed('/outbound/create', { ...order, outbound_short_id: 'OUT-1002' });
  await moveOrder(app, 'OUT-1002', 'in_warehouse');
}

function joinedByDot(body: unknown): Record<string, string> {
  const timestamp = String(Math.floor(app.clock.now().getTime() / 1000));
  const sign = createHmac('sha256', demo.secret)
    .update(`${JSON.stringify(body)}.${timestamp}`)
    .digest('hex');
  return { timestamp, sign };
}

for (const [path, before] of play) {
  test(`the service answers as its reference shows: ${path}`, async () => {
    await before?.();
    const send = (body: unknown, name: string) =>
      app.callWarehouse(path, body, { ...demo, ...(name === 'wrong' ? { headers: joinedByDot(body) } : {}) });
    await assertExamples(endpointOf(path), [200, 400], send, ['too_many_units']);
  });
}

test('more units than can be counted are refused as the reference shows', () => {
  for (const path of ['/inbound/create', '/inbound/return']) {
    const { value } = endpointOf(path).answers.find(({ status }) => status === 400)!.examples.too_many_units!;
    const { trace_id } = value as { trace_id: string };
    const outcome = { kind: 'too_many_units', skuId: 'TEA-1', unitsMax: lotUnitsMax } as const;
    const body = endpointOf(path).body!.example as Parameters<typeof formatInboundOutcome>[1];
    const { body: refused, mistakes } = formatInboundOutcome(outcome, body, trace_id);
    assert.deepEqual(withList(refused, 'data', 'errors', formatErrors(mistakes!, '/docs')), value);
  }
});
