import { Type } from 'typebox';
import { consoleCall } from './console-call.ts';
import { type ListPage, listFields, record } from './console-values.ts';
import type { FieldDifference } from './partner-values.ts';

/** What an operator did at the console, or a change of a partner, by whichever way. */
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
  /** null: not known, the service stopped meanwhile; of a change: it was made. */
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
