import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, beforeEach, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { exampleInboundForm } from '../../contract/logistics/inbound-form.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { settingsFor, startLading } from '../support/command.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
const { database } = app.store;
const here = makeRunHere(settingsFor(app.store));
const folder = mkdtempSync(join(tmpdir(), 'callbacks-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let numbers = 0;

/** A form that is received at once, and so owes a callback; returns the event. */
async function owe(caller = alpha): Promise<{ eventId: string; formNo: string }> {
  const formNo = `PO-${++numbers}`;
  const { status } = await app.callLogistics('/purchases/purchase', { ...exampleInboundForm, form_no: formNo }, caller);
  assert.equal(status, 200);
  const [row] = await database.read((sql) => sql`select event_id from callback where document_no = ${formNo}`);
  return { eventId: row!.event_id, formNo };
}

/** What a worker would have made of it. */
async function settle(eventId: string, status: 'delivered' | 'failed', httpStatus: number): Promise<void> {
  await database.transaction(async (tx) => {
    await tx`
      insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status, address, response)
      select callback_id, 1, account_id, 12, ${httpStatus}, '203.0.113.7', 'no\nthanks' from callback where event_id = ${eventId}`;
    await tx`delete from callback_delivery where callback_id = (select callback_id from callback where event_id = ${eventId})`;
    await tx`update callback set status = ${status} where event_id = ${eventId}`;
  });
}

async function queueOf(eventId: string) {
  const [row] = await database.read(
    (sql) => sql`
      select status, due_at <= now() as due, attempts, attempts_before from callback left join callback_delivery using (callback_id)
      where event_id = ${eventId}`,
  );
  return { ...row };
}

beforeEach(async () => {
  await database.transaction(async (tx) => {
    await tx`select set_config('lading.purging', 'on', true)`;
    await tx`delete from callback_attempt`;
    await tx`delete from callback_delivery`;
    await tx`delete from callback`;
  });
});

test('without any callback, the list says so', async () => {
  assert.deepEqual(await here.run(['callbacks', 'list']), { code: 0, stdout: 'there is no such callback\n', stderr: '' });
  assert.deepEqual(await here.json(['callbacks', 'list']), []);
});

test('list shows callbacks of all accounts, the newest first, with what became of them', async () => {
  const failed = await owe();
  const pending = await owe(beta);
  await settle(failed.eventId, 'failed', 410);

  const rows = await here.json(['callbacks', 'list']);
  assert.deepEqual(
    rows.map((row: Record<string, unknown>) => [row.event_id, row.event, row.document_no, row.sequence, row.status]),
    [
      [pending.eventId, 'inbound.received', pending.formNo, 1, 'pending'],
      [failed.eventId, 'inbound.received', failed.formNo, 1, 'failed'],
    ],
  );
  assert.deepEqual(
    rows[1].attempts.map(({ at: _, ...attempt }: Record<string, unknown>) => attempt),
    [{ duration_ms: 12, http_status: 410, error: null, address: '203.0.113.7', response: 'no\nthanks' }],
  );
  const { stdout } = await here.run(['callbacks', 'list']);
  assert.match(
    stdout,
    new RegExp(
      `^event_id +event +document_no +seq +status +tries +last +next_try +written\\n${pending.eventId} .*\\n${failed.eventId}  inbound.received +${failed.formNo} +1 +failed +1 +410 `,
    ),
  );
});

test('list and show answer in JSON with the documented fields only', async () => {
  const { eventId } = await owe();
  await settle(eventId, 'failed', 410);
  const fields = [
    ...['event_id', 'event', 'document_type', 'document_no', 'sequence', 'body', 'url', 'status'],
    ...['occurred_at', 'created_at', 'updated_at', 'next_attempt_at', 'attempts'],
  ];

  // With a second filter the statement is another one, which marks the rows that fit.
  const lists = [[], ['--account', 'ALPHA'], ['--event', 'inbound.received', '--status', 'failed']];
  for (const options of lists) {
    const rows = await here.json(['callbacks', 'list', ...options]);
    for (const row of rows) assert.deepEqual(Object.keys(row), fields, options.join(' '));
    assert.ok(rows.length > 0);
  }
  assert.deepEqual(Object.keys(await here.json(['callbacks', 'show', eventId])), fields);
});

const selections: [options: string[], found: (failed: string, pending: string) => string[]][] = [
  [['--account', 'ALPHA'], (failed) => [failed]],
  [['--account', 'BETA'], (_, pending) => [pending]],
  [['--status', 'failed'], (failed) => [failed]],
  [['--event', 'inbound.received'], (failed, pending) => [pending, failed]],
  [['--event', 'order.shipped'], () => []],
  [['--from', '2020-01-01T00:00:00+08:00', '--to', '2020-01-02T00:00:00Z'], () => []],
  [['--from', '2020-01-01T00:00:00+08:00'], (failed, pending) => [pending, failed]],
  [['--limit', '1'], (_, pending) => [pending]],
];
for (const [options, found] of selections) {
  test(`list ${options.join(' ')} lists those only`, async () => {
    const failed = await owe();
    const pending = await owe(beta);
    await settle(failed.eventId, 'failed', 500);

    const rows = await here.json(['callbacks', 'list', ...options]);

    assert.deepEqual(
      rows.map((row: { event_id: string }) => row.event_id),
      found(failed.eventId, pending.eventId),
    );
  });
}

test('list --document finds the callbacks of one document', async () => {
  const { eventId, formNo } = await owe();
  await owe();

  const rows = await here.json(['callbacks', 'list', '--document', formNo]);

  assert.deepEqual(
    rows.map((row: { event_id: string }) => row.event_id),
    [eventId],
  );
});

test('show tells what was sent, to where, and what was answered', async () => {
  const { eventId, formNo } = await owe();
  await settle(eventId, 'failed', 410);

  const { code, stdout, stderr } = await here.run(['callbacks', 'show', eventId]);

  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, new RegExp(`^event +inbound.received \\(${eventId}\\)\\ndocument +inbound ${formNo}, callback 1 of it\\n`));
  assert.match(stdout, /\nto +https:\/\/partner\.example\/callbacks\nstatus +failed\nbody\n {2}\{\n {4}"event_id"/);
  assert.match(stdout, /\ntries\n {2}1\. \S+ {2}410 {2}\(203\.0\.113\.7, 12 ms\)\n {5}no\n {5}thanks\n$/);
  const shown = await here.json(['callbacks', 'show', eventId]);
  assert.equal(JSON.parse(shown.body).event_id, eventId);
});

test('show exits with 1 for an event that is not known, and with 2 for what is no event', async () => {
  const unknown = await here.run(['callbacks', 'show', '01a1decf-cc96-7a2c-b10e-14b9365717c7']);
  assert.deepEqual(unknown, { code: 1, stdout: '', stderr: 'lading: there is no callback of this event\n' });
  assert.equal((await here.run(['callbacks', 'show', 'nothing'])).code, 2);
});

test('redeliver sends the named ones again, from the first try on', async () => {
  const [one, other, third] = [await owe(), await owe(beta), await owe()];
  for (const { eventId } of [one, other, third]) await settle(eventId, 'failed', 500);

  const { code, stdout } = await here.run(['callbacks', 'redeliver', one.eventId, other.eventId]);

  assert.deepEqual([code, stdout], [0, '2 callbacks will be sent again\n']);
  for (const { eventId } of [one, other]) {
    assert.deepEqual(await queueOf(eventId), { status: 'pending', due: true, attempts: 0, attempts_before: 1 });
  }
  assert.deepEqual(await queueOf(third.eventId), { status: 'failed', due: null, attempts: null, attempts_before: null });
});

test('redeliver of a status and a time can be counted before it is done', async () => {
  const [failed, delivered] = [await owe(), await owe()];
  await settle(failed.eventId, 'failed', 500);
  await settle(delivered.eventId, 'delivered', 200);
  const selection = ['--status', 'failed', '--from', '2020-01-01T00:00:00Z'];

  assert.deepEqual(await here.json(['callbacks', 'redeliver', ...selection, '--dry-run']), { count: 1, dry_run: true });
  assert.equal((await queueOf(failed.eventId)).status, 'failed');

  assert.deepEqual(await here.json(['callbacks', 'redeliver', ...selection]), { count: 1, dry_run: false });
  assert.equal((await queueOf(failed.eventId)).status, 'pending');
  assert.equal((await queueOf(delivered.eventId)).status, 'delivered');
});

test('redeliver takes event ids or options, not both; one that is not known is named, and nothing is sent again', async () => {
  const { eventId } = await owe();
  await settle(eventId, 'delivered', 200);
  const unknown = '01a1decf-cc96-7a2c-b10e-14b9365717c7';

  assert.equal((await here.run(['callbacks', 'redeliver', eventId, '--status', 'failed'])).code, 2);
  const { code, stderr } = await here.run(['callbacks', 'redeliver', eventId, unknown]);
  assert.deepEqual([code, stderr], [1, `lading: there is no callback of these events; nothing was sent again:\n  ${unknown}\n`]);
  assert.equal((await queueOf(eventId)).status, 'delivered');
});

test('list shows as many as asked for, however much was answered to each', async () => {
  for (let index = 0; index < 6; index++) {
    const { eventId } = await owe();
    await settle(eventId, 'failed', 500);
    await database.read(
      (sql) => sql`
        insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status, response)
        select callback_id, n, account_id, 1, 500, repeat('x', 1000000) from callback, generate_series(2, 3) n where event_id = ${eventId}`,
    );
  }

  assert.equal((await here.json(['callbacks', 'list', '--limit', '5'])).length, 5);
});

test('redeliver that does not say which is refused, and so is what cannot be understood', async () => {
  const { eventId } = await owe();
  await settle(eventId, 'failed', 500);

  for (const options of [
    [],
    ['--account', 'ALPHA'],
    ['--status', 'lost'],
    ['--from', 'yesterday'],
    ['--from', '2026-01-01T00:00:00'],
    ['--from', '0000-01-01T00:00:00Z'],
    ['--to', '+275760-09-13T00:00:00Z'],
    ['--to', '2026-02-30T00:00:00Z'],
    ['no-event'],
  ]) {
    assert.equal((await here.run(['callbacks', 'redeliver', ...options])).code, 2, options.join(' '));
  }
  assert.equal((await here.run(['callbacks', 'redeliver', '--account', 'NOBODY', '--status', 'failed'])).code, 1);
  assert.equal((await queueOf(eventId)).status, 'failed');
});

interface Listening {
  url: string;
  lines: AsyncIterator<string>;
  child: ChildProcess;
}

async function listen(...options: string[]): Promise<Listening> {
  const child = startLading(['callbacks', 'listen', '--port', '0', '--json', ...options], {});
  after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const first = await lines.next();
  return { url: JSON.parse(String(first.value)).listening, lines, child };
}

async function post(url: string, body: string, headers: Record<string, string>): Promise<number> {
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

function signed(secret: string, eventId: string, body: string, at = new Date()): Record<string, string> {
  const signature = new Webhook(secret).sign(eventId, at, body);
  return { 'webhook-id': eventId, 'webhook-timestamp': String(Math.floor(at.getTime() / 1000)), 'webhook-signature': signature };
}

test('listen checks signatures, tells what is wrong with them, and knows what it has seen before', async () => {
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, `${alpha.callbackSecret}\n`);
  const { url, lines, child } = await listen('--secret-file', secretFile);
  const bodyOf = (event_id: string) => JSON.stringify({ event_id, event: 'order.shipped', document_no: 'W-1' });
  const hourAgo = new Date(Date.now() - 3_600_000);
  const sent: [
    eventId: string,
    sign: (eventId: string, body: string) => Record<string, string>,
    signature: string,
    times: number,
    duplicate: boolean,
  ][] = [
    ['event-1', (id, body) => signed(beta.callbackSecret, id, body), 'wrong_signature', 1, false],
    ['event-1', (id, body) => signed(alpha.callbackSecret, id, body), 'valid', 2, false],
    ['event-1', (id, body) => signed(alpha.callbackSecret, id, body), 'valid', 3, true],
    ['event-1', (id, body) => signed(beta.callbackSecret, id, body), 'wrong_signature', 4, false],
    ['event-2', (id, body) => signed(alpha.callbackSecret, id, body, hourAgo), 'too_old', 1, false],
    ['event-3', (id) => ({ 'webhook-id': id }), 'missing_header', 1, false],
  ];

  for (const [eventId, sign, signature, times, duplicate] of sent) {
    const body = bodyOf(eventId);
    assert.equal(await post(`${url}hook`, body, sign(eventId, body)), 200);
    assert.deepEqual(JSON.parse((await lines.next()).value), { path: '/hook', signature, times, duplicate, body: JSON.parse(body) });
  }
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('listen answers as it is told to, and takes what is no JSON, or nothing', async () => {
  const { url, lines } = await listen('--answer', '503');
  assert.equal(await post(url, 'null', {}), 503);
  assert.deepEqual(JSON.parse((await lines.next()).value), { path: '/', signature: 'not_checked', times: 1, duplicate: false, body: null });

  assert.equal(await post(url, 'not JSON', {}), 503);
  assert.deepEqual(JSON.parse((await lines.next()).value), {
    path: '/',
    signature: 'not_checked',
    times: 2,
    duplicate: true,
    body: 'not JSON',
  });
});

test('listen refuses a file without a callback secret, and a port that is taken', async () => {
  const secretFile = join(folder, 'wrong');
  writeFileSync(secretFile, 'llk_not-a-callback-secret\n');
  const { url } = await listen();

  const wrong = startLading(['callbacks', 'listen', '--secret-file', secretFile], {});
  assert.deepEqual((await once(wrong, 'exit'))[0], 2);
  for (const options of [
    ['--answer', '99'],
    ['--answer', '1000'],
    ['--port', '70000'],
  ]) {
    assert.equal((await here.run(['callbacks', 'listen', ...options])).code, 2, options.join(' '));
  }
  const taken = startLading(['callbacks', 'listen', '--port', new URL(url).port], {});
  assert.deepEqual((await once(taken, 'exit'))[0], 3);
});
