import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  type AlertRuleValues,
  alertsChange,
  alertsCreate,
  alertsDelete,
  alertsHistory,
  alertsList,
  alertsRotateSecret,
  alertsTest,
} from '../../contract/console/alerts.ts';
import { homeAttention } from '../../contract/console/home.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { formatCallback } from '../../server/api/logistics/format-callback.ts';
import { claimMessage } from '../../server/domain/alerts/alert-message-queries.ts';
import { leaseMs } from '../../server/domain/alerts/deliver-alerts.ts';
import { sendAlertsJob } from '../../server/jobs/send-alerts-job.ts';
import { makeMetrics } from '../../server/platform/metrics.ts';
import { openDatabase } from '../../server/platform/postgres/database.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { startTestApp } from '../support/app.ts';
import { makeAuthority } from '../support/certificates.ts';
import { fileWith } from '../support/config.ts';
import { actionsOf, provisionOperators, signIn } from '../support/console.ts';
import { patienceSeconds } from '../support/database.ts';
import { item, ship } from '../support/logistics.ts';
import { startMailServer } from '../support/mail-server.ts';

const authority = makeAuthority('mail authority');
const certificate = authority.issue('mail server', ['127.0.0.1']);
const login = { user: 'alerts', password: 'hunter2 of the mail server' };
const mailServer = await startMailServer({ certificate, login });
const receiver = await startReceiver();
const app = await startTestApp({
  env: {
    SMTP_URL: `smtp://alerts:${encodeURIComponent(login.password)}@127.0.0.1:${mailServer.port}`,
    SMTP_FROM: 'Lading <alerts@mail.example>',
    SMTP_CA: fileWith(authority.certificate),
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
    PUBLIC_URL: 'https://lading.example/oms',
  },
});
await provisionOperators(app);
const admin = await signIn(app, 'admin');
const { store, config } = app;
const secondNode = openDatabase(store.serviceConnection, { max: 4, deadlineSeconds: patienceSeconds });
after(() => secondNode.close());

const minuteMs = 60_000;
/** A Monday at noon in Taipei, later than any row of the tests. */
let nowMs = Date.parse('2031-01-06T12:00:00+08:00');
/** That of the job; operators work in the present. */
const clock = { now: () => new Date(nowMs) };
const metrics = makeMetrics();

async function runJob(database = store.service): Promise<string> {
  const stopping = new AbortController().signal;
  const { keyring } = store;
  return formatMessage(
    await sendAlertsJob.run({ database, keyring, clock, config, formatCallback, metrics, stopping }),
  );
}

/** Runs the job once, so many minutes later. */
async function later(minutes: number): Promise<string> {
  nowMs += minutes * minuteMs;
  return await runJob();
}

const base: AlertRuleValues = {
  name: 'stock',
  enabled: true,
  language: 'en',
  kinds: ['orders_awaiting_stock'],
  min_count: 2,
  min_minutes: 10,
  repeat_hours: 4,
  notify_resolved: true,
  emails: ['ops@mail.example'],
  urgent_ignores_quiet: true,
};

async function create(values: Partial<AlertRuleValues> = {}): Promise<{ id: number; secret: string | null }> {
  const answer = await admin.ask(alertsCreate, { ...base, ...values });
  assert.equal(answer.kind, 'created', JSON.stringify(answer));
  return answer.kind === 'created' ? { id: answer.alert_rule_id, secret: answer.secret } : assert.fail();
}

let orders = 0;
async function waiting(count: number): Promise<void> {
  for (let number = 0; number < count; number++) await ship(app, `WAITING-${++orders}`, [item('none', 1)]);
}

async function servedAll(): Promise<void> {
  await store.database.transaction((tx) => tx`update orders set status = 'cancelled' where status = 'awaiting_stock'`);
}

async function clean(): Promise<void> {
  for (const { alert_rule_id } of (await admin.ask(alertsList, {})).rows)
    await admin.ask(alertsDelete, { alert_rule_id });
  await servedAll();
  mailServer.received.length = 0;
  mailServer.refuse.clear();
  receiver.received.length = 0;
  receiver.behave(() => ({ status: 200 }));
}

const subjects = () => mailServer.received.map(({ subject }) => subject);

async function historyOf(alert_rule_id: number) {
  const { rows } = await admin.ask(alertsHistory, { alert_rule_id });
  return rows.map(({ channel, occasion, state, attempts, result }) => [
    `${channel} ${occasion} ${state} ${attempts}`,
    result === null ? null : formatMessage(result),
  ]);
}

