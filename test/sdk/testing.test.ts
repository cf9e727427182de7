import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import {
  type CallbackBody,
  CallbackError,
  LogisticsClient,
  MainClient,
  RefusedError,
  UnavailableError,
  verifyCallback,
  WarehouseClient,
} from '../../sdk/client.ts';
import { FakeService, signCallback } from '../../sdk/testing.ts';
import { bodyOf, callbackVectors, requestVectors } from '../docs/vectors.ts';
import { sdkBundle } from '../support/sdk-bundle.ts';

const url = 'https://lading.test/prefix';
const secret = 'whsec_cmVjZWl2ZXItb2YtdGhlLWd1aWRlLWZvci10ZXN0cw==';
const order = {
  outbound_short_id: 'OUT-1',
  warehouse_tpw_id: 'TPW-DEMO',
  consignee_country: 'TW' as const,
  logistics_type: 'home' as const,
  express_type: 'tcat' as const,
  details: [{ sku_id: 'TEA-1', qty: 2 }],
};

test('a signed callback is accepted by the SDK and by the library of Standard Webhooks, until it is changed', async () => {
  const callback = { event_id: 'e-1', event: 'order.shipped', document_no: '茶-1' } as CallbackBody;
  const signed = await signCallback(callback, { secret });
  assert.deepEqual(verifyCallback(signed, { secrets: secret }), { ...callback, duplicate: false });
  assert.deepEqual(new Webhook(secret).verify(signed.body, signed.headers), callback);

  const reasonOf = (received: typeof signed) => {
    try {
      return verifyCallback(received, { secrets: secret }).event;
    } catch (error) {
      return error instanceof CallbackError ? error.reason : error;
    }
  };
  assert.equal(reasonOf({ ...signed, body: signed.body.replace('shipped', 'delivered') }), 'wrong_signature');
  const old = await signCallback(callback, { secret, now: new Date(Date.now() - 600_000) });
  assert.equal(reasonOf(old), 'too_old');
  const list = Object.assign([], { event_id: 'e-2' }) as unknown as CallbackBody;
  assert.equal(reasonOf(await signCallback(list, { secret })), 'not_json');
});

test('the fake service records requests, and answers and rejects them in the envelope of their API', async () => {
  const service = new FakeService()
    .answer('/outbound/create', { orders_id: 'ow_1', idempotent: false }, { orders_id: 'ow_1', idempotent: true })
    .refuse('/product/sync', { code: 'field_missing', path: 'sku_name', message: 'sku_name is missing' })
    .answer('/orders/create', { orders_id: 'ow_2', idempotent: false })
    .refuse('/orders/order', { code: 'insufficient_stock', message: 'too few' });
  const { fetch } = service;
  const warehouse = new WarehouseClient({ url, accountNo: 'DEMO', secret: 'any', fetch });
  const main = new MainClient({ url, clientId: 'demo', checkValue: 'any', fetch });
  const logistics = new LogisticsClient({ url, apiKey: 'any', fetch });

  assert.deepEqual(await warehouse.outboundCreate(order), { orders_id: 'ow_1', idempotent: false });
  for (const _ of [2, 3]) assert.equal((await warehouse.outboundCreate(order)).idempotent, true);
  assert.deepEqual(await main.ordersCreate(order), { orders_id: 'ow_2', idempotent: false });
  await assert.rejects(warehouse.productSync({ sku_id: 'T', sku_name: '', storage_type: 1 }), (error: unknown) => {
    assert.ok(error instanceof RefusedError);
    assert.deepEqual(
      [error.status, error.reason, error.errors.map(({ code, path }) => [code, path])],
      [400, 'sku_name is missing', [['field_missing', 'sku_name']]],
    );
    return true;
  });
  await assert.rejects(logistics.shippingOrder({} as never), { name: 'RefusedError', reason: 'too few' });
  await assert.rejects(main.inboundsStop({ form_no: 'PO-1' }), /the fake service has no answer for it/);
  assert.deepEqual(
    service.requests.map(({ path, body }) => [path, body.outbound_short_id]),
    [
      ...Array(3).fill(['/prefix/warehouse/v1/outbound/create', 'OUT-1']),
      ['/prefix/api/v1/token/getToken', undefined],
      ['/prefix/api/v2/default/orders/create', 'OUT-1'],
      ['/prefix/warehouse/v1/product/sync', undefined],
      ['/prefix/logistics/orders/order', undefined],
      ['/prefix/api/v2/default/inbounds/stop', undefined],
    ],
  );
});

test('the fake service can be busy: the client retries, and says when it gives up', async () => {
  const busy = { status: 503, code: 'unavailable' as const, message: 'busy' };
  const service = new FakeService().refuse('/outbound/create', busy);
  const client = new WarehouseClient({ url, accountNo: 'DEMO', secret: 'any', fetch: service.fetch, retriesMax: 1 });
  await assert.rejects(client.outboundCreate(order), UnavailableError);
  assert.deepEqual([service.requests.length, service.requests[0]!.headers['account-no']], [2, 'DEMO']);
});

/** What a platform without Node's modules offers. */
const webPlatform = { crypto, Headers, TextEncoder, TextDecoder, atob, btoa, Uint8Array, DOMException };

for (const platform of ['browser', 'neutral'] as const) {
  test(`a bundle for platform ${platform} imports nothing, and signs and verifies the vectors`, async () => {
    const bundle = await sdkBundle(platform);
    assert.doesNotMatch(bundle, /\bimport\b[^(]*from|\brequire\(/);
    const sdk = runInNewContext(`${bundle}; lading`, { ...webPlatform });
    for (const { secret: key, timestamp, sign, name, ...vector } of requestVectors) {
      const made = await sdk.signRequestAsync({
        accountNo: 'V-MAIN',
        secret: key,
        body: new Uint8Array(bodyOf({ name, ...vector } as never)),
        timestamp,
      });
      assert.equal(made.sign, sign, name);
    }
    for (const vector of callbackVectors) {
      const received = { headers: Object.fromEntries(vector.headers), body: new Uint8Array(bodyOf(vector)) };
      const options = { secrets: vector.secrets, now: new Date(vector.now * 1000) };
      const seen = await sdk.verifyCallbackAsync(received, options).catch((error: CallbackError) => error);
      assert.equal(
        vector.valid ? seen.event : seen.reason,
        vector.valid ? 'order.shipped' : vector.reason,
        vector.name,
      );
    }
    assert.throws(() => sdk.signRequest({ accountNo: 'A', secret: 's', body: '' }), /use await signRequestAsync/);
  });
}

test('the package has its changelog, both READMEs, its licence, and source maps with the source', () => {
  const cwd = new URL('../../sdk/', import.meta.url);
  const packed = (name: string) =>
    execFileSync('tar', ['-xzOf', 'lading-client.tgz', `package/${name}`], { cwd, encoding: 'utf8' });
  assert.match(packed('CHANGELOG.md'), new RegExp(`^## ${JSON.parse(packed('package.json')).version}$`, 'm'));
  assert.match(packed('README.md'), /^\[繁體中文\]\(README\.zh-TW\.md\)$/m);
  assert.match(packed('README.zh-TW.md'), /^\[English\]\(README\.md\)$/m);
  assert.match(packed('LICENSE'), /Apache License/);
  assert.match(packed('dist/send.js'), /^\/\/# sourceMappingURL=send\.js\.map$/m);
  const { sources, sourcesContent } = JSON.parse(packed('dist/send.js.map'));
  assert.deepEqual([sources, sourcesContent.length], [['../send.ts'], 1]);
  assert.match(sourcesContent[0], /^export async function send\(client: ClientOptions/m);
});
