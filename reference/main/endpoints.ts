import { type Static, type TSchema, Type } from 'typebox';
import { ErrorItem, examplePayloadDiffers, Warning } from '../../contract/errors/lists.ts';
import {
  CallbackTestBody,
  CallbackTestRetval,
  exampleCallbackTest,
  testsPerMinuteMax,
} from '../../contract/logistics/callback-test.ts';
import { mainBasePath } from '../../contract/main/base-path.ts';
import {
  CallbacksRedeliverBody,
  CallbacksRedeliverRetval,
  redeliverMax,
} from '../../contract/main/callbacks-redeliver.ts';
import { CallbackRow, callbacksSearch } from '../../contract/main/callbacks-search.ts';
import { DoneEnvelope, exampleDone, exampleNotDone, NotDoneEnvelope } from '../../contract/main/envelope.ts';
import { FulfilmentAdvanceBody, FulfilmentAdvanceRetval } from '../../contract/main/fulfilment-advance.ts';
import { TokenRequest, TokenRetval } from '../../contract/main/get-token.ts';
import { InboundsCancelBody, InboundsCancelRetval } from '../../contract/main/inbounds-cancel.ts';
import { InboundsReceiveBody, InboundsReceiveRetval } from '../../contract/main/inbounds-receive.ts';
import { InboundRow, inboundsSearch } from '../../contract/main/inbounds-search.ts';
import { InboundsStopBody, InboundsStopRetval } from '../../contract/main/inbounds-stop.ts';
import { OrdersCancelBody, OrdersCancelRetval } from '../../contract/main/orders-cancel.ts';
import { OrdersCreateBody, OrdersCreateRetval } from '../../contract/main/orders-create.ts';
import { OrdersHoldBody, OrdersHoldRetval } from '../../contract/main/orders-hold.ts';
import { OrdersReleaseBody, OrdersReleaseRetval } from '../../contract/main/orders-release.ts';
import { OrderRow, ordersSearch } from '../../contract/main/orders-search.ts';
import { OrdersUpdateBody, OrdersUpdateRetval } from '../../contract/main/orders-update.ts';
import { ProductRow, productsSearch } from '../../contract/main/products-search.ts';
import { ProductsUpdateBody, ProductsUpdateRetval } from '../../contract/main/products-update.ts';
import { SearchBody, type SearchList, SearchPage, sortKeysOf } from '../../contract/main/search-list.ts';
import { StocksAdjustBody, StocksAdjustRetval } from '../../contract/main/stocks-adjust.ts';
import { StocksMoveBody, StocksMoveRetval } from '../../contract/main/stocks-move.ts';
import { StockRow, stocksSearch } from '../../contract/main/stocks-search.ts';
import { Text, WithMeaning } from '../../contract/values.ts';
import { exampleOrder } from '../../contract/warehouse/outbound-create.ts';
import { listErrors } from '../errors/example-errors.ts';
import type {
  ContractReference,
  EndpointReference,
  ExampleReference,
  HeaderReference,
  ResponseReference,
} from '../reference.ts';
import { overview } from './overview.ts';
import { bearerCallSamples } from './samples.ts';
import {
  bearerRejections,
  brokenRequests,
  mainRejections,
  openRejections,
  readAnswers,
  readRejections,
  unreadableBody,
} from './shared-rejections.ts';

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
  rejections: Record<string, ExampleReference>;
  /** Only for operations whose number can be reused with a different body. */
  conflict?: ExampleReference;
}

function describe<Body extends TSchema, Retval extends TSchema>(
  operation: MainOperation<Body, Retval>,
): EndpointReference {
  const {
    path,
    permission,
    operationId,
    summary,
    description,
    body,
    retval,
    request,
    successes,
    rejections,
    conflict,
  } = operation;
  const { InvalidToken, Forbidden } = bearerRejections;
  return {
    method: 'post',
    path: `${mainBasePath}${path}`,
    operationId,
    summary,
    description: `${description}\n\nRequires the permission \`${permission}\`.`,
    body: { schema: body, example: request },
    answers: [
      {
        status: 200,
        description: 'Success.',
        schema: DoneEnvelope(retval),
        examples: Object.fromEntries(
          Object.entries(successes).map(([name, example]) => [
            name,
            { ...example, value: exampleDone(example.retval as object) },
          ]),
        ),
      },
      refused(rejections),
      InvalidToken,
      Forbidden,
      ...Object.values(mainRejections),
      ...Object.values(brokenRequests),
      ...(conflict ? [conflicting(conflict)] : []),
    ].toSorted((one, other) => one.status - other.status),
  };
}

function conflicting(conflict: ExampleReference): ResponseReference {
  return listErrors('main', {
    status: 409,
    description: 'The number was already used with a different body. Nothing was changed.',
    schema: NotDoneEnvelope,
    examples: { conflict },
  });
}

function refused(examples: Record<string, ExampleReference>): ResponseReference {
  return listErrors('main', {
    status: 400,
    description: 'The request was rejected and nothing was changed.',
    schema: NotDoneEnvelope,
    examples: { ...examples, unreadable: unreadableBody },
  });
}

/** `errors` is needed if the message does not name the fields. */
const rejection = (
  summary: string,
  msg: string,
  sent: object,
  ...errors: NonNullable<ExampleReference['errors']>
): ExampleReference => ({
  summary,
  value: exampleNotDone(msg),
  sent,
  ...(errors.length > 0 ? { errors } : {}),
});

