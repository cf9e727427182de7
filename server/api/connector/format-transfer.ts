import type { TransferBody } from '../../../contract/connector/transfer.ts';
import type { TransferBatch, TransferredLine, TransferredOrder } from '../../domain/transfers/transfer.ts';
import { taipeiInstant } from '../../platform/clock.ts';

/** Formats the body of a request to a warehouse according to the contract. */
export function formatTransfer({ batchId, warehouseNo, sentAt, orders }: TransferBatch): string {
  const body: TransferBody = {
    batch_id: batchId,
    warehouse_no: warehouseNo,
    sent_at: taipeiInstant(sentAt),
    orders: orders.map(formatOrder),
  };
  return JSON.stringify(body);
}

type WireOrder = TransferBody['orders'][number];

function formatOrder(order: TransferredOrder): WireOrder {
  const { channel, partnerNumber, shipping } = order;
  return {
    transfer_id: order.transferId,
    orders_id: order.orderNo,
    account_no: order.accountNo,
    channel,
    outbound_short_id: channel === 'logistics' ? null : partnerNumber,
    internal_name: channel === 'logistics' ? partnerNumber : null,
    name: order.name,
    store_no: order.storeNo,
    logistics_type: order.logisticsType as WireOrder['logistics_type'],
    express_type: order.expressType as WireOrder['express_type'],
    consignee_country: order.consigneeCountry as WireOrder['consignee_country'],
    consignee_name: order.consigneeName,
    consignee_phone: order.consigneePhone,
    consignee_address: order.consigneeAddress,
    consignee_zip: order.consigneeZip,
    consignee_city: shipping?.city ?? null,
    customer_name: shipping?.customerName ?? null,
    // Exact, because it has at most 12 digits.
    delivery_charge: shipping ? Number(shipping.deliveryCharge) : null,
    note: shipping?.note ?? null,
    store_pickup_label_data: shipping?.labelData ?? null,
    created_at: order.createdAt,
    details: order.lines.map(formatLine),
  };
}

function formatLine({ skuId, qty, name, storageType, batchId, identifier, comboSku, lots }: TransferredLine) {
  return {
    sku_id: skuId,
    qty,
    name,
    storage_type: storageType,
    batch: batchId,
    identifier,
    combo_sku: comboSku,
    lots: lots.map((lot) => ({ batch_id: lot.batchId, expire_date: lot.expireDate, qty: lot.qty })),
  };
}
