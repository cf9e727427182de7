import { type Static, type TSchema, Type } from 'typebox';
import { DoneEnvelope, exampleDone, exampleNotDone, NotDoneEnvelope } from '../main/envelope.ts';
import { brokenRequests, unreadableBody } from '../main/shared-refusals.ts';
import type { AnswerReference, ContractReference, EndpointReference, ExampleReference, WebhookReference } from '../reference.ts';
import { signedHeaders } from '../signed-headers.ts';
import { FieldPath, Message, WithMeaning } from '../values.ts';
import { CallbackBody } from './callback.ts';
import { exampleInboundForm, InboundFormBody, InboundFormRetval } from './inbound-form.ts';
import { overview } from './overview.ts';
import { keyCallSamples } from './samples.ts';
import { logisticsRefusals } from './shared-refusals.ts';
import { exampleShippingOrder, ShippingOrderBody, ShippingOrderRetval } from './shipping-order.ts';

const FieldErrors = WithMeaning(
  Type.Object({
    errors: Type.Array(
      Type.Object({
        path: WithMeaning(FieldPath('products[0].quantity'), 'Which field.'),
        message: WithMeaning(Message, 'What is wrong with it.'),
      }),
      { description: 'all mistakes, not only the first' },
    ),
  }),
  'Which fields are wrong.',
);