test('a mail is sent when the threshold has lasted, again when the count doubled or the interval is over, and at the end', async () => {
  const { id } = await create({ emails: ['ops@mail.example', 'boss@mail.example'] });
  await waiting(1);
  await later(1);
  await waiting(1);
  await later(1);
  await later(9);
  assert.deepEqual(subjects(), []);
  assert.equal(await later(1), 'looked for 1 rules: 1 new messages, 1 sent, 0 not sent yet');
  await later(1);
  assert.deepEqual(subjects(), ['[Lading] Orders waiting for stock: 2']);
  const [{ to, text, html, user, isSecure }] = mailServer.received as [(typeof mailServer.received)[0]];
  assert.deepEqual([to, user, isSecure], [['ops@mail.example', 'boss@mail.example'], 'alerts', true]);
  assert.match(
    text,
    /^Alert rule: stock\n\nOrders waiting for stock: 2 \(needs attention\)\nOldest: \d{4}-\d\d-\d\d \d\d:\d\d\nOpen: https:\/\/lading\.example\/oms\/console\/orders\?status=awaiting_stock\n\nChange this rule: https:\/\/lading\.example\/oms\/console\/alerts\n/,
  );
  assert.ok(
    html.includes('<a href="https://lading.example/oms/console/orders?status=awaiting_stock">Open the list</a>'),
    html,
  );

  await waiting(1);
  await later(1);
  await waiting(1);
  await later(1);
  await later(239);
  await later(1);
  assert.deepEqual(subjects().slice(1), [
    '[Lading] Orders waiting for stock: 4',
    '[Lading] Orders waiting for stock: 4',
  ]);
  await servedAll();
  await later(1);
  await later(4);
  assert.equal(subjects().length, 3);
  await later(1);
  assert.equal(subjects().at(-1), '[Lading] Resolved: Orders waiting for stock');
  await later(600);
  assert.equal(subjects().length, 4);
  const sent = 'the mail server answered: 250 queued as';
  assert.deepEqual(
    (await historyOf(id)).map(([what, result]) => [what, result!.startsWith(sent)]),
    Array.from({ length: 4 }, () => ['email alert sent 1', true]),
  );
  await clean();
});

test('in quiet hours nothing is sent, and one summary in Chinese follows at their end', async () => {
  const { id } = await create({ language: 'zh-TW', min_minutes: 0, quiet: { from: '22:00', to: '07:00', days: [1] } });
  nowMs = Date.parse('2031-01-13T21:58:00+08:00');
  await later(1);
  nowMs = Date.parse('2031-01-13T23:00:00+08:00');
  await waiting(3);
  await later(0);
  await later(1);
  await servedAll();
  await later(60);
  await later(10);
  nowMs = Date.parse('2031-01-14T06:59:00+08:00');
  await later(0);
  assert.deepEqual([subjects(), await historyOf(id)], [[], []]);
  await later(1);
  await later(1);
  assert.deepEqual(subjects(), ['[Lading] 勿擾時段共 1 項警示：stock']);
  assert.match(
    mailServer.received[0]!.text,
    /^警示規則「stock」的勿擾時段內：\n\n訂單待補貨：0（自 2031-01-13 23:00 起，最多 3，目前已解除）\n/,
  );
  await clean();
});

test('a webhook is signed as Standard Webhooks with a secret that is shown once; a new secret replaces it', async () => {
  const { id, secret } = await create({ emails: undefined, webhook_url: receiver.url, min_minutes: 0 } as never);
  assert.match(secret!, /^whsec_/);
  const listed = JSON.stringify(await admin.ask(alertsList, {}));
  assert.ok(!listed.includes(secret!) && !listed.includes('sealed'), listed);
  nowMs = Date.now();
  await waiting(2);
  receiver.behave(() => ({ status: 503, body: 'busy' }));
  await later(0);
  assert.deepEqual(await historyOf(id), [['webhook alert pending 1', 'HTTP 503: busy']]);
  receiver.behave(() => ({ status: 204 }));
  await later(0.5);
  assert.equal(receiver.received.length, 1);
  await later(0.5);
  assert.deepEqual(await historyOf(id), [['webhook alert sent 2', 'HTTP 204']]);
  const [first, second] = receiver.received as [(typeof receiver.received)[0], (typeof receiver.received)[0]];
  assert.equal(first.eventId, second.eventId);
  const verified = new Webhook(secret!).verify(first.body, first.headers as Record<string, string>);
  assert.deepEqual(verified, {
    type: 'alert',
    timestamp: (verified as { timestamp: string }).timestamp,
    data: {
      rule: { id, name: 'stock' },
      items: [
        {
          kind: 'orders_awaiting_stock',
          event: 'raised',
          severity: 'warning',
          title: 'Orders waiting for stock',
          count: 2,
          is_more: false,
          since: (verified as { data: { items: { since: string }[] } }).data.items[0]!.since,
          names: [],
          quiet: null,
          url: 'https://lading.example/oms/console/orders?status=awaiting_stock',
        },
      ],
    },
  });
  const rotated = await admin.ask(alertsRotateSecret, { alert_rule_id: id });
  assert.equal(rotated.kind, 'rotated');
  assert.equal((await admin.ask(alertsTest, { alert_rule_id: id })).kind, 'tested');
  const last = receiver.received.at(-1)!;
  assert.throws(() => new Webhook(secret!).verify(last.body, last.headers as Record<string, string>));
  const fresh = rotated.kind === 'rotated' ? rotated.secret : '';
  const tested = new Webhook(fresh).verify(last.body, last.headers as Record<string, string>);
  assert.deepEqual((tested as { type: string; data: { items: [] } }).data.items, []);
  await clean();
});

