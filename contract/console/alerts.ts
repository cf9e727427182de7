import { type Static, Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { PlaceNumber, WebAddress } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, Nothing, RowId, record } from './console-values.ts';
import type { AttentionKind } from './home.ts';
import { Title } from './partners.ts';

const Kind = Type.Enum([
  ...(['stock_audit', 'jobs_failed', 'backup_late', 'alerts_failing', 'waves_failing', 'transfers_rejected'] as const),
  ...(['lots_expired', 'nodes_silent', 'receivers_down', 'callbacks_failed', 'receivers_paused'] as const),
  ...(['orders_awaiting_stock', 'signatures_failing', 'tokens_failing', 'lots_expiring'] as const),
]);

/** ASCII without quotes, so that nothing in it can be read as a second address or a header. */
const Email = Type.String({
  pattern: "^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\\.[A-Za-z0-9-]{1,63}){1,8}$",
  description: 'an e-mail address such as ops@mail.example',
});

const ClockTime = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', description: 'a time such as 22:00' });

const QuietHours = record({
  from: ClockTime,
  /** If it is not later than `from`, it is on the next day. */
  to: ClockTime,
  /** The days on which the quiet hours begin: 1 is Monday. */
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { minItems: 1, maxItems: 7 }),
});

const ruleFields = {
  name: Title,
  enabled: Type.Boolean(),
  language: Type.Enum(['en', 'zh-TW']),
  /** Default: all that are possible. */
  kinds: Type.Optional(Type.Array(Kind, { minItems: 1, maxItems: 50 })),
  /** Default: all. */
  account_nos: Type.Optional(Type.Array(AccountNo, { minItems: 1, maxItems: 50 })),
  warehouse_nos: Type.Optional(Type.Array(PlaceNumber, { minItems: 1, maxItems: 50 })),
  min_count: Type.Integer({ minimum: 1, maximum: 1000 }),
  min_minutes: Type.Integer({ minimum: 0, maximum: 10_080 }),
  repeat_hours: Type.Integer({ minimum: 1, maximum: 720 }),
  notify_resolved: Type.Boolean(),
  emails: Type.Optional(Type.Array(Email, { minItems: 1, maxItems: 20 })),
  webhook_url: Type.Optional(WebAddress),
  quiet: Type.Optional(QuietHours),
  urgent_ignores_quiet: Type.Boolean(),
};
const Rule = record(ruleFields);

export type AlertRuleValues = Static<typeof Rule>;

export interface ListedAlertRule extends AlertRuleValues {
  alert_rule_id: number;
  created_at: string;
  created_by: string;
  /** When its conditions were last looked at; null: not yet. */
  looked_at: string | null;
}

export interface AlertRules {
  rows: ListedAlertRule[];
  /** SMTP_URL is set. */
  has_mail: boolean;
  /** The kinds that can be counted for accounts, and for warehouses. */
  kinds_of_accounts: AttentionKind[];
  kinds_of_warehouses: AttentionKind[];
}

export const alertsList = consoleCall<AlertRules>()('/alerts/list', Nothing);

export interface AlertRuleProblem {
  reason:
    | 'url_not_http'
    | 'url_with_credentials'
    | 'url_port_zero'
    | 'url_private'
    | 'no_channel'
    | 'too_many_rules'
    | 'unknown_account'
    | 'unknown_warehouse'
    | 'kind_of_no_account';
  values: string[];
}

export interface AlertRuleRefused {
  kind: 'refused';
  problems: AlertRuleProblem[];
}

/** The secret of a new webhook is shown once; null: there is no new one. */
export const alertsCreate = consoleCall<
  { kind: 'created'; alert_rule_id: number; secret: string | null } | AlertRuleRefused
>()('/alerts/create', Rule);

export const alertsChange = consoleCall<
  { kind: 'changed'; secret: string | null } | { kind: 'not_found' } | AlertRuleRefused
>()('/alerts/change', record({ alert_rule_id: RowId, ...ruleFields }));

export const alertsDelete = consoleCall<{ kind: 'deleted' } | { kind: 'not_found' }>()(
  '/alerts/delete',
  record({ alert_rule_id: RowId }),
);

/** The former secret is invalid at once. */
export const alertsRotateSecret = consoleCall<{ kind: 'rotated'; secret: string } | { kind: 'not_found' }>()(
  '/alerts/rotate-secret',
  record({ alert_rule_id: RowId }),
);

export type AlertChannel = 'email' | 'webhook';

export interface AlertTestResult {
  channel: AlertChannel;
  is_sent: boolean;
  /** The response of the mail server or the receiver, or why there was none. */
  result: Message | string;
}

/** Sends a test through all channels of the rule, and waits for the result. */
export const alertsTest = consoleCall<
  | { kind: 'tested'; results: AlertTestResult[] }
  | { kind: 'not_found' }
  /** Too many tests within a minute. */
  | { kind: 'throttled' }
>()('/alerts/test', record({ alert_rule_id: RowId }));

export interface ListedAlertItem {
  kind: AttentionKind;
  event: 'raised' | 'repeated' | 'grown' | 'resolved' | 'held';
  count: number;
  is_more: boolean;
}

export interface ListedAlertMessage {
  alert_message_id: number;
  alert_rule_id: number;
  rule_name: string;
  channel: AlertChannel;
  occasion: 'alert' | 'summary' | 'test';
  items: ListedAlertItem[];
  state: 'pending' | 'sent' | 'failed';
  attempts: number;
  /** Addresses that have it, that are left, and that the mail server will never take. */
  taken: number;
  left: number;
  refused: string[];
  created_at: string;
  attempted_at: string | null;
  /** The next attempt of a message that is pending. */
  due_at: string | null;
  result: Message | string | null;
}

/** Newest first. */
export const alertsHistory = consoleCall<{ rows: ListedAlertMessage[]; has_more: boolean }>()(
  '/alerts/history',
  record({ alert_rule_id: Type.Optional(RowId), before: Type.Optional(RowId) }),
);
