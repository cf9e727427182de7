import type { CataloguedMessage } from './catalogued-message.ts';

type Row = Omit<CataloguedMessage, 'about' | 'status'> & { status?: number; operations: readonly string[] };

const warehouseAndMain = ['warehouse', 'main'] as const;
const announce = ['inboundCreate', 'inboundReturn'] as const;
const order = ['outboundCreate', 'ordersCreate'] as const;
const advance = { contracts: ['main'], operations: ['fulfilmentAdvance'], status: 200 } as const;

const rows: Row[] = [
  {
    contracts: ['warehouse'],
    operations: announce,
    code: 'LST-TPW-2001',
    message: 'duplicate document: the original was accepted',
    cause: 'The `inbound_short_id` was sent before. Not an error: `data` holds the numbers of the original.',
    cure: 'Take it for a success. With `payload_differs: true` the body was another one, and the original stays as it was: use a new number for new goods.',
  },
  {
    contracts: warehouseAndMain,
    operations: [...announce, ...order, 'stockQuery'],
    message: 'unknown tenant',
    cause: 'The account has no such `warehouse_tpw_id`. UAT and production have different ones.',
    cure: 'Send the identifier that the operator gave you for this account.',
  },
  {
    contracts: warehouseAndMain,
    operations: [...announce, ...order],
    message: 'sku_id not found',
    cause: 'A product was not synced in this account. `data.errors` of the warehouse API names each detail.',
    cure: 'Sync it by `product/sync`, then send the same again.',
  },
  {
    contracts: warehouseAndMain,
    operations: order,
    message: 'unknown ship_method mapping',
    cause:
      '`logistics_type` or `express_type` is not known, or they do not belong together. `data.errors` of the warehouse API names the wrong field.',
    cure: 'Send a pair of the table at `outbound/create`.',
  },
  {
    contracts: warehouseAndMain,
    operations: order,
    message: 'sku <sku_id> available=<number> < requested=<number>',
    cause:
      'There are not enough sellable units in the warehouse of the tenant: good ones, not expired by your rule of sale, not held by other orders.',
    cure: 'Nothing was allocated. Order fewer, or send the same again when stock has arrived; `stock/query` tells.',
  },
  {
    contracts: ['warehouse'],
    operations: announce,
    message: 'sku <sku_id> would have more than <number> units of one expiry date',
    cause: 'More units than can be counted would lie in one lot.',
    cure: 'Look at the quantities, and at their unit.',
  },
  {
    contracts: ['main', 'logistics'],
    operations: ['inboundsReceive', 'inboundForm'],
    message: 'a lot of sku <sku_id> would hold more than <number> units',
    cause: 'More units than can be counted would lie in one lot.',
    cure: 'Look at the quantities, and at their unit.',
  },
  {
    contracts: ['main'],
    operations: ['inboundsReceive'],
    message: 'sku <sku_id> is not in the document: announced=0 received=0 reported=<number>',
    cause: 'Goods have arrived that the document does not announce.',
    cure: 'Report them with the document that does, or announce them with a new one. Nothing of the call was counted.',
  },
  {
    contracts: ['main'],
    operations: ['inboundsReceive'],
    message: 'sku <sku_id> would be more than the <number> that are accepted: announced=<number> received=<number> reported=<number>',
    cause: 'More has arrived than was announced, beyond what the operator allows.',
    cure: 'Count again; announce the rest with a new document. Nothing of the call was counted.',
  },
  {
    contracts: ['main'],
    operations: ['inboundsReceive'],
    status: 409,
    message: 'receipt_no was used before with another body',
    cause: 'The `receipt_no` was used in this document for another delivery.',
    cure: 'Use a new `receipt_no` for a new delivery; repeat the old one only with the same content.',
  },
  {
    contracts: ['logistics'],
    operations: ['shippingOrder'],
    status: 409,
    message: 'internal_name was used before with another body',
    cause: 'The order is known with other content, which stays.',
    cure: 'To change an order, cancel it and send a new number.',
  },
  {
    contracts: ['logistics'],
    operations: ['inboundForm'],
    status: 409,
    message: 'form_no was used before with another body',
    cause: 'The form is known with other content, which stays.',
    cure: 'Send new goods with a new number.',
  },
  {
    contracts: ['main'],
    operations: ['callbacksRedeliver'],
    message: 'more than <number> callbacks fit; narrow it down, for example by callbacks.created_at',
    cause: 'The filters find more callbacks than are sent again at once.',
    cure: 'Send them again in several calls, by ranges of `callbacks.created_at`.',
  },
  {
    ...advance,
    message: 'orders of a UAT account stay in pending_warehouse_transfer',
    cause: 'The account is for trying out; nothing of it is shipped.',
    cure: 'Report on orders of a production account.',
  },
  { ...advance, message: 'the order is cancelled', cause: 'It was cancelled before it was shipped.', cure: 'Do not ship it.' },
  {
    ...advance,
    message: 'the order waits for stock',
    cause: 'It is `awaiting_stock`: its units have not been allocated.',
    cure: 'Report again when it has been handed to the warehouse.',
  },
  {
    ...advance,
    message: 'the order is <status>; it must be shipped before it is delivered',
    cause: '`shipped` was never reported.',
    cure: 'Report `shipped` with its `shipment_no`, then `delivered`.',
  },
  {
    ...advance,
    message: 'the order is <status> already; it cannot go back to <status>',
    cause: 'The order has come further than is reported.',
    cure: 'Pass over it: reports may arrive late, and nothing leads back.',
  },
  {
    ...advance,
    message: 'shipment_no is missing: what is shipped has one',
    cause: '`shipped` was reported without a `shipment_no`, and none was said before.',
    cure: 'Report it again with its `shipment_no`.',
  },
  {
    ...advance,
    message: 'it was shipped with another shipment_no, which stays',
    cause: 'The order was reported as shipped with another number.',
    cure: 'Look which of the two is right. The one that was reported first stays.',
  },
];

/** What the business says no to. */
export const businessMessages: CataloguedMessage[] = rows.map((row) => ({ status: 400, ...row, about: 'business' }));
