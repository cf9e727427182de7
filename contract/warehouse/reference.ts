import { type Static, type TSchema, Type } from 'typebox';
import { brokenRequests } from '../main/shared-refusals.ts';
import type { AnswerReference, ContractReference, EndpointReference, ExampleReference } from '../reference.ts';
import { Message } from '../values.ts';
import { Envelope, exampleRefusal, exampleSuccess, RefusalData, RefusalEnvelope, SuccessEnvelope } from './envelope.ts';
import { InboundCreatedData, InboundDuplicateData } from './inbound.ts';
import { InboundCancelBody, InboundCancelData } from './inbound-cancel.ts';
import { InboundCreateBody } from './inbound-create.ts';
import { InboundReturnBody } from './inbound-return.ts';
import { OutboundCancelBody, OutboundCancelData, OutboundCancelResult } from './outbound-cancel.ts';
import { exampleOrder, OutboundCreateBody, OutboundCreateData } from './outbound-create.ts';
import { overview } from './overview.ts';
import { ProductSyncBody, ProductSyncData } from './product-sync.ts';
import { sharedRefusals, unreadableBody } from './shared-refusals.ts';
import { credentials, signedCallSamples } from './signing.ts';
import { StockDetail, StockQueryBody, StockQueryData } from './stock-query.ts';

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
  refusals: Record<string, ExampleReference>;
  /** Another form that the body of a 400 may have. */
  otherRefusal?: TSchema;
}

function describe<Body extends TSchema, Data extends TSchema>(endpoint: WarehouseEndpoint<Body, Data>): EndpointReference {
  const { number, path, operationId, summary, description, body, data, request, successes, refusals, otherRefusal } = endpoint;
  const invalid = RefusalEnvelope('PARAM_INVALID');
  const succeeded: AnswerReference = {
    status: 200,
    description: 'Success.',
    schema: SuccessEnvelope(data),
    examples: Object.fromEntries(
      Object.entries(successes).map(([name, example]) => [name, { ...example, value: exampleSuccess(example.data as object) }]),
    ),
  };
  const refused: AnswerReference = {
    status: 400,
    description: otherRefusal
      ? '`PARAM_INVALID`: refused, and nothing was changed. `LST-TPW-2001`: the document is known already.'
      : 'Refused, and nothing was changed.',
    schema: otherRefusal ? Type.Union([invalid, otherRefusal]) : invalid,
    examples: { ...refusals, unreadable: unreadableBody },
  };
  return {
    method: 'post',
    path,
    operationId,
    summary: `${number} ${summary}`,
    description,
    body: { schema: body, example: request },
    answers: [succeeded, refused, ...Object.values(sharedRefusals), ...Object.values(brokenRequests)].toSorted(
      (one, other) => one.status - other.status,
    ),
  };
}

