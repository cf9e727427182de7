import { type Static, type TSchema, Type } from 'typebox';
import type { AnswerReference, ContractReference, EndpointReference, ExampleReference, HeaderReference } from '../reference.ts';
import { Text, WithMeaning } from '../values.ts';
import { exampleOrder } from '../warehouse/outbound-create.ts';
import { mainBasePath } from './base-path.ts';
import { CallbacksRedeliverBody, CallbacksRedeliverRetval, redeliverMax } from './callbacks-redeliver.ts';
import { CallbackRow, callbacksSearch } from './callbacks-search.ts';
import { DoneEnvelope, exampleDone, exampleNotDone, NotDoneEnvelope } from './envelope.ts';
import { FulfilmentAdvanceBody, FulfilmentAdvanceRetval } from './fulfilment-advance.ts';
import { TokenRequest, TokenRetval } from './get-token.ts';
import { InboundsCancelBody, InboundsCancelRetval } from './inbounds-cancel.ts';
import { InboundsReceiveBody, InboundsReceiveRetval } from './inbounds-receive.ts';
import { InboundRow, inboundsSearch } from './inbounds-search.ts';
import { InboundsStopBody, InboundsStopRetval } from './inbounds-stop.ts';
import { OrdersCancelBody, OrdersCancelRetval } from './orders-cancel.ts';
import { OrdersCreateBody, OrdersCreateRetval } from './orders-create.ts';
import { OrderRow, ordersSearch } from './orders-search.ts';
import { overview } from './overview.ts';
import { ProductRow, productsSearch } from './products-search.ts';
import { bearerCallSamples } from './samples.ts';
import { SearchBody, type SearchList, SearchPage, sortKeysOf } from './search-list.ts';
import {
  bearerRefusals,
  brokenRequests,
  mainRefusals,
  openRefusals,
  readAnswers,
  readRefusals,
  unreadableBody,
} from './shared-refusals.ts';
import { StockRow, stocksSearch } from './stocks-search.ts';

interface MainOperation<Body extends TSchema, Retval extends TSchema> {
  path: string;
  permission: string;
  operationId: string;
  summary: string;
  description: string;
  body: Body;
  retval: Retval;
  request: Static<Body>;
  successes: Record<string, { summary: string; retval: Static<Retval>; sent?: Static<Body> }>;
  refusals: Record<string, ExampleReference>;
  /** Of an operation whose number may come again with another body. */
  conflict?: ExampleReference;
}

function describe<Body extends TSchema, Retval extends TSchema>(operation: MainOperation<Body, Retval>): EndpointReference {
  const { path, permission, operationId, summary, description, body, retval, request, successes, refusals, conflict } = operation;
  const { InvalidToken, Forbidden } = bearerRefusals;
  return {
    method: 'post',
    path: `${mainBasePath}${path}`,
    operationId,
    summary,
    description: `${description}\n\nNeeds the permission \`${permission}\`.`,
    body: { schema: body, example: request },
    answers: [
      {
        status: 200,
        description: 'Success.',
        schema: DoneEnvelope(retval),
        examples: Object.fromEntries(
          Object.entries(successes).map(([name, example]) => [name, { ...example, value: exampleDone(example.retval as object) }]),
        ),
      },
      refused(refusals),
      InvalidToken,
      Forbidden,
      ...Object.values(mainRefusals),
      ...Object.values(brokenRequests),
      ...(conflict ? [conflicting(conflict)] : []),
    ].toSorted((one, other) => one.status - other.status),
  };
}

function conflicting(conflict: ExampleReference): AnswerReference {
  return {
    status: 409,
    description: 'The number was used before with another body. Nothing was changed.',
    schema: NotDoneEnvelope,
    examples: { conflict },
  };
}

function refused(examples: Record<string, ExampleReference>): AnswerReference {
  return {
    status: 400,
    description: 'Refused, and nothing was changed.',
    schema: NotDoneEnvelope,
    examples: { ...examples, unreadable: unreadableBody },
  };
}

