import { type Static, type TSchema, Type } from 'typebox';
import { examplePayloadDiffers } from '../../contract/errors/lists.ts';
import { Message } from '../../contract/values.ts';
import { DiagnoseBody, DiagnoseData, DiagnoseFinding } from '../../contract/warehouse/diagnose.ts';
import {
  Envelope,
  exampleRejection,
  exampleSuccess,
  RefusalData,
  RefusalEnvelope,
  SuccessEnvelope,
} from '../../contract/warehouse/envelope.ts';
import { InboundCreatedData, InboundDuplicateData } from '../../contract/warehouse/inbound.ts';
import { InboundCancelBody, InboundCancelData } from '../../contract/warehouse/inbound-cancel.ts';
import { InboundCreateBody } from '../../contract/warehouse/inbound-create.ts';
import { InboundReturnBody } from '../../contract/warehouse/inbound-return.ts';
import {
  OutboundCancelBody,
  OutboundCancelData,
  OutboundCancelResult,
} from '../../contract/warehouse/outbound-cancel.ts';
import { exampleOrder, OutboundCreateBody, OutboundCreateData } from '../../contract/warehouse/outbound-create.ts';
import { ProductSyncBody, ProductSyncData } from '../../contract/warehouse/product-sync.ts';
import { StockDetail, StockQueryBody, StockQueryData } from '../../contract/warehouse/stock-query.ts';
import { diagnosis } from '../../messages/diagnosis-texts.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { listErrors } from '../errors/example-errors.ts';
import { brokenRequests } from '../main/shared-rejections.ts';
import type { ContractReference, EndpointReference, ExampleReference, ResponseReference } from '../reference.ts';
import { overview } from './overview.ts';
import { sharedRejections, unreadableBody } from './shared-rejections.ts';
import { credentials, signedCallSamples } from './signing.ts';

interface WarehouseEndpoint<Body extends TSchema, Data extends TSchema> {
  number: string;
  path: string;
  operationId: string;
  summary: string;
  description: string;
  body: Body;
  data: Data;
  request: Static<Body>;
  successes: Record<string, { summary: string; data: Static<Data>; sent?: Static<Body> }>;
  rejections: Record<string, ExampleReference>;
  /** An alternative schema of the 400 response. */
  otherRejection?: TSchema;
}

function describe<Body extends TSchema, Data extends TSchema>(
  endpoint: WarehouseEndpoint<Body, Data>,
): EndpointReference {
  const {
    number,
    path,
    operationId,
    summary,
    description,
    body,
    data,
    request,
    successes,
    rejections,
    otherRejection,
  } = endpoint;
  const invalid = RefusalEnvelope('PARAM_INVALID');
  const succeeded: ResponseReference = {
    status: 200,
    description: 'Success.',
    schema: SuccessEnvelope(data),
    examples: Object.fromEntries(
      Object.entries(successes).map(([name, example]) => [
        name,
        { ...example, value: exampleSuccess(example.data as object) },
      ]),
    ),
  };
  const refused: ResponseReference = listErrors('warehouse', {
    status: 400,
    description: otherRejection
      ? '`PARAM_INVALID`: the request was rejected and nothing was changed. `LST-TPW-2001`: the document already exists.'
      : 'The request was rejected and nothing was changed.',
    schema: otherRejection ? Type.Union([invalid, otherRejection]) : invalid,
    examples: { ...rejections, unreadable: unreadableBody },
  });
  return {
    method: 'post',
    path,
    operationId,
    summary: `${number} ${summary}`,
    description,
    body: { schema: body, example: request },
    answers: [succeeded, refused, ...Object.values(sharedRejections), ...Object.values(brokenRequests)].toSorted(
      (one, other) => one.status - other.status,
    ),
  };
}

