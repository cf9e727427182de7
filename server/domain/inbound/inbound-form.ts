import { contentDigest } from '../../platform/json/content-digest.ts';
import type { KnownKey } from '../partners/logistics-key-directory.ts';
import type { StorageType } from '../products/product.ts';
import type { Cause } from '../stock/movement.ts';
import type { InboundKind } from './inbound-document.ts';

export const shippingTypes = ['vendor_pickup', 'logistics_delivery', 'vendor_delivery'] as const;
export type ShippingType = (typeof shippingTypes)[number];

/** An item as its sender describes it. Amounts of money are kept as text, because they must stay exact. */
export interface FormItem {
  skuId: string;
  qty: number;
  /** Empty: no batch. */
  batchId: string;
  /** null: the item does not expire. */
  expireDate: string | null;
  name: string | null;
  storageType: StorageType | null;
  price: string | null;
  identifier: string | null;
}

/** The content of an inbound or return form apart from its number. */
export interface InboundFormContent {
  kind: InboundKind;
  internalFormNo: string;
  shippingType: ShippingType;
  sender: { name: string | null; address: string | null };
  callbackUrl: string;
  items: FormItem[];
}

/** A form to create; products have been looked up. */
export interface InboundFormRequest {
  accountId: number;
  key: Pick<KnownKey, 'name' | 'warehouseNo' | 'storeNo' | 'receiving' | 'receiveAfterSeconds' | 'overDeliveryPercent'>;
  partnerNumber: string;
  payloadDigest: string;
  content: Omit<InboundFormContent, 'items'>;
  /** productId is null if the product was not registered when it was looked up. */
  lines: (FormItem & { productId: number | null })[];
  cause: Cause;
}

/** Two requests with the same content have the same digest, whatever the order of their fields. */
export function inboundFormDigest({
  kind,
  internalFormNo,
  shippingType,
  sender,
  callbackUrl,
  items,
}: InboundFormContent): string {
  return contentDigest([
    [kind, internalFormNo, shippingType, sender.name, sender.address, callbackUrl],
    items.map((item) => [
      item.skuId,
      item.qty,
      item.batchId,
      item.expireDate,
      item.name,
      item.storageType,
      item.price,
      item.identifier,
    ]),
  ]);
}