function describeList<List extends SearchList>(
  list: List,
  words: {
    operationId: string;
    summary: string;
    description: string;
    request: Record<string, unknown>;
    row: Static<List['row']>;
    /** Other common searches; the example response has the same row. */
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
    rejections: {
      unknown_filter: rejection(
        'Unknown filter',
        `${list.prefix}.colour is not a filter of this list; there are ${filters.join(', ')}`,
        { [`${list.prefix}.colour`]: 'red' },
      ),
      unknown_sort: rejection(
        'Unknown sort key',
        `sort -colour is not a sort key of this list; there are ${sortKeys}`,
        {
          sort: '-colour',
        },
      ),
      page_size: rejection('Page size too large', 'page_size must be a whole number from 1 to 500', { page_size: 501 }),
      cursor: rejection('Cursor from another search', 'cursor is not of this search: same list, filters and sort', {
        cursor: 'AAAA',
      }),
    },
  });
}

const lists = [stocksSearch, productsSearch, ordersSearch, inboundsSearch, callbacksSearch];
const bodies = Object.fromEntries(lists.map((list) => [list.prefix as string, SearchBody(list)]));

/** 32 bytes in base64url. */
const Coordinate = Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' });

const cacheControl = (value: string, description: string): Record<string, HeaderReference> => ({
  'cache-control': { description, schema: Text(255, value), required: true },
});

const token: EndpointReference = {
  method: 'post',
  path: '/api/v1/token/getToken',
  operationId: 'getToken',
  summary: 'Get an access token',
  description: `
Wrong credentials return HTTP 200 with \`done: false\`; for security, the response does not say which of the two is wrong. After too many failed attempts from one address or
for one ClientId, the response is 429 for a while.
`.trim(),
  open: true,
  body: {
    schema: TokenRequest,
    example: { ClientId: 'demo', CheckValue: 'lcv_Zm9yIHRoZSByZWZlcmVuY2Ugb25seSwgbm90IGEgc2VjcmV0' },
  },
  answers: [
    listErrors('main', {
      status: 200,
      description: '`done: true` with a token, or `done: false` with the reason.',
      schema: Type.Union([DoneEnvelope(TokenRetval), NotDoneEnvelope]),
      headers: cacheControl('no-store', 'Intermediaries must not cache tokens.'),
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
        disabled: {
          summary: 'Correct credentials of a disabled client',
          value: exampleNotDone('this client is disabled'),
        },
      },
    }),
    refused({ fields: rejection('Missing field', 'CheckValue is missing', { ClientId: 'demo' }) }),
    openRejections.HeaderTwice,
    ...[...Object.values(mainRejections), ...Object.values(brokenRequests)].toSorted(
      (one, other) => one.status - other.status,
    ),
  ],
};