const fieldMistakes = (sent: object, ...errors: { path: string; message: string }[]): ExampleReference => {
  const [first, ...others] = errors;
  const message = `${first!.path} ${first!.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
  return { summary: 'Missing or invalid fields', value: exampleRejection('PARAM_INVALID', message), sent, errors };
};

const rejectedAt = (path: string, message: string, sent: object, summary = message): ExampleReference => ({
  summary,
  value: exampleRejection('PARAM_INVALID', message),
  sent,
  errors: [{ path }],
});

const productSync = describe({
  number: 'F-1',
  path: '/product/sync',
  operationId: 'productSync',
  summary: 'Create or update a product',
  description: `
A product must be synced before its \`sku_id\` can be used in other requests. Sending the same \`sku_id\` again updates the product without side effects: omitted
fields remain unchanged, and \`null\` clears an optional field. A \`sku_id\` belongs to your account; other accounts may use the same one for other products.
`.trim(),
  body: ProductSyncBody,
  data: ProductSyncData,
  request: {
    sku_id: 'TEA-1',
    sku_name: 'Oolong tea',
    storage_type: 1,
    length: 10,
    width: 8,
    height: 12.5,
    weight: 0.25,
    sku_images: ['https://images.example/tea-1.png'],
  },
  successes: { synced: { summary: 'Created or updated', data: { success: true, products_id: 1001 } } },
  rejections: {
    fields: fieldMistakes(
      { sku_name: 'Oolong tea', storage_type: 5, weight: -1 },
      { path: 'sku_id', message: 'is missing' },
      { path: 'storage_type', message: 'must be one of 1, 2, 3, 4' },
      { path: 'weight', message: 'must be >= 0' },
    ),
    too_many_images: fieldMistakes(
      {
        sku_id: 'TEA-1',
        sku_name: 'Oolong tea',
        storage_type: 1,
        sku_images: Array(6).fill('https://images.example/tea-1.png'),
      },
      { path: 'sku_images', message: 'must not have more than 5 items' },
    ),
  },
});

const inboundRequest: InboundCreateBody = {
  inbound_short_id: 'IN-1001',
  warehouse_tpw_id: 'TPW-DEMO',
  estimated_arrival_time: 1_798_761_600_000,
  details: [
    {
      sku_id: 'TEA-1',
      qty: 100,
      expires: [
        { expire_date: '2027-06-30', qty: 60 },
        { expire_date: '2027-12-31', qty: 40 },
      ],
    },
  ],
};
const oneUnit = { expires: [{ expire_date: '2027-06-30', qty: 1 }] };
const inboundCreated: InboundCreatedData = {
  success: true,
  stock_in_no: 'si_5f0c1d9a7b3e28464c01',
  stock_in_sn: 'IN-1001',
  warehouse_no: 1,
};

const DuplicateEnvelope = Envelope(Type.Literal('LST-TPW-2001'), Message, false, InboundDuplicateData);

/** F-2 and F-3 reject the same requests; `request` is a valid one. */
function inboundRejections<Body extends InboundCreateBody>(
  request: Body,
  original: InboundCreatedData,
): Record<string, ExampleReference> {
  const { inbound_short_id, ...unnumbered } = request;
  const differs = { ...request, details: [{ sku_id: 'TEA-1', expires: [{ expire_date: '2027-06-30', qty: 2 }] }] };
  const repeated = (data: Partial<InboundDuplicateData>) =>
    exampleRejection('LST-TPW-2001', 'duplicate document: the original was accepted', {
      ...original,
      success: false,
      ...data,
    });
  const other = (change: Partial<InboundCreateBody>) => ({
    ...request,
    inbound_short_id: `${inbound_short_id}-A`,
    ...change,
  });
  const tooMany = 'sku TEA-1 would have more than 1000000000000 units of one expiry date';
  return {
    duplicate: {
      summary: 'Repeated request: the original was accepted',
      value: repeated({}),
      sent: request,
      errors: [{ path: 'inbound_short_id' }],
    },
    duplicate_differs: {
      summary: 'Repeated request with a different body',
      value: repeated({ payload_differs: true, warnings: examplePayloadDiffers }),
      sent: differs,
      errors: [{ path: 'inbound_short_id' }],
    },
    fields: fieldMistakes(
      {
        ...unnumbered,
        details: [
          { sku_id: 'TEA-1', qty: 3, ...oneUnit },
          { sku_id: 'TEA-1', expires: [{ expire_date: '2027-06-30', qty: 0 }] },
        ],
      },
      { path: 'inbound_short_id', message: 'is missing' },
      { path: 'details[0].qty', message: 'must equal the sum of the qty of its expires' },
      { path: 'details[1].expires[0].qty', message: 'must be >= 1' },
    ),
    unknown_tenant: rejectedAt('warehouse_tpw_id', 'unknown tenant', other({ warehouse_tpw_id: 'TPW-NOBODY' })),
    sku_not_found: rejectedAt(
      'details[0].sku_id',
      'sku_id not found',
      other({ details: [{ sku_id: 'TEA-404', ...oneUnit }] }),
    ),
    too_many_units: {
      summary: 'More units than a lot can hold',
      value: exampleRejection('PARAM_INVALID', tooMany),
      errors: [{ path: 'details[0].expires' }],
    },
  };
}

