import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { alertsCreate, alertsHistory } from '../../contract/console/alerts.ts';
import { handoverIssue, handoverLinks } from '../../contract/console/onboarding.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { sendAlertsJob } from '../../server/jobs/send-alerts-job.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { migratingSettingsFor } from '../support/command.ts';
import { provisionOperators, signIn } from '../support/console.ts';
import { dropTestDatabase, makeTestDatabase, onCitus, openTestStore, patienceSeconds } from '../support/database.ts';
import { item, ship } from '../support/logistics.ts';
import { makeRunHere } from './run-here.ts';

const skip = onCitus ? 'an export needs a database on one server' : false;
const env = { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' };
const app = await startTestApp({ env });
await provisionOperators(app);
const admin = await signIn(app, 'admin');
const receiver = await startReceiver(() => ({ status: 503, body: 'busy' }));
const folder = mkdtempSync(join(realpathSync(tmpdir()), 'lading-export-'));
after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

/** A receiver takes signatures whose time differs by at most five minutes from its own. */
const retryAfterMs = 120_000;

async function sendAlerts({ store, config }: TestApp, laterMs = 0): Promise<string> {
  const { service: database, keyring } = store;
  const [metrics, stopping] = [makeMetrics(), new AbortController().signal];
  const clock = { now: () => new Date(Date.now() + laterMs) };
  return formatMessage(
    await sendAlertsJob.run({ database, keyring, clock, config, formatCallback, metrics, stopping }),
  );
}

/** The secrets on the page that opens a link. */
async function openLink({ http }: TestApp, token: string): Promise<string[]> {
  const { payload } = await http.inject({
    method: 'POST',
    url: '/handover',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `token=${token}`,
  });
  return [...payload.matchAll(/<code>([^<]*)<\/code>/g)].map(([, value]) => value!);
}

async function issueLink(): Promise<string> {
  const issued = await admin.ask(handoverIssue, {
    request_id: randomUUID(),
    account_no: 'BETA',
    secrets: [{ kind: 'account_secret', owner: 'BETA' }],
    overlap_s: 3600,
    hours: 1,
    language: 'en',
  });
  assert.ok(issued.kind === 'issued');
  return new URL(issued.link.url!).hash.slice(1);
}

test('after a move, links open once with their secrets, and alerts that wait are sent with the secret of their rule', {
  skip,
}, async () => {
  const [opened, waiting] = [await issueLink(), await issueLink()];
  assert.equal((await openLink(app, opened)).length, 1);
  const rule = await admin.ask(alertsCreate, {
    name: 'stock',
    enabled: true,
    language: 'en',
    kinds: ['orders_awaiting_stock'],
    min_count: 1,
    min_minutes: 0,
    repeat_hours: 4,
    notify_resolved: true,
    webhook_url: receiver.url,
    urgent_ignores_quiet: true,
  });
  assert.ok(rule.kind === 'created');
  await ship(app, 'WAITING', [item('none', 1)]);
  assert.equal(await sendAlerts(app), 'looked for 1 rules: 1 new messages, 0 sent, 1 not sent yet');

  const exported = join(folder, 'exported');
  await makeRunHere(migratingSettingsFor(app.store)).json(['export', exported]);
  const connection = await makeTestDatabase('template0');
  after(() => dropTestDatabase(connection));
  const { masterKey, keyring } = app.store;
  await makeRunHere(migratingSettingsFor({ ...app.store, connection })).json(['import', exported]);
  const store = { ...openTestStore(connection, { max: 2, deadlineSeconds: patienceSeconds }), masterKey, keyring };
  const moved = await startTestApp({ env, store });

  assert.deepEqual(await openLink(moved, opened), []);
  const [secret] = await openLink(moved, waiting);
  const call = await moved.callWarehouse('/stock/query', { sku_ids: ['TEA'] }, { accountNo: 'BETA', secret: secret! });
  assert.equal(call.status, 200, call.text);
  assert.deepEqual(await openLink(moved, waiting), []);
  const there = await signIn(moved, 'admin');
  const { links } = await there.ask(handoverLinks, { account_no: 'BETA' });
  assert.deepEqual(
    links.map(({ state, created_by }) => [state, created_by]),
    [
      ['opened', 'boss'],
      ['opened', 'boss'],
    ],
  );

  receiver.behave(() => ({ status: 200 }));
  assert.equal(await sendAlerts(moved, retryAfterMs), 'looked for 1 rules: 0 new messages, 1 sent, 0 not sent yet');
  const [first, second] = receiver.received;
  assert.equal(second!.headers['webhook-id'], first!.headers['webhook-id']);
  new Webhook(rule.secret!).verify(second!.body, second!.headers as Record<string, string>);
  const { rows } = await there.ask(alertsHistory, { alert_rule_id: rule.alert_rule_id });
  assert.deepEqual(
    rows.map(({ channel, state, attempts }) => [channel, state, attempts]),
    [['webhook', 'sent', 2]],
  );
});
