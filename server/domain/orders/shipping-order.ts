import { contentDigest, inOneForm } from '../../platform/json/content-digest.ts';
import type { KnownKey } from '../partners/logistics-key-directory.ts';
import type { StorageType } from '../products/product.ts';
import type { Cause } from '../stock/movement.ts';

/** An item as its sender describes it. Amounts of money are kept as text, because they must stay exact. */
export interface ShippingItem {
  skuId: string;
  qty: number;
  /** null: any batch. */
  batchId: string | null;
  comboSku: string | null;
  name: string | null;
  storageType: StorageType;
  price: string | null;
  identifier: string | null;
}

/** The content of a shipping order apart from its number. */
export interface ShippingOrderContent {
  /** The e-commerce order number. */
  name: string;
  customerName: string;
  recipient: { name: string; phone: string; address: string | null; city: string | null };
  deliveryCharge: string;
  note: string | null;
  /** Any JSON object; its content has no meaning here. */
  labelData: object | null;
  callbackUrl: string | null;
  items: ShippingItem[];
}

/** A shipping order to create; products have been looked up. */
export interface ShippingOrderRequest {
  accountId: number;
  key: Pick<KnownKey, 'name' | 'warehouseNo' | 'storeNo' | 'sellableDaysBeforeExpiry'>;
  partnerNumber: string;
  payloadDigest: string;
  content: Omit<ShippingOrderContent, 'items'>;
  /** productId is null if the product was not registered when it was looked up. */
  lines: (ShippingItem & { productId: number | null })[];
  cause: Cause;
}

/** Two requests with the same content have the same digest, whatever the order of their fields. */
export function shippingOrderDigest({ items, recipient, ...order }: ShippingOrderContent): string {
  return contentDigest([
    [order.name, order.customerName, order.deliveryCharge, order.note, inOneForm(order.labelData), order.callbackUrl],
    [recipient.name, recipient.phone, recipient.address, recipient.city],
    items.map((item) => [
      item.skuId,
      item.qty,
      item.batchId,
      item.comboSku,
      item.name,
      item.storageType,
      item.price,
      item.identifier,
    ]),
  ]);
}
