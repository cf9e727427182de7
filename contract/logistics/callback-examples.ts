import type { Static } from 'typebox';
import type {
  CallbackBody,
  CallbackEvent,
  InboundReceivedCallback,
  OrderCancelledCallback,
  OrderShippedCallback,
} from './callback.ts';

const orderCancelled: Static<typeof OrderCancelledCallback> = {
  event_id: '0199c3b2-7d10-7f00-8a3e-5b1d2c4f6a80',
  event: 'order.cancelled',
  sequence: 1,
  test: false,
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

const teaUnits = { sku: 'TEA-1', quantity: 2, batch: 'L-2026-03', expire_date: '2027-12-31' };
const parcel = { shipment_no: '905123456789', carrier: 'tcat', items: [teaUnits] };
const { occurred_at, products, received, note, ...orderHead } = orderCancelled;
const orderShipped: Static<typeof OrderShippedCallback> = {
  ...orderHead,
  event: 'order.shipped',
  status: 'shipped',
  shipment_no: parcel.shipment_no,
  carrier: parcel.carrier,
  parcels: [parcel],
  short: [],
  ...{ occurred_at, products, received, note },
};
const { parcels, short, ...shippedRest } = orderShipped;
const { occurred_at: _, products: __, received: ___, note: ____, ...shippedHead } = shippedRest;

const inboundReceived: Static<typeof InboundReceivedCallback> = {
  event_id: '0199c3b2-9a44-7c11-b2d0-6e0f8a713c52',
  event: 'inbound.received',
  sequence: 1,
  test: false,
  document_type: 'inbound',
  document_no: 'PO-2026-0001',
  internal_no: 'A-77',
  name: null,
  lading_no: 'si_5f0c1d9a7b3e28464c01',
  status: 'received',
  shipment_no: null,
  carrier: null,
  occurred_at,
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

const returned = {
  document_type: 'return' as const,
  document_no: 'RT-2026-0001',
  products: [{ ...inboundReceived.products[0]!, quantity: 3 }],
};

type BodyOf<Event extends CallbackEvent> = Extract<CallbackBody, { event: Event }>;

/** An example of each event. */
export const callbackExamples: { [Event in CallbackEvent]: BodyOf<Event> } = {
  'order.partially_shipped': {
    ...orderShipped,
    event: 'order.partially_shipped',
    status: 'partially_shipped',
    parcels: [{ ...parcel, items: [{ ...teaUnits, quantity: 1 }] }],
  },
  'order.shipped': orderShipped,
  'order.arrived': { ...orderShipped, event: 'order.arrived', sequence: 2, status: 'arrived' },
  'order.delivered': { ...orderShipped, event: 'order.delivered', sequence: 3, status: 'delivered' },
  'order.undelivered': {
    ...shippedHead,
    event: 'order.undelivered',
    sequence: 3,
    status: 'undelivered',
    reason: 'not_collected',
    return_no: 'si_7c21e0b94d5f38a16e02',
    ...{ parcels, short, occurred_at, products, received, note },
  },
  'order.cancelled': orderCancelled,
  'inbound.received': inboundReceived,
  'inbound.stopped': {
    ...inboundReceived,
    event: 'inbound.stopped',
    status: 'stopped',
    document_no: 'PO-2026-0002',
    received: [],
  },
  'inbound.cancelled': {
    ...inboundReceived,
    event: 'inbound.cancelled',
    status: 'cancelled',
    document_no: 'PO-2026-0003',
    received: [],
  },
  'return.received': {
    ...inboundReceived,
    ...returned,
    event: 'return.received',
    received: [
      { sku: 'TEA-1', quantity: 1, stock_type: 'good', batch: 'L-2026-03', expire_date: '2027-12-31' },
      { sku: 'TEA-1', quantity: 1, stock_type: 'bad', batch: 'L-2026-03', expire_date: '2027-12-31' },
    ],
  },
  'return.stopped': { ...inboundReceived, ...returned, event: 'return.stopped', status: 'stopped', received: [] },
  'return.cancelled': { ...inboundReceived, ...returned, event: 'return.cancelled', status: 'cancelled', received: [] },
};
