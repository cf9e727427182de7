import { ChangeAnswer, ChangeBody } from '../../contract/connector/change.ts';
import { TransferAnswer, TransferBody } from '../../contract/connector/transfer.ts';
import type { ContractReference, WebhookReference } from '../reference.ts';
import { signedHeaders } from '../signed-headers.ts';
import { overview } from './overview.ts';

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
We POST this to the \`url\` of a warehouse whose connector is \`http\`. Verify the signature, and ignore a \`transfer_id\` that you have already processed: it may arrive more than
once. Your response may name orders that you reject. If it has no body, or a body in any other form, you accept all orders.
`.trim(),
  headers: signedHeaders('The `batch_id`.', exampleTransfer.batch_id),
  body: {
    schema: TransferBody,
    examples: { two_orders: { summary: 'Two orders from two APIs', value: exampleTransfer } },
  },
  answerBody: {
    schema: TransferAnswer,
    examples: {
      one_rejected: {
        summary: 'All orders but one are accepted',
        value: {
          results: [
            { transfer_id: warehouseOrder.transfer_id, accepted: false, reason: 'we do not ship to this island' },
          ],
        },
      },
    },
  },
  answers: {
    '2XX':
      'You have accepted the orders, except those that the body names as rejected. The response must arrive within 15 s.',
    '400':
      'You reject the request as a whole. We split it in halves and send them again; an order that you reject when it is sent alone is marked as rejected, with your reason.',
    '409': 'Same as 400.',
    '413': 'Same as 400.',
    '422': 'Same as 400.',
    default:
      'After any other response, including a redirect, or no response within 15 s, we send the same orders again later, before any others. We respect `Retry-After` (up to 1 h) if it is longer than our own delay. We skip an order that fails every time.',
  },
};

const { transfer_id, orders_id, account_no } = warehouseOrder;
const changed = {
  ...{ transfer_id, orders_id, account_no, internal_name: null, outbound_short_id: 'OUT-2026-0001' },
  requested_at: '2026-11-15T10:02:11.512043+08:00',
};
const exampleChange: ChangeBody = {
  batch_id: '8a0c6f5e-0b1d-4c3a-9a55-0f1f0a5b7c12',
  warehouse_no: 1,
  sent_at: '2026-11-15T10:02:12.000+08:00',
  changes: [
    {
      change_id: 'b0a4a0de-7f0c-4e57-8f10-2f1f0a5b7c13',
      event: 'order.held',
      ...changed,
      fields: null,
      reason: 'The pickup store has closed.',
    },
    {
      change_id: 'c1b5b1ef-8a1d-4f68-9a21-3a2a1b6c8d14',
      event: 'order.updated',
      ...changed,
      fields: { logistics_type: 'csvs', express_type: 'family', consignee_address: 'Store 991182' },
      reason: null,
    },
    {
      change_id: 'd2c6c2fa-9b2e-4a79-8b32-4b3b2c7d9e15',
      event: 'order.released',
      ...changed,
      fields: null,
      reason: null,
    },
  ],
};

const change: WebhookReference = {
  name: 'change',
  operationId: 'change',
  summary: 'Changes of orders that a warehouse has',
  description: `
We POST this to the \`changes_url\` of a warehouse whose connector is \`http\`, if it has one. Verify the signature. A \`change_id\` may arrive more than once: respond as you did the first
time. Your response may name changes for which it is too late. If it has no body, or a body in any other form, you have made all changes.
`.trim(),
  headers: signedHeaders('The `batch_id`.', exampleChange.batch_id),
  body: {
    schema: ChangeBody,
    examples: { three_changes: { summary: 'A hold, an update and a release of one order', value: exampleChange } },
  },
  answerBody: {
    schema: ChangeAnswer,
    examples: {
      one_refused: {
        summary: 'It is too late for one change',
        value: {
          results: [
            { change_id: exampleChange.changes[1]!.change_id, accepted: false, reason: 'already being picked' },
          ],
        },
      },
    },
  },
  answers: {
    '2XX':
      'You have made the changes, except those that the body names as refused. The response must arrive within 15 s.',
    '400':
      'You refuse the request as a whole. We split it in halves and send them again; a change that you refuse when it is sent alone is refused, with your reason.',
    '409': 'Same as 400.',
    '413': 'Same as 400.',
    '422': 'Same as 400.',
    default:
      'After any other response, including a redirect, or no response within 15 s, the next wave sends the same changes again.',
  },
};

/** The webhooks that transfer orders and their changes to a warehouse system. */
export const connectorReference: ContractReference = {
  name: 'Warehouse connector',
  description: overview,
  credentials: {},
  schemas: { TransferBody, TransferAnswer, ChangeBody, ChangeAnswer },
  answers: {},
  endpoints: [],
  webhooks: [transfer, change],
};
