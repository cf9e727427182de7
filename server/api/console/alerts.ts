import {
  type AlertRules,
  type AlertRuleValues,
  alertsChange,
  alertsCreate,
  alertsDelete,
  alertsHistory,
  alertsList,
  alertsRotateSecret,
  alertsTest,
  type ListedAlertMessage,
  type ListedAlertRule,
} from '../../../contract/console/alerts.ts';
import type { AnswerOf } from '../../../contract/console/console-call.ts';
import { readMessage } from '../../../messages/message.ts';
import { listMessages, type ListedAlertMessage as MessageRow } from '../../domain/alerts/alert-message-queries.ts';
import type { QuietHours } from '../../domain/alerts/alert-rule.ts';
import { listAlertRules, type ListedAlertRule as RuleRow } from '../../domain/alerts/alert-rule-queries.ts';
import {
  changeAlertRule,
  createAlertRule,
  type RuleValues,
  removeAlertRule,
  rotateAlertSecret,
} from '../../domain/alerts/change-alert-rules.ts';
import { makeAlertSender } from '../../domain/alerts/make-alert-sender.ts';
import { testAlert } from '../../domain/alerts/test-alert.ts';
import { kindsWithin } from '../../domain/overview/attention-kinds.ts';
import { distinct } from '../../platform/distinct.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

export function alertEndpoints(parts: ConsoleParts): ConsoleEndpoint[] {
  return [
    alertsListCall(parts),
    alertsCreateCall(parts),
    alertsChangeCall(parts),
    alertsDeleteCall(parts),
    alertsRotateSecretCall(parts),
    alertsTestCall(parts),
    alertsHistoryCall(parts),
  ];
}

function alertsListCall({ database, alerts }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(alertsList, {
    role: 'admin',
    audit: null,
    async handle(): Promise<AlertRules> {
      const rules = await database.read(noAccounts, listAlertRules);
      return {
        rows: rules.map(toListed),
        has_mail: alerts.mail !== null,
        kinds_of_accounts: kindsWithin({ accountNos: [], warehouseNos: null }),
        kinds_of_warehouses: kindsWithin({ accountNos: null, warehouseNos: [] }),
      };
    },
  });
}

function toListed(rule: RuleRow): ListedAlertRule {
  const { scope, quiet, kinds, emails, webhookUrl } = rule;
  return {
    alert_rule_id: rule.alertRuleId,
    name: rule.name,
    enabled: rule.enabled,
    language: rule.language,
    ...(kinds && { kinds }),
    ...(scope.accountNos && { account_nos: scope.accountNos }),
    ...(scope.warehouseNos && { warehouse_nos: scope.warehouseNos }),
    min_count: rule.minCount,
    min_minutes: rule.minMinutes,
    repeat_hours: rule.repeatHours,
    notify_resolved: rule.notifyResolved,
    ...(emails.length > 0 && { emails }),
    ...(webhookUrl !== null && { webhook_url: webhookUrl }),
    ...(quiet && { quiet: { from: formatClock(quiet.from), to: formatClock(quiet.to), days: quiet.days } }),
    urgent_ignores_quiet: rule.urgentIgnoresQuiet,
    created_at: rule.createdAt,
    created_by: rule.createdBy,
    looked_at: rule.lookedAt,
  };
}

function toValues(given: AlertRuleValues): RuleValues {
  return {
    name: given.name,
    enabled: given.enabled,
    language: given.language,
    kinds: given.kinds === undefined ? null : distinct(given.kinds),
    scope: {
      accountNos: given.account_nos === undefined ? null : distinct(given.account_nos),
      warehouseNos: given.warehouse_nos === undefined ? null : distinct(given.warehouse_nos),
    },
    minCount: given.min_count,
    minMinutes: given.min_minutes,
    repeatHours: given.repeat_hours,
    notifyResolved: given.notify_resolved,
    emails: distinct(given.emails ?? []),
    webhookUrl: given.webhook_url ?? null,
    quiet: given.quiet === undefined ? null : toQuiet(given.quiet),
    urgentIgnoresQuiet: given.urgent_ignores_quiet,
  };
}

function toQuiet({ from, to, days }: NonNullable<AlertRuleValues['quiet']>): QuietHours {
  return { from: parseClock(from), to: parseClock(to), days: distinct(days).toSorted() };
}