test('while the mail server is away, a message waits and the home page says so; when it is back, the message is sent once', async () => {
  const { id } = await create({ min_minutes: 0 });
  await waiting(2);
  await mailServer.stop();
  await later(1);
  assert.deepEqual(await historyOf(id), [['email alert pending 1', 'connection refused']]);
  let looks = 0;
  const failing = async () => {
    app.clock.set(new Date(Date.now() + 3000 * ++looks));
    const { items } = await admin.ask(homeAttention, {});
    const { severity, count, path } = items.find(({ kind }) => kind === 'alerts_failing')!;
    return [severity, count, path];
  };
  assert.deepEqual(await failing(), ['critical', 1, '/alerts']);
  assert.match((await app.http.inject('/metrics')).payload, /^lading_alert_channels_failing 1$/m);
  await later(2);
  assert.deepEqual(await historyOf(id), [['email alert pending 2', 'connection refused']]);
  await mailServer.restart();
  await later(1);
  assert.deepEqual(subjects(), []);
  await later(4);
  await later(1);
  assert.deepEqual([subjects().length, await failing()], [1, ['fine', 0, '/alerts']]);
  await clean();
});

test('a recipient that the server refuses for good does not hold up the others, and those that are full get it later', async () => {
  const emails = ['ops@mail.example', 'gone@mail.example', 'full@mail.example'];
  const { id } = await create({ min_minutes: 0, emails });
  await waiting(2);
  mailServer.refuse.set('gone@mail.example', { responseCode: 550, message: '5.1.1 no such user' });
  mailServer.refuse.set('full@mail.example', { responseCode: 452, message: '4.2.2 full' });
  await later(1);
  mailServer.refuse.delete('full@mail.example');
  await later(2);
  assert.deepEqual(
    mailServer.received.map(({ to }) => to),
    [['ops@mail.example'], ['full@mail.example']],
  );
  const { rows } = await admin.ask(alertsHistory, { alert_rule_id: id });
  const { state, taken, left, refused } = rows[0]!;
  assert.deepEqual([rows.length, state, taken, left, refused], [1, 'sent', 2, 0, ['gone@mail.example']]);
  await clean();
});

test('two workers at the same time send each message once, and a worker that died during an attempt is replaced', async () => {
  for (let number = 0; number < 5; number++) await create({ name: `rule ${number}`, min_minutes: 0 });
  await waiting(2);
  nowMs += minuteMs;
  await Promise.all([runJob(), runJob(secondNode), runJob(), runJob(secondNode)]);
  await later(1);
  assert.deepEqual(
    subjects(),
    Array.from({ length: 5 }, () => '[Lading] Orders waiting for stock: 2'),
  );
  await clean();

  const { id } = await create({ min_minutes: 0 });
  await waiting(2);
  mailServer.refuse.set('ops@mail.example', { responseCode: 451, message: '4.3.0 later' });
  await later(1);
  mailServer.refuse.clear();
  nowMs += 2 * minuteMs;
  const now = new Date(nowMs);
  const leaseUntil = new Date(nowMs + leaseMs);
  const claimed = await store.service.transaction(noAccounts, (tx) => claimMessage(tx, 'email', { now, leaseUntil }));
  assert.equal(claimed?.attempts, 2);
  await runJob();
  assert.deepEqual([subjects(), (await historyOf(id)).length], [[], 1]);
  await later(2);
  assert.deepEqual(
    [subjects(), (await historyOf(id))[0]![0]],
    [['[Lading] Orders waiting for stock: 2'], 'email alert sent 3'],
  );
  await clean();
});