const refusal = (summary: string, msg: string, sent: object): ExampleReference => ({ summary, value: exampleNotDone(msg), sent });

function describeList<List extends SearchList>(
  list: List,
  words: {
    operationId: string;
    summary: string;
    description: string;
    request: Record<string, unknown>;
    row: Static<List['row']>;
    /** What else is often looked for, with the same row as answer. */
    others?: Record<string, { summary: string; sent: Record<string, unknown> }>;
  },
): EndpointReference {
  const { operationId, summary, description, request, row, others = {} } = words;
  const retval = { rows: [row], next_cursor: null } as never;
  const filters = Object.keys(list.fields).map((name) => `${list.prefix}.${name}`);
  const sortKeys = sortKeysOf(list.fields).join(', ');
  return describe({
    path: list.path,
    permission: list.permission,
    operationId,
    summary,
    description,
    body: bodies[list.prefix]!,
    retval: SearchPage(list.row),
    request,
    successes: {
      found: { summary: 'The last page', retval },
      ...Object.fromEntries(Object.entries(others).map(([name, other]) => [name, { ...other, retval }])),
    },
    refusals: {
      unknown_filter: refusal(
        'A filter that there is not',
        `${list.prefix}.colour is not a filter of this list; there are ${filters.join(', ')}`,
        { [`${list.prefix}.colour`]: 'red' },
      ),
      unknown_sort: refusal('A sort key that there is not', `sort -colour is not a sort key of this list; there are ${sortKeys}`, {
        sort: '-colour',
      }),
      page_size: refusal('Too large a page', 'page_size must be a whole number from 1 to 500', { page_size: 501 }),
      cursor: refusal('A cursor of another search', 'cursor is not of this search: same list, filters and sort', { cursor: 'AAAA' }),
    },
  });
}

const lists = [stocksSearch, productsSearch, ordersSearch, inboundsSearch, callbacksSearch];
const bodies = Object.fromEntries(lists.map((list) => [list.prefix as string, SearchBody(list)]));

/** 32 bytes. */
const Coordinate = Type.String({ pattern: '^[\\w-]{43}$' });

const cacheControl = (value: string, description: string): Record<string, HeaderReference> => ({
  'cache-control': { description, schema: Text(255, value), required: true },
});

const token: EndpointReference = {
  method: 'post',
  path: '/api/v1/token/getToken',
  operationId: 'getToken',
  summary: 'Get an access token',
  description: `
Wrong credentials are answered with HTTP 200 and \`done: false\`; which of the two is wrong is not told. Too many wrong guesses, from one address or
for one ClientId, are answered with 429 for a while.
`.trim(),
  open: true,
  body: { schema: TokenRequest, example: { ClientId: 'demo', CheckValue: 'lcv_Zm9yIHRoZSByZWZlcmVuY2Ugb25seSwgbm90IGEgc2VjcmV0' } },
  answers: [
    {
      status: 200,
      description: '`done: true` with a token, or `done: false` with the reason.',
      schema: Type.Union([DoneEnvelope(TokenRetval), NotDoneEnvelope]),
      headers: cacheControl('no-store', 'A token is not to be kept by anything in between.'),
      examples: {
        issued: {
          summary: 'A token',
          value: exampleDone({
            access_token: 'eyJhbGciOiJFUzI1NiIsImtpZCI6Ii4uLiJ9.eyJzdWIiOiJkZW1vIn0.c2lnbmF0dXJl',
            token_type: 'Bearer',
            expires_in: 3600,
          }),
        },
        wrong: {
          summary: 'Wrong credentials',
          value: exampleNotDone('invalid ClientId or CheckValue'),
          sent: { ClientId: 'demo', CheckValue: 'not it' },
        },
        disabled: { summary: 'Right, but disabled', value: exampleNotDone('this client is disabled') },
      },
    },
    refused({ fields: refusal('A field is missing', 'CheckValue is missing', { ClientId: 'demo' }) }),
    openRefusals.HeaderTwice,
    ...[...Object.values(mainRefusals), ...Object.values(brokenRequests)].toSorted((one, other) => one.status - other.status),
  ],
};

