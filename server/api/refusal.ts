import type { Mistake } from '../platform/schema.ts';

/** What the business says no to: the message is the contract's own to the letter; where, and what else, is in the mistakes. */
export interface Refusal {
  message: string;
  mistakes: Mistake[];
}

export function unknownTenant(): Refusal {
  return refusedAt(['warehouse_tpw_id'], 'unknown tenant');
}

/** `sku_id not found`, at each detail that names one of these. */
export function unknownSkus(details: { sku_id: string }[], skuIds: string[]): Refusal {
  const message = 'sku_id not found';
  const unknown = new Set(skuIds);
  return {
    message,
    mistakes: details.flatMap(({ sku_id }, index) => (unknown.has(sku_id) ? [{ path: ['details', index, 'sku_id'], message }] : [])),
  };
}

export function numberTaken(field: string): Refusal {
  return { message: `${field} already in use`, mistakes: [{ path: [field], message: 'already in use' }] };
}

export function refusedAt(path: Mistake['path'], message: string): Refusal {
  return { message, mistakes: [{ path, message }] };
}
