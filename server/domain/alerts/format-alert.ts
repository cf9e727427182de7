import { alertText } from '../../../messages/alert-texts.ts';
import { formatMessage } from '../../../messages/format-message.ts';
import type { Message } from '../../../messages/message.ts';
import { taipeiInstant } from '../../platform/clock.ts';
import { escapeHtml } from '../../platform/escape-html.ts';
import type { Mail } from '../../platform/outgoing/smtp-client.ts';
import type { AlertItem, NewAlertMessage } from './alert-message.ts';
import type { AlertRule } from './alert-rule.ts';

type NamedRule = Pick<AlertRule, 'alertRuleId' | 'name' | 'language'>;
type FormattedMessage = Pick<NewAlertMessage, 'eventId' | 'occasion' | 'items'>;

/** The mail as plain text and as simple HTML. */
export function formatMail(
  { eventId, occasion, items }: FormattedMessage,
  rule: NamedRule,
  publicUrl: string,
): Omit<Mail, 'to'> {
  const say = sayIn(rule.language);
  const intro = say(introOf(occasion, rule.name));
  const footer = `${publicUrl}/console/alerts`;
  const blocks = items.map((item) => ({ ...describe(item, say), url: urlOf(item, publicUrl) }));
  const text = [
    intro,
    ...blocks.map(({ lines, url }) => [...lines, say(alertText('alert_open', { url }))].join('\n')),
    say(alertText('alert_footer', { url: footer })),
  ];
  const html = [
    `<p>${escapeHtml(intro)}</p>`,
    ...blocks.map(({ lines: [first = '', ...others], url }) => {
      const details = others.map((line) => `<br>${escapeHtml(line)}`).join('');
      const link = `<br><a href="${escapeHtml(url)}">${escapeHtml(say(alertText('alert_open_link')))}</a>`;
      return `<p><strong>${escapeHtml(first)}</strong>${details}${link}</p>`;
    }),
    `<p><small>${escapeHtml(say(alertText('alert_footer', { url: footer })))}</small></p>`,
  ];
  return {
    id: eventId,
    subject: plain(`[Lading] ${say(subjectOf(occasion, items, rule.name))}`),
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="${rule.language === 'zh-TW' ? 'zh-Hant-TW' : 'en'}"><body>${html.join('\n')}</body></html>\n`,
  };
}

/** The body of a webhook: type, time and data, as Standard Webhooks recommends. */
export function formatWebhook(
  { occasion, items }: FormattedMessage,
  rule: NamedRule,
  { createdAt, publicUrl }: { createdAt: Date; publicUrl: string },
): string {
  const say = sayIn(rule.language);
  return JSON.stringify({
    type: occasion === 'alert' ? 'alert' : `alert.${occasion}`,
    timestamp: taipeiInstant(createdAt),
    data: {
      rule: { id: rule.alertRuleId, name: rule.name },
      items: items.map((item) => ({
        kind: item.kind,
        event: item.event,
        severity: item.severity,
        title: say({ code: item.kind }),
        count: item.count,
        is_more: item.isMore,
        since: item.since,
        names: item.names,
        quiet: item.held && { since: item.held.since, max_count: item.held.max, is_over: item.held.isOver },
        url: urlOf(item, publicUrl),
      })),
    },
  });
}

type Say = (message: Message) => string;

function sayIn(language: AlertRule['language']): Say {
  return (message) => formatMessage(message, language);
}

function urlOf({ path }: AlertItem, publicUrl: string): string {
  return `${publicUrl}/console${path}`;
}

function introOf(occasion: NewAlertMessage['occasion'], rule: string): Message {
  if (occasion === 'test') return alertText('alert_intro_test', { rule });
  return occasion === 'summary' ? alertText('alert_intro_summary', { rule }) : alertText('alert_intro', { rule });
}

function subjectOf(occasion: NewAlertMessage['occasion'], items: AlertItem[], rule: string): Message {
  if (occasion === 'test') return alertText('alert_subject_test', { rule });
  if (occasion === 'summary') return alertText('alert_subject_summary', { count: items.length, rule });
  const [item] = items;
  if (items.length !== 1 || item === undefined)
    return alertText('alert_subject_several', { count: items.length, rule });
  const title = { code: item.kind };
  return item.event === 'resolved'
    ? alertText('alert_subject_resolved', { title })
    : alertText('alert_subject_one', { title, count: countOf(item) });
}

function describe(item: AlertItem, say: Say): { lines: string[] } {
  const { kind, since, names } = item;
  const lines = [alertText('alert_line', { title: { code: kind }, count: countOf(item), event: eventOf(item) })];
  if (since !== null && item.event !== 'resolved') lines.push(alertText('alert_oldest', { since: shortTime(since) }));
  if (names.length > 0) lines.push(alertText('alert_names', { names: names.join(', ') }));
  return { lines: lines.map((line) => plain(say(line))) };
}

function countOf({ count, isMore }: AlertItem): Message | number {
  return isMore ? alertText('alert_capped', { count }) : count;
}

function eventOf({ event, held }: AlertItem): Message {
  if (event !== 'held' || held === null) return alertText(`alert_event_${event === 'held' ? 'repeated' : event}`);
  const params = { since: shortTime(held.since), max: held.max };
  return held.isOver ? alertText('alert_event_held_over', params) : alertText('alert_event_held', params);
}

/** `2026-11-18 09:30`, or the date of a day. */
function shortTime(taipei: string): string {
  return taipei.slice(0, 16).replace('T', ' ');
}

/** Names come from partners: control characters must not begin another line or header. */
function plain(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}
