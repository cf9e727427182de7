import type { ContractReference, WebhookReference } from '../reference.ts';
import { signedHeaders } from '../signed-headers.ts';
import { overview } from './overview.ts';
import { TransferAnswer, TransferBody } from './transfer.ts';

const warehouseOrder: TransferBody['orders'][number] = {
  transfer_id: '6f0d2a0e-6f2c-4c0e-9d53-2f1f0a5b7c11',
  orders_id: 'ow_OUT-2026-0001_4f9c0d1e2b',
  account_no: 'ALPHA',
  channel: 'warehouse',
  outbound_short_id: 'OUT-2026-0001',
  internal_name: null,
  name: null,
  store_no: 10,
  logistics_type: 'home',
  express_type: 'tcat',
  consignee_country: 'TW',
  consignee_name: '王小明',
  consignee_phone: '0912345678',
  consignee_address: '桃園市中壢區中大路300號',
  consignee_zip: '320',
  consignee_city: null,
  customer_name: null,
  delivery_charge: null,
  note: null,
  store_pickup_label_data: null,
  created_at: '2026-11-15T09:29:41.318204+08:00',
  details: [
    {
      sku_id: 'TEA-1',
      qty: 3,
      name: 'Oolong tea',
      storage_type: 'ambient',
      batch: null,
      identifier: null,
      combo_sku: null,
      lots: [
        { batch_id: '', expire_date: '2027-06-30', qty: 1 },
        { batch_id: '', expire_date: '2027-12-31', qty: 2 },
      ],
    },
  ],
};

const logisticsOrder: TransferBody['orders'][number] = {
  ...warehouseOrder,
  transfer_id: '0b7a6d0f-6a0f-4a52-8f1e-3f6f1f3c9a20',
  orders_id: 'ow_WMS-2026-0001_91b2c3d4e5',
  channel: 'logistics',
  outbound_short_id: null,
  internal_name: 'WMS-2026-0001',
  name: 'SHOP-778812',
  logistics_type: null,
  express_type: null,
  consignee_country: null,
  consignee_address: null,
  consignee_zip: null,
  consignee_city: '台北市',
  customer_name: '陳小姐',
  delivery_charge: 60,
  note: 'Please ring twice.',
  store_pickup_label_data: { store_id: '991182', barcode: 'F0012345' },
  created_at: '2026-11-15T09:29:50.002117+08:00',
  details: [
    {
      sku_id: 'TEA-1',
      qty: 2,
      name: 'Oolong tea',
      storage_type: 'ambient',
      batch: 'L-2026-03',
      identifier: null,
      combo_sku: 'GIFT-BOX',
      lots: [{ batch_id: 'L-2026-03', expire_date: '2027-12-31', qty: 2 }],
    },
  ],
};

const exampleTransfer: TransferBody = {
  batch_id: '3d5e0a9c-5c1a-4b0e-8a57-2f1f0a5b7c11',
  warehouse_no: 1,
  sent_at: '2026-11-15T09:30:00.000+08:00',
  orders: [warehouseOrder, logisticsOrder],
};

const transfer: WebhookReference = {
  name: 'transfer',
  operationId: 'transfer',
  summary: 'Orders for a warehouse',
  description: `
We POST this to the \`url\` of a warehouse whose connector is \`http\`. Verify the signature, and pass over a \`transfer_id\` that you have seen: it may come more than
once. An answer may name orders that you do not want. Without a body, or with any other, all are taken.
`.trim(),
  headers: signedHeaders('The `batch_id`.', exampleTransfer.batch_id),
  body: { schema: TransferBody, examples: { two_orders: { summary: 'Two orders, of two contracts', value: exampleTransfer } } },
  answerBody: {
    schema: TransferAnswer,
    examples: {
      one_rejected: {
        summary: 'All but one are taken',
        value: { results: [{ transfer_id: warehouseOrder.transfer_id, accepted: false, reason: 'we do not ship to this island' }] },
      },
    },
  },
  answers: {
    '2XX': 'You have the orders, if the answer comes within 15 s; but for those that its body names as rejected.',
    '400':
      'You do not want the request as it is. It is sent again in halves, and an order that is refused alone is put aside with the reason.',
    '409': 'As 400.',
    '413': 'As 400.',
    '422': 'As 400.',
    default:
      'Anything else, a redirect and no answer within 15 s too: the same orders are sent again later, before any other; after `Retry-After` (up to 1 h) where that is the longer wait. An order on which you fail every time is passed by.',
  },
};

/** How orders reach the system of a warehouse. */
export const connectorReference: ContractReference = {
  name: 'Warehouse connector',
  description: overview,
  credentials: {},
  schemas: { TransferBody, TransferAnswer },
  answers: {},
  endpoints: [],
  webhooks: [transfer],
};