const jwks: EndpointReference = {
  method: 'get',
  path: '/.well-known/jwks.json',
  operationId: 'jwks',
  summary: 'Public keys of access tokens',
  description: 'A JSON Web Key Set (RFC 7517). A new key stands here before the first token is signed with it.',
  open: true,
  answers: [
    {
      status: 200,
      description: 'All keys that are valid now or soon.',
      mediaType: 'application/jwk-set+json',
      headers: cacheControl(
        'public, max-age=300',
        'How long the keys may be kept, in seconds; a new key stands here for twice as long before it signs.',
      ),
      schema: Type.Object({
        keys: Type.Array(
          Type.Object({
            kty: WithMeaning(Type.Literal('EC'), 'An elliptic curve,'),
            crv: WithMeaning(Type.Literal('P-256'), 'namely this one.'),
            x: WithMeaning(Coordinate, 'One coordinate of the public key, in base64url.'),
            y: WithMeaning(Coordinate, 'The other one.'),
            kid: WithMeaning(Text(255), 'Number of the key; the header of a token names it.'),
            alg: WithMeaning(Type.Literal('ES256'), 'The algorithm of the signature; accept no other.'),
            use: WithMeaning(Type.Literal('sig'), 'For signatures only.'),
          }),
          { description: 'each by its `kid`' },
        ),
      }),
      examples: {
        one: {
          summary: 'One key',
          value: {
            keys: [
              {
                kty: 'EC',
                crv: 'P-256',
                x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
                y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
                kid: '0f6c2b1d9e4a7853',
                alg: 'ES256',
                use: 'sig',
              },
            ],
          },
        },
      },
    },
    ...readAnswers,
  ],
};

const at = '2026-11-15T09:30:00.000000+08:00';

const stocks = describeList(stocksSearch, {
  operationId: 'searchStocks',
  summary: 'Search stock',
  description: `
Stock by lot: warehouse, sku, good or bad, batch, expiry date. Lots with nothing on hand are left out.

Lots that have expired or soon will are found by \`products_stock.expire_date\`, the earliest first: \`lt\` today in Taipei for those that have
expired, \`lte\` a later day for those that soon will. Where your rule of sale (\`sellable_days_before_expiry\`) does not sell them any more, they
are still listed, with \`qty_available\` 0.
`.trim(),
  request: { 'products_stock.warehouse_no': 1, 'products_stock.expire_date': { lt: '2027-12-01' } },
  row: {
    warehouse_no: 1,
    sku_id: 'TEA-1',
    stock_type: 'good',
    batch_id: '',
    expire_date: '2027-06-30',
    qty: 60,
    qty_lock: 2,
    qty_available: 58,
  },
  others: {
    expiring: {
      summary: 'What expires until a day, the earliest first',
      sent: { 'products_stock.expire_date': { lte: '2027-06-30' }, sort: 'expire_date' },
    },
  },
});

const products = describeList(productsSearch, {
  operationId: 'searchProducts',
  summary: 'Search products',
  description: 'The products of your account, of every channel.',
  request: { 'products.sku_id': { prefix: 'TEA-' } },
  row: {
    products_id: 1001,
    sku_id: 'TEA-1',
    sku_name: 'Oolong tea',
    storage_type: 'ambient',
    length: 10,
    width: 8,
    height: 12.5,
    weight: 0.25,
    created_at: at,
    updated_at: at,
  },
});

const ordersId = 'ow_OUT-1001_8d3f6a01c2';

