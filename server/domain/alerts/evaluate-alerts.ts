import { randomUUID } from 'node:crypto';
import { taipeiInstant } from '../../platform/clock.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts, type Tx } from '../../platform/postgres/sql.ts';
import type { BackupState } from '../backup/backup-state.ts';
import { type Attention, lookForAttention } from '../overview/attention.ts';
import { type AttentionKind, attentionKinds } from '../overview/attention-kinds.ts';
import { pathOfAttention } from '../overview/attention-path.ts';
import type { AlertItem, AlertOccasion } from './alert-message.ts';
import { countPending, forgetSurplus, insertMessage } from './alert-message-queries.ts';
import { type AlertRule, channelsOf, isQuietFor, kindsOf } from './alert-rule.ts';
import { listEnabledRules, lockRuleToLook, saveLook } from './alert-rule-queries.ts';
import { type AlertEvent, type AlertState, hold, nextState, release } from './alert-state.ts';
import { listStates, saveStates } from './alert-state-queries.ts';

/** While a channel is away, a rule makes no more messages than this; its conditions wait as they are. */
export const pendingMax = 50;

interface Evaluation {
  now(): Date;
  backup: BackupState | null;
  stopping: AbortSignal;
}

/**
 * Looks at the items of the home page, once for all rules about the same accounts and warehouses, and writes the messages
 * that follow. Returns the number of rules and messages. If a look fails, the others are made before the error is thrown.
 */
export async function evaluateAlerts(
  database: Database,
  { now, backup, stopping }: Evaluation,
): Promise<{ rules: number; made: number }> {
  const rules = await database.read(noAccounts, listEnabledRules);
  let made = 0;
  const unexpected: unknown[] = [];
  for (const ofScope of Map.groupBy(rules, scopeKey).values()) {
    if (stopping.aborted) break;
    try {
      const lookedAt = now();
      const items = await lookForAttention(database, { now: lookedAt, backup }, ofScope[0]!.scope);
      for (const rule of ofScope)
        made += await database.transaction(noAccounts, (tx) => applyLook(tx, rule, items, lookedAt));
    } catch (error) {
      unexpected.push(error);
    }
  }
  if (unexpected.length > 0) throw unexpected[0];
  return { rules: rules.length, made };
}

function scopeKey({ scope }: AlertRule): string {
  return JSON.stringify([scope.accountNos, scope.warehouseNos]);
}

async function applyLook(tx: Tx, known: AlertRule, items: Attention[], lookedAt: Date): Promise<number> {
  const rule = await lockRuleToLook(tx, known.alertRuleId, lookedAt);
  if (rule === null || scopeKey(rule) !== scopeKey(known)) return 0;
  if ((await countPending(tx, rule.alertRuleId)) >= pendingMax) return 0;
  const before = await listStates(tx, rule.alertRuleId);

  const decided = decide(rule, before, items, lookedAt);

  await saveLook(tx, rule.alertRuleId, lookedAt);
  if (!isSame(before, decided.states)) await saveStates(tx, rule.alertRuleId, decided.states);
  const messages = [...messagesFor(rule, 'summary', decided.summary), ...messagesFor(rule, 'alert', decided.alert)];
  for (const message of messages) await insertMessage(tx, rule.alertRuleId, message, lookedAt);
  if (messages.length > 0) await forgetSurplus(tx, rule.alertRuleId);
  return messages.length;
}

function messagesFor(rule: AlertRule, occasion: AlertOccasion, items: AlertItem[]) {
  if (items.length === 0) return [];
  return channelsOf(rule).map((channel) => ({
    eventId: randomUUID(),
    channel,
    occasion,
    items,
    recipients: channel === 'email' ? rule.emails : [],
  }));
}

function isSame(before: AlertState[], after: AlertState[]): boolean {
  const inOrder = (states: AlertState[]) =>
    JSON.stringify(states.toSorted((one, other) => (one.kind < other.kind ? -1 : 1)).map(entriesOf));
  return inOrder(before) === inOrder(after);
}

function entriesOf(state: AlertState) {
  return Object.entries(state).toSorted();
}

interface Decision {
  states: AlertState[];
  /** To be said now. */
  alert: AlertItem[];
  /** What has happened in the quiet hours, when they have ended. */
  summary: AlertItem[];
}

/** What a rule has to say after a look at all items. A kind that it no longer watches is forgotten. */
export function decide(
  rule: AlertRule,
  before: AlertState[],
  items: Pick<Attention, 'kind' | 'severity' | 'count' | 'isMore' | 'since' | 'examples'>[],
  now: Date,
): Decision {
  const decision: Decision = { states: [], alert: [], summary: [] };
  const isQuiet = isQuietFor(rule, now);
  for (const kind of kindsOf(rule)) {
    const item = items.find((one) => one.kind === kind);
    if (item === undefined) continue;
    // An audit that is late has no findings, but needs attention.
    const count = item.severity === 'fine' ? 0 : Math.max(item.count, 1);
    const observed = { count, isMore: item.isMore };
    const earlier = before.find((state) => state.kind === kind) ?? null;
    const { state, event } = nextState(kind, earlier, { observed, rule, now });
    if (state === null) continue;

    const isHeld = event !== null && isQuietFor(rule, now, kind);
    const known = isHeld ? hold(state, now) : state;
    const described = { ...item, count, severity: attentionKinds[kind] };
    if (known.heldSince !== null && !isQuiet) decision.summary.push(toItem(described, 'held', known, now));
    else if (event !== null && !isHeld) decision.alert.push(toItem(described, event, null, now));
    const left = isQuiet && known.heldSince !== null ? known : release(known);
    if (left !== null) decision.states.push(left);
  }
  return decision;
}

/** Kinds whose examples are names of warehouses, hosts, accounts or clients; addresses may have secrets in them. */
const namedKinds = new Set<AttentionKind>(['waves_failing', 'nodes_silent', 'signatures_failing', 'tokens_failing']);

function toItem(
  { kind, count, isMore, since, examples }: Pick<Attention, 'kind' | 'count' | 'isMore' | 'since' | 'examples'>,
  event: AlertEvent | 'held',
  held: AlertState | null,
  now: Date,
): AlertItem {
  return {
    kind,
    event,
    severity: attentionKinds[kind],
    count,
    isMore,
    since,
    path: pathOfAttention(kind, now),
    names: namedKinds.has(kind) ? examples.map(({ name }) => name) : [],
    held: held && {
      since: taipeiInstant(held.heldSince ?? now),
      max: held.heldMax ?? count,
      isOver: held.goneSince !== null,
    },
  };
}