test('a rule for one account or warehouse counts only theirs', async () => {
  await create({ name: 'of ALPHA', account_nos: ['ALPHA'], min_minutes: 0 });
  await create({ name: 'of BETA', account_nos: ['BETA'], min_minutes: 0 });
  await create({ name: 'of warehouse 1', warehouse_nos: [1], min_minutes: 0, kinds: undefined } as never);
  await waiting(3);
  await later(1);
  const rules = mailServer.received.map(({ text }) => /^Alert rule: (.*)$/m.exec(text)![1]);
  assert.deepEqual(rules.toSorted(), ['of ALPHA', 'of warehouse 1']);
  await clean();
});

test('a test goes through every channel at once, and shows what the servers answered', async () => {
  const { id } = await create({ webhook_url: receiver.url, name: '夜班 <b>"A"</b>', language: 'zh-TW' });
  receiver.behave(() => ({ status: 403, body: 'no such hook' }));
  const tested = await admin.ask(alertsTest, { alert_rule_id: id });
  assert.equal(tested.kind, 'tested');
  const results = tested.kind === 'tested' ? tested.results : [];
  assert.deepEqual(
    results.map(({ channel, is_sent, result }) => [channel, is_sent, formatMessage(result)]),
    [
      ['email', true, 'the mail server answered: 250 queued as 1'],
      ['webhook', false, 'HTTP 403: no such hook'],
    ],
  );
  const [{ subject, html }] = mailServer.received as [(typeof mailServer.received)[0]];
  assert.equal(subject, '[Lading] 測試：夜班 <b>"A"</b>');
  assert.ok(!html.includes('<b>') && html.includes('夜班 &lt;b&gt;'), html);
  assert.deepEqual((await historyOf(id)).map(([what]) => what).toSorted(), [
    'email test sent 1',
    'webhook test failed 1',
  ]);
  const [entry] = (await actionsOf(app, 'alerts/test')).slice(-1);
  assert.deepEqual([entry!.subject, entry!.outcome], [`alert rule ${id}`, 'failed']);
  assert.equal((await admin.ask(alertsTest, { alert_rule_id: 999_999 })).kind, 'not_found');
  await clean();
});

test('a rule that cannot work is refused, and nothing changes', async () => {
  const { id } = await create();
  const before = await admin.ask(alertsList, {});
  const refused = async (values: Partial<AlertRuleValues>) => {
    const answers = [
      await admin.ask(alertsCreate, { ...base, ...values }),
      await admin.ask(alertsChange, { ...base, ...values, alert_rule_id: id }),
    ];
    assert.deepEqual(answers[0], answers[1]);
    return answers[0]!.kind === 'refused' ? answers[0]!.problems.map(({ reason }) => reason) : [answers[0]!.kind];
  };
  assert.deepEqual(await refused({ emails: undefined } as never), ['no_channel']);
  assert.deepEqual(await refused({ webhook_url: 'https://10.0.0.1/hook' }), ['url_private']);
  assert.deepEqual(await refused({ webhook_url: 'https://user:pass@hook.example/' }), ['url_with_credentials']);
  assert.deepEqual(await refused({ account_nos: ['NOBODY'], warehouse_nos: [77] }), [
    'unknown_account',
    'unknown_warehouse',
  ]);
  assert.deepEqual(await refused({ account_nos: ['ALPHA'], kinds: ['jobs_failed'] }), ['kind_of_no_account']);
  for (const values of [
    { emails: ['ops@mail.example\r\nBcc: victim@mail.example'] },
    { emails: ['ops@mail.example, victim@mail.example'] },
    { emails: ['"x"@mail.example'] },
    { name: 'a\r\nBcc: victim@mail.example' },
    { quiet: { from: '24:00', to: '07:00', days: [1] } },
  ])
    assert.equal((await admin.send('/alerts/create', { ...base, ...values })).status, 400, JSON.stringify(values));
  assert.deepEqual(await admin.ask(alertsList, {}), before);
  await clean();
});

test('a rule that is switched off sends nothing any more, not even what waits', async () => {
  const { id } = await create({ min_minutes: 0 });
  await waiting(2);
  mailServer.refuse.set('ops@mail.example', { responseCode: 451, message: '4.3.0 later' });
  await later(1);
  mailServer.refuse.clear();
  await admin.ask(alertsChange, { ...base, min_minutes: 0, enabled: false, alert_rule_id: id });
  await later(2);
  assert.deepEqual(subjects(), []);
  assert.deepEqual(await historyOf(id), [
    ['email alert failed 2', 'the rule was switched off, or no longer has this channel'],
  ]);
  await clean();
});

