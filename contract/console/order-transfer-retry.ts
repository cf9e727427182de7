import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import { type NamedOrder, orderBatchMax } from './order-cancel.ts';

export type TransferRetryResult = NamedOrder & { kind: 'waiting' | 'not_rejected' | 'not_found' };

/** Orders that their warehouse did not want go with its next wave again. Each has its own result, in the order given. */
export const orderTransferRetry = consoleCall<{ results: TransferRetryResult[] }>()(
  '/orders/transfer-retry',
  record({ order_ids: Type.Array(RowId, { minItems: 1, maxItems: orderBatchMax, uniqueItems: true }) }),
);