const inboundCreate = describe({
  number: 'F-2',
  path: '/inbound/create',
  operationId: 'inboundCreate',
  summary: 'Announce goods',
  description: `
Creates an inbound document. The account and \`warehouse_tpw_id\` determine the warehouse.

Send goods that do not expire without \`expire_date\` (\`null\` and \`""\` mean the same). They form a separate lot, are sold after all lots
with an expiry date, and their rows in \`stock/query\` have no \`expire_date\`.

A repeated \`inbound_short_id\` returns HTTP 400 and \`LST-TPW-2001\`. This is not an error: the original was accepted, and \`data\` contains
its numbers, with \`payload_differs: true\` if the body differs. The original remains unchanged, and this check precedes those of the tenant and
the skus. Numbers are shared with \`inbound/return\`. If identical requests arrive at the same time, exactly one creates the document.
`.trim(),
  body: InboundCreateBody,
  data: InboundCreatedData,
  request: inboundRequest,
  successes: { created: { summary: 'Created', data: inboundCreated } },
  rejections: inboundRejections(inboundRequest, inboundCreated),
  otherRejection: DuplicateEnvelope,
});

const returnRequest: InboundReturnBody = {
  inbound_short_id: 'RT-1001',
  warehouse_tpw_id: 'TPW-DEMO',
  outbound_short_id: 'OUT-1001',
  details: [{ sku_id: 'TEA-1', ...oneUnit }],
};
const returnCreated: InboundCreatedData = {
  success: true,
  stock_in_no: 'si_b1e7402f96d85ca3075e',
  stock_in_sn: 'RT-1001',
  warehouse_no: 1,
};

const inboundReturn = describe({
  number: 'F-3',
  path: '/inbound/return',
  operationId: 'inboundReturn',
  summary: 'Announce a return',
  description: `
Creates a return-inbound document. \`outbound_short_id\` names the original order; if that order is unknown, the return is still accepted, and
it is linked if the order is created later. All other rules are those of \`inbound/create\`, and both share their numbers.
`.trim(),
  body: InboundReturnBody,
  data: InboundCreatedData,
  request: returnRequest,
  successes: { created: { summary: 'Created', data: returnCreated } },
  rejections: inboundRejections(returnRequest, returnCreated),
  otherRejection: DuplicateEnvelope,
});

const inboundCancel = describe({
  number: 'F-4',
  path: '/inbound/cancel',
  operationId: 'inboundCancel',
  summary: 'Cancel inbound documents and returns',
  description: `
Each entry has its own result, in the order sent, including duplicates; entries do not affect each other. Cancelling again returns \`cancelled\` again.
A document can be cancelled until its first goods are received. If its goods are in stock on creation (UAT), it can be cancelled while all its units are
still free; they are then removed from stock.
`.trim(),
  body: InboundCancelBody,
  data: InboundCancelData,
  request: { inbound_short_ids: ['RT-1001', 'IN-1001', 'IN-9999'] },
  successes: {
    results: {
      summary: 'One result per entry',
      data: {
        results: [
          { stock_in_sn: 'RT-1001', status: 'cancelled' },
          { stock_in_sn: 'IN-1001', status: 'cannot_cancel_after_receiving' },
          { stock_in_sn: 'IN-9999', status: 'not_found' },
        ],
      },
    },
  },
  rejections: {
    fields: fieldMistakes(
      { inbound_short_ids: [] },
      { path: 'inbound_short_ids', message: 'must not have fewer than 1 items' },
    ),
  },
});

const otherOrder = (change: object) => ({ ...exampleOrder, outbound_short_id: 'OUT-1001-A', ...change });
const ordersId = 'ow_OUT-1001_8d3f6a01c2';

