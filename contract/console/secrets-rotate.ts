import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';
import type { IssuedSecret } from './partner-values.ts';

export const overlapMaxSeconds = 30 * 86_400;

/** The one before stays valid for the overlap; the new one is in the answer, and nowhere else ever again. */
export const secretsRotate = consoleCall<
  { kind: 'rotated'; secret: IssuedSecret; previous_valid_until: string | null } | { kind: 'not_found' }
>()(
  '/secrets/rotate',
  record({
    kind: Type.Enum(['account_secret', 'check_value', 'logistics_key', 'callback_secret', 'connector_secret']),
    /** `ALPHA`, `alpha-erp`, `ALPHA/wms`, or the number of a warehouse. */
    owner: Type.String({ pattern: '^[!-~]{1,129}$', description: '1-129 visible ASCII characters' }),
    overlap_s: Type.Integer({ minimum: 0, maximum: overlapMaxSeconds }),
  }),
);
