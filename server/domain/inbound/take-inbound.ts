import type { AccountDirectory, KnownAccount } from '../partners/account-directory.ts';
import { findTenant } from '../partners/tenant.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import type { Cause } from '../stock/movement.ts';
import type { CreateInboundOutcome, InboundRequest } from './create-inbounds.ts';
import { type InboundContent, inboundDigest } from './inbound-document.ts';

export interface InboundAsSent {
  account: KnownAccount;
  partnerNumber: string;
  content: InboundContent;
  cause: Cause;
}

export type TakeInbound = (document: InboundAsSent) => Promise<CreateInboundOutcome>;

/** Finds out what a document's own words stand for, and has it created with the next group. */
export function makeTakeInbound(parts: {
  directory: AccountDirectory;
  products: ProductDirectory;
  submit(request: InboundRequest): Promise<CreateInboundOutcome>;
}): TakeInbound {
  const { directory, products, submit } = parts;
  return async ({ account, partnerNumber, content, cause }) => {
    const { accountId } = account;
    const { kind, warehouseTpwId, estimatedArrivalMs, originalOrderNumber, lines } = content;
    const tenant = await findTenant(directory, account, warehouseTpwId);
    const productIds = await products.find(
      accountId,
      lines.map((line) => line.skuId),
    );
    return await submit({
      accountId,
      kind,
      partnerNumber,
      payloadDigest: inboundDigest(content),
      tenant,
      lines: lines.map((line, index) => ({ ...line, productId: productIds[index]! })),
      estimatedArrivalMs,
      originalOrderNumber,
      cause,
    });
  };
}
