import { type Static, type TSchema, Type } from 'typebox';
import { CallbackBody } from '../../contract/logistics/callback.ts';
import { exampleInboundForm, InboundFormBody, InboundFormRetval } from '../../contract/logistics/inbound-form.ts';
import {
  exampleShippingOrder,
  ShippingOrderBody,
  ShippingOrderRetval,
} from '../../contract/logistics/shipping-order.ts';
import { DoneEnvelope, exampleDone, exampleNotDone, NotDoneEnvelope } from '../../contract/main/envelope.ts';
import { FieldPath, Message, WithMeaning } from '../../contract/values.ts';
import { brokenRequests, unreadableBody } from '../main/shared-rejections.ts';
import type {
  ContractReference,
  EndpointReference,
  ExampleReference,
  ResponseReference,
  WebhookReference,
} from '../reference.ts';
import { signedHeaders } from '../signed-headers.ts';
import { overview } from './overview.ts';
import { keyCallSamples } from './samples.ts';
import { logisticsRejections } from './shared-rejections.ts';

const FieldErrors = WithMeaning(
  Type.Object({
    errors: Type.Array(
      Type.Object({
        path: WithMeaning(FieldPath('products[0].quantity'), 'Path of the field.'),
        message: WithMeaning(Message, 'The error.'),
      }),
      { description: 'all errors, not only the first' },
    ),
  }),
  'The invalid fields.',
);

const RejectedEnvelope = Type.Object({
  done: WithMeaning(Type.Literal(false), '`false`: nothing was done.'),
  msg: WithMeaning(Message, 'The first error, as text for people.'),
  retval: WithMeaning(Type.Union([FieldErrors, Type.Null()]), '`null` if the body cannot be read.'),
});

interface LogisticsEndpoint<Body extends TSchema, Retval extends TSchema> {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  body: Body;
  retval: Retval;
  request: Static<Body>;
  successes: Record<string, { summary: string; retval: Static<Retval>; sent?: Static<Body> }>;
  rejections: Record<string, ExampleReference>;
  conflict: ExampleReference;
}

function describe<Body extends TSchema, Retval extends TSchema>(
  endpoint: LogisticsEndpoint<Body, Retval>,
): EndpointReference {
  const { path, operationId, summary, description, body, retval, request, successes, rejections, conflict } = endpoint;
  const own: ResponseReference[] = [
    {
      status: 200,
      description: 'Accepted, now or in an earlier request.',
      schema: DoneEnvelope(retval),
      examples: Object.fromEntries(
        Object.entries(successes).map(([name, example]) => [
          name,
          { ...example, value: exampleDone(example.retval as object) },
        ]),
      ),
    },
    {
      status: 400,
      description: 'The request was rejected and nothing was changed.',
      schema: RejectedEnvelope,
      examples: { ...rejections, unreadable: unreadableBody },
    },
    {
      status: 409,
      description: 'The number was already used with a different body. Nothing was changed.',
      schema: NotDoneEnvelope,
      examples: { conflict },
    },
  ];
  return {
    method: 'post',
    path,
    operationId,
    summary,
    description,
    body: { schema: body, example: request },
    answers: [...own, ...Object.values(logisticsRejections), ...Object.values(brokenRequests)].toSorted(
      (one, other) => one.status - other.status,
    ),
  };
}

const rejectedAt = (
  summary: string,
  msg: string,
  errors: { path: string; message: string }[],
  sent: object,
): ExampleReference => ({
  summary,
  value: { ...exampleNotDone(msg), retval: { errors } },
  sent,
});

