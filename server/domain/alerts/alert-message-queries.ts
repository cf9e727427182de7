import type { Message } from '../../../messages/message.ts';
import { storeMessage } from '../../../messages/message.ts';
import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { AlertMessageState, AlertOccasion, ClaimedMessage, NewAlertMessage } from './alert-message.ts';
import type { AlertChannel } from './alert-rule.ts';

/** More than this is not kept for a rule; all messages go after `messageDaysKept`. */
export const messagesKeptMax = 500;
const messageDaysKept = 90;

export async function countPending(tx: Tx, alertRuleId: number): Promise<number> {
  const [row] = await tx<{ count: number }[]>`
    select count(*)::integer as count from alert_message where alert_rule_id = ${alertRuleId} and state = 'pending'`;
  return row!.count;
}

export async function insertMessage(
  tx: Tx,
  alertRuleId: number,
  { eventId, channel, occasion, items, recipients }: NewAlertMessage,
  now: Date,
): Promise<void> {
  await tx`
    insert into alert_message (alert_rule_id, event_id, channel, occasion, items, state, recipients, taken, refused, attempts, due_at, created_at)
    values (${alertRuleId}, ${eventId}, ${channel}, ${occasion}, ${tx.json(items)}, 'pending', ${recipients}::text[], 0, '{}', 0, ${now}, ${now})`;
}

/** The newest ones stay, and those that are still to be sent. */
export async function forgetSurplus(tx: Tx, alertRuleId: number): Promise<void> {
  await tx`
    delete from alert_message where alert_rule_id = ${alertRuleId} and state <> 'pending' and alert_message_id <= (
      select alert_message_id from alert_message where alert_rule_id = ${alertRuleId}
      order by alert_message_id desc offset ${messagesKeptMax} limit 1)`;
}

export async function forgetOldMessages(tx: Tx, now: Date): Promise<number> {
  const { count } = await tx`
    delete from alert_message
    where created_at < ${now}::timestamptz - make_interval(days => ${messageDaysKept}::integer) and state <> 'pending'`;
  return count;
}

/** The message that is due longest; while the lease lasts, no other worker gets it. */
export async function claimMessage(
  tx: Tx,
  channel: AlertChannel,
  { now, leaseUntil }: { now: Date; leaseUntil: Date },
): Promise<ClaimedMessage | null> {
  const [row] = await tx<ClaimedMessage[]>`
    update alert_message set attempts = attempts + 1, lease_until = ${leaseUntil}
    where alert_message_id = (
      select alert_message_id from alert_message
      where state = 'pending' and channel = ${channel} and due_at <= ${now} and (lease_until is null or lease_until <= ${now})
      order by due_at, alert_message_id limit 1 for update skip locked)
    returning ${camelColumns('alert_message_id, alert_rule_id, event_id, channel, occasion, items, recipients, taken, refused, attempts, created_at')}`;
  return row ?? null;
}

export interface AttemptResult {
  state: AlertMessageState;
  recipients: string[];
  taken: number;
  refused: string[];
  result: Message;
  /** The next attempt, if it is still pending. */
  dueAt: Date;
  at: Date;
}

/** A worker whose lease has ended writes nothing: another one has claimed the message since. */
export async function recordAttempt(
  tx: Tx,
  { alertMessageId, attempts }: Pick<ClaimedMessage, 'alertMessageId' | 'attempts'>,
  { state, recipients, taken, refused, result, dueAt, at }: AttemptResult,
): Promise<void> {
  await tx`
    update alert_message set state = ${state}, recipients = ${recipients}::text[], taken = ${taken}, refused = ${refused}::text[],
      result = ${storeMessage(result)}, due_at = ${dueAt}, attempted_at = ${at}, lease_until = null
    where alert_message_id = ${alertMessageId} and attempts = ${attempts} and state = 'pending'`;
}

/** A test is sent at once, and recorded afterwards. */
export async function insertTest(
  tx: Tx,
  alertRuleId: number,
  { eventId, channel }: Pick<NewAlertMessage, 'eventId' | 'channel'>,
  { state, recipients, taken, refused, result, at }: Omit<AttemptResult, 'dueAt'>,
): Promise<void> {
  await tx`
    insert into alert_message (alert_rule_id, event_id, channel, occasion, items, state, recipients, taken, refused, attempts, due_at, created_at, attempted_at, result)
    select alert_rule_id, ${eventId}::uuid, ${channel}, 'test', '[]', ${state}, ${recipients}::text[], ${taken}::integer, ${refused}::text[], 1,
      ${at}::timestamptz, ${at}::timestamptz, ${at}::timestamptz, ${storeMessage(result)}
    from alert_rule where alert_rule_id = ${alertRuleId}`;
}

/**
 * Channels of enabled rules whose last message was not sent, in the first attempt or in any of them. A failed test does
 * not count, because somebody has seen its result; one that succeeds shows that the channel works again.
 */
export async function countFailingChannels(
  sql: Sql,
): Promise<{ count: number; isMore: boolean; since: string | null }> {
  const [row] = await sql<{ count: number; since: string | null }[]>`
    select count(*)::integer as count, ${sql.unsafe(taipeiTime('min(last.created_at)', 'since'))}
    from alert_rule rule
    cross join lateral (
      select 'email' as channel where emails <> '{}' union all select 'webhook' where webhook_url is not null) own
    cross join lateral (
      select state, created_at from alert_message
      where alert_rule_id = rule.alert_rule_id and channel = own.channel and attempted_at is not null
        and (occasion <> 'test' or state = 'sent')
      order by attempted_at desc, alert_message_id desc limit 1) last
    where rule.enabled and last.state <> 'sent'`;
  return { count: row!.count, isMore: false, since: row!.since };
}

export interface ListedAlertMessage {
  alertMessageId: number;
  alertRuleId: number;
  ruleName: string;
  channel: AlertChannel;
  occasion: AlertOccasion;
  items: NewAlertMessage['items'];
  state: AlertMessageState;
  taken: number;
  refused: string[];
  left: number;
  attempts: number;
  dueAt: string;
  createdAt: string;
  attemptedAt: string | null;
  result: string | null;
}

/** The newest first; `before`: only those before this one. */
export async function listMessages(
  sql: Sql,
  { alertRuleId, before, limit }: { alertRuleId: number | null; before: number | null; limit: number },
): Promise<ListedAlertMessage[]> {
  return await sql<ListedAlertMessage[]>`
    select ${camelColumns('m.alert_message_id, m.alert_rule_id, m.channel, m.occasion, m.items, m.state, m.taken, m.refused, m.attempts')},
      r.name as "ruleName", cardinality(m.recipients) as left, ${sql.unsafe(taipeiTime('m.due_at', '"dueAt"'))},
      ${sql.unsafe(taipeiTime('m.created_at', '"createdAt"'))}, ${sql.unsafe(taipeiTime('m.attempted_at', '"attemptedAt"'))}, m.result
    from alert_message m join alert_rule r using (alert_rule_id)
    where (${alertRuleId}::bigint is null or m.alert_rule_id = ${alertRuleId}) and (${before}::bigint is null or m.alert_message_id < ${before})
    order by m.alert_message_id desc limit ${limit}`;
}
