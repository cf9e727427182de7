import type { ConsoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';
import { orderAdvanceCall } from './order-advance.ts';
import { orderCancelCall } from './order-cancel.ts';
import { orderDetailCall } from './order-detail.ts';
import { orderNoteAddCall } from './order-note-add.ts';
import { orderScanCall } from './order-scan.ts';
import { orderSearchCall } from './order-search.ts';
import { orderTransferRetryCall } from './order-transfer-retry.ts';
import { viewEndpoints } from './view-endpoints.ts';

/** Orders: list, detail, what staff do with them; and the views that everybody keeps of their lists. */
export function orderEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    orderSearchCall(parts),
    orderDetailCall(parts),
    orderScanCall(parts),
    orderCancelCall(parts),
    orderAdvanceCall(parts),
    orderTransferRetryCall(parts),
    orderNoteAddCall(parts),
    ...viewEndpoints(parts),
  ];
}