const outboundCreate = describe({
  number: 'F-5',
  path: '/outbound/create',
  operationId: 'outboundCreate',
  summary: 'Create an order',
  description: `
Creates an outbound order and allocates its units immediately: good stock only, earliest expiry first. The account and \`warehouse_tpw_id\` determine the
warehouse and the store. If stock is insufficient, nothing is allocated and the order is rejected; if a sku appears in several details, their
sum counts.

A repeated \`outbound_short_id\` returns HTTP 200, \`idempotent: true\` and the original \`orders_id\`, even after a cancellation, and even if the rest of the body differs
(then with \`payload_differs: true\`). The original remains unchanged. If identical requests arrive at the same time, exactly one creates the order.

| logistics_type | express_type | meaning |
|---|---|---|
| \`home\` | \`tcat\` | home delivery by T-CAT (黑貓宅急便) |
| \`home\` | \`hct\` | home delivery by HCT Logistics (新竹物流) |
| \`home\` | \`post\` | home delivery by Chunghwa Post (中華郵政) |
| \`csvs\` | \`pcsc\` | pickup at 7-ELEVEN |
| \`csvs\` | \`family\` | pickup at FamilyMart (全家) |
| \`csvs\` | \`hilife\` | pickup at Hi-Life (萊爾富) |
`.trim(),
  body: OutboundCreateBody,
  data: OutboundCreateData,
  request: exampleOrder,
  successes: {
    created: { summary: 'Created', data: { success: true, orders_id: ordersId, idempotent: false } },
    repeated: { summary: 'Repeated request', data: { success: true, orders_id: ordersId, idempotent: true } },
    repeated_differs: {
      summary: 'Repeated request with a different body',
      data: {
        success: true,
        orders_id: ordersId,
        idempotent: true,
        payload_differs: true,
        warnings: examplePayloadDiffers,
      },
      sent: { ...exampleOrder, details: [{ sku_id: 'TEA-1', qty: 3 }] },
    },
  },
  rejections: {
    fields: fieldMistakes(
      otherOrder({ consignee_country: 'JP', details: [{ sku_id: 'TEA-1', qty: 0 }] }),
      { path: 'consignee_country', message: 'must be one of TW' },
      { path: 'details[0].qty', message: 'must be >= 1' },
    ),
    unknown_tenant: rejectedAt('warehouse_tpw_id', 'unknown tenant', otherOrder({ warehouse_tpw_id: 'TPW-NOBODY' })),
    sku_not_found: rejectedAt(
      'details[0].sku_id',
      'sku_id not found',
      otherOrder({ details: [{ sku_id: 'TEA-404', qty: 1 }] }),
    ),
    unknown_ship_method: {
      ...rejectedAt('express_type', 'unknown ship_method mapping', otherOrder({ express_type: 'seven' })),
      errors: [{ path: 'express_type', message: 'unknown ship_method mapping: must be one of tcat, hct, post' }],
    },
    stock_short: rejectedAt(
      'details[0].qty',
      'sku TEA-1 available=98 < requested=500',
      otherOrder({ details: [{ sku_id: 'TEA-1', qty: 500 }] }),
      'Not enough stock',
    ),
  },
});

const outboundCancel = describe({
  number: 'F-6',
  path: '/outbound/cancel',
  operationId: 'outboundCancel',
  summary: 'Cancel orders',
  description: `
Each entry has its own result, in the order sent, including duplicates; entries do not affect each other. Cancelling again returns \`cancelled\` again; the units are
free immediately. An order that has reached the warehouse or picking is not cancelled: its result is \`cannot_cancel_after_picking\` with \`LST-TPW-6001\`, and the HTTP status is still 200.
`.trim(),
  body: OutboundCancelBody,
  data: OutboundCancelData,
  request: { outbound_short_ids: ['OUT-1001', 'OUT-1002', 'OUT-9999'] },
  successes: {
    results: {
      summary: 'One result per entry',
      data: {
        results: [
          { outbound_short_id: 'OUT-1001', status: 'cancelled' },
          { outbound_short_id: 'OUT-1002', status: 'cannot_cancel_after_picking', code: 'LST-TPW-6001' },
          { outbound_short_id: 'OUT-9999', status: 'not_found' },
        ],
      },
    },
  },
  rejections: {
    fields: fieldMistakes(
      { outbound_short_ids: ['OUT-1001', 1002] },
      { path: 'outbound_short_ids[1]', message: 'must be string' },
    ),
  },
});

