import { sending } from '../../../messages/sending-texts.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { type ClaimedMessage, nextAttemptAt } from './alert-message.ts';
import { claimMessage, recordAttempt } from './alert-message-queries.ts';
import { type AlertChannel, alertChannels, channelsOf } from './alert-rule.ts';
import { findRule } from './alert-rule-queries.ts';
import { type AlertSender, type SendOutcome, sendAlert } from './send-alert.ts';

/** Longer than any attempt takes. If a worker dies during one, another worker repeats it afterwards. */
export const leaseMs = 120_000;
/** Each channel has slots of its own: a mail server that hangs must not delay webhooks. */
const slotsPerChannel = 3;
/** Afterwards the rules are looked at again; what is left is sent in the next run. */
const deliverForMs = 45_000;

export type AttemptOutcome = 'sent' | 'retry' | 'failed';

export interface Delivery {
  sender: AlertSender;
  stopping: AbortSignal;
  onAttempt(channel: AlertChannel, outcome: AttemptOutcome): void;
}

/**
 * Sends the messages that are due. Returns how many were sent, and how many attempts failed. An unexpected error is thrown
 * after all other messages: one that can never be sent, such as one whose secret cannot be opened, does not stop them.
 */
export async function deliverAlerts(
  database: Database,
  { sender, stopping, onAttempt }: Delivery,
): Promise<{ sent: number; unsent: number }> {
  const counts = { sent: 0, unsent: 0 };
  const unexpected: unknown[] = [];
  const endsAtMs = performance.now() + deliverForMs;

  async function slot(channel: AlertChannel): Promise<void> {
    while (!stopping.aborted && performance.now() < endsAtMs) {
      const now = sender.now();
      const leaseUntil = new Date(now.getTime() + leaseMs);
      const message = await database.transaction(noAccounts, (tx) => claimMessage(tx, channel, { now, leaseUntil }));
      if (message === null) return;
      const outcome = await attempt(database, message, sender, (error) => unexpected.push(error));
      onAttempt(channel, outcome);
      if (outcome === 'sent') counts.sent++;
      else counts.unsent++;
    }
  }

  const slots = alertChannels.flatMap((channel) => Array.from({ length: slotsPerChannel }, () => slot(channel)));
  const ended = await Promise.allSettled(slots);
  unexpected.push(...ended.flatMap((slot) => (slot.status === 'rejected' ? [slot.reason] : [])));
  if (unexpected.length > 0) throw unexpected[0];
  return counts;
}

async function attempt(
  database: Database,
  message: ClaimedMessage,
  sender: AlertSender,
  onUnexpected: (error: unknown) => void,
): Promise<AttemptOutcome> {
  const outcome = await sendIfWanted(database, message, sender, onUnexpected);
  const at = sender.now();
  const next = outcome.isDone || outcome.isHopeless ? null : nextAttemptAt(message.attempts, at);
  const state = outcome.isDone ? 'sent' : next === null ? 'failed' : 'pending';
  const { recipients, taken, refused, result } = outcome;
  const recorded = { state, recipients, taken, refused, result, dueAt: next ?? at, at } as const;
  await database.transaction(noAccounts, (tx) => recordAttempt(tx, message, recorded));
  return state === 'pending' ? 'retry' : state;
}

/** The rule may have changed since the message was written. */
async function sendIfWanted(
  database: Database,
  message: ClaimedMessage,
  sender: AlertSender,
  onUnexpected: (error: unknown) => void,
): Promise<SendOutcome> {
  const rule = await database.read(noAccounts, (sql) => findRule(sql, message.alertRuleId));
  const recipients = message.recipients.filter((address) => rule?.emails.includes(address));
  const { taken, refused, channel } = message;
  const unsent = { isDone: false, isHopeless: true, recipients, taken, refused };
  if (rule?.enabled !== true || !channelsOf(rule).includes(channel))
    return { ...unsent, result: sending('rule_switched_off') };
  if (channel === 'email' && recipients.length === 0) {
    const isDone = taken > 0;
    return { ...unsent, isDone, isHopeless: !isDone, result: sending('recipients_removed') };
  }
  return await sendAlert({ ...message, recipients }, rule, sender).catch((error) => {
    onUnexpected(error);
    return { ...unsent, isHopeless: false, result: sending('failed_internally') };
  });
}
