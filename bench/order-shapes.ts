import { faultAccount } from '../faults/child-process.ts';
import type { Random } from '../faults/random.ts';
import type { OutboundCreateBody } from '../sdk/client.ts';

/** spread: two lines from 200 skus; hot: one line, always the same sku. */
export type Shape = 'spread' | 'hot';
export const shapes: Shape[] = ['spread', 'hot'];
/** few: two lines from 20 skus, so that hundreds of accounts are stocked up within seconds. */
export type OrderShape = Shape | 'few' | LotShape;
/** One line, always of the sku that has this number of lots. */
export type LotShape = '5 lots' | '50000 lots';

export const spreadSkus = 200;
const spreadSkuIds = Array.from({ length: spreadSkus }, (_, index) => `SPREAD-${index}`);
export const fewSkuIds = spreadSkuIds.slice(0, 20);
const hotSkuId = 'HOT';
/** Lots have ascending ids in this order. */
export const orderedSkuIds = [...spreadSkuIds, hotSkuId];

export const lotSkuIds: Record<LotShape, string> = { '5 lots': 'FEW-LOTS', '50000 lots': 'MANY-LOTS' };

/** The products of an order, which has one unit of each. */
export function skuIdsOf(shape: OrderShape, random: Random): string[] {
  if (shape === 'hot') return [hotSkuId];
  if (shape === '5 lots' || shape === '50000 lots') return [lotSkuIds[shape]];
  return twoDifferent(shape === 'few' ? fewSkuIds : spreadSkuIds, random);
}

function twoDifferent(skuIds: string[], random: Random): string[] {
  const one = random.upTo(skuIds.length) - 1;
  const step = random.upTo(skuIds.length - 1);
  return [skuIds[one]!, skuIds[(one + step) % skuIds.length]!];
}

/** The recipient data that all implementations store. */
export const consignee = {
  consignee_country: 'TW' as const,
  consignee_name: '王小明',
  consignee_phone: '0912345678',
  consignee_address: '台北市信義區市府路45號',
  consignee_zip: '11008',
};
export const shipMethod = { logistics_type: 'home', express_type: 'tcat' };

export function orderBody(shape: OrderShape, number: string, random: Random): OutboundCreateBody {
  return {
    outbound_short_id: number,
    warehouse_tpw_id: faultAccount.tenant,
    ...consignee,
    ...shipMethod,
    details: skuIdsOf(shape, random).map((sku_id) => ({ sku_id, qty: 1 })),
  };
}
