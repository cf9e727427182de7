import type { KnownKey } from '../partners/logistics-key-directory.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import type { Cause } from '../stock/movement.ts';
import type { CreateShippingOrderOutcome, ShippingOrderRequest } from './create-shipping-orders.ts';
import { type ShippingOrderContent, shippingOrderDigest } from './shipping-order.ts';

export interface ShippingOrderAsSent {
  key: KnownKey;
  partnerNumber: string;
  content: ShippingOrderContent;
  cause: Cause;
}

export type TakeShippingOrder = (order: ShippingOrderAsSent) => Promise<CreateShippingOrderOutcome>;

/** Finds the products that are known already, and has the order created with the next group. */
export function makeTakeShippingOrder(parts: {
  products: ProductDirectory;
  submit(request: ShippingOrderRequest): Promise<CreateShippingOrderOutcome>;
}): TakeShippingOrder {
  const { products, submit } = parts;
  return async ({ key, partnerNumber, content, cause }) => {
    const { accountId } = key;
    const { items, ...rest } = content;
    const productIds = await products.find(
      accountId,
      items.map((item) => item.skuId),
    );
    return await submit({
      accountId,
      key,
      partnerNumber,
      payloadDigest: shippingOrderDigest(content),
      content: rest,
      lines: items.map((item, index) => ({ ...item, productId: productIds[index]! })),
      cause,
    });
  };
}
