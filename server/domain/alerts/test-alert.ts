import { randomUUID } from 'node:crypto';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import { forgetSurplus, insertTest } from './alert-message-queries.ts';
import { type AlertChannel, channelsOf } from './alert-rule.ts';
import { findRule } from './alert-rule-queries.ts';
import { type AlertSender, type SendOutcome, sendAlert } from './send-alert.ts';

export type TestOutcome =
  | { kind: 'not_found' }
  | { kind: 'tested'; results: ({ channel: AlertChannel } & SendOutcome)[] };

/** Sends a test through all channels of a rule now, once, and records the results with its messages. */
export async function testAlert(database: Database, alertRuleId: number, sender: AlertSender): Promise<TestOutcome> {
  const rule = await database.read(noAccounts, (sql) => findRule(sql, alertRuleId));
  if (rule === null) return { kind: 'not_found' };

  const results = await Promise.all(
    channelsOf(rule).map(async (channel) => {
      const eventId = randomUUID();
      const recipients = channel === 'email' ? rule.emails : [];
      const message = { eventId, channel, occasion: 'test', items: [], recipients, taken: 0, refused: [] } as const;
      const createdAt = sender.now();
      const outcome = await sendAlert({ ...message, items: [], refused: [], createdAt }, rule, sender);
      return { eventId, channel, outcome };
    }),
  );

  const at = sender.now();
  await database.transaction(noAccounts, async (tx) => {
    for (const { eventId, channel, outcome } of results) {
      const state = outcome.isDone ? 'sent' : 'failed';
      await insertTest(tx, alertRuleId, { eventId, channel }, { ...outcome, state, at });
    }
    await forgetSurplus(tx, alertRuleId);
  });
  return { kind: 'tested', results: results.map(({ channel, outcome }) => ({ channel, ...outcome })) };
}
