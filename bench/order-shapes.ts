import { faultAccount } from '../faults/child-process.ts';
import type { OutboundCreateBody } from '../sdk/client.ts';

/** spread: two lines out of 200 skus; hot: one line, always the same sku; hot_pair: two lines, always the same two skus. */
export type Shape = 'spread' | 'hot' | 'hot_pair';

const spreadSkuIds = Array.from({ length: 200 }, (_, index) => `SPREAD-${index}`);
const hotSkuIds = ['HOT-0', 'HOT-1'] as const;
export const orderedSkuIds = [...spreadSkuIds, ...hotSkuIds];

/** One unit of each. */
export function skuIdsOf(shape: Shape): string[] {
  switch (shape) {
    case 'spread':
      return twoDifferent(spreadSkuIds);
    case 'hot':
      return [hotSkuIds[0]];
    case 'hot_pair':
      return [...hotSkuIds];
    default:
      return shape satisfies never;
  }
}

function twoDifferent(skuIds: string[]): string[] {
  const one = Math.floor(Math.random() * skuIds.length);
  const step = 1 + Math.floor(Math.random() * (skuIds.length - 1));
  return [skuIds[one]!, skuIds[(one + step) % skuIds.length]!];
}

/** What all ways write down about the receiver. */
export const consignee = {
  consignee_country: 'TW' as const,
  consignee_name: '王小明',
  consignee_phone: '0912345678',
  consignee_address: '台北市信義區市府路45號',
  consignee_zip: '11008',
};
export const shipMethod = { logistics_type: 'home', express_type: 'tcat' };

export function orderBody(shape: Shape, number: string): OutboundCreateBody {
  return {
    outbound_short_id: number,
    warehouse_tpw_id: faultAccount.tenant,
    ...consignee,
    ...shipMethod,
    details: skuIdsOf(shape).map((sku_id) => ({ sku_id, qty: 1 })),
  };
}
