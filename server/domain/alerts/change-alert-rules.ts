import type { Keyring } from '../../platform/keyring.ts';
import type { AddressGuard, AddressRule } from '../../platform/outgoing/address-guard.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import { kindsWithin } from '../overview/attention-kinds.ts';
import { listAccounts } from '../partners/partner-queries.ts';
import { generateSecret } from '../partners/secret.ts';
import { type AlertRule, alertRulesMax, channelsOf } from './alert-rule.ts';
import {
  deleteRule,
  findRule,
  insertRule,
  listWarehouseNos,
  lockRules,
  newRuleId,
  replaceWebhookSecret,
  type SealedWebhookSecret,
  updateRule,
  type WrittenRule,
} from './alert-rule-queries.ts';
import { forgetStates } from './alert-state-queries.ts';
import { secretContext } from './send-alert.ts';

export type RuleValues = Omit<AlertRule, 'alertRuleId'>;

/** Why a rule is refused, with the values that are wrong. */
export interface RuleProblem {
  reason:
    | AddressRule
    | 'no_channel'
    | 'too_many_rules'
    | 'unknown_account'
    | 'unknown_warehouse'
    | 'kind_of_no_account';
  values: string[];
}

interface RuleParts {
  database: Database;
  keyring: Keyring;
  guard: AddressGuard;
}

export type CreateOutcome =
  | { kind: 'created'; alertRuleId: number; secret: string | null }
  | { kind: 'refused'; problems: RuleProblem[] };

/** The secret of the webhook is returned once. */
export async function createAlertRule(parts: RuleParts, values: RuleValues, actor: string): Promise<CreateOutcome> {
  const { database, keyring, guard } = parts;
  return await database.transaction(noAccounts, async (tx) => {
    const count = await lockRules(tx);
    const problems = await problemsIn(tx, values, guard);
    if (count >= alertRulesMax) problems.push({ reason: 'too_many_rules', values: [String(alertRulesMax)] });
    if (problems.length > 0) return { kind: 'refused', problems };

    const alertRuleId = await newRuleId(tx);
    const secret = values.webhookUrl === null ? null : generateSecret('callback_secret');
    await insertRule(tx, alertRuleId, toRow(values, sealed(keyring, alertRuleId, secret)), actor);
    return { kind: 'created', alertRuleId, secret };
  });
}

export type ChangeOutcome =
  | { kind: 'changed'; secret: string | null }
  | { kind: 'not_found' }
  | { kind: 'refused'; problems: RuleProblem[] };

/** A webhook keeps its secret; a new one gets one, which is returned. A rule that is switched off forgets what it has seen. */
export async function changeAlertRule(
  { database, keyring, guard }: RuleParts,
  alertRuleId: number,
  values: RuleValues,
): Promise<ChangeOutcome> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockRules(tx);
    const before = await findRule(tx, alertRuleId);
    if (before === null) return { kind: 'not_found' };
    const problems = await problemsIn(tx, values, guard);
    if (problems.length > 0) return { kind: 'refused', problems };

    const isNew = values.webhookUrl !== null && before.sealed === null;
    const secret = isNew ? generateSecret('callback_secret') : null;
    const kept = values.webhookUrl === null || isNew ? sealed(keyring, alertRuleId, secret) : before;
    await updateRule(tx, alertRuleId, toRow(values, kept));
    if (!values.enabled) await forgetStates(tx, alertRuleId);
    return { kind: 'changed', secret };
  });
}

export async function removeAlertRule(database: Database, alertRuleId: number): Promise<boolean> {
  return await database.transaction(noAccounts, (tx) => deleteRule(tx, alertRuleId));
}

/** The former secret is invalid at once: a receiver that still has it refuses, and gets the message again. */
export async function rotateAlertSecret(
  { database, keyring }: Pick<RuleParts, 'database' | 'keyring'>,
  alertRuleId: number,
): Promise<string | null> {
  return await database.transaction(noAccounts, async (tx) => {
    await lockRules(tx);
    const secret = generateSecret('callback_secret');
    return (await replaceWebhookSecret(tx, alertRuleId, sealed(keyring, alertRuleId, secret))) ? secret : null;
  });
}

function sealed(keyring: Keyring, alertRuleId: number, secret: string | null): SealedWebhookSecret {
  if (secret === null) return { sealed: null, masterKeyId: null };
  const { sealed, keyId } = keyring.seal(secret, secretContext(alertRuleId));
  return { sealed, masterKeyId: keyId };
}

async function problemsIn(tx: Tx, values: RuleValues, guard: AddressGuard): Promise<RuleProblem[]> {
  const { webhookUrl, scope, kinds } = values;
  const { accountNos, warehouseNos } = scope;
  const problems: RuleProblem[] = [];
  if (channelsOf(values).length === 0) problems.push({ reason: 'no_channel', values: [] });
  const refused = webhookUrl === null ? null : guard.whyPlainlyRefused(webhookUrl);
  if (refused !== null) problems.push({ reason: refused, values: [] });

  const known = new Set((await listAccounts(tx)).map(({ accountNo }) => accountNo));
  const strangers = (accountNos ?? []).filter((accountNo) => !known.has(accountNo));
  if (strangers.length > 0) problems.push({ reason: 'unknown_account', values: strangers });
  const warehouses = new Set(await listWarehouseNos(tx));
  const elsewhere = (warehouseNos ?? []).filter((warehouseNo) => !warehouses.has(warehouseNo));
  if (elsewhere.length > 0) problems.push({ reason: 'unknown_warehouse', values: elsewhere.map(String) });

  const possible = kindsWithin(scope);
  const impossible = (kinds ?? []).filter((kind) => !possible.includes(kind));
  if (impossible.length > 0) problems.push({ reason: 'kind_of_no_account', values: impossible });
  return problems;
}

function toRow(values: RuleValues, { sealed, masterKeyId }: SealedWebhookSecret): WrittenRule {
  const { scope, quiet } = values;
  return {
    name: values.name,
    enabled: values.enabled,
    language: values.language,
    kinds: values.kinds,
    account_nos: scope.accountNos,
    warehouse_nos: scope.warehouseNos,
    min_count: values.minCount,
    min_minutes: values.minMinutes,
    repeat_hours: values.repeatHours,
    notify_resolved: values.notifyResolved,
    emails: values.emails,
    webhook_url: values.webhookUrl,
    quiet_from: quiet?.from ?? null,
    quiet_to: quiet?.to ?? null,
    quiet_days: quiet?.days ?? null,
    urgent_ignores_quiet: values.urgentIgnoresQuiet,
    sealed,
    masterKeyId,
  };
}
