import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { inboundChannels, inboundEvents, inboundKinds, inboundStatuses, inboundsSearch } from '../../../contract/main/inbounds-search.ts';
import { orderChannels, orderEvents, orderStatuses, ordersSearch } from '../../../contract/main/orders-search.ts';
import { productsSearch } from '../../../contract/main/products-search.ts';
import { SearchBody, type SearchList } from '../../../contract/main/search-list.ts';
import { stocksSearch } from '../../../contract/main/stocks-search.ts';
import { makeSearchReader } from '../../../server/api/main/search-request.ts';
import * as callback from '../../../server/domain/callbacks/callback.ts';
import * as inbound from '../../../server/domain/inbound/inbound-document.ts';
import * as order from '../../../server/domain/orders/order.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import { makeNormalizer } from '../../../server/platform/normalize.ts';
import { makeChecker } from '../../../server/platform/schema.ts';

const lists: SearchList[] = [stocksSearch, productsSearch, ordersSearch, inboundsSearch, callbacksSearch];

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    'shipped',
    'good',
    'inbound',
    'failed',
    'main',
    '',
    'A-1',
    'x'.repeat(255),
    'x'.repeat(256),
    '\u0001',
    '台'.repeat(255),
  ),
  fc.constantFrom<unknown>(0, 1, 1.5, -1, 2_147_483_647, 2_147_483_648, 1_000_000_000_000, null, true),
  fc.constantFrom<unknown>(
    '2027-06-30',
    '2027-02-29',
    '2026-11-15T09:30:00+08:00',
    '2026-11-15T09:30:00Z',
    '2026-11-15T09:30:00',
    '2026-11-15T25:00:00Z',
  ),
  fc.constantFrom<unknown>('0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80'),
);
const question = fc.dictionary(fc.constantFrom('gte', 'gt', 'lte', 'lt', 'ne', 'prefix', 'like'), scalar, {
  maxKeys: 3,
  noNullPrototype: true,
});
const filter = fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.array(scalar, { minLength: 99, maxLength: 102 }), question);

function bodyOf({ prefix, fields }: SearchList): fc.Arbitrary<Record<string, unknown>> {
  const names = Object.keys(fields);
  const keys = fc.constantFrom(...names.map((name) => `${prefix}.${name}`), `${prefix}.colour`, names[0]!);
  const paging = fc.record(
    {
      page_size: fc.constantFrom<unknown>(1, 50, 500, 501, 0, 1.5, '1', null),
      cursor: fc.constantFrom<unknown>('AAAA', '', 'A'.repeat(4096), 'A'.repeat(4097), 7),
      sort: fc.oneof(fc.constantFrom<unknown>(...names, ...names.map((name) => `-${prefix}.${name}`), '', '-', 'colour'), scalar),
    },
    { requiredKeys: [], noNullPrototype: true },
  );
  return fc
    .tuple(fc.dictionary(keys, filter, { maxKeys: 3, noNullPrototype: true }), fc.option(paging, { nil: {} }))
    .map(([filters, rest]) => ({ ...filters, ...rest }));
}

for (const list of lists) {
  test(`the reference allows what the service takes, and nothing else: ${list.path}`, () => {
    const check = makeChecker(SearchBody(list));
    const normalize = makeNormalizer(SearchBody(list));
    const read = makeSearchReader(list);
    fc.assert(
      fc.property(bodyOf(list), (body) => {
        assert.equal(check(normalize(body)).kind === 'valid', read(body).kind === 'search', JSON.stringify(read(body)));
      }),
      { numRuns: 500, seed: Number(process.env.LADING_PROPERTY_SEED ?? 1) },
    );
  });
}

test('the words of the contract for states, events, kinds and channels are those of the domain', () => {
  assert.deepEqual([...orderStatuses], order.orderStatuses);
  assert.deepEqual(orderChannels, order.orderChannels);
  assert.deepEqual([orderEvents, inboundEvents], [order.orderEvents, inbound.inboundEvents]);
  assert.deepEqual([...inboundStatuses], inbound.inboundStatuses);
  assert.deepEqual([inboundKinds, inboundChannels], [inbound.inboundKinds, inbound.inboundChannels]);
  const { status, document_type } = callbacksSearch.fields;
  assert.deepEqual(
    [status.value, document_type.value].map((value) => (value as { enum?: string[] }).enum),
    [[...callback.callbackStatuses], [...callback.documentTypes]],
  );
  for (const { permission } of lists) assert.ok((permissions as readonly string[]).includes(permission));
});