const jwks: EndpointReference = {
  method: 'get',
  path: '/.well-known/jwks.json',
  operationId: 'jwks',
  summary: 'Public keys of access tokens',
  description: 'A JSON Web Key Set (RFC 7517). A new key is published here before it signs its first token.',
  open: true,
  answers: [
    {
      status: 200,
      description: 'All keys that are valid now or will be soon.',
      mediaType: 'application/jwk-set+json',
      headers: cacheControl(
        'public, max-age=300',
        'How long the keys may be cached, in seconds. A new key is published for twice that time before it signs tokens.',
      ),
      schema: Type.Object({
        keys: Type.Array(
          Type.Object({
            kty: WithMeaning(Type.Literal('EC'), 'The key type: elliptic curve.'),
            crv: WithMeaning(Type.Literal('P-256'), 'The curve.'),
            x: WithMeaning(Coordinate, 'The x coordinate of the public key, in base64url.'),
            y: WithMeaning(Coordinate, 'The y coordinate of the public key, in base64url.'),
            kid: WithMeaning(Text(255), 'ID of the key; the header of each token names it.'),
            alg: WithMeaning(Type.Literal('ES256'), 'The signature algorithm; accept no other.'),
            use: WithMeaning(Type.Literal('sig'), 'The key is for signatures only.'),
          }),
          { description: 'look up a key by its `kid`' },
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
Stock by lot: warehouse, sku, good or bad, batch, expiry date. Lots without any units on hand are omitted.

Use \`products_stock.expire_date\` to find lots that have expired or will expire soon, earliest first: \`lt\` today's date in Taipei for lots that have
expired, \`lte\` a later date for lots that will expire by then. Lots that your sales rule (\`sellable_days_before_expiry\`) no longer allows to be sold
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
      summary: 'Lots that expire by a date, earliest first',
      sent: { 'products_stock.expire_date': { lte: '2027-06-30' }, sort: 'expire_date' },
    },
  },
});

const products = describeList(productsSearch, {
  operationId: 'searchProducts',
  summary: 'Search products',
  description: 'The products of your account, from all channels.',
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
    codes: [
      { code: '4711234567898', units: 1 },
      { code: '14711234567895', units: 12 },
    ],
    locations: [{ warehouse_no: 1, location: 'A-02-13' }],
    created_at: at,
    updated_at: at,
  },
});

const ordersId = 'ow_OUT-1001_8d3f6a01c2';

const orders = describeList(ordersSearch, {
  operationId: 'searchOrders',
  summary: 'Search orders',
  description: 'Orders from all channels, with their lines. Use this list to catch up on missed callbacks.',
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
    parcels: [],
    short: [],
    undelivered_reason: null,
    logistics_type: 'home',
    express_type: 'tcat',
    consignee_country: 'TW',
    consignee_name: 'Lin Mei-hua',
    consignee_phone: '0900000000',
    consignee_address: 'No. 1, Example Road, Zhongzheng District, Taipei City',
    consignee_zip: '100',
    details: [{ sku_id: 'TEA-1', qty: 2, item: null }],
    shipping: null,
    returns: [],
    held: false,
    held_at: null,
    changes: [],
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
    recipient_erased_at: null,
    created_at: at,
    updated_at: at,
  },
});

const inbounds = describeList(inboundsSearch, {
  operationId: 'searchInbounds',
  summary: 'Search inbound documents',
  description:
    'Inbound documents and returns from all channels, with their announced goods, received goods and timeline. Documents whose receiving was ' +
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
    orders_id: null,
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
    timeline: [
      { event: 'create', from: null, to: 'received', at, by: 'DEMO', trace_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80' },
    ],
    created_at: at,
    updated_at: at,
  },
});

const callbacks = describeList(callbacksSearch, {
  operationId: 'searchCallbacks',
  summary: 'Search callbacks',
  description: 'Delivered and pending callbacks to your receivers, with every attempt.',
  request: { 'callbacks.status': 'failed' },
  row: {
    event_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80',
    event: 'order.shipped',
    document_type: 'order',
    document_no: 'WMS-2026-0001',
    test: false,
    sequence: 1,
    body: '{"event_id":"0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80","event":"order.shipped","sequence":1}',
    body_erased_at: null,
    callback_url: 'https://partner.example/callbacks',
    status: 'failed',
    attempts: [
      {
        at,
        duration_ms: 15_000,
        http_status: null,
        error: 'timed out after 15 s',
        address: '203.0.113.7',
        response: null,
      },
    ],
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
Follows the rules of \`outbound/create\` of the warehouse API: units are allocated immediately, good stock only, earliest expiry first; if stock is insufficient, the order is
rejected. A repeated \`outbound_short_id\` returns \`idempotent: true\` and the original \`orders_id\`, even after a cancellation, and even if the rest of the body differs
(then with \`payload_differs: true\`). Numbers are shared with the warehouse API.
`.trim(),
  body: OrdersCreateBody,
  retval: OrdersCreateRetval,
  request: exampleOrder,
  successes: {
    created: { summary: 'Created', retval: { orders_id: ordersId, idempotent: false } },
    repeated: { summary: 'Repeated request', retval: { orders_id: ordersId, idempotent: true } },
    repeated_differs: {
      summary: 'Repeated request with a different body',
      retval: { orders_id: ordersId, idempotent: true, payload_differs: true, warnings: examplePayloadDiffers },
      sent: { ...exampleOrder, details: [{ sku_id: 'TEA-1', qty: 3 }] },
    },
  },
  rejections: {
    fields: rejection(
      'Missing or invalid fields',
      'consignee_country must be one of TW; details[0].qty must be >= 1',
      otherOrder({ consignee_country: 'JP', details: [{ sku_id: 'TEA-1', qty: 0 }] }),
    ),
    unknown_tenant: rejection('Unknown tenant', 'unknown tenant', otherOrder({ warehouse_tpw_id: 'TPW-NOBODY' }), {
      path: 'warehouse_tpw_id',
    }),
    sku_not_found: rejection(
      'Unknown product',
      'sku_id not found',
      otherOrder({ details: [{ sku_id: 'TEA-404', qty: 1 }] }),
      { path: 'details[0].sku_id' },
    ),
    unknown_ship_method: rejection(
      'Unknown ship method',
      'unknown ship_method mapping',
      otherOrder({ express_type: 'seven' }),
      { path: 'express_type', message: 'unknown ship_method mapping: must be one of tcat, hct, post' },
    ),
    stock_short: rejection(
      'Not enough stock',
      'sku TEA-1 available=98 < requested=500',
      otherOrder({ details: [{ sku_id: 'TEA-1', qty: 500 }] }),
      { path: 'details[0].qty' },
    ),
  },
});

const ordersCancel = describe({
  path: '/orders/cancel',
  permission: 'orders.write',
  operationId: 'ordersCancel',
  summary: 'Cancel orders',
  description: `
Follows the rules of \`outbound/cancel\` of the warehouse API: each entry has its own result, in the order sent; an order that has reached the warehouse
is not cancelled and returns \`cannot_cancel_after_picking\`. Name orders of the logistics webhook by \`internal_names\`; if they have a \`callback_url\`, we notify it.
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
  rejections: {
    fields: rejection('Missing or invalid fields', 'outbound_short_ids must not have fewer than 1 items', {
      outbound_short_ids: [],
    }),
  },
});

const whenChangeable = `
Possible while the order is \`awaiting_stock\` or \`pending_warehouse_transfer\` and not being handed over to its warehouse; otherwise \`too_late\`. A warehouse with a system of its own may
accept changes while the order is \`in_warehouse\`: then the result is \`requested\`, and \`changes\` in the list of orders shows the answer.
`.trim();

const ordersUpdate = describe({
  path: '/orders/update',
  permission: 'orders.write',
  operationId: 'ordersUpdate',
  summary: 'Change orders before picking',
  description: `
Changes the recipient, the ship method, the note or the label of up to 100 orders. Each entry has its own result, in the order sent. A field that is absent, \`null\` or empty stays as it is.
A field that orders of this channel do not have is refused: orders of the logistics webhook have no \`consignee_zip\`, \`consignee_country\`, \`logistics_type\` and \`express_type\`; only they have
\`consignee_city\`, \`note\` and \`store_pickup_label_data\`. Every change is recorded with old and new values. A repeat of the original \`orders/create\` is still recognized as a repeat.

${whenChangeable}
`.trim(),
  body: OrdersUpdateBody,
  retval: OrdersUpdateRetval,
  request: {
    orders: [
      {
        outbound_short_id: 'OUT-1001',
        logistics_type: 'csvs',
        express_type: 'family',
        consignee_address: 'Store 991182, Taipei City',
      },
      { internal_name: 'WMS-9999', store_pickup_label_data: { store_id: '991182', barcode: 'F0012345' } },
    ],
  },
  successes: {
    results: {
      summary: 'One result per entry',
      retval: {
        results: [
          { outbound_short_id: 'OUT-1001', status: 'updated' },
          { internal_name: 'WMS-9999', status: 'not_found' },
        ],
      },
    },
    refused: {
      summary: 'Changes that are not possible',
      retval: {
        results: [
          {
            outbound_short_id: 'OUT-1001',
            status: 'refused',
            code: 'field_invalid',
            message: 'only orders of the logistics webhook have note',
            fields: ['note'],
          },
          {
            outbound_short_id: 'OUT-1001',
            status: 'refused',
            code: 'unknown_ship_method',
            message: 'unknown ship_method mapping: must be one of pcsc, family, hilife',
            fields: ['express_type'],
          },
        ],
      },
      sent: {
        orders: [
          { outbound_short_id: 'OUT-1001', note: 'Please ring twice.' },
          { outbound_short_id: 'OUT-1001', logistics_type: 'csvs', express_type: 'tcat' },
        ],
      },
    },
  },
  rejections: {
    fields: rejection('No field to change', 'orders[0].consignee_name is missing; send at least one field to change', {
      orders: [{ outbound_short_id: 'OUT-1001' }],
    }),
  },
});

const ordersHold = describe({
  path: '/orders/hold',
  permission: 'orders.write',
  operationId: 'ordersHold',
  summary: 'Hold orders',
  description: `
Puts up to 100 orders on hold. An order on hold keeps its place and its stock, and gets stock in turn if it waits for it, but it is not handed over to its warehouse until it is released.
It can still be changed and cancelled. Each entry has its own result; an order that is on hold already stays so. \`reason\` becomes part of the history.

${whenChangeable}
`.trim(),
  body: OrdersHoldBody,
  retval: OrdersHoldRetval,
  request: {
    orders: [{ outbound_short_id: 'OUT-1001', reason: 'The pickup store has closed.' }, { internal_name: 'WMS-9999' }],
  },
  successes: {
    results: {
      summary: 'One result per entry',
      retval: {
        results: [
          { outbound_short_id: 'OUT-1001', status: 'held' },
          { internal_name: 'WMS-9999', status: 'not_found' },
        ],
      },
    },
  },
  rejections: {
    fields: rejection('Missing or invalid fields', 'orders[0].outbound_short_id is missing, or internal_name', {
      orders: [{ reason: 'The pickup store has closed.' }],
    }),
  },
});

const ordersRelease = describe({
  path: '/orders/release',
  permission: 'orders.write',
  operationId: 'ordersRelease',
  summary: 'Release orders',
  description: `
Releases up to 100 orders that are on hold; the next wave hands them over to their warehouse. Each entry has its own result. An order that is not on hold stays as it is.

${whenChangeable}
`.trim(),
  body: OrdersReleaseBody,
  retval: OrdersReleaseRetval,
  request: { orders: [{ outbound_short_id: 'OUT-1001' }, { internal_name: 'WMS-9999' }] },
  successes: {
    results: {
      summary: 'One result per entry',
      retval: {
        results: [
          { outbound_short_id: 'OUT-1001', status: 'released' },
          { internal_name: 'WMS-9999', status: 'not_found' },
        ],
      },
    },
  },
  rejections: {
    fields: rejection('Missing or invalid fields', 'orders[0].internal_name must not be given as well', {
      orders: [{ outbound_short_id: 'OUT-1001', internal_name: 'WMS-9999' }],
    }),
  },
});

const arrived = (change: object = {}) => ({
  sku_id: 'TEA-1',
  expire_date: '2028-06-30',
  batch_id: 'L-2026-11',
  qty: 60,
  stock_type: 'good' as const,
  ...change,
});
const exampleReceipt: InboundsReceiveBody = {
  inbound_short_id: 'IN-2001',
  receipt_no: 'GR-2001-1',
  details: [arrived(), arrived({ qty: 2, stock_type: 'bad' })],
};

const tooManyReceived = 'sku TEA-1 would be more than the 100 that are accepted: announced=100 received=0 reported=120';
const notAnnounced = 'sku TEA-404 is not in the document: announced=0 received=0 reported=60';

const inboundsReceive = describe({
  path: '/inbounds/receive',
  permission: 'inbounds.write',
  operationId: 'inboundsReceive',
  summary: 'Report received goods',
  description: `
The warehouse reports the goods that arrived for an inbound document or a return: sku, expiry date and batch as found, good or bad. Goods may arrive in any number of
portions. The first report changes the document to \`receiving\`. When all announced units have arrived (good and bad together), or with \`final: true\`, it changes to \`received\`, and we notify the
\`callback_url\` if it is a form of the logistics webhook. Missing units are then no longer expected; the list of inbound documents shows them in \`differences\`.

Good units can be sold immediately and are allocated to orders that wait for them. A sku that the document does not announce is rejected, and so are excess units beyond the tolerance that the
operator has set for the tenant or the key (in percent, rounded down). In that case nothing in the request is recorded, and \`msg\` names up to 20 skus.

A repeated \`receipt_no\` with the same content returns \`idempotent: true\` and the current status of the document. A document that
is received on creation, as in UAT, cannot be received again.
`.trim(),
  body: InboundsReceiveBody,
  retval: InboundsReceiveRetval,
  request: exampleReceipt,
  successes: {
    portion: { summary: 'Recorded; more goods are expected', retval: { status: 'receiving', idempotent: false } },
    repeated: { summary: 'Repeated request', retval: { status: 'receiving', idempotent: true } },
    final: {
      summary: 'The last portion, with units missing',
      retval: { status: 'received', idempotent: false },
      sent: { inbound_short_id: 'IN-2001', receipt_no: 'GR-2001-2', details: [arrived({ qty: 30 })], final: true },
    },
    form: {
      summary: 'A form of the logistics webhook, received completely',
      retval: { status: 'received', idempotent: false },
      sent: { form_no: 'PO-2001', details: [arrived({ qty: 100, expire_date: null })] },
    },
  },
  rejections: {
    fields: rejection(
      'Missing or invalid fields',
      'details[0].expire_date must be a date, YYYY-MM-DD; details[0].qty must be >= 1; details[0].stock_type must be one of good, bad',
      {
        inbound_short_id: 'IN-2002',
        details: [{ sku_id: 'TEA-1', expire_date: '2028-02-30', qty: 0, stock_type: 'broken' }],
      },
    ),
    no_name: rejection('No document named', 'inbound_short_id is missing; or name the document by form_no', {
      details: [arrived()],
    }),
    nothing: rejection('No goods reported', 'details must not be empty, unless final is true', {
      inbound_short_id: 'IN-2002',
      details: [],
    }),
    not_found: rejection('Unknown document', 'inbound_short_id not found', {
      inbound_short_id: 'IN-9999',
      details: [arrived()],
    }),
    too_late: rejection(
      'A document that is already closed',
      'inbound_short_id is received already; nothing more can be received',
      {
        inbound_short_id: 'IN-2001',
        details: [arrived()],
      },
    ),
    too_many: rejection(
      'More than announced, and a sku that was not announced',
      `${tooManyReceived}; ${notAnnounced}`,
      {
        inbound_short_id: 'IN-2002',
        details: [arrived(), arrived({ batch_id: 'L-2026-12' }), arrived({ sku_id: 'TEA-404' })],
      },
      { path: 'details[0].qty', message: tooManyReceived },
      { path: 'details[2].sku_id', message: notAnnounced },
    ),
    too_many_units: rejection(
      'More units than a lot can hold',
      'a lot of sku TEA-MANY would hold more than 1000000000000 units',
      {
        inbound_short_id: 'IN-2003',
        details: [arrived({ sku_id: 'TEA-MANY', batch_id: '', expire_date: null, qty: 1 })],
      },
      { path: 'details[0].qty' },
    ),
  },
  conflict: {
    summary: 'The number was already used',
    value: exampleNotDone('receipt_no was used before with another body'),
    sent: { ...exampleReceipt, details: [arrived({ qty: 61 })] },
    errors: [{ path: 'receipt_no' }],
  },
});

const inboundsStop = describe({
  path: '/inbounds/stop',
  permission: 'inbounds.write',
  operationId: 'inboundsStop',
  summary: 'Stop receiving',
  description: `
Goods that have arrived stay in stock, and no more are expected: the document is \`stopped\`. If it is a form of the logistics webhook, we notify its \`callback_url\`. A stop can be repeated.
`.trim(),
  body: InboundsStopBody,
  retval: InboundsStopRetval,
  request: { inbound_short_id: 'IN-2002' },
  successes: {
    stopped: { summary: 'Stopped', retval: { status: 'stopped', idempotent: false } },
    repeated: { summary: 'Repeated request', retval: { status: 'stopped', idempotent: true } },
  },
  rejections: {
    two_names: rejection('Two documents named', 'form_no must not stand beside inbound_short_id', {
      inbound_short_id: 'IN-2002',
      form_no: 'PO-2001',
    }),
    not_found: rejection('Unknown document', 'form_no not found', { form_no: 'PO-9999' }),
    too_late: rejection(
      'A document that is already received or cancelled',
      'inbound_short_id is received already; receiving cannot be stopped',
      {
        inbound_short_id: 'IN-2001',
      },
    ),
  },
});

const inboundsCancel = describe({
  path: '/inbounds/cancel',
  permission: 'inbounds.write',
  operationId: 'inboundsCancel',
  summary: 'Cancel inbound documents',
  description: `
Follows the rules of \`inbound/cancel\` of the warehouse API: each entry has its own result, in the order sent. A document can be cancelled until its first units arrive; if its units were
received on creation, it can be cancelled while that many units are still free in their lots. Name forms of the logistics webhook by \`form_nos\`; we notify their \`callback_url\`.
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
  rejections: {
    fields: rejection('Missing or invalid fields', 'form_nos must not have fewer than 1 items', { form_nos: [] }),
  },
});

const fulfilmentAdvance = describe({
  path: '/fulfilment/advance',
  permission: 'fulfilment.write',
  operationId: 'fulfilmentAdvance',
  summary: 'Report the progress of orders',
  description: `
A warehouse system reports the progress of orders: \`in_warehouse\`, \`picking\`, \`packed\`, \`partially_shipped\`, \`shipped\`, \`arrived\` (at the pickup store), \`delivered\` or \`undelivered\`. Steps may be
skipped, except \`shipped\` before those that follow it, and a status never moves backwards. A repeated report returns the same result and changes nothing. Units that are shipped leave the stock, and we notify the
\`callback_url\` of everything from \`partially_shipped\` on.

With \`shipment_no\`, all units leave in one parcel. With \`parcels\`, each parcel lists its units, and a parcel without \`items\` has all units that have not left yet. Report \`partially_shipped\` while more parcels follow, and
\`shipped\` with the last one; an order of which all units have left is \`shipped\` in any case. \`shipped\` with fewer units than ordered needs \`"final": true\`: the other units are released and listed as \`short\`. A parcel that names
no batch and no expiry date takes those units of the order that expire first. A shipment number is unique for each carrier, unless the report says \`"allow_repeat": true\`.

\`undelivered\` needs a \`reason\`: \`not_collected\`, \`refused\`, \`lost\` or \`damaged\`. Unless the goods are lost, we create a return that is \`expected\` and linked to the order; report its goods with \`inbounds/receive\`.

 Each report has its own result; a refused report does not affect the others. A report for an order that waits for stock is refused
(\`the order waits for stock\`), and so is any report for an order of a UAT account, which stays in \`pending_warehouse_transfer\`
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
      summary: 'A report that arrives too late',
      retval: {
        results: [
          {
            outbound_short_id: 'OUT-1002',
            status: 'refused',
            code: 'too_late',
            message: 'the order is shipped already; it cannot go back to packed',
          },
        ],
      },
      sent: { orders: [{ outbound_short_id: 'OUT-1002', status: 'packed' }] },
    },
    more_refusals: {
      summary: 'Reports that skip a required step, lack a shipment number or contradict an earlier report',
      retval: {
        results: [
          {
            outbound_short_id: 'OUT-1003',
            status: 'refused',
            code: 'too_early',
            message: 'the order is pending_warehouse_transfer; it must be shipped before it is delivered',
          },
          {
            outbound_short_id: 'OUT-1003',
            status: 'refused',
            code: 'field_missing',
            message: 'shipment_no is missing: what is shipped has one',
          },
          {
            outbound_short_id: 'OUT-1002',
            status: 'refused',
            code: 'number_conflict',
            message: 'it was shipped with another shipment_no, which stays',
          },
          { outbound_short_id: 'OUT-1001', status: 'refused', code: 'too_late', message: 'the order is cancelled' },
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
    parcels: {
      summary: 'A part of an order leaves',
      retval: { results: [{ outbound_short_id: 'OUT-1003', status: 'partially_shipped' }] },
      sent: {
        orders: [
          {
            outbound_short_id: 'OUT-1003',
            status: 'partially_shipped',
            parcels: [{ shipment_no: '9012345680', carrier: 'tcat', items: [{ sku_id: 'TEA-1', qty: 1 }] }],
          },
        ],
      },
    },
    short: {
      summary: 'The rest of an order will not be shipped',
      retval: { results: [{ outbound_short_id: 'OUT-1003', status: 'shipped' }] },
      sent: { orders: [{ outbound_short_id: 'OUT-1003', status: 'shipped', final: true }] },
    },
    undelivered: {
      summary: 'An order was not collected at the pickup store',
      retval: { results: [{ outbound_short_id: 'OUT-1002', status: 'undelivered' }] },
      sent: { orders: [{ outbound_short_id: 'OUT-1002', status: 'undelivered', reason: 'not_collected' }] },
    },
  },
  rejections: {
    fields: rejection('Missing or invalid fields', 'orders[0].outbound_short_id is missing, or internal_name', {
      orders: [{ status: 'packed' }],
    }),
  },
});

const callbacksRedeliver = describe({
  path: '/callbacks/redeliver',
  permission: 'callbacks.write',
  operationId: 'callbacksRedeliver',
  summary: 'Redeliver callbacks',
  description: `
Redelivers the callbacks with these event IDs, or all that match the filters, which are the same as in the list of callbacks: \`{"callbacks.status": "failed", "callbacks.created_at": {"gte": ...}}\`.
With \`dry_run\`, they are only counted. One request redelivers at most ${redeliverMax.toLocaleString('en')}. They are sent with the same \`event_id\` and the same bytes as before, and the
retry schedule starts over; callbacks of one document keep their order. A callback whose body was erased cannot be redelivered and is counted in \`erased\`.
`.trim(),
  body: CallbacksRedeliverBody,
  retval: CallbacksRedeliverRetval,
  request: { ...{ 'callbacks.status': 'failed', 'callbacks.created_at': { gte: at } }, dry_run: true },
  successes: { counted: { summary: 'The number of callbacks', retval: { count: 1, erased: 0 } } },
  rejections: {
    fields: rejection('Neither event IDs nor filters', 'event_ids is missing; or say by filters which', {}),
  },
});

const exampleLot = {
  sku_id: 'TEA-1',
  stock_type: 'good' as const,
  batch_id: 'L-2026-12',
  expire_date: '2028-12-31',
};
const exampleAdjustment: StocksAdjustBody = {
  reference_no: 'ADJ-1001',
  lines: [
    { warehouse_no: 1, ...exampleLot, counted: 12, reason: 'cycle count' },
    { warehouse_no: 1, ...exampleLot, stock_type: 'bad', delta: 1, reason: 'crushed box' },
  ],
};
const adjustedLots = [
  { warehouse_no: 1, ...exampleLot, delta: 12, qty: 12, qty_lock: 0 },
  { warehouse_no: 1, ...exampleLot, stock_type: 'bad' as const, delta: 1, qty: 1, qty_lock: 0 },
];
const otherAdjustment = (change: object) => ({
  reference_no: 'ADJ-1002',
  lines: [{ warehouse_no: 1, ...exampleLot, reason: 'cycle count', ...change }],
});

const exampleProductsUpdate: ProductsUpdateBody = {
  products: [
    {
      sku_id: 'TEA-1',
      codes: [{ code: '4711234567898' }, { code: '14711234567895', units: 12 }],
      locations: [{ warehouse_no: 1, location: 'A-02-13' }],
    },
  ],
};

const productsUpdate = describe({
  path: '/products/update',
  permission: 'products.write',
  operationId: 'productsUpdate',
  summary: 'Set barcodes and locations of products',
  description: `
Sets the codes that people scan in the warehouse, and the places where they find products. All products are changed or none. A code belongs to one product of your account; \`units\` says how many
units one scan means, so a carton can have a code of its own. A scan is compared with codes first, then with \`sku_id\`.
`.trim(),
  body: ProductsUpdateBody,
  retval: ProductsUpdateRetval,
  request: exampleProductsUpdate,
  successes: {
    updated: { summary: 'Updated', retval: { results: [{ sku_id: 'TEA-1', status: 'updated' }] } },
  },
  rejections: {
    unknown: rejection(
      'Unknown product and warehouse',
      'products[0].sku_id is not a product of your account; products[0].locations[0].warehouse_no is not a warehouse of your account',
      { products: [{ sku_id: 'TEA-404', locations: [{ warehouse_no: 404, location: 'A-1' }] }] },
    ),
    twice: rejection('The same code twice', 'products[0].codes[1].code is listed twice', {
      products: [{ sku_id: 'TEA-1', codes: [{ code: '4711234567898' }, { code: '4711234567898', units: 12 }] }],
    }),
  },
});

const stocksAdjust = describe({
  path: '/stocks/adjust',
  permission: 'stocks.write',
  operationId: 'stocksAdjust',
  summary: 'Adjust stock',
  description: `
Changes lots by a difference (\`delta\`) or to what was counted (\`counted\`), for example after a cycle count or a damage. All lines are applied or none; if one is rejected, \`msg\` names up to 20
lines and the reason of each. Units that orders have locked are never removed, and no lot goes below zero. Units added to a lot that does not exist create it. Added good units can be sold immediately and are
allocated to orders that wait for them.

\`counted\` is the total of the lot on hand, locked units included. It is compared with our figure at the moment of the change: units that are reported as shipped between your count and the request would be
brought back, and units that have left but are not reported yet would be removed twice. Report shipped orders before you count, or send a \`delta\`.

Lines are applied in the order sent, each to the lot as the previous line left it. A lot with \`counted\` has no other line. A line without any difference is a success and records no movement.

A repeated \`reference_no\` with the same content returns the same result with \`idempotent: true\`; with other content it is rejected with 409. Adjustments and moves share their numbers.
`.trim(),
  body: StocksAdjustBody,
  retval: StocksAdjustRetval,
  request: exampleAdjustment,
  successes: {
    adjusted: {
      summary: 'Adjusted',
      retval: { reference_no: 'ADJ-1001', idempotent: false, results: adjustedLots },
    },
    repeated: {
      summary: 'Repeated request',
      retval: { reference_no: 'ADJ-1001', idempotent: true, results: adjustedLots },
    },
  },
  rejections: {
    fields: rejection(
      'Neither delta nor counted, or both',
      'lines[0].delta is missing; send delta or counted; lines[1].counted must not be given together with delta',
      {
        reference_no: 'ADJ-1002',
        lines: [
          { warehouse_no: 1, ...exampleLot, reason: 'cycle count' },
          { warehouse_no: 1, ...exampleLot, delta: 1, counted: 1, reason: 'cycle count' },
        ],
      },
    ),
    unknown: rejection(
      'Unknown product, warehouse and lot',
      'lines[0].sku_id is not a product of your account; lines[1].warehouse_no is not a warehouse of your account; ' +
        'lines[2] names a lot that does not exist, so it has no units to remove',
      {
        reference_no: 'ADJ-1002',
        lines: [
          { warehouse_no: 1, ...exampleLot, sku_id: 'TEA-404', delta: 1, reason: 'cycle count' },
          { warehouse_no: 404, ...exampleLot, delta: 1, reason: 'cycle count' },
          { warehouse_no: 1, ...exampleLot, batch_id: 'L-404', delta: -1, reason: 'cycle count' },
        ],
      },
    ),
    not_free: rejection(
      'More units than are free',
      'lines[0].delta would remove 20 units, but only 12 are free and 0 are locked by orders',
      otherAdjustment({ delta: -20 }),
    ),
    too_many_units: rejection(
      'More units than a lot can hold',
      'lines[0].delta would bring the lot to more than 1000000000000 units',
      otherAdjustment({ delta: 1_000_000_000_000 }),
    ),
    counted_twice: rejection(
      'Two lines for a lot that was counted',
      'lines[1] names a lot that an earlier line names too, and one of the two is a count',
      {
        reference_no: 'ADJ-1002',
        lines: [
          { warehouse_no: 1, ...exampleLot, counted: 5, reason: 'shelf A' },
          { warehouse_no: 1, ...exampleLot, counted: 7, reason: 'shelf B' },
        ],
      },
    ),
  },
  conflict: {
    summary: 'The number was already used',
    value: exampleNotDone('reference_no was used before with another body'),
    errors: [{ path: 'reference_no' }],
    sent: { ...otherAdjustment({ counted: 11 }), reference_no: 'ADJ-1001' },
  },
});

const exampleMove: StocksMoveBody = {
  reference_no: 'MV-1001',
  reason: 'stock for the weekend sale',
  lines: [{ from_warehouse_no: 1, to_warehouse_no: 2, ...exampleLot, qty: 5 }],
};
const movedLots = [{ from_warehouse_no: 1, to_warehouse_no: 2, ...exampleLot, qty: 5, from_qty: 7, to_qty: 5 }];
const otherMove = (change: object) => ({
  reference_no: 'MV-1002',
  lines: [{ ...exampleMove.lines[0]!, ...change }],
});

const stocksMove = describe({
  path: '/stocks/move',
  permission: 'stocks.write',
  operationId: 'stocksMove',
  summary: 'Move stock between warehouses',
  description: `
Moves units from a lot to the same lot (product, \`stock_type\`, batch and expiry date) in another warehouse of your account: two movements for each line. All lines are moved or none. The units arrive at once; to show
goods on the road as not in stock, remove them with \`stocks/adjust\` and announce them as an inbound document. Only units that no order has locked can move. Good units can be sold at their destination immediately and
are allocated to orders that wait for them there.

A repeated \`reference_no\` with the same content returns the same result with \`idempotent: true\`; with other content it is rejected with 409. Adjustments and moves share their numbers.
`.trim(),
  body: StocksMoveBody,
  retval: StocksMoveRetval,
  request: exampleMove,
  successes: {
    moved: { summary: 'Moved', retval: { reference_no: 'MV-1001', idempotent: false, results: movedLots } },
    repeated: {
      summary: 'Repeated request',
      retval: { reference_no: 'MV-1001', idempotent: true, results: movedLots },
    },
  },
  rejections: {
    fields: rejection('Missing or invalid fields', 'lines[0].qty must be >= 1', otherMove({ qty: 0 })),
    unknown: rejection(
      'A warehouse of others',
      'lines[0].to_warehouse_no is not a warehouse of your account',
      otherMove({ to_warehouse_no: 404 }),
    ),
    same_warehouse: rejection(
      'The warehouse in which the units are',
      'lines[0].to_warehouse_no must be another warehouse than from_warehouse_no',
      otherMove({ to_warehouse_no: 1 }),
    ),
    not_free: rejection(
      'More units than are free',
      'lines[0].qty would remove 20 units, but only 7 are free and 0 are locked by orders',
      otherMove({ qty: 20 }),
    ),
  },
  conflict: {
    summary: 'The number was already used',
    value: exampleNotDone('reference_no was used before with another body'),
    errors: [{ path: 'reference_no' }],
    sent: { ...otherMove({ qty: 6 }), reference_no: 'MV-1001' },
  },
});

const callbacksTest = describe({
  path: '/callbacks/test',
  permission: 'callbacks.write',
  operationId: 'callbacksTest',
  summary: 'Send a test callback',
  description: `
Sends a callback for an event that has not happened, so that you can try your receiver with every event, also in UAT, where nothing is shipped. It is signed and delivered like all
others and carries \`test: true\`; no document changes. With \`document_no\` it has the content of that document of your account, as if the event had just happened to it; otherwise it is the
example in this reference. It goes where callbacks of the document, or of your account, go; a UAT account may send it to another \`callback_url\`.

At most ${testsPerMinuteMax} per minute and account. A test is given up after an hour; \`getCallbacksData/searchList\` shows its attempts.
`.trim(),
  body: CallbackTestBody,
  retval: CallbackTestRetval,
  request: exampleCallbackTest,
  successes: {
    queued: {
      summary: 'The test is on its way',
      retval: {
        event_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a81',
        document_no: 'WMS-2026-0001',
        callback_url: 'https://partner.example/callbacks',
      },
    },
  },
  rejections: {
    fields: rejection(
      'A callback_url that is not allowed',
      'callback_url must not point to a private or reserved address',
      { event: 'order.shipped', callback_url: 'http://192.168.0.10/callbacks' },
    ),
    not_found: rejection('Unknown document', 'document_no not found', {
      event: 'order.shipped',
      document_no: 'WMS-9999',
    }),
  },
});

/** The main API. Its paths include the base path because that differs between endpoints. */
export const mainReference: ContractReference = {
  name: 'Main API',
  errors: 'main',
  description: overview,
  credentials: { accessToken: { bearer: 'JWT', description: 'The `access_token` from the token endpoint.' } },
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
    ErrorItem,
    Warning,
  },
  answers: { ...bearerRejections, ...openRejections, ...brokenRequests, ...mainRejections, ...readRejections },
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
    ordersUpdate,
    ordersHold,
    ordersRelease,
    inboundsReceive,
    inboundsStop,
    inboundsCancel,
    fulfilmentAdvance,
    callbacksRedeliver,
    productsUpdate,
    stocksAdjust,
    stocksMove,
    callbacksTest,
  ],
  samples: bearerCallSamples,
};
