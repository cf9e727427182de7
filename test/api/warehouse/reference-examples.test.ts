import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExampleReference } from '../../../contract/reference.ts';
import type { OutboundCreateBody } from '../../../contract/warehouse/outbound-create.ts';
import { warehouseReference } from '../../../contract/warehouse/reference.ts';
import { wordInboundOutcome } from '../../../server/api/warehouse/inbound.ts';
import { lotUnitsMax } from '../../../server/domain/stock/lot.ts';
import { beta, startTestApp } from '../../support/app.ts';
import { moveOrder } from '../../support/warehouse.ts';

/** As in the demo account of a first start, so that the examples can be sent there too. */
const demo = { accountNo: 'DEMO', secret: 'demo-secret' };
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
await takeNumbersAsSomeoneElse();

function endpointOf(path: string) {
  return warehouseReference.endpoints.find((endpoint) => endpoint.path === path)!;
}

async function takeNumbersAsSomeoneElse(): Promise<void> {
  const theirs = { warehouse_tpw_id: beta.warehouseTpwId };
  await succeed('/product/sync', requestOf('/product/sync'), beta);
  await succeed('/inbound/create', { ...requestOf('/inbound/create'), ...theirs, inbound_short_id: 'IN-TAKEN' }, beta);
  await succeed('/outbound/create', { ...requestOf('/outbound/create'), ...theirs, outbound_short_id: 'OUT-TAKEN' }, beta);
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
];

async function anotherOrderReachesTheWarehouse(): Promise<void> {
  const order = requestOf('/outbound/create') as OutboundCreateBody;
  await succeed('/outbound/create', { ...order, outbound_short_id: 'OUT-1002' });
  await moveOrder(app, 'OUT-1002', 'in_warehouse');
}

for (const [path, before] of play) {
  test(`the service answers as its reference shows: ${path}`, async () => {
    await before?.();
    const { answers } = endpointOf(path);
    for (const { status, examples } of answers.filter((answer) => answer.status <= 400)) {
      for (const [name, example] of Object.entries(examples)) {
        if (name === 'too_many_units') continue;
        const answer = await app.callWarehouse(path, bodyOf(path, name, example), demo);
        assert.equal(answer.status, status, `${name}: ${answer.text}`);
        assert.deepEqual(withoutOurNumbers(answer.json), withoutOurNumbers(example.value), name);
      }
    }
  });
}

function bodyOf(path: string, name: string, { sent }: ExampleReference): unknown {
  if (name === 'unreadable') return '{"sku_id":';
  return sent ?? requestOf(path);
}

/** What differs each time, by its form. */
function withoutOurNumbers(envelope: unknown): unknown {
  const text = JSON.stringify(envelope)
    .replace(/"trace_id":"[0-9a-f-]{36}"/, '"trace_id":"ours"')
    .replace(/"products_id":\d+/, '"products_id":"ours"')
    .replace(/"si_[0-9a-f]{20}"/, '"si_ours"')
    .replace(/"(ow_OUT-1001_)[0-9a-f]{10}"/, '"$1ours"');
  return JSON.parse(text);
}

test('more units than can be counted are refused as the reference shows', () => {
  for (const path of ['/inbound/create', '/inbound/return']) {
    const { value } = endpointOf(path).answers.find(({ status }) => status === 400)!.examples.too_many_units!;
    const { trace_id } = value as { trace_id: string };
    const outcome = { kind: 'too_many_units', skuId: 'TEA-1', unitsMax: lotUnitsMax } as const;
    const body = endpointOf(path).body!.example as Parameters<typeof wordInboundOutcome>[1];
    assert.deepEqual(wordInboundOutcome(outcome, body, trace_id).body, value);
  }
});
