import { faultAccount } from '../../faults/child-process.ts';
import { consignee, shipMethod } from '../order-shapes.ts';
import { signedRequest } from '../signed-request.ts';
import { type Buy, failed, type LadingRecipe, type Send } from './purchase.ts';

/** One signed request. */
export function makeLadingBuyer({ numbersBeginWith }: LadingRecipe, send: Send, buyer: number): Buy {
  let orders = 0;
  return async (skuId) => {
    const order = {
      outbound_short_id: `${numbersBeginWith}${buyer}-${++orders}`,
      warehouse_tpw_id: faultAccount.tenant,
      ...consignee,
      ...shipMethod,
      details: [{ sku_id: skuId, qty: 1 }],
    };
    const { status, body } = await send(signedRequest('outbound/create', order));
    if (status === 200 && body.includes('"idempotent":false')) return { kind: 'accepted' };
    if (status === 400 && body.includes('insufficient_stock')) return { kind: 'refused' };
    return failed('outbound/create', { status, body: body.toString() });
  };
}
