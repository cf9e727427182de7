import { contentDigest, inOneForm } from '../../platform/content-digest.ts';
import type { StorageType } from '../products/product.ts';

/** An item as its sender describes it. Amounts of money are kept as text: exact. */
export interface ShippingItem {
  skuId: string;
  qty: number;
  /** null: of any batch. */
  batchId: string | null;
  comboSku: string | null;
  name: string | null;
  storageType: StorageType;
  price: string | null;
  identifier: string | null;
}

/** What a logistics system says of a shipping order, beside its number. */
export interface ShippingOrderContent {
  /** The e-commerce order number. */
  name: string;
  customerName: string;
  recipient: { name: string; phone: string; address: string | null; city: string | null };
  deliveryCharge: string;
  note: string | null;
  /** Any JSON object; it is nobody's business here what it means. */
  labelData: object | null;
  callbackUrl: string | null;
  items: ShippingItem[];
}

/** Tells whether a repeat says the same as the original, whatever the order of its fields. */
export function shippingOrderDigest({ items, recipient, ...order }: ShippingOrderContent): string {
  return contentDigest([
    [order.name, order.customerName, order.deliveryCharge, order.note, inOneForm(order.labelData), order.callbackUrl],
    [recipient.name, recipient.phone, recipient.address, recipient.city],
    items.map((item) => [item.skuId, item.qty, item.batchId, item.comboSku, item.name, item.storageType, item.price, item.identifier]),
  ]);
}