const fieldMistakes = (sent: object, ...errors: { path: string; message: string }[]): ExampleReference => {
  const [first, ...others] = errors;
  const message = `${first!.path} ${first!.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
  return { summary: 'Fields missing or wrong', value: exampleRefusal('PARAM_INVALID', message, { errors }), sent };
};

const refusedAt = (path: string, message: string, sent: object, summary = message): ExampleReference => ({
  summary,
  value: exampleRefusal('PARAM_INVALID', message, { errors: [{ path, message }] }),
  sent,
});

const numberTaken = (field: string, sent: object): ExampleReference => ({
  summary: 'The number belongs to another account',
  value: exampleRefusal('PARAM_INVALID', `${field} already in use`, { errors: [{ path: field, message: 'already in use' }] }),
  sent,
});

const productSync = describe({
  number: 'F-1',
  path: '/product/sync',
  operationId: 'productSync',
  summary: 'Make a product known, or change it',
  description: `
A product must be synced before its \`sku_id\` can be used elsewhere. The same \`sku_id\` again is an update without side effects: fields left
out stay as they were, \`null\` clears an optional one. A \`sku_id\` belongs to your account; other accounts may use the same one for other products.
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
  refusals: {
    fields: fieldMistakes(
      { sku_name: 'Oolong tea', storage_type: 5, weight: -1 },
      { path: 'sku_id', message: 'is missing' },
      { path: 'storage_type', message: 'must be one of 1, 2, 3, 4' },
      { path: 'weight', message: 'must be >= 0' },
    ),
    too_many_images: fieldMistakes(
      { sku_id: 'TEA-1', sku_name: 'Oolong tea', storage_type: 1, sku_images: Array(6).fill('https://images.example/tea-1.png') },
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

/** F-2 and F-3 refuse the same things; `request` is what they accept. */
function inboundRefusals<Body extends InboundCreateBody>(request: Body, original: InboundCreatedData): Record<string, ExampleReference> {
  const { inbound_short_id, ...unnumbered } = request;
  const differs = { ...request, details: [{ sku_id: 'TEA-1', expires: [{ expire_date: '2027-06-30', qty: 2 }] }] };
  const repeated = (data: Partial<InboundDuplicateData>) =>
    exampleRefusal('LST-TPW-2001', 'duplicate document: the original was accepted', { ...original, success: false, ...data });
  const other = (change: Partial<InboundCreateBody>) => ({ ...request, inbound_short_id: `${inbound_short_id}-A`, ...change });
  const tooMany = 'sku TEA-1 would have more than 1000000000000 units of one expiry date';
  return {
    duplicate: { summary: 'Sent again: the original was accepted', value: repeated({}), sent: request },
    duplicate_differs: { summary: 'Sent again with another body', value: repeated({ payload_differs: true }), sent: differs },
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
    number_taken: numberTaken('inbound_short_id', other({ inbound_short_id: 'IN-TAKEN' })),
    unknown_tenant: refusedAt('warehouse_tpw_id', 'unknown tenant', other({ warehouse_tpw_id: 'TPW-NOBODY' })),
    sku_not_found: refusedAt('details[0].sku_id', 'sku_id not found', other({ details: [{ sku_id: 'TEA-404', ...oneUnit }] })),
    too_many_units: {
      summary: 'More units than can be counted',
      value: exampleRefusal('PARAM_INVALID', tooMany, { errors: [{ path: 'details[0].expires', message: tooMany }] }),
    },
  };
}

const inboundCreate = describe({
  number: 'F-2',
  path: '/inbound/create',
  operationId: 'inboundCreate',
  summary: 'Announce goods',
  description: `
Creates an inbound document. The warehouse follows from the account and \`warehouse_tpw_id\`.

Goods that do not expire are sent without \`expire_date\` (\`null\` and \`""\` mean the same). They are one lot of their own, are sold after all lots
with an expiry date, and their rows in \`stock/query\` have no \`expire_date\`.

The same \`inbound_short_id\` again is answered with HTTP 400 and \`LST-TPW-2001\`. That is not an error: the original was accepted, and \`data\` holds
its numbers, with \`payload_differs: true\` where the body was another one. Nothing is built anew, and this is decided before tenant and skus are
looked at. Numbers are shared with \`inbound/return\`. Of equal requests at the same instant, exactly one creates.
`.trim(),
  body: InboundCreateBody,
  data: InboundCreatedData,
  request: inboundRequest,
  successes: { created: { summary: 'Created', data: inboundCreated } },
  refusals: inboundRefusals(inboundRequest, inboundCreated),
  otherRefusal: DuplicateEnvelope,
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
Creates a return-inbound document. \`outbound_short_id\` names the original order; where no such order is known, the return is accepted all the same, and
the link is completed if the order appears later. Everything else is as with \`inbound/create\`, with which the numbers are shared.
`.trim(),
  body: InboundReturnBody,
  data: InboundCreatedData,
  request: returnRequest,
  successes: { created: { summary: 'Created', data: returnCreated } },
  refusals: inboundRefusals(returnRequest, returnCreated),
  otherRefusal: DuplicateEnvelope,
});