test('an address that was removed from a rule gets nothing any more, not even what waits', async () => {
  const { id } = await create({ min_minutes: 0, emails: ['ops@mail.example', 'left@mail.example'] });
  await waiting(2);
  for (const address of ['ops@mail.example', 'left@mail.example'])
    mailServer.refuse.set(address, { responseCode: 451, message: '4.3.0 later' });
  await later(1);
  mailServer.refuse.clear();
  await admin.ask(alertsChange, { ...base, min_minutes: 0, alert_rule_id: id });
  await later(2);
  assert.deepEqual(
    mailServer.received.map(({ to }) => to),
    [['ops@mail.example']],
  );

  const other = await create({ min_minutes: 0, name: 'other' });
  mailServer.refuse.set('ops@mail.example', { responseCode: 451, message: '4.3.0 later' });
  await later(1);
  mailServer.refuse.clear();
  await admin.ask(alertsChange, {
    ...base,
    name: 'other',
    min_minutes: 0,
    emails: ['new@mail.example'],
    alert_rule_id: other.id,
  });
  await later(2);
  assert.deepEqual(await historyOf(other.id), [['email alert failed 2', 'the rule no longer has these recipients']]);
  assert.equal(mailServer.received.length, 1);
  await clean();
});

test('a webhook whose secret cannot be opened fails the run, and all other messages are sent first', async () => {
  const broken = await create({
    name: 'broken',
    min_minutes: 0,
    emails: undefined,
    webhook_url: receiver.url,
  } as never);
  const { id } = await create({ min_minutes: 0, webhook_url: receiver.url });
  await waiting(2);
  await store.database.transaction(
    (tx) => tx`update alert_rule set sealed = ${Buffer.alloc(60)} where alert_rule_id = ${broken.id}`,
  );
  await assert.rejects(later(1));
  assert.deepEqual([subjects().length, receiver.received.length], [1, 1]);
  assert.deepEqual((await historyOf(id)).map(([what]) => what).toSorted(), [
    'email alert sent 1',
    'webhook alert sent 1',
  ]);
  assert.deepEqual(await historyOf(broken.id), [['webhook alert pending 1', 'internal error']]);

  await store.database.transaction((tx) => tx`delete from alert_rule where alert_rule_id = ${broken.id}`);
  await later(1);
  await clean();
});

test('if a look fails, the looks of other rules are made and messages that are due are sent; then the run fails', async () => {
  const { id } = await create({ min_minutes: 0 });
  await create({ name: 'of ALPHA', min_minutes: 0, account_nos: ['ALPHA'] });
  await waiting(2);
  // Only a rule about the whole service reads nodes.
  await store.database.transaction((tx) => tx`alter table node rename to node_away`);
  await assert.rejects(later(1), /node/);
  const names = () => mailServer.received.map(({ text }) => /^Alert rule: (.*)$/m.exec(text)![1]);
  assert.deepEqual([names(), await historyOf(id)], [['of ALPHA'], []]);
  await store.database.transaction((tx) => tx`alter table node_away rename to node`);
  await later(1);
  assert.deepEqual(names(), ['of ALPHA', 'stock']);
  await clean();
});

test('the history keeps 500 messages of a rule, for 90 days', async () => {
  const { id } = await create({ min_minutes: 0 });
  await store.database.transaction(
    (tx) => tx`
      insert into alert_message (alert_rule_id, event_id, channel, occasion, items, state, recipients, taken, refused, attempts, due_at, created_at)
      select ${id}, gen_random_uuid(), 'email', 'alert', '[]', 'sent', '{}', 1, '{}', 1, now(),
        ${new Date(nowMs)}::timestamptz - case when n <= 10 then interval '91 days' else interval '1 day' end
      from generate_series(1, 560) n`,
  );
  const kept = async () =>
    (
      await store.database.read(
        (sql) => sql`select count(*)::integer as count from alert_message where alert_rule_id = ${id}`,
      )
    )[0]!.count;
  await later(1);
  assert.equal(await kept(), 550);
  await waiting(2);
  await later(1);
  assert.equal(await kept(), 500);
  const first = await admin.ask(alertsHistory, { alert_rule_id: id });
  const before = first.rows.at(-1)!.alert_message_id;
  const second = await admin.ask(alertsHistory, { alert_rule_id: id, before });
  assert.deepEqual([first.rows.length, first.has_more, second.rows.length], [50, true, 50]);
  await clean();
});

test('neither the password of the mail server nor an address of a recipient is in the log', () => {
  const log = app.logLines.join('');
  for (const text of ['hunter2', 'boss@mail.example', 'whsec_'])
    assert.ok(
      !log.includes(text),
      app.logLines.find((line) => line.includes(text)),
    );
});
