import assert from 'node:assert/strict';
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
import { columns } from '../support/console.ts';
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

/** A callback of which a worker has made one attempt, with this outcome. */
async function settled(status: 'delivered' | 'failed', httpStatus: number, caller = alpha) {
  const owed = await owe(caller);
  await database.transaction(async (tx) => {
    const [row] = await tx`select callback_id from callback where event_id = ${owed.eventId}`;
    await tx`
      insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status, address, response)
      select callback_id, 1, account_id, 12, ${httpStatus}, '203.0.113.7', 'no\nthanks' from callback
      where callback_id = ${row!.callback_id}`;
    await tx`delete from callback_delivery where callback_id = ${row!.callback_id}`;
    await tx`update callback set status = ${status} where callback_id = ${row!.callback_id}`;
  });
  return owed;
}

async function queueOf({ eventId }: { eventId: string }) {
  const [row] = await database.read(
    (sql) => sql`
      select status, due_at <= now() as due, attempts, attempts_before from callback left join callback_delivery using (account_id, callback_id)
      where event_id = ${eventId}`,
  );
  return { ...row };
}

beforeEach(async () => {
  await database.transaction(async (tx) => {
    await tx`delete from callback_attempt`;
    await tx`delete from callback_delivery`;
    await tx`delete from callback`;
  });
});

const unknownId = '01a1decf-cc96-7a2c-b10e-14b9365717c7';
const eventIds = (rows: { event_id: string }[]) => rows.map(({ event_id }) => event_id);

test('list shows callbacks of all accounts, the newest first, with their attempts; without any callback it says so', async () => {
  const none = { code: 0, stdout: 'no callbacks found\n', stderr: '' };
  assert.deepEqual(await here.run('callbacks list'), none);
  assert.deepEqual(await here.json('callbacks list'), []);
  const failed = await settled('failed', 410);
  const pending = await owe(beta);

  const rows = await here.json('callbacks list');
  assert.deepEqual(columns(rows, 'event_id', 'event', 'document_no', 'sequence', 'status'), [
    [pending.eventId, 'inbound.received', pending.formNo, 1, 'pending'],
    [failed.eventId, 'inbound.received', failed.formNo, 1, 'failed'],
  ]);
  assert.deepEqual(
    rows[1].attempts.map(({ at: _, ...attempt }: Record<string, unknown>) => attempt),
    [{ duration_ms: 12, http_status: 410, error: null, address: '203.0.113.7', response: 'no\nthanks' }],
  );
  const { stdout } = await here.run('callbacks list');
  assert.match(
    stdout,
    new RegExp(
      `^event_id +event +document_no +seq +status +tries +last +next +created\\n${pending.eventId} .*\\n${failed.eventId}  inbound.received +${failed.formNo} +1 +failed +1 +410 `,
    ),
  );
});

test('each option of list selects callbacks; list and show print the documented fields only', async () => {
  const failed = await settled('failed', 500);
  const pending = await owe(beta);
  const [ofAlpha, ofBeta] = [[failed.eventId], [pending.eventId]];
  const both = [...ofBeta, ...ofAlpha];
  const selections: [options: string, found: string[]][] = [
    ['--account ALPHA', ofAlpha],
    ['--account BETA', ofBeta],
    ['--status failed', ofAlpha],
    ['--event inbound.received', both],
    ['--event inbound.received --status failed', ofAlpha],
    ['--event order.shipped', []],
    ['--from 2020-01-01T00:00:00+08:00 --to 2020-01-02T00:00:00Z', []],
    ['--from 2020-01-01T00:00:00+08:00', both],
    ['--limit 1', ofBeta],
    [`--document ${failed.formNo}`, ofAlpha],
  ];
  const fields = [
    ...['event_id', 'event', 'document_type', 'test', 'document_no', 'sequence', 'body', 'url', 'status'],
    ...['occurred_at', 'created_at', 'updated_at', 'body_erased_at', 'next_attempt_at', 'attempts'],
  ];
  for (const [options, found] of selections) {
    const rows = await here.json(`callbacks list ${options}`);
    assert.deepEqual(eventIds(rows), found, options);
    for (const row of rows) assert.deepEqual(Object.keys(row), fields, options);
  }
  assert.deepEqual(Object.keys(await here.json(`callbacks show ${failed.eventId}`)), fields);
});