const fieldMistakes = (sent: object, ...errors: { path: string; message: string }[]): ExampleReference => {
  const [first, ...others] = errors;
  const msg = `${first!.path} ${first!.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
  return rejectedAt('Missing or invalid fields', msg, errors, sent);
};

const { phone: _, ...orderWithoutPhone } = exampleShippingOrder;
const otherOrder = (change: object) =>
  ({ ...exampleShippingOrder, internal_name: 'WMS-2026-0002', ...change }) as ShippingOrderBody;

const ordersOrder = describe({
  path: '/orders/order',
  operationId: 'shippingOrder',
  summary: 'Send a shipping order',
  description: `
If all units are available, they are allocated immediately; otherwise the order waits for them in \`awaiting_stock\`. An order is never rejected because of insufficient stock or an
unknown sku. If it has a \`callback_url\`, we notify you there when it is shipped or cancelled.
`.trim(),
  body: ShippingOrderBody,
  retval: ShippingOrderRetval,
  request: exampleShippingOrder,
  successes: {
    created: {
      summary: 'Accepted',
      retval: { document_no: 'WMS-2026-0001', status: 'pending_warehouse_transfer', idempotent: false },
    },
    repeated: {
      summary: 'Repeated request',
      retval: { document_no: 'WMS-2026-0001', status: 'pending_warehouse_transfer', idempotent: true },
    },
    waiting: {
      summary: 'Accepted, waiting for stock',
      retval: { document_no: 'WMS-2026-0002', status: 'awaiting_stock', idempotent: false },
      sent: otherOrder({ products: [{ sku: 'TEA-2', quantity: 1, storage_type: '1', name: 'Green tea' }] }),
    },
  },
  rejections: {
    fields: fieldMistakes(
      { ...orderWithoutPhone, internal_name: 'WMS-2026-0003', products: [{ sku: 'TEA-1', quantity: 1.5 }] },
      { path: 'phone', message: 'is missing' },
      { path: 'products[0].storage_type', message: 'is missing' },
      { path: 'products[0].quantity', message: 'must be integer' },
    ),
    callback_url: rejectedAt(
      'A callback_url that is not allowed',
      'callback_url must not point to a private or reserved address',
      [{ path: 'callback_url', message: 'must not point to a private or reserved address' }],
      otherOrder({ callback_url: 'http://192.168.0.10/callbacks' }),
    ),
  },
  conflict: {
    summary: 'The number was already used',
    value: exampleNotDone('internal_name was used before with another body'),
    sent: { ...exampleShippingOrder, delivery_charge: 80 },
  },
});

const otherForm = (change: object) =>
  ({ ...exampleInboundForm, form_no: 'PO-2026-0002', ...change }) as InboundFormBody;
const stopForm = (form_no: string) => otherForm({ form_no, form_type: 3, products: [] });

const purchasesPurchase = describe({
  path: '/purchases/purchase',
  operationId: 'inboundForm',
  summary: 'Send an inbound, return or stop-receiving form',
  description: `
\`form_type\` selects the kind: \`1\` announces goods, \`2\` announces returned goods, \`3\` stops receiving an earlier inbound or return form, named by \`form_no\`.
We notify you at \`callback_url\` when the form is received, stopped or cancelled.
`.trim(),
  body: InboundFormBody,
  retval: InboundFormRetval,
  request: exampleInboundForm,
  successes: {
    received: {
      summary: 'UAT account whose key receives at once',
      retval: { document_no: 'PO-2026-0001', status: 'received', idempotent: false },
    },
    repeated: {
      summary: 'Repeated request',
      retval: { document_no: 'PO-2026-0001', status: 'received', idempotent: true },
    },
    expected: {
      summary: 'Production account: expected',
      retval: { document_no: 'PO-2026-0002', status: 'expected', idempotent: false },
      sent: otherForm({}),
    },
    stopped: {
      summary: 'Receiving stopped',
      retval: { document_no: 'PO-2026-0002', status: 'stopped', idempotent: false },
      sent: stopForm('PO-2026-0002'),
    },
  },
  rejections: {
    fields: fieldMistakes(
      otherForm({ form_type: 4, products: [{ sku: 'TEA-1', quantity: 0, expire_date: '2027-02-30' }] }),
      { path: 'form_type', message: 'must be one of 1, 2, 3' },
      { path: 'products[0].quantity', message: 'must be >= 1' },
      { path: 'products[0].expire_date', message: 'must be a date, YYYY-MM-DD' },
    ),
    not_found: rejectedAt(
      'Stopping an unknown form',
      'form_no not found',
      [{ path: 'form_no', message: 'not found' }],
      stopForm('PO-2026-9999'),
    ),
    too_late: rejectedAt(
      'Stopping a form that is already received',
      'form_no is received already; receiving cannot be stopped',
      [{ path: 'form_no', message: 'is received already; receiving cannot be stopped' }],
      stopForm('PO-2026-0001'),
    ),
    too_many_units: rejectedAt(
      'More units than a lot can hold',
      'a lot of sku TEA-MANY would hold more than 1000000000000 units',
      [{ path: 'products[0].quantity', message: 'a lot of sku TEA-MANY would hold more than 1000000000000 units' }],
      otherForm({ form_no: 'PO-2026-0003', products: [{ sku: 'TEA-MANY', quantity: 1 }] }),
    ),
  },
  conflict: {
    summary: 'The number was already used',
    value: exampleNotDone('form_no was used before with another body'),
    sent: { ...exampleInboundForm, shipping_type: 1 },
  },
});

