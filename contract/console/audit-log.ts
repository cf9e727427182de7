import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record } from './console-values.ts';
import type { FieldDifference } from './partners.ts';

/** An operator's action in the console, or a change of a partner by any means. */
export interface AuditRow {
  /** Unique in the list. */
  row_key: string;
  source: 'action' | 'change';
  at: string;
  who: string;
  role: string | null;
  /** `orders/cancel`, or `client/rotated` for a change. */
  action: string;
  subject: string | null;
  account_no: string | null;
  /** For an action, null means unknown, because the service stopped meanwhile. A change has no outcome. */
  outcome: string | null;
  address: string | null;
  trace_id: string | null;
  details: FieldDifference[];
}

const Text = Type.String({ minLength: 1, maxLength: 200 });
const Instant = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,6})?(Z|[+-]\\d\\d:\\d\\d)$',
  description: 'an instant',
});

/** Newest first. Filters compare whole values. */
export const auditLogSearch = consoleCall<ListPage<AuditRow>>()(
  '/audit-log/search',
  record({
    who: Type.Optional(Text),
    action: Type.Optional(Text),
    subject: Type.Optional(Text),
    account: Type.Optional(Text),
    from: Type.Optional(Instant),
    until: Type.Optional(Instant),
    page_size: listFields.page_size,
    cursor: listFields.cursor,
  }),
);
