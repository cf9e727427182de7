import type { ProductDirectory } from '../products/product-directory.ts';
import type { Cause } from '../stock/movement.ts';
import { type DeliveryContent, deliveryDigest } from './delivery.ts';
import type { InboundName } from './inbound-queries.ts';
import type { ReceiveOutcome, ReceiveRequest } from './receive-inbounds.ts';

export interface ReceiptAsSent {
  name: InboundName;
  receiptNo: string | null;
  content: DeliveryContent;
  cause: Cause;
}

export type TakeReceipt = (receipt: ReceiptAsSent) => Promise<ReceiveOutcome>;

/** Finds the products that a receipt names, and has it counted with the next group. */
export function makeTakeReceipt(parts: {
  products: ProductDirectory;
  submit(request: ReceiveRequest): Promise<ReceiveOutcome>;
}): TakeReceipt {
  const { products, submit } = parts;
  return async ({ name, receiptNo, content, cause }) => {
    const { accountId } = name;
    const { lines, isFinal } = content;
    const productIds = await products.find(
      accountId,
      lines.map((line) => line.skuId),
    );
    return await submit({
      accountId,
      name,
      receiptNo,
      payloadDigest: deliveryDigest(content),
      lines: lines.map((line, index) => ({ ...line, productId: productIds[index]! })),
      isFinal,
      cause,
    });
  };
}
