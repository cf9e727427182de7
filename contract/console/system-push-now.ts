import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';

export type PushedNow =
  | { kind: 'not_found' }
  /** A manual warehouse has taken so many of those that waited; if there are more, the same call goes on. */
  | { kind: 'transferred'; count: number; has_more: boolean }
  /** The next wave is due; a worker begins it. */
  | { kind: 'hastened' };

/** What waits for a warehouse goes to it now. */
export const systemPushNow = consoleCall<PushedNow>()(
  '/system/push-now',
  record({ warehouse_no: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
);