const RefusedEnvelope = Type.Object({
  done: WithMeaning(Type.Literal(false), '`false`: nothing was done.'),
  msg: WithMeaning(Message, 'The first mistake, for people.'),
  retval: WithMeaning(Type.Union([FieldErrors, Type.Null()]), '`null` where the body cannot be read.'),
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
  refusals: Record<string, ExampleReference>;
  conflict: ExampleReference;
}

function describe<Body extends TSchema, Retval extends TSchema>(endpoint: LogisticsEndpoint<Body, Retval>): EndpointReference {
  const { path, operationId, summary, description, body, retval, request, successes, refusals, conflict } = endpoint;
  const own: AnswerReference[] = [
    {
      status: 200,
      description: 'Accepted, or known already.',
      schema: DoneEnvelope(retval),
      examples: Object.fromEntries(
        Object.entries(successes).map(([name, example]) => [name, { ...example, value: exampleDone(example.retval as object) }]),
      ),
    },
    {
      status: 400,
      description: 'Refused, and nothing was changed.',
      schema: RefusedEnvelope,
      examples: { ...refusals, unreadable: unreadableBody },
    },
    {
      status: 409,
      description: 'The number was used before with another body. Nothing was changed.',
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
    answers: [...own, ...Object.values(logisticsRefusals), ...Object.values(brokenRequests)].toSorted(
      (one, other) => one.status - other.status,
    ),
  };
}

const refusedAt = (summary: string, msg: string, errors: { path: string; message: string }[], sent: object): ExampleReference => ({
  summary,
  value: { ...exampleNotDone(msg), retval: { errors } },
  sent,
});

const fieldMistakes = (sent: object, ...errors: { path: string; message: string }[]): ExampleReference => {
  const [first, ...others] = errors;
  const msg = `${first!.path} ${first!.message}${others.length > 0 ? ` (and ${others.length} more)` : ''}`;
  return refusedAt('Fields missing or wrong', msg, errors, sent);
};

const { phone: _, ...orderWithoutPhone } = exampleShippingOrder;
const otherOrder = (change: object) => ({ ...exampleShippingOrder, internal_name: 'WMS-2026-0002', ...change }) as ShippingOrderBody;

const ordersOrder = describe({
  path: '/orders/order',
  operationId: 'shippingOrder',
  summary: 'Send a shipping order',
  description: `
Units are allocated at once where all of them are there; otherwise the order waits for them in \`awaiting_stock\`. It is never refused because stock is short or a
sku unknown. With a \`callback_url\`, you are told there when it was shipped or cancelled.
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
      summary: 'Sent again',
      retval: { document_no: 'WMS-2026-0001', status: 'pending_warehouse_transfer', idempotent: true },
    },
    waiting: {
      summary: 'Accepted; it waits for stock',
      retval: { document_no: 'WMS-2026-0002', status: 'awaiting_stock', idempotent: false },
      sent: otherOrder({ products: [{ sku: 'TEA-2', quantity: 1, storage_type: '1', name: 'Green tea' }] }),
    },
  },
  refusals: {
    fields: fieldMistakes(
      { ...orderWithoutPhone, internal_name: 'WMS-2026-0003', products: [{ sku: 'TEA-1', quantity: 1.5 }] },
      { path: 'phone', message: 'is missing' },
      { path: 'products[0].storage_type', message: 'is missing' },
      { path: 'products[0].quantity', message: 'must be integer' },
    ),
    callback_url: refusedAt(
      'A callback_url that we may not call',
      'callback_url must not point to a private or reserved address',
      [{ path: 'callback_url', message: 'must not point to a private or reserved address' }],
      otherOrder({ callback_url: 'http://192.168.0.10/callbacks' }),
    ),
  },
  conflict: {
    summary: 'The number was used before',
    value: exampleNotDone('internal_name was used before with another body'),
    sent: { ...exampleShippingOrder, delivery_charge: 80 },
  },
});

const otherForm = (change: object) => ({ ...exampleInboundForm, form_no: 'PO-2026-0002', ...change }) as InboundFormBody;
const stopForm = (form_no: string) => otherForm({ form_no, form_type: 3, products: [] });

const purchasesPurchase = describe({
  path: '/purchases/purchase',
  operationId: 'inboundForm',
  summary: 'Send an inbound, return or stop-receiving form',
  description: `
\`form_type\` says which: \`1\` announces goods, \`2\` returned goods; \`3\` stops the receiving of an inbound or return that was sent before, which \`form_no\` names.
You are told at \`callback_url\` when the form was received, stopped or cancelled.
`.trim(),
  body: InboundFormBody,
  retval: InboundFormRetval,
  request: exampleInboundForm,
  successes: {
    received: {
      summary: 'Received at once: a UAT account',
      retval: { document_no: 'PO-2026-0001', status: 'received', idempotent: false },
    },
    repeated: { summary: 'Sent again', retval: { document_no: 'PO-2026-0001', status: 'received', idempotent: true } },
    expected: {
      summary: 'Expected: a production account',
      retval: { document_no: 'PO-2026-0002', status: 'expected', idempotent: false },
      sent: otherForm({}),
    },
    stopped: {
      summary: 'Receiving stopped',
      retval: { document_no: 'PO-2026-0002', status: 'stopped', idempotent: false },
      sent: stopForm('PO-2026-0002'),
    },
  },
  refusals: {
    fields: fieldMistakes(
      otherForm({ form_type: 4, products: [{ sku: 'TEA-1', quantity: 0, expire_date: '2027-02-30' }] }),
      { path: 'form_type', message: 'must be one of 1, 2, 3' },
      { path: 'products[0].quantity', message: 'must be >= 1' },
      { path: 'products[0].expire_date', message: 'must be a date, YYYY-MM-DD' },
    ),
    not_found: refusedAt(
      'Stop of a form that is not known',
      'form_no not found',
      [{ path: 'form_no', message: 'not found' }],
      stopForm('PO-2026-9999'),
    ),
    too_late: refusedAt(
      'Stop of a form that is received',
      'form_no is received already; receiving cannot be stopped',
      [{ path: 'form_no', message: 'is received already; receiving cannot be stopped' }],
      stopForm('PO-2026-0001'),
    ),
    too_many_units: refusedAt(
      'More units than can be counted',
      'a lot of sku TEA-MANY would hold more than 1000000000000 units',
      [{ path: 'products[0].quantity', message: 'a lot of sku TEA-MANY would hold more than 1000000000000 units' }],
      otherForm({ form_no: 'PO-2026-0003', products: [{ sku: 'TEA-MANY', quantity: 1 }] }),
    ),
  },
  conflict: {
    summary: 'The number was used before',
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
We POST this to the \`callback_url\` of a document when an order was shipped or cancelled, or a form was received, stopped or cancelled. Verify the
signature, and pass over an \`event_id\` that you have seen: it may come more than once. The body of your answer has no effect; its
first 16 KiB stand in the list of callbacks.
`.trim(),
  headers: signedHeaders('The `event_id`: the same in every try.', orderCancelled.event_id),
  body: {
    schema: CallbackBody,
    examples: {
      order_shipped: {
        summary: 'An order was shipped',
        value: { ...orderCancelled, event: 'order.shipped', status: 'shipped', shipment_no: '905123456789', carrier: 'tcat' },
      },
      order_cancelled: { summary: 'An order was cancelled', value: orderCancelled },
      inbound_received: { summary: 'An inbound form was received', value: inboundReceived },
      inbound_stopped: {
        summary: 'Receiving was stopped',
        value: { ...inboundReceived, event: 'inbound.stopped', status: 'stopped', document_no: 'PO-2026-0002', received: [] },
      },
      return_received: {
        summary: 'A return was received: one unit less than announced, and one of them bad',
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
    '2XX': 'It has arrived, if the answer comes within 15 s. Answer at once and work on it afterwards.',
    '410': 'Nobody is there any more: it is not tried again, and is `failed`.',
    default:
      'Anything else, a redirect and no answer within 15 s too: it is tried again later, after `Retry-After` (up to 1 h) where that is the longer wait.',
  },
};

/** The logistics webhook, and the callbacks that answer it. */
export const logisticsReference: ContractReference = {
  name: 'Logistics webhook',
  errors: 'logistics',
  description: overview,
  credentials: {
    apiKey: {
      header: 'Authorization',
      description: 'The API key itself, from the operator. `Bearer ` before it is tolerated.',
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
  answers: logisticsRefusals,
  endpoints: [ordersOrder, purchasesPurchase],
  webhooks: [callback],
  samples: keyCallSamples,
};