const orderCancelled: CallbackBody = {
  event_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80',
  event: 'order.cancelled',
  sequence: 1,
  document_type: 'order',
  document_no: 'WMS-2026-0001',
  internal_no: 'WMS-2026-0001',
  name: 'SHOP-88001',
  lading_no: 'ow_WMS-2026-0001_4f9c0d1e2b',
  status: 'cancelled',
  shipment_no: null,
  carrier: null,
  occurred_at: '2026-11-15T09:30:00.000+08:00',
  products: [
    {
      sku: 'TEA-1',
      quantity: 2,
      name: 'Oolong tea',
      storage_type: 'ambient',
      price: 120.5,
      batch: null,
      identifier: null,
      combo_sku: null,
    },
  ],
  received: null,
  note: 'Please ring twice.',
};

const inboundReceived: CallbackBody = {
  event_id: '0199c3b2-9a44-7c11-b2d0-6e0f8a713c52',
  event: 'inbound.received',
  sequence: 1,
  document_type: 'inbound',
  document_no: 'PO-2026-0001',
  internal_no: 'A-77',
  name: null,
  lading_no: 'si_5f0c1d9a7b3e28464c01',
  status: 'received',
  shipment_no: null,
  carrier: null,
  occurred_at: '2026-11-15T09:30:00.000+08:00',
  products: [
    {
      sku: 'TEA-1',
      quantity: 100,
      name: 'Oolong tea',
      storage_type: 'ambient',
      price: 80,
      batch: 'L-2026-03',
      identifier: null,
      expire_date: '2027-12-31',
    },
  ],
  received: [{ sku: 'TEA-1', quantity: 100, stock_type: 'good', batch: 'L-2026-03', expire_date: '2027-12-31' }],
  note: null,
};

const callback: WebhookReference = {
  name: 'callback',
  operationId: 'callback',
  summary: 'Callback',
  description: `
We POST this to the \`callback_url\` of a document when an order is shipped or cancelled, or a form is received, stopped or cancelled. Verify the
signature, and ignore an \`event_id\` that you have already processed: it may arrive more than once. The body of your response has no effect; the list of callbacks
shows its first 16 KiB.
`.trim(),
  headers: signedHeaders('The `event_id`, which is the same in every attempt.', orderCancelled.event_id),
  body: {
    schema: CallbackBody,
    examples: {
      order_shipped: {
        summary: 'An order was shipped',
        value: {
          ...orderCancelled,
          event: 'order.shipped',
          status: 'shipped',
          shipment_no: '905123456789',
          carrier: 'tcat',
        },
      },
      order_cancelled: { summary: 'An order was cancelled', value: orderCancelled },
      inbound_received: { summary: 'An inbound form was received', value: inboundReceived },
      inbound_stopped: {
        summary: 'Receiving was stopped',
        value: {
          ...inboundReceived,
          event: 'inbound.stopped',
          status: 'stopped',
          document_no: 'PO-2026-0002',
          received: [],
        },
      },
      return_received: {
        summary: 'A return was received: one unit missing and one unit bad',
        value: {
          ...inboundReceived,
          event: 'return.received',
          document_type: 'return',
          document_no: 'RT-2026-0001',
          products: [{ ...inboundReceived.products[0]!, quantity: 3 }],
          received: [
            { sku: 'TEA-1', quantity: 1, stock_type: 'good', batch: 'L-2026-03', expire_date: '2027-12-31' },
            { sku: 'TEA-1', quantity: 1, stock_type: 'bad', batch: 'L-2026-03', expire_date: '2027-12-31' },
          ],
        },
      },
    },
  },
  answers: {
    '2XX':
      'The callback was delivered. The response must arrive within 15 s: respond immediately and process the event afterwards.',
    '410': 'The receiver no longer exists. We do not retry, and the callback is `failed`.',
    default:
      'After any other response, including a redirect, or no response within 15 s, we retry later. We respect `Retry-After` (up to 1 h) if it is longer than our own delay.',
  },
};

/** The logistics webhook and its callbacks. */
export const logisticsReference: ContractReference = {
  name: 'Logistics webhook',
  errors: 'logistics',
  description: overview,
  credentials: {
    apiKey: {
      header: 'Authorization',
      description: 'The API key from the operator. A preceding `Bearer ` is accepted.',
    },
  },
  schemas: {
    ShippingOrderBody,
    ShippingOrderRetval,
    InboundFormBody,
    InboundFormRetval,
    LogisticsFieldErrors: FieldErrors,
    CallbackBody,
  },
  answers: logisticsRejections,
  endpoints: [ordersOrder, purchasesPurchase],
  webhooks: [callback],
  samples: keyCallSamples,
};
