import type { Message } from '../../../messages/message.ts';
import { sending } from '../../../messages/sending-texts.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { OutgoingHttp } from '../../platform/outgoing/http-client.ts';
import type { MailClient } from '../../platform/outgoing/smtp-client.ts';
import { signedHeaders } from '../callbacks/callback-signature.ts';
import type { ClaimedMessage } from './alert-message.ts';
import type { AlertRule } from './alert-rule.ts';
import type { SendingRule } from './alert-rule-queries.ts';
import { formatMail, formatWebhook } from './format-alert.ts';

/** With what alerts are sent. */
export interface AlertSender {
  http: OutgoingHttp;
  /** null: there is no mail server. */
  mail: MailClient | null;
  keyring: Keyring;
  publicUrl: string;
  now(): Date;
}

export interface SendOutcome {
  /** Nothing is left to be sent. */
  isDone: boolean;
  /** Another attempt is useless. */
  isHopeless: boolean;
  /** Addresses that are left, how many have it, and those that the mail server will never take. */
  recipients: string[];
  taken: number;
  refused: string[];
  result: Message;
}

type SentMessage = Pick<
  ClaimedMessage,
  'eventId' | 'channel' | 'occasion' | 'items' | 'recipients' | 'taken' | 'refused' | 'createdAt'
>;

/** One attempt. It never throws because of the other side. */
export async function sendAlert(message: SentMessage, rule: SendingRule, sender: AlertSender): Promise<SendOutcome> {
  return message.channel === 'email' ? await sendMail(message, rule, sender) : await sendWebhook(message, rule, sender);
}

async function sendMail(message: SentMessage, rule: AlertRule, { mail, publicUrl }: AlertSender): Promise<SendOutcome> {
  const { recipients, taken, refused } = message;
  if (mail === null)
    return { isDone: false, isHopeless: false, recipients, taken, refused, result: sending('smtp_not_set') };
  const sent = await mail.send({ ...formatMail(message, rule, publicUrl), to: recipients });
  const left = recipients.filter((address) => !sent.taken.includes(address) && !sent.refused.includes(address));
  const allTaken = taken + sent.taken.length;
  const allRefused = [...refused, ...sent.refused];
  const result =
    allRefused.length === 0
      ? sent.result
      : sending('smtp_some_refused', {
          result: sent.result,
          count: allRefused.length,
          recipients: allRefused.join(', '),
        });
  return {
    isDone: left.length === 0 && allTaken > 0,
    isHopeless: left.length === 0 && allTaken === 0,
    recipients: left,
    taken: allTaken,
    refused: allRefused,
    result,
  };
}

const webhookDeadlineMs = 15_000;
const answerShownMax = 200;
const gone = 410;

export function secretContext(alertRuleId: number): string {
  return `alert_rule:${alertRuleId}`;
}

async function sendWebhook(message: SentMessage, rule: SendingRule, sender: AlertSender): Promise<SendOutcome> {
  const { http, keyring, publicUrl, now } = sender;
  const { eventId, createdAt } = message;
  const body = formatWebhook(message, rule, { createdAt, publicUrl });
  const secret = keyring.open(rule.sealed!, rule.masterKeyId!, secretContext(rule.alertRuleId));
  const answer = await http.post({
    url: rule.webhookUrl!,
    headers: signedHeaders({ eventId, body }, [secret], now()),
    body,
    purpose: 'alert',
    deadlineMs: webhookDeadlineMs,
  });
  const isDone = answer.kind === 'answered' && answer.status >= 200 && answer.status <= 299;
  const isHopeless = answer.kind === 'answered' && answer.status === gone;
  return { isDone, isHopeless, recipients: [], taken: isDone ? 1 : 0, refused: [], result: resultOf(answer) };
}

function resultOf(answer: Awaited<ReturnType<OutgoingHttp['post']>>): Message {
  if (answer.kind === 'failed') return answer.error;
  const response = answer.response.trim().slice(0, answerShownMax);
  return response === ''
    ? sending('http_status', { status: answer.status })
    : sending('rejected_with', { status: answer.status, response });
}
