import type { Clock } from '../../platform/clock.ts';
import type { AccountDirectory, KnownAccount } from '../partners/account-directory.ts';
import { findTenant, sellableFrom } from '../partners/tenant.ts';
import type { ProductDirectory } from '../products/product-directory.ts';
import type { Cause } from '../stock/movement.ts';
import type { CreateOrderOutcome, OrderRequest } from './create-orders.ts';
import { type OrderContent, orderDigest } from './order.ts';

export interface OrderAsSent {
  account: KnownAccount;
  channel: OrderRequest['channel'];
  partnerNumber: string;
  content: OrderContent;
  cause: Cause;
}

export type TakeOrder = (order: OrderAsSent) => Promise<CreateOrderOutcome>;

/** Finds out what an order's own words stand for, and has it created with the next group. */
export function makeTakeOrder(parts: {
  directory: AccountDirectory;
  products: ProductDirectory;
  clock: Clock;
  submit(request: OrderRequest): Promise<CreateOrderOutcome>;
}): TakeOrder {
  const { directory, products, clock, submit } = parts;
  return async ({ account, channel, partnerNumber, content, cause }) => {
    const { accountId } = account;
    const tenant = await findTenant(directory, account, content.warehouseTpwId);
    const productIds = await products.find(
      accountId,
      content.lines.map((line) => line.skuId),
    );
    return await submit({
      accountId,
      channel,
      partnerNumber,
      payloadDigest: orderDigest(content),
      tenant: tenant && { warehouseNo: tenant.warehouseNo, storeNo: tenant.storeNo, sellableFrom: sellableFrom(tenant, clock.now()) },
      lines: content.lines.map(({ skuId, qty }, index) => ({ skuId, qty, productId: productIds[index]! })),
      shipMethod: content.shipMethod,
      consignee: content.consignee,
      cause,
    });
  };
}
