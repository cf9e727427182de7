import { contentDigest } from '../../platform/content-digest.ts';
import type { StorageType } from '../products/product.ts';
import type { InboundKind } from './inbound-document.ts';

export const shippingTypes = ['vendor_pickup', 'logistics_delivery', 'vendor_delivery'] as const;
export type ShippingType = (typeof shippingTypes)[number];

/** An item as its sender describes it. Amounts of money are kept as text: exact. */
export interface FormItem {
  skuId: string;
  qty: number;
  /** Empty: of no batch. */
  batchId: string;
  /** null: it does not expire. */
  expireDate: string | null;
  name: string | null;
  storageType: StorageType | null;
  price: string | null;
  identifier: string | null;
}

/** What a logistics system says of an inbound or return form, beside its number. */
export interface InboundFormContent {
  kind: InboundKind;
  internalFormNo: string;
  shippingType: ShippingType;
  sender: { name: string | null; address: string | null };
  callbackUrl: string;
  items: FormItem[];
}

/** Tells whether a repeat says the same as the original, whatever the order of its fields. */
export function inboundFormDigest({ kind, internalFormNo, shippingType, sender, callbackUrl, items }: InboundFormContent): string {
  return contentDigest([
    [kind, internalFormNo, shippingType, sender.name, sender.address, callbackUrl],
    items.map((item) => [item.skuId, item.qty, item.batchId, item.expireDate, item.name, item.storageType, item.price, item.identifier]),
  ]);
}
