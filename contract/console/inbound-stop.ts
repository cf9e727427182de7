import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import type { InboundStatus } from './inbound-search.ts';

/** What has not arrived is not waited for; what has arrived stays. `repeated`: it was stopped before. */
export const inboundStop = consoleCall<{ kind: 'stopped' | 'repeated' } | { kind: 'too_late'; status: InboundStatus }>()(
  '/inbound/stop',
  record({ inbound_id: RowId }),
);