function parseClock(text: string): number {
  const [hours, minutes] = text.split(':').map(Number);
  return hours! * 60 + minutes!;
}

function formatClock(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Neither addresses nor the URL, which may have a token in it. */
function auditOf({ name, kinds, emails, webhook_url, enabled }: AlertRuleValues) {
  const channels = [...(emails === undefined ? [] : ['email']), ...(webhook_url === undefined ? [] : ['webhook'])];
  return { subject: name, details: { enabled, kinds: kinds ?? 'all', channels } };
}

const auditOfId = ({ alert_rule_id }: { alert_rule_id: number }) => ({ subject: `alert rule ${alert_rule_id}` });

function alertsCreateCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(alertsCreate, {
    role: 'admin',
    audit: auditOf,
    async handle(caller, given, request): Promise<AnswerOf<typeof alertsCreate>> {
      const outcome = await createAlertRule(parts, toValues(given), causeOf(caller, request).actor);
      return outcome.kind === 'created'
        ? { kind: 'created', alert_rule_id: outcome.alertRuleId, secret: outcome.secret }
        : outcome;
    },
  });
}

function alertsChangeCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(alertsChange, {
    role: 'admin',
    audit: auditOf,
    handle: (_caller, { alert_rule_id, ...given }) => changeAlertRule(parts, alert_rule_id, toValues(given)),
  });
}

function alertsDeleteCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(alertsDelete, {
    role: 'admin',
    audit: auditOfId,
    async handle(_caller, { alert_rule_id }): Promise<AnswerOf<typeof alertsDelete>> {
      return { kind: (await removeAlertRule(database, alert_rule_id)) ? 'deleted' : 'not_found' };
    },
  });
}

function alertsRotateSecretCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(alertsRotateSecret, {
    role: 'admin',
    audit: auditOfId,
    async handle(_caller, { alert_rule_id }): Promise<AnswerOf<typeof alertsRotateSecret>> {
      const secret = await rotateAlertSecret(parts, alert_rule_id);
      return secret === null ? { kind: 'not_found' } : { kind: 'rotated', secret };
    },
  });
}

function alertsTestCall({ database, keyring, clock, alerts, alertTestLimit }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(alertsTest, {
    role: 'admin',
    audit: auditOfId,
    outcome: (answer) =>
      answer.kind === 'tested' ? (answer.results.every(({ is_sent }) => is_sent) ? 'sent' : 'failed') : answer.kind,
    async handle({ session }, { alert_rule_id }): Promise<AnswerOf<typeof alertsTest>> {
      if (alertTestLimit(session.username).kind === 'limited') return { kind: 'throttled' };
      const { sender, close } = makeAlertSender({ keyring, clock, config: alerts });
      try {
        const outcome = await testAlert(database, alert_rule_id, sender);
        if (outcome.kind === 'not_found') return outcome;
        const results = outcome.results.map(({ channel, isDone, result }) => ({ channel, is_sent: isDone, result }));
        return { kind: 'tested', results };
      } finally {
        await close();
      }
    },
  });
}

const historyPageRows = 50;

function alertsHistoryCall({ database }: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(alertsHistory, {
    role: 'admin',
    audit: null,
    async handle(_caller, { alert_rule_id = null, before = null }) {
      const question = { alertRuleId: alert_rule_id, before, limit: historyPageRows + 1 };
      const rows = await database.read(noAccounts, (sql) => listMessages(sql, question));
      return { rows: rows.slice(0, historyPageRows).map(toMessage), has_more: rows.length > historyPageRows };
    },
  });
}

function toMessage(row: MessageRow): ListedAlertMessage {
  const { channel, occasion, items, state, attempts, taken, left, refused } = row;
  return {
    alert_message_id: row.alertMessageId,
    alert_rule_id: row.alertRuleId,
    rule_name: row.ruleName,
    channel,
    occasion,
    items: items.map(({ kind, event, count, isMore }) => ({ kind, event, count, is_more: isMore })),
    state,
    attempts,
    taken,
    left,
    refused,
    created_at: row.createdAt,
    attempted_at: row.attemptedAt,
    due_at: state === 'pending' ? row.dueAt : null,
    result: readMessage(row.result),
  };
}
