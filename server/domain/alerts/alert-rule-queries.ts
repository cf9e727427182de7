import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { assignments, rowValues, type Sql, type Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { AttentionKind } from '../overview/attention-kinds.ts';
import { type AlertRule, alertRulesMax } from './alert-rule.ts';

interface RuleRow extends Omit<AlertRule, 'scope' | 'quiet'> {
  accountNos: string[] | null;
  warehouseNos: number[] | null;
  quietFrom: number | null;
  quietTo: number | null;
  quietDays: number[] | null;
}

const columns = camelColumns(
  'alert_rule_id, name, enabled, language, kinds, account_nos, warehouse_nos, min_count, min_minutes, repeat_hours, notify_resolved, emails, webhook_url, quiet_from, quiet_to, quiet_days, urgent_ignores_quiet',
);

function toRule<Row extends RuleRow>({ accountNos, warehouseNos, quietFrom, quietTo, quietDays, ...row }: Row) {
  const quiet = quietFrom === null ? null : { from: quietFrom, to: quietTo!, days: quietDays! };
  return { ...row, scope: { accountNos, warehouseNos }, quiet };
}

/** For the console: by name. */
export type ListedAlertRule = AlertRule & { createdAt: string; createdBy: string; lookedAt: string | null };

export async function listAlertRules(sql: Sql): Promise<ListedAlertRule[]> {
  const rows = await sql<(RuleRow & Omit<ListedAlertRule, keyof AlertRule>)[]>`
    select ${columns}, ${sql.unsafe(taipeiTime('created_at', '"createdAt"'))}, created_by as "createdBy",
      ${sql.unsafe(taipeiTime('looked_at', '"lookedAt"'))}
    from alert_rule order by name, alert_rule_id limit ${alertRulesMax}`;
  return rows.map((row) => toRule(row));
}

export async function listEnabledRules(sql: Sql): Promise<AlertRule[]> {
  const rows = await sql<RuleRow[]>`
    select ${columns} from alert_rule where enabled order by alert_rule_id limit ${alertRulesMax}`;
  return rows.map((row) => toRule(row));
}

/**
 * The rule, locked until the end of the transaction. null: it is gone or disabled, another worker is busy with it, or a
 * look at this time or later was taken into account.
 */
export async function lockRuleToLook(tx: Tx, alertRuleId: number, lookedAt: Date): Promise<AlertRule | null> {
  const [row] = await tx<RuleRow[]>`
    select ${columns} from alert_rule
    where alert_rule_id = ${alertRuleId} and enabled and (looked_at is null or looked_at < ${lookedAt})
    for update skip locked`;
  return row === undefined ? null : toRule(row);
}

export async function saveLook(tx: Tx, alertRuleId: number, lookedAt: Date): Promise<void> {
  await tx`update alert_rule set looked_at = ${lookedAt} where alert_rule_id = ${alertRuleId}`;
}

export interface SealedWebhookSecret {
  sealed: Buffer | null;
  masterKeyId: string | null;
}

/** With what is needed to send. */
export type SendingRule = AlertRule & SealedWebhookSecret;

export async function findRule(sql: Sql | Tx, alertRuleId: number): Promise<SendingRule | null> {
  const [row] = await sql<(RuleRow & SealedWebhookSecret)[]>`
    select ${columns}, sealed, master_key_id as "masterKeyId" from alert_rule where alert_rule_id = ${alertRuleId}`;
  return row === undefined ? null : toRule(row);
}

/** Rules change one at a time, so that their number stays below the limit. */
export async function lockRules(tx: Tx): Promise<number> {
  await tx`lock table alert_rule in share row exclusive mode`;
  const [row] = await tx<{ count: number }[]>`select count(*)::integer as count from alert_rule`;
  return row!.count;
}

export async function newRuleId(tx: Tx): Promise<number> {
  const [row] = await tx<{ id: number }[]>`select nextval('alert_rule_id_seq') as id`;
  return row!.id;
}

export interface WrittenRule extends SealedWebhookSecret {
  name: string;
  enabled: boolean;
  language: AlertRule['language'];
  kinds: AttentionKind[] | null;
  account_nos: string[] | null;
  warehouse_nos: number[] | null;
  min_count: number;
  min_minutes: number;
  repeat_hours: number;
  notify_resolved: boolean;
  emails: string[];
  webhook_url: string | null;
  quiet_from: number | null;
  quiet_to: number | null;
  quiet_days: number[] | null;
  urgent_ignores_quiet: boolean;
}

function rowOf({ sealed, masterKeyId, ...row }: WrittenRule) {
  return { ...row, sealed, master_key_id: masterKeyId };
}

export async function insertRule(tx: Tx, alertRuleId: number, rule: WrittenRule, actor: string): Promise<void> {
  await tx`insert into alert_rule ${rowValues({ alert_rule_id: alertRuleId, created_by: actor, ...rowOf(rule) })}`;
}

export async function updateRule(tx: Tx, alertRuleId: number, rule: WrittenRule): Promise<void> {
  await tx`update alert_rule set ${assignments(rowOf(rule))} where alert_rule_id = ${alertRuleId}`;
}

export async function replaceWebhookSecret(
  tx: Tx,
  alertRuleId: number,
  { sealed, masterKeyId }: SealedWebhookSecret,
): Promise<boolean> {
  const { count } = await tx`
    update alert_rule set sealed = ${sealed}, master_key_id = ${masterKeyId}
    where alert_rule_id = ${alertRuleId} and webhook_url is not null`;
  return count === 1;
}

/** Its states and messages go with it. */
export async function deleteRule(tx: Tx, alertRuleId: number): Promise<boolean> {
  return (await tx`delete from alert_rule where alert_rule_id = ${alertRuleId}`).count === 1;
}

export async function listWarehouseNos(tx: Tx): Promise<number[]> {
  const rows = await tx<{ warehouseNo: number }[]>`select warehouse_no as "warehouseNo" from warehouse`;
  return rows.map(({ warehouseNo }) => warehouseNo);
}
