import type {
  AlertRuleProblem,
  AlertRuleValues,
  AlertTestResult,
  ListedAlertRule,
} from '../../../contract/console/alerts.ts';

/** The dialog that is open. */
export type RuleDialog =
  | { kind: 'form'; rule: ListedAlertRule | null }
  | { kind: 'rotate' | 'remove'; rule: ListedAlertRule }
  | { kind: 'tested'; rule: ListedAlertRule; results: AlertTestResult[] }
  | { kind: 'secret'; name: string; secret: string };

/** The part of a listed rule that an administrator decides. */
export function valuesOf({
  alert_rule_id: _,
  created_at: __,
  created_by: ___,
  looked_at: ____,
  ...values
}: ListedAlertRule): AlertRuleValues {
  return values;
}

interface ProblemWords {
  problem: Record<AlertRuleProblem['reason'], string>;
  kind: Record<string, string>;
}

export function problemText(problems: AlertRuleProblem[], { problem, kind }: ProblemWords): string {
  const texts = problems.map(({ reason, values }) => {
    const names = values.map((value) => kind[value] ?? value).join(', ');
    return names === '' ? problem[reason] : `${problem[reason]} ${names}`;
  });
  return texts.join(' ');
}

/** The fields of the form; numbers and times are kept as typed. */
export interface RuleDraft {
  name: string;
  enabled: boolean;
  language: AlertRuleValues['language'];
  kinds: string[];
  accounts: string[];
  warehouses: string[];
  minCount: string;
  minMinutes: string;
  repeatHours: string;
  notifyResolved: boolean;
  emails: string[];
  webhookUrl: string;
  isQuiet: boolean;
  from: string;
  to: string;
  days: string[];
  urgentIgnoresQuiet: boolean;
}

export function draftOf(rule: AlertRuleValues | null, language: AlertRuleValues['language']): RuleDraft {
  return {
    name: rule?.name ?? '',
    enabled: rule?.enabled ?? true,
    language: rule?.language ?? language,
    kinds: rule?.kinds ?? [],
    accounts: rule?.account_nos ?? [],
    warehouses: (rule?.warehouse_nos ?? []).map(String),
    minCount: String(rule?.min_count ?? 1),
    minMinutes: String(rule?.min_minutes ?? 5),
    repeatHours: String(rule?.repeat_hours ?? 24),
    notifyResolved: rule?.notify_resolved ?? true,
    emails: rule?.emails ?? [],
    webhookUrl: rule?.webhook_url ?? '',
    isQuiet: rule?.quiet !== undefined,
    from: rule?.quiet?.from ?? '22:00',
    to: rule?.quiet?.to ?? '07:00',
    days: (rule?.quiet?.days ?? [1, 2, 3, 4, 5, 6, 7]).map(String),
    urgentIgnoresQuiet: rule?.urgent_ignores_quiet ?? true,
  };
}

export type DraftMistake = 'name' | 'number' | 'email' | 'url' | 'time' | 'days';
export type DraftMistakes = { [Field in keyof RuleDraft]?: DraftMistake };

const emailForm = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63}){1,8}$/;

/** The same rules as on the server, to show mistakes before sending. */
export function mistakesIn(draft: RuleDraft): DraftMistakes {
  const isTime = (text: string) => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
  const url = draft.webhookUrl.trim();
  const mistakes: DraftMistakes = {};
  if (!/^[^\p{Cc}]{1,200}$/u.test(draft.name.trim())) mistakes.name = 'name';
  if (!isWhole(draft.minCount, 1, 1000)) mistakes.minCount = 'number';
  if (!isWhole(draft.minMinutes, 0, 10_080)) mistakes.minMinutes = 'number';
  if (!isWhole(draft.repeatHours, 1, 720)) mistakes.repeatHours = 'number';
  if (draft.emails.some((email) => !emailForm.test(email))) mistakes.emails = 'email';
  if (url !== '' && !(/^https?:\/\/\S+$/i.test(url) && URL.canParse(url))) mistakes.webhookUrl = 'url';
  if (!draft.isQuiet) return mistakes;
  if (!isTime(draft.from)) mistakes.from = 'time';
  if (!isTime(draft.to)) mistakes.to = 'time';
  if (draft.days.length === 0) mistakes.days = 'days';
  return mistakes;
}

function isWhole(text: string, least: number, most: number): boolean {
  return /^\d{1,6}$/.test(text) && Number(text) >= least && Number(text) <= most;
}

/** The body of the request for a draft without mistakes. */
export function bodyOf(draft: RuleDraft): AlertRuleValues {
  const { kinds, accounts, warehouses, emails, isQuiet, from, to } = draft;
  const url = draft.webhookUrl.trim();
  return {
    name: draft.name.trim(),
    enabled: draft.enabled,
    language: draft.language,
    ...(kinds.length > 0 && { kinds: kinds as NonNullable<AlertRuleValues['kinds']> }),
    ...(accounts.length > 0 && { account_nos: accounts }),
    ...(warehouses.length > 0 && { warehouse_nos: warehouses.map(Number) }),
    min_count: Number(draft.minCount),
    min_minutes: Number(draft.minMinutes),
    repeat_hours: Number(draft.repeatHours),
    notify_resolved: draft.notifyResolved,
    ...(emails.length > 0 && { emails }),
    ...(url !== '' && { webhook_url: url }),
    ...(isQuiet && { quiet: { from, to, days: draft.days.map(Number) } }),
    urgent_ignores_quiet: draft.urgentIgnoresQuiet,
  };
}