test('list shows as many as asked for, however large the responses to each are', async () => {
  for (let index = 0; index < 6; index++) {
    const { eventId } = await settled('failed', 500);
    await database.read(
      (sql) => sql`
        insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status, response)
        select callback_id, n, account_id, 1, 500, repeat('x', 1000000) from callback, generate_series(2, 3) n where event_id = ${eventId}`,
    );
  }
  assert.equal((await here.json('callbacks list --limit 5')).length, 5);
});

test('show prints what was sent, to which address, and the responses; an unknown event exits with 1', async () => {
  const { eventId, formNo } = await settled('failed', 410);
  const { code, stdout, stderr } = await here.run(`callbacks show ${eventId}`);
  assert.deepEqual([code, stderr], [0, '']);
  const document = `document +inbound ${formNo}, callback 1 of this document`;
  assert.match(stdout, new RegExp(`^event +inbound.received \\(${eventId}\\)\\n${document}\\n`));
  assert.match(stdout, /\nto +https:\/\/partner\.example\/callbacks\nstatus +failed\nbody\n {2}\{\n {4}"event_id"/);
  assert.match(stdout, /\nattempts\n {2}1\. \S+ \S+ {2}410 {2}\(203\.0\.113\.7, 12 ms\)\n {5}no\n {5}thanks\n$/);
  const shown = await here.json(`callbacks show ${eventId}`);
  assert.equal(JSON.parse(shown.body).event_id, eventId);

  const message = 'lading: there is no callback with this event ID\n';
  assert.deepEqual(await here.run(`callbacks show ${unknownId}`), { code: 1, stdout: '', stderr: message });
  assert.equal((await here.run('callbacks show nothing')).code, 2);
});

test('redeliver sends the named callbacks again, from the first attempt on', async () => {
  const [one, other] = [await settled('failed', 500), await settled('failed', 500, beta)];
  const third = await settled('failed', 500);
  const { code, stdout } = await here.run(`callbacks redeliver ${one.eventId} ${other.eventId}`);

  assert.deepEqual([code, stdout], [0, '2 callbacks will be redelivered\n']);
  const again = { status: 'pending', due: true, attempts: 0, attempts_before: 1 };
  const untouched = { status: 'failed', due: null, attempts: null, attempts_before: null };
  assert.deepEqual([await queueOf(one), await queueOf(other), await queueOf(third)], [again, again, untouched]);
});

test('redeliver of a status and a time can be counted before it is done', async () => {
  const [failed, delivered] = [await settled('failed', 500), await settled('delivered', 200)];
  const redeliver = 'callbacks redeliver --status failed --from 2020-01-01T00:00:00Z';
  const statuses = async () => [(await queueOf(failed)).status, (await queueOf(delivered)).status];

  assert.deepEqual(await here.json(`${redeliver} --dry-run`), { count: 1, erased: 0, dry_run: true });
  assert.deepEqual(await statuses(), ['failed', 'delivered']);
  assert.deepEqual(await here.json(redeliver), { count: 1, erased: 0, dry_run: false });
  assert.deepEqual(await statuses(), ['pending', 'delivered']);
});

test('redeliver needs event ids or a status or a time, not both, and refuses unknown and invalid values: nothing is sent', async () => {
  const failed = await settled('failed', 500);
  const invalid = [
    ...['', ' --account ALPHA', ' --status lost', ' no-event', ` ${failed.eventId} --status failed`],
    ...[' --from yesterday', ' --from 2026-01-01T00:00:00', ' --from 0000-01-01T00:00:00Z'],
    ...[' --to +275760-09-13T00:00:00Z', ' --to 2026-02-30T00:00:00Z'],
  ];
  for (const options of invalid) assert.equal((await here.run(`callbacks redeliver${options}`)).code, 2, options);
  assert.equal((await here.run('callbacks redeliver --account NOBODY --status failed')).code, 1);
  const stderr = `lading: there are no callbacks with these event IDs; nothing was redelivered:\n  ${unknownId}\n`;
  const refused = await here.run(`callbacks redeliver ${failed.eventId} ${unknownId}`);
  assert.deepEqual(refused, { code: 1, stdout: '', stderr });
  assert.equal((await queueOf(failed)).status, 'failed');
});

/** `lading callbacks listen` in its own process: its address, and its output from then on. */
async function listen(...options: string[]) {
  const child = startLading(['callbacks', 'listen', '--port', '0', '--json', ...options], {});
  after(() => child.kill('SIGKILL'));
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const nextLine = async () => JSON.parse(String((await lines.next()).value));
  return { url: String((await nextLine()).listening), nextLine, child };
}

async function post(url: string, body: string, headers: Record<string, string> = {}): Promise<number> {
  return (await fetch(url, { method: 'POST', body, headers })).status;
}

function signed(secret: string, eventId: string, body: string, at = new Date()): Record<string, string> {
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(eventId, at, body),
  };
}

