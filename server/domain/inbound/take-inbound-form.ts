import type { KnownKey } from '../partners/logistics-key-directory.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import type { Cause } from '../stock/movement.ts';
import type { CreateFormOutcome, InboundFormRequest } from './create-inbound-forms.ts';
import { type InboundFormContent, inboundFormDigest } from './inbound-form.ts';

export interface InboundFormAsSent {
  key: KnownKey;
  partnerNumber: string;
  content: InboundFormContent;
  cause: Cause;
}

export type TakeInboundForm = (form: InboundFormAsSent) => Promise<CreateFormOutcome>;

/** Finds the products that are known already, and has the form created with the next group. */
export function makeTakeInboundForm(parts: {
  products: ProductDirectory;
  submit(request: InboundFormRequest): Promise<CreateFormOutcome>;
}): TakeInboundForm {
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
      payloadDigest: inboundFormDigest(content),
      content: rest,
      lines: items.map((item, index) => ({ ...item, productId: productIds[index]! })),
      cause,
    });
  };
}