const inboundCancel = describe({
  number: 'F-4',
  path: '/inbound/cancel',
  operationId: 'inboundCancel',
  summary: 'Cancel inbound documents and returns',
  description: `
Each entry has its own result, in the order sent, duplicates included; none fails the others. Cancelling again says \`cancelled\` again.
A document can be cancelled until goods of it are received; where they are on hand from its creation (UAT), as long as all its units are
untouched, and they are then taken back.
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
  refusals: {
    fields: fieldMistakes({ inbound_short_ids: [] }, { path: 'inbound_short_ids', message: 'must not have fewer than 1 items' }),
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
Creates an outbound order and allocates its units at once: good stock only, earliest expiry first. Warehouse and store follow from the account and
\`warehouse_tpw_id\`. Where stock is short, nothing is allocated and the order is refused; of a sku that stands in several details, the
sum is compared.

The same \`outbound_short_id\` again is answered with HTTP 200, \`idempotent: true\` and the original \`orders_id\`, whatever the rest of the body says
(then with \`payload_differs: true\`) and even after a cancellation. Nothing is rebuilt. Of equal requests at the same instant, exactly one creates.

| logistics_type | express_type | meaning |
|---|---|---|
| \`home\` | \`tcat\` | home delivery, carrier 1 |
| \`home\` | \`hct\` | home delivery, carrier 2 |
| \`home\` | \`post\` | home delivery, postal service |
| \`csvs\` | \`pcsc\` | convenience-store pickup, chain 1 |
| \`csvs\` | \`family\` | convenience-store pickup, chain 2 |
| \`csvs\` | \`hilife\` | convenience-store pickup, chain 3 |
`.trim(),
  body: OutboundCreateBody,
  data: OutboundCreateData,
  request: exampleOrder,
  successes: {
    created: { summary: 'Created', data: { success: true, orders_id: ordersId, idempotent: false } },
    repeated: { summary: 'Sent again', data: { success: true, orders_id: ordersId, idempotent: true } },
    repeated_differs: {
      summary: 'Sent again with another body',
      data: { success: true, orders_id: ordersId, idempotent: true, payload_differs: true },
      sent: { ...exampleOrder, details: [{ sku_id: 'TEA-1', qty: 3 }] },
    },
  },
  refusals: {
    fields: fieldMistakes(
      otherOrder({ consignee_country: 'JP', details: [{ sku_id: 'TEA-1', qty: 0 }] }),
      { path: 'consignee_country', message: 'must be one of TW' },
      { path: 'details[0].qty', message: 'must be >= 1' },
    ),
    number_taken: numberTaken('outbound_short_id', otherOrder({ outbound_short_id: 'OUT-TAKEN' })),
    unknown_tenant: refusedAt('warehouse_tpw_id', 'unknown tenant', otherOrder({ warehouse_tpw_id: 'TPW-NOBODY' })),
    sku_not_found: refusedAt('details[0].sku_id', 'sku_id not found', otherOrder({ details: [{ sku_id: 'TEA-404', qty: 1 }] })),
    unknown_ship_method: refusedAt('express_type', 'unknown ship_method mapping', otherOrder({ express_type: 'seven' })),
    stock_short: refusedAt(
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
Each entry has its own result, in the order sent, duplicates included; none fails the others. Cancelling again says \`cancelled\` again; the units are
free at once. An order that has reached the warehouse or picking goes on: \`cannot_cancel_after_picking\` with \`LST-TPW-6001\`, while HTTP stays 200.
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
  refusals: {
    fields: fieldMistakes({ outbound_short_ids: ['OUT-1001', 1002] }, { path: 'outbound_short_ids[1]', message: 'must be string' }),
  },
});

const stockQuery = describe({
  number: 'F-7',
  path: '/stock/query',
  operationId: 'stockQuery',
  summary: 'Ask for stock',
  description: `
Reads only. One row per sku, stock type, batch and expiry date, summed over the warehouses of your account; lots with nothing on hand are left out. A
registered product without stock is one \`good\` row of zeros, without \`expire_date\`; an unknown one is a row with \`not_found\`. A repeated
\`sku_id\` is answered once. Units that do not expire are a row without \`expire_date\`.

With \`warehouse_tpw_id\` the answer is what that tenant can sell: good stock in its own warehouse that expires late enough for its
\`sellable_days_before_expiry\`. \`qty_available\` then adds up to exactly what \`outbound/create\` accepts for that tenant, and every row
has the \`warehouse_no\`.
`.trim(),
  body: StockQueryBody,
  data: StockQueryData,
  request: { sku_ids: ['TEA-1', 'TEA-2', 'TEA-404'] },
  successes: {
    found: {
      summary: 'On hand, registered without stock, and not registered',
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
          { sku_id: 'TEA-2', status: 'ok', stock_type: 'good', warehouse_no: 1, batch_id: '', qty: 0, qty_lock: 0, qty_available: 0 },
        ],
      },
    },
  },
  refusals: {
    fields: fieldMistakes({ sku_ids: [] }, { path: 'sku_ids', message: 'must not have fewer than 1 items' }),
    unknown_tenant: refusedAt('warehouse_tpw_id', 'unknown tenant', { sku_ids: ['TEA-1'], warehouse_tpw_id: 'TPW-NOBODY' }),
  },
});

/** The warehouse API: F-1 to F-7. */
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
    RefusalData,
  },
  answers: sharedRefusals,
  endpoints: [productSync, inboundCreate, inboundReturn, inboundCancel, outboundCreate, outboundCancel, stockQuery],
  samples: signedCallSamples,
};
