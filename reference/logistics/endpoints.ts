import type { Static, TSchema } from 'typebox';
import {
  CallbackBody,
  type CallbackEvent,
  callbackEvents,
  callbackParts,
  callbackSchemas,
} from '../../contract/logistics/callback.ts';
import { callbackExamples } from '../../contract/logistics/callback-examples.ts';
import {
  CallbackTestBody,
  CallbackTestRetval,
  exampleCallbackTest,
  testsPerMinuteMax,
} from '../../contract/logistics/callback-test.ts';
import { RejectedEnvelope, RejectedRetval } from '../../contract/logistics/envelope.ts';
import { exampleInboundForm, InboundFormBody, InboundFormRetval } from '../../contract/logistics/inbound-form.ts';
import {
  exampleShippingOrder,
  ShippingOrderBody,
  ShippingOrderRetval,
} from '../../contract/logistics/shipping-order.ts';
import { DoneEnvelope, exampleDone, exampleNotDone } from '../../contract/main/envelope.ts';
import { listErrors } from '../errors/example-errors.ts';
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
  conflict?: ExampleReference;
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
    listErrors('logistics', {
      status: 400,
      description: 'The request was rejected and nothing was changed.',
      schema: RejectedEnvelope,
      examples: { ...rejections, unreadable: unreadableBody },
    }),
    ...(conflict
      ? [
          listErrors('logistics', {
            status: 409,
            description: 'The number was already used with a different body. Nothing was changed.',
            schema: RejectedEnvelope,
            examples: { conflict },
          }),
        ]
      : []),
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
  value: exampleNotDone(msg),
  sent,
  errors,
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
    errors: [{ path: 'internal_name' }],
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
      summary: 'Production account, or UAT account whose key receives later (after 30 seconds by default)',
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
    errors: [{ path: 'form_no' }],
  },
});

const callbacksTest = describe({
  path: '/callbacks/test',
  operationId: 'testCallback',
  summary: 'Test the callbacks of a key',
  description: `
Sends a callback for an event that has not happened, so that you can try your receiver with every event, also in UAT, where nothing is shipped. It is signed with the secret of your API key,
delivered like all others, and carries \`test: true\`; no document changes. With \`document_no\` it has the content of that document, as if the event had just happened to it, and goes to its
\`callback_url\`; otherwise it is the example in this reference. A UAT account may send it to another \`callback_url\`.

At most ${testsPerMinuteMax} per minute and account. A test is given up after an hour.
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
    fields: fieldMistakes(
      { event: 'order.sold' },
      { path: 'event', message: `must be one of ${callbackEvents.join(', ')}` },
    ),
    not_found: rejectedAt(
      'Unknown document',
      'document_no not found',
      [{ path: 'document_no', message: 'not found' }],
      { event: 'order.shipped', document_no: 'WMS-9999' },
    ),
  },
});

const callbackSummaries: Record<CallbackEvent, string> = {
  'order.partially_shipped': 'Some units of an order were shipped',
  'order.shipped': 'An order was shipped',
  'order.arrived': 'An order arrived at the pickup store',
  'order.delivered': 'An order was delivered',
  'order.undelivered': 'An order was not collected and comes back',
  'order.cancelled': 'An order was cancelled',
  'inbound.received': 'An inbound form was received',
  'inbound.stopped': 'Receiving was stopped',
  'inbound.cancelled': 'An inbound form was cancelled',
  'return.received': 'A return was received: one unit missing and one unit bad',
  'return.stopped': 'Receiving a return was stopped',
  'return.cancelled': 'A return was cancelled',
};

const callback: WebhookReference = {
  name: 'callback',
  operationId: 'callback',
  summary: 'Callback',
  description: `
We POST this to the \`callback_url\` of a document, or to that of its account or tenant, when an order is shipped, arrives, is delivered, is not delivered or is cancelled, or a form is received, stopped or cancelled. Each
event has its own schema; \`event\` says which. Verify the
signature, and ignore an \`event_id\` that you have already processed: it may arrive more than once. The body of your response has no effect; the list of callbacks
shows its first 16 KiB.
`.trim(),
  headers: signedHeaders(
    'The `event_id`, which is the same in every attempt.',
    callbackExamples['order.cancelled'].event_id,
  ),
  body: {
    schema: CallbackBody,
    examples: Object.fromEntries(
      callbackEvents.map((event) => [
        event.replace('.', '_'),
        { summary: callbackSummaries[event], value: callbackExamples[event] },
      ]),
    ),
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
    CallbackTestBody,
    CallbackTestRetval,
    LogisticsFieldErrors: RejectedRetval,
    CallbackBody,
    ...callbackParts,
    ...callbackSchemas,
  },
  answers: logisticsRejections,
  endpoints: [ordersOrder, purchasesPurchase, callbacksTest],
  webhooks: [callback],
  samples: keyCallSamples,
};
