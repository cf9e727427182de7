import { errorMessage } from '../../messages/errors.ts';
import type { Message } from '../../messages/message.ts';
import type { Mistake } from '../platform/json/schema.ts';

/**
 * A request rejected by a business rule. The message is guaranteed by the contract; `mistakes` contains the locations.
 */
export interface Rejection {
  message: Message;
  mistakes: Mistake[];
}

export function unknownTenant(): Rejection {
  return rejectedAt(['warehouse_tpw_id'], errorMessage('unknown_tenant'));
}

/** `sku_id not found` at each detail with an unknown product. */
export function unknownSkus(details: { sku_id: string }[], skuIds: string[]): Rejection {
  const message = errorMessage('unknown_sku');
  const unknown = new Set(skuIds);
  return {
    message,
    mistakes: details.flatMap(({ sku_id }, index) =>
      unknown.has(sku_id) ? [{ path: ['details', index, 'sku_id'], message }] : [],
    ),
  };
}

export function rejectedAt(path: Mistake['path'], message: Message): Rejection {
  return { message, mistakes: [{ path, message }] };
}
