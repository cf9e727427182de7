import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export interface RetriedRejected {
  kind: 'retried';
  count: number;
  /** Others are still put aside. */
  is_more: boolean;
}

/** Orders that a warehouse rejected go again with its next wave: all of them, up to a limit. */
export const systemRetryRejected = consoleCall<RetriedRejected>()(
  '/system/retry-rejected',
  record({ warehouse_no: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
);
