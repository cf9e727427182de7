import type { CountLot, CountProduct, CountRow, CountScope, CountState } from '../../../contract/console/counts.ts';
import { formatNumber } from '../../kit/number.ts';
import type { Tone } from '../../kit/status-badge.tsx';
import type { words } from './words.ts';

type Say = (typeof words)['en'];

export const countScopes = ['location', 'skus', 'warehouse'] as const satisfies readonly CountScope[];
export const countStates = ['open', 'booked', 'discarded'] as const satisfies readonly CountState[];
export const stateTone: Record<CountState, Tone> = { open: 'active', booked: 'done', discarded: 'stopped' };

export function lotKey({ product_id, stock_type, batch_id, expire_date }: CountLot): string {
  return [product_id, stock_type, expire_date, batch_id].join('/');
}

/** Only the fields by which a call names a lot. */
export function lotOf({ product_id, stock_type, batch_id, expire_date }: CountLot): CountLot {
  return { product_id, stock_type, batch_id, expire_date };
}

/** The batch, the expiry date, and the condition of defective units. */
export function formatLot({ stock_type, batch_id, expire_date }: CountLot, say: Say): string {
  const parts = [batch_id === '' ? say.lot.noBatch : batch_id, expire_date ?? say.lot.noExpiry];
  return [...parts, ...(stock_type === 'bad' ? [say.lot.bad] : [])].join(' · ');
}

export function formatScope({ scope, location, sku_count }: CountRow, say: Say): string {
  if (scope === 'location') return say.scopeOf.location(location ?? '');
  return scope === 'skus' ? say.scopeOf.skus(formatNumber(sku_count ?? 0)) : say.scopeOf.warehouse;
}

export function productsById(products: CountProduct[]): Map<number, CountProduct> {
  return new Map(products.map((product) => [product.product_id, product]));
}