const stockQuery = describe({
  number: 'F-7',
  path: '/stock/query',
  operationId: 'stockQuery',
  summary: 'Query stock',
  description: `
Read-only. Returns one row per sku, stock type, batch and expiry date, summed over the warehouses of your account; lots without any units on hand are omitted. A
registered product without stock has one \`good\` row of zeros, without \`expire_date\`; an unknown product has one row with \`not_found\`. A repeated
\`sku_id\` is returned once. Units that do not expire have a row without \`expire_date\`.

With \`warehouse_tpw_id\`, the response contains only what that tenant can sell: good stock in its own warehouse that expires late enough for its
\`sellable_days_before_expiry\`. The sum of \`qty_available\` is then exactly what \`outbound/create\` accepts for that tenant, and every row
has the \`warehouse_no\`.
`.trim(),
  body: StockQueryBody,
  data: StockQueryData,
  request: { sku_ids: ['TEA-1', 'TEA-2', 'TEA-404'] },
  successes: {
    found: {
      summary: 'In stock, registered without stock, and not registered',
      data: {
        stock_details: [
          {
            sku_id: 'TEA-1',
            status: 'ok',
            stock_type: 'good',
            batch_id: '',
            expire_date: '2027-06-30',
            qty: 60,
            qty_lock: 2,
            qty_available: 58,
          },
          {
            sku_id: 'TEA-1',
            status: 'ok',
            stock_type: 'good',
            batch_id: '',
            expire_date: '2027-12-31',
            qty: 40,
            qty_lock: 0,
            qty_available: 40,
          },
          { sku_id: 'TEA-2', status: 'ok', stock_type: 'good', batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 },
          { sku_id: 'TEA-404', status: 'not_found', batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 },
        ],
      },
    },
    of_tenant: {
      summary: 'What one tenant can sell',
      sent: { sku_ids: ['TEA-2'], warehouse_tpw_id: 'TPW-DEMO' },
      data: {
        stock_details: [
          {
            sku_id: 'TEA-2',
            status: 'ok',
            stock_type: 'good',
            warehouse_no: 1,
            batch_id: '',
            qty: 0,
            qty_lock: 0,
            qty_available: 0,
          },
        ],
      },
    },
  },
  rejections: {
    fields: fieldMistakes({ sku_ids: [] }, { path: 'sku_ids', message: 'must not have fewer than 1 items' }),
    unknown_tenant: rejectedAt('warehouse_tpw_id', 'unknown tenant', {
      sku_ids: ['TEA-1'],
      warehouse_tpw_id: 'TPW-NOBODY',
    }),
  },
});

const dotBetween = diagnosis('layout_differs', { way: diagnosis('separator_between', { separator: '.' }) });
const { NotJson: _, ...rejectionsOfAnyBody } = sharedRejections;

const diagnose: EndpointReference = {
  method: 'post',
  path: '/diagnose',
  operationId: 'diagnose',
  summary: 'Ask why a signature was rejected',
  description: `
For UAT accounts. Send the rejected request once more to this path: the same headers and the same bytes as body, without signing it again. The response lists the mistakes in the headers
and in the signature, and how to fix them. The request itself is not processed.

A signature covers the body and the timestamp, not the path or the method, so no header has to name the original path. If the timestamp has become older than 300 s since, the diagnosis says that too.

Only the secret of the account in \`account-no\` is tried. A production account, an unknown one and a request without an account get the 401 of every endpoint. An account has 10 diagnoses per
minute; after that the response is 429 with \`Retry-After\`. Bodies over 32 KiB are not compared with the signature.
`.trim(),
  body: { schema: DiagnoseBody, example: { sku_id: 'TEA-1', sku_name: 'Oolong tea', storage_type: 1 } },
  answers: [
    {
      status: 200,
      description: 'The diagnosis, also if nothing is wrong.',
      schema: SuccessEnvelope(DiagnoseData),
      examples: {
        right: {
          summary: 'The signature is right',
          value: exampleSuccess({ signature_matches: true, findings: [] }),
        },
        wrong: {
          summary: 'The body and the timestamp were joined by a dot',
          value: exampleSuccess({
            signature_matches: false,
            findings: [
              { code: 'layout_differs', message: formatMessage(dotBetween) },
              { code: 'rest_is_right', message: formatMessage(diagnosis('rest_is_right')) },
            ],
          }),
        },
      },
    },
    ...Object.values(rejectionsOfAnyBody),
    ...Object.values(brokenRequests),
  ].toSorted((one, other) => one.status - other.status),
};

/** The warehouse API: F-1 to F-7, and the diagnosis of a signature. */
export const warehouseReference: ContractReference = {
  name: 'Warehouse API',
  errors: 'warehouse',
  description: overview,
  credentials,
  schemas: {
    ProductSyncBody,
    ProductSyncData,
    InboundCreateBody,
    InboundReturnBody,
    InboundCreatedData,
    InboundDuplicateData,
    InboundCancelBody,
    InboundCancelData,
    OutboundCreateBody,
    OutboundCreateData,
    OutboundCancelBody,
    OutboundCancelResult,
    OutboundCancelData,
    StockQueryBody,
    StockDetail,
    StockQueryData,
    DiagnoseBody,
    DiagnoseFinding,
    DiagnoseData,
    RefusalData,
  },
  answers: sharedRejections,
  endpoints: [
    productSync,
    inboundCreate,
    inboundReturn,
    inboundCancel,
    outboundCreate,
    outboundCancel,
    stockQuery,
    diagnose,
  ],
  samples: signedCallSamples,
};