const orders = describeList(ordersSearch, {
  operationId: 'searchOrders',
  summary: 'Search orders',
  description: 'Orders of every channel, with their lines. A receiver that has missed callbacks can reconcile by this list.',
  request: { 'orders.status': ['pending_warehouse_transfer', 'in_warehouse'], sort: '-created_at', page_size: 100 },
  row: {
    orders_id: ordersId,
    outbound_short_id: 'OUT-1001',
    internal_name: null,
    name: null,
    status: 'pending_warehouse_transfer',
    channel: 'main',
    warehouse_no: 1,
    store_no: 1,
    shipment_no: null,
    carrier: null,
    logistics_type: 'home',
    express_type: 'tcat',
    consignee_country: 'TW',
    consignee_name: 'Lin Mei-hua',
    consignee_phone: '0900000000',
    consignee_address: 'No. 1, Example Road, Zhongzheng District, Taipei City',
    consignee_zip: '100',
    details: [{ sku_id: 'TEA-1', qty: 2, item: null }],
    shipping: null,
    timeline: [
      {
        event: 'create',
        from: null,
        to: 'pending_warehouse_transfer',
        at,
        by: 'DEMO/demo',
        trace_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80',
      },
    ],
    created_at: at,
    updated_at: at,
  },
});

const inbounds = describeList(inboundsSearch, {
  operationId: 'searchInbounds',
  summary: 'Search inbound documents',
  description:
    'Inbound documents and returns of every channel, with what they announce, what has arrived of it and what happened to them; those whose receiving was ' +
    'stopped have the status `stopped`.',
  request: { 'inbounds.inbound_short_id': { prefix: 'IN-1' }, 'inbounds.status': { ne: 'cancelled' } },
  row: {
    stock_in_no: 'si_5f0c1d9a7b3e28464c01',
    inbound_short_id: 'IN-1001',
    form_no: null,
    kind: 'inbound',
    status: 'received',
    channel: 'warehouse',
    warehouse_no: 1,
    store_no: 1,
    outbound_short_id: null,
    estimated_arrival_at: '2027-01-01T08:00:00.000000+08:00',
    details: [
      { sku_id: 'TEA-1', expire_date: '2027-06-30', batch_id: '', qty: 60, item: null },
      { sku_id: 'TEA-1', expire_date: '2027-12-31', batch_id: '', qty: 40, item: null },
    ],
    received: [
      { sku_id: 'TEA-1', stock_type: 'good', batch_id: '', expire_date: '2027-06-30', qty: 60 },
      { sku_id: 'TEA-1', stock_type: 'good', batch_id: '', expire_date: '2027-12-31', qty: 40 },
    ],
    differences: [],
    form: null,
    timeline: [{ event: 'create', from: null, to: 'received', at, by: 'DEMO', trace_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80' }],
    created_at: at,
    updated_at: at,
  },
});

const callbacks = describeList(callbacksSearch, {
  operationId: 'searchCallbacks',
  summary: 'Search callbacks',
  description: 'What your receivers were told, or still are to be told, with every try.',
  request: { 'callbacks.status': 'failed' },
  row: {
    event_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80',
    event: 'order.shipped',
    document_type: 'order',
    document_no: 'WMS-2026-0001',
    sequence: 1,
    body: '{"event_id":"0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80","event":"order.shipped","sequence":1}',
    callback_url: 'https://partner.example/callbacks',
    status: 'failed',
    attempts: [{ at, duration_ms: 15_000, http_status: null, error: 'timed out after 15 s', address: '203.0.113.7', response: null }],
    next_attempt_at: null,
    occurred_at: at,
    created_at: at,
    updated_at: at,
  },
});

const otherOrder = (change: object) => ({ ...exampleOrder, outbound_short_id: 'OUT-1001-A', ...change });

const ordersCreate = describe({
  path: '/orders/create',
  permission: 'orders.write',
  operationId: 'ordersCreate',
  summary: 'Create an order',
  description: `
By the rules of \`outbound/create\` of the warehouse API: units are allocated at once, good stock only, earliest expiry first; where stock is short, the order is
refused. The same \`outbound_short_id\` again is answered with \`idempotent: true\` and the original \`orders_id\`, whatever the rest of the body says (then
with \`payload_differs: true\`) and even after a cancellation. Numbers are shared with the warehouse API.
`.trim(),
  body: OrdersCreateBody,
  retval: OrdersCreateRetval,
  request: exampleOrder,
  successes: {
    created: { summary: 'Created', retval: { orders_id: ordersId, idempotent: false } },
    repeated: { summary: 'Sent again', retval: { orders_id: ordersId, idempotent: true } },
    repeated_differs: {
      summary: 'Sent again with another body',
      retval: { orders_id: ordersId, idempotent: true, payload_differs: true },
      sent: { ...exampleOrder, details: [{ sku_id: 'TEA-1', qty: 3 }] },
    },
  },
  refusals: {
    fields: refusal(
      'Fields missing or wrong',
      'consignee_country must be one of TW; details[0].qty must be >= 1',
      otherOrder({ consignee_country: 'JP', details: [{ sku_id: 'TEA-1', qty: 0 }] }),
    ),
    number_taken: refusal(
      'The number belongs to another account',
      'outbound_short_id already in use',
      otherOrder({ outbound_short_id: 'OUT-TAKEN' }),
    ),
    unknown_tenant: refusal('Unknown tenant', 'unknown tenant', otherOrder({ warehouse_tpw_id: 'TPW-NOBODY' })),
    sku_not_found: refusal('Unknown product', 'sku_id not found', otherOrder({ details: [{ sku_id: 'TEA-404', qty: 1 }] })),
    unknown_ship_method: refusal('Unknown ship method', 'unknown ship_method mapping', otherOrder({ express_type: 'seven' })),
    stock_short: refusal(
      'Not enough stock',
      'sku TEA-1 available=98 < requested=500',
      otherOrder({ details: [{ sku_id: 'TEA-1', qty: 500 }] }),
    ),
  },
});

const ordersCancel = describe({
  path: '/orders/cancel',
  permission: 'orders.write',
  operationId: 'ordersCancel',
  summary: 'Cancel orders',
  description: `
By the rules of \`outbound/cancel\` of the warehouse API: each entry has its own result, in the order sent; an order that has reached the warehouse
goes on, with \`cannot_cancel_after_picking\`. Orders of the logistics webhook are named by \`internal_names\`; where they have a \`callback_url\`, it is told.
`.trim(),
  body: OrdersCancelBody,
  retval: OrdersCancelRetval,
  request: { outbound_short_ids: ['OUT-1001', 'OUT-9999'] },
  successes: {
    results: {
      summary: 'One result per entry',
      retval: {
        results: [
          { outbound_short_id: 'OUT-1001', status: 'cancelled' },
          { outbound_short_id: 'OUT-9999', status: 'not_found' },
        ],
      },
    },
    logistics: {
      summary: 'Orders of the logistics webhook',
      retval: { results: [{ internal_name: 'WMS-9999', status: 'not_found' }] },
      sent: { internal_names: ['WMS-9999'] },
    },
  },
  refusals: {
    fields: refusal('Fields missing or wrong', 'outbound_short_ids must not have fewer than 1 items', { outbound_short_ids: [] }),
  },
});

const arrived = (change: object = {}) => ({
  ...{ sku_id: 'TEA-1', expire_date: '2028-06-30', batch_id: 'L-2026-11', qty: 60, stock_type: 'good' as const },
  ...change,
});
const exampleReceipt: InboundsReceiveBody = {
  inbound_short_id: 'IN-2001',
  receipt_no: 'GR-2001-1',
  details: [arrived(), arrived({ qty: 2, stock_type: 'bad' })],
};

const inboundsReceive = describe({
  path: '/inbounds/receive',
  permission: 'inbounds.write',
  operationId: 'inboundsReceive',
  summary: 'Report what has arrived',
  description: `
The warehouse says what has arrived of an inbound document or a return: by sku, expiry date and batch as they were found, good or bad. It may come in any number of
portions. With the first one the document is \`receiving\`; when all that was announced has come, good and bad together, or with \`final: true\`, it is \`received\`, and the
\`callback_url\` of a form of the logistics webhook is told. What is missing then is not waited for; the list of inbound documents shows it in \`differences\`.

Good units can be sold at once, and go to orders that wait for them. A sku that the document does not announce is refused, and so is more than announced, beyond what the operator
allows the tenant or the key (in percent, rounded down); then nothing of the call is counted, and \`msg\` names the skus, up to 20.

The same \`receipt_no\` with the same content again is answered with \`idempotent: true\` and the status of today, whatever has become of the document. A document that
is received with its creation, as in UAT, cannot be received again.
`.trim(),
  body: InboundsReceiveBody,
  retval: InboundsReceiveRetval,
  request: exampleReceipt,
  successes: {
    portion: { summary: 'Counted; more is to come', retval: { status: 'receiving', idempotent: false } },
    repeated: { summary: 'Sent again', retval: { status: 'receiving', idempotent: true } },
    final: {
      summary: 'The last portion, although not all has come',
      retval: { status: 'received', idempotent: false },
      sent: { inbound_short_id: 'IN-2001', receipt_no: 'GR-2001-2', details: [arrived({ qty: 30 })], final: true },
    },
    form: {
      summary: 'A form of the logistics webhook, all of it',
      retval: { status: 'received', idempotent: false },
      sent: { form_no: 'PO-2001', details: [arrived({ qty: 100, expire_date: null })] },
    },
  },
  refusals: {
    fields: refusal(
      'Fields missing or wrong',
      'details[0].expire_date must be a date, YYYY-MM-DD; details[0].qty must be >= 1; details[0].stock_type must be one of good, bad',
      { inbound_short_id: 'IN-2002', details: [{ sku_id: 'TEA-1', expire_date: '2028-02-30', qty: 0, stock_type: 'broken' }] },
    ),
    no_name: refusal('No document is named', 'inbound_short_id is missing; or name the document by form_no', { details: [arrived()] }),
    nothing: refusal('Nothing has arrived', 'details must not be empty, unless final is true', {
      inbound_short_id: 'IN-2002',
      details: [],
    }),
    not_found: refusal('Unknown document', 'inbound_short_id not found', { inbound_short_id: 'IN-9999', details: [arrived()] }),
    too_late: refusal('A document that is closed', 'inbound_short_id is received already; nothing more can be received', {
      inbound_short_id: 'IN-2001',
      details: [arrived()],
    }),
    too_many: refusal(
      'More than announced, and a sku that was not',
      'sku TEA-1 would be more than the 100 that are accepted: announced=100 received=0 reported=120; ' +
        'sku TEA-404 is not in the document: announced=0 received=0 reported=60',
      { inbound_short_id: 'IN-2002', details: [arrived(), arrived({ batch_id: 'L-2026-12' }), arrived({ sku_id: 'TEA-404' })] },
    ),
    too_many_units: refusal('More units than can be counted', 'a lot of sku TEA-MANY would hold more than 1000000000000 units', {
      inbound_short_id: 'IN-2003',
      details: [arrived({ sku_id: 'TEA-MANY', batch_id: '', expire_date: null, qty: 1 })],
    }),
  },
  conflict: {
    summary: 'The number was used before',
    value: exampleNotDone('receipt_no was used before with another body'),
    sent: { ...exampleReceipt, details: [arrived({ qty: 61 })] },
  },
});

const inboundsStop = describe({
  path: '/inbounds/stop',
  permission: 'inbounds.write',
  operationId: 'inboundsStop',
  summary: 'Stop receiving',
  description: `
What has arrived of the document stays, the rest is closed: \`stopped\`. Where it is a form of the logistics webhook, its \`callback_url\` is told. A stop can be repeated.
`.trim(),
  body: InboundsStopBody,
  retval: InboundsStopRetval,
  request: { inbound_short_id: 'IN-2002' },
  successes: {
    stopped: { summary: 'Stopped', retval: { status: 'stopped', idempotent: false } },
    repeated: { summary: 'Sent again', retval: { status: 'stopped', idempotent: true } },
  },
  refusals: {
    two_names: refusal('Two documents are named', 'form_no must not stand beside inbound_short_id', {
      inbound_short_id: 'IN-2002',
      form_no: 'PO-2001',
    }),
    not_found: refusal('Unknown document', 'form_no not found', { form_no: 'PO-9999' }),
    too_late: refusal('A document that is received or cancelled', 'inbound_short_id is received already; receiving cannot be stopped', {
      inbound_short_id: 'IN-2001',
    }),
  },
});

const inboundsCancel = describe({
  path: '/inbounds/cancel',
  permission: 'inbounds.write',
  operationId: 'inboundsCancel',
  summary: 'Cancel inbound documents',
  description: `
By the rules of \`inbound/cancel\` of the warehouse API: each entry has its own result, in the order sent. A document can be cancelled while nothing of it has arrived; and where its units
came with its creation, as long as so many are still free in their lots. Forms of the logistics webhook are named by \`form_nos\`; their \`callback_url\` is told.
`.trim(),
  body: InboundsCancelBody,
  retval: InboundsCancelRetval,
  request: { inbound_short_ids: ['IN-2003', 'IN-2001', 'IN-9999'] },
  successes: {
    results: {
      summary: 'One result per entry',
      retval: {
        results: [
          { inbound_short_id: 'IN-2003', status: 'cancelled' },
          { inbound_short_id: 'IN-2001', status: 'cannot_cancel_after_receiving' },
          { inbound_short_id: 'IN-9999', status: 'not_found' },
        ],
      },
    },
    forms: {
      summary: 'Forms of the logistics webhook',
      retval: { results: [{ form_no: 'PO-2002', status: 'cancelled' }] },
      sent: { form_nos: ['PO-2002'] },
    },
  },
  refusals: {
    fields: refusal('Fields missing or wrong', 'form_nos must not have fewer than 1 items', { form_nos: [] }),
  },
});

const fulfilmentAdvance = describe({
  path: '/fulfilment/advance',
  permission: 'fulfilment.write',
  operationId: 'fulfilmentAdvance',
  summary: 'Report the progress of orders',
  description: `
The system of a warehouse says how far orders have come: \`in_warehouse\`, \`picking\`, \`packed\`, \`shipped\`, \`delivered\`. Steps may be skipped, but for \`shipped\` before \`delivered\`,
and nothing leads back; the same report again is answered as the first time and changes nothing. With \`shipped\` the units leave the stock, and the \`callback_url\` of an
order of the logistics webhook is told. Each report has its own result; one that is refused does not hold up the others. An order that waits for stock is refused
(\`the order waits for stock\`), and one of a UAT account stays in \`pending_warehouse_transfer\`, whatever is reported
(\`orders of a UAT account stay in pending_warehouse_transfer\`).
`.trim(),
  body: FulfilmentAdvanceBody,
  retval: FulfilmentAdvanceRetval,
  request: {
    orders: [
      { outbound_short_id: 'OUT-1002', status: 'shipped', shipment_no: '9012345678', carrier: 'tcat' },
      { internal_name: 'WMS-9999', status: 'picking' },
    ],
  },
  successes: {
    results: {
      summary: 'One result per report',
      retval: {
        results: [
          { outbound_short_id: 'OUT-1002', status: 'shipped' },
          { internal_name: 'WMS-9999', status: 'not_found' },
        ],
      },
    },
    refused: {
      summary: 'A report that comes too late',
      retval: {
        results: [
          { outbound_short_id: 'OUT-1002', status: 'refused', message: 'the order is shipped already; it cannot go back to packed' },
        ],
      },
      sent: { orders: [{ outbound_short_id: 'OUT-1002', status: 'packed' }] },
    },
    more_refusals: {
      summary: 'Reports on orders that have not come so far, or have no number of their shipment',
      retval: {
        results: [
          {
            outbound_short_id: 'OUT-1003',
            status: 'refused',
            message: 'the order is pending_warehouse_transfer; it must be shipped before it is delivered',
          },
          { outbound_short_id: 'OUT-1003', status: 'refused', message: 'shipment_no is missing: what is shipped has one' },
          { outbound_short_id: 'OUT-1002', status: 'refused', message: 'it was shipped with another shipment_no, which stays' },
          { outbound_short_id: 'OUT-1001', status: 'refused', message: 'the order is cancelled' },
        ],
      },
      sent: {
        orders: [
          { outbound_short_id: 'OUT-1003', status: 'delivered' },
          { outbound_short_id: 'OUT-1003', status: 'shipped' },
          { outbound_short_id: 'OUT-1002', status: 'shipped', shipment_no: '9012345679' },
          { outbound_short_id: 'OUT-1001', status: 'picking' },
        ],
      },
    },
  },
  refusals: {
    fields: refusal('Fields missing or wrong', 'orders[0].outbound_short_id is missing, or internal_name', {
      orders: [{ status: 'packed' }],
    }),
  },
});

const callbacksRedeliver = describe({
  path: '/callbacks/redeliver',
  permission: 'callbacks.write',
  operationId: 'callbacksRedeliver',
  summary: 'Send callbacks again',
  description: `
Those of these events, or all that fit the filters, which are those of the list of callbacks: \`{"callbacks.status": "failed", "callbacks.created_at": {"gte": ...}}\`.
With \`dry_run\` they are only counted. At most ${redeliverMax.toLocaleString('en')} at once. They are sent with the same \`event_id\` and the same bytes as before, from the
first try on; callbacks of one document keep their order.
`.trim(),
  body: CallbacksRedeliverBody,
  retval: CallbacksRedeliverRetval,
  request: { ...{ 'callbacks.status': 'failed', 'callbacks.created_at': { gte: at } }, dry_run: true },
  successes: { counted: { summary: 'So many', retval: { count: 1 } } },
  refusals: {
    fields: refusal('Neither events nor filters', 'event_ids is missing; or say by filters which', {}),
  },
});

/** The main API. Its paths are whole, since they begin differently. */
export const mainReference: ContractReference = {
  name: 'Main API',
  errors: 'main',
  description: overview,
  credentials: { accessToken: { bearer: 'JWT', description: 'The `access_token` of the token call.' } },
  schemas: {
    TokenRequest,
    TokenRetval,
    StocksSearchBody: bodies[stocksSearch.prefix]!,
    StockRow,
    ProductsSearchBody: bodies[productsSearch.prefix]!,
    ProductRow,
    OrdersSearchBody: bodies[ordersSearch.prefix]!,
    OrderRow,
    InboundsSearchBody: bodies[inboundsSearch.prefix]!,
    InboundRow,
    CallbacksSearchBody: bodies[callbacksSearch.prefix]!,
    CallbackRow,
    OrdersCreateRetval,
    NotDoneEnvelope,
  },
  answers: { ...bearerRefusals, ...openRefusals, ...brokenRequests, ...mainRefusals, ...readRefusals },
  endpoints: [
    token,
    jwks,
    stocks,
    products,
    orders,
    inbounds,
    callbacks,
    ordersCreate,
    ordersCancel,
    inboundsReceive,
    inboundsStop,
    inboundsCancel,
    fulfilmentAdvance,
    callbacksRedeliver,
  ],
  samples: bearerCallSamples,
};