test('listen checks signatures, names their faults, and recognizes duplicates', async () => {
  const secretFile = join(folder, 'secret');
  writeFileSync(secretFile, `${alpha.callbackSecret}\n`);
  const { url, nextLine, child } = await listen('--secret-file', secretFile);
  const [right, wrong] = [alpha.callbackSecret, beta.callbackSecret];
  const hourAgo = new Date(Date.now() - 3_600_000);
  type Sign = (eventId: string, body: string) => Record<string, string>;
  const sent: [eventId: string, sign: Sign, signature: string, times: number, duplicate: boolean][] = [
    ['event-1', (id, body) => signed(wrong, id, body), 'wrong_signature', 1, false],
    ['event-1', (id, body) => signed(right, id, body), 'valid', 2, false],
    ['event-1', (id, body) => signed(right, id, body), 'valid', 3, true],
    ['event-1', (id, body) => signed(wrong, id, body), 'wrong_signature', 4, false],
    ['event-2', (id, body) => signed(right, id, body, hourAgo), 'too_old', 1, false],
    ['event-3', (id) => ({ 'webhook-id': id }), 'missing_header', 1, false],
  ];
  for (const [event_id, sign, signature, times, duplicate] of sent) {
    const body = { event_id, event: 'order.shipped', document_no: 'W-1' };
    assert.equal(await post(`${url}hook`, JSON.stringify(body), sign(event_id, JSON.stringify(body))), 200);
    assert.deepEqual(await nextLine(), { path: '/hook', signature, times, duplicate, body });
  }
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('listen answers with the given status, and accepts a body that is no JSON', async () => {
  const { url, nextLine } = await listen('--answer', '503');
  const heard = { path: '/', signature: 'not_checked' };
  assert.equal(await post(url, 'null'), 503);
  assert.deepEqual(await nextLine(), { ...heard, times: 1, duplicate: false, body: null });
  assert.equal(await post(url, 'not JSON'), 503);
  assert.deepEqual(await nextLine(), { ...heard, times: 2, duplicate: true, body: 'not JSON' });

  const taken = new URL(url).port;
  assert.equal((await here.run(`callbacks listen --port ${taken}`)).code, 3);
});

test('listen refuses a file without a callback secret, and a wrong status or port', async () => {
  const secretFile = join(folder, 'wrong');
  writeFileSync(secretFile, 'llk_not-a-callback-secret\n');
  for (const options of [`--secret-file ${secretFile}`, '--answer 99', '--answer 1000', '--port 70000'])
    assert.equal((await here.run(`callbacks listen ${options}`)).code, 2, options);
});
