import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { InboundStatus } from './inbound-search.ts';

export const inboundCancelMax = 100;

export type InboundCancelResult = { inbound_id: number; partner_number: string | null } & (
  | { kind: 'cancelled' | 'not_found' }
  | { kind: 'too_late'; status: InboundStatus }
);

/** Each document has its own result, in the order given. */
export const inboundCancel = consoleCall<{ results: InboundCancelResult[] }>()(
  '/inbound/cancel',
  record({ inbound_ids: Type.Array(RowId, { minItems: 1, maxItems: inboundCancelMax, uniqueItems: true }) }),
);
