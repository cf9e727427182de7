import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { sessionsEnd, sessionsList } from '../../contract/console/sessions.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { startTestApp } from '../support/app.ts';
import {
  actionsOf,
  type ConsoleUser,
  column,
  columns,
  operators,
  provisionOperators,
  signIn,
  type TestOperator,
} from '../support/console.ts';
import { fingerprintOf, mayNot } from '../support/database.ts';
import { startSecondNode } from '../support/second-node.ts';
import { order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);

async function post(path: string, payload: object, headers: Record<string, string> = {}) {
  return await app.http.inject({ method: 'POST', url: `/console/api${path}`, payload, headers });
}

test('the right password opens a session with a cookie that scripts and other sites cannot use; other sign-ins are refused', async () => {
  const { username, password } = operators.admin;
  const answer = await post('/session/sign-in', { username, password });
  const { csrf_token, session_id, expires_at, version, ...rest } = answer.json();
  const ofPassword = { warehouse_nos: null, must_enrol: false, has_weak_password: false, signed_in_with: 'password' };
  assert.deepEqual(
    [answer.statusCode, rest],
    [200, { kind: 'signed_in', username: 'boss', role: 'admin', ...ofPassword }],
  );
  assert.ok(csrf_token.length >= 40 && session_id && expires_at && version);
  const cookie = String([answer.headers['set-cookie']].flat()[0]);
  assert.match(cookie, /^lading-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  assert.equal(answer.headers['cache-control'], 'no-store');

  const token = /=([\w-]{43})/.exec(cookie)![1]!;
  const rows = await app.store.database.read(
    (sql) => sql`select operator_session::text as whole from operator_session`,
  );
  assert.ok(rows.every(({ whole }) => !whole.includes(token)));

  for (const given of [
    { username, password: 'wrong' },
    { username: 'nobody', password },
  ]) {
    const refused = await post('/session/sign-in', given);
    assert.deepEqual(
      [refused.statusCode, refused.json(), refused.headers['set-cookie']],
      [200, { kind: 'refused' }, undefined],
    );
  }
  assert.deepEqual(columns(await actionsOf(app, 'session/sign-in'), 'username', 'outcome'), [
    ['boss', 'signed_in'],
    ['boss', 'refused'],
    ['(unknown)', 'refused'],
  ]);
});

test('over https the cookies are __Host- and Secure', async () => {
  const secure = await startTestApp({ env: { PUBLIC_URL: 'https://lading.example' } });
  await provisionOperators(secure);
  const [session, device] = (await signInFrom('admin', { from: '127.0.0.1' }, secure)).headers[
    'set-cookie'
  ] as string[];
  assert.match(device!, /^__Host-lading-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=15552000$/);
  assert.match(
    session!,
    /^__Host-lading-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/,
  );
});

test('a call without a valid session or CSRF token, or from a page of another host, is refused and changes nothing', async () => {
  const user = await signIn(app, 'staff');
  const body = { session_id: user.signedIn.session_id };
  const other = await signIn(app, 'admin');
  const refusals: [headers: Record<string, string | undefined>, status: number, kind: string][] = [
    [{ cookie: undefined }, 401, 'unauthorized'],
    [{ cookie: `lading-session=${'A'.repeat(43)}` }, 401, 'unauthorized'],
    [{ cookie: `${user.cookie}; ${user.cookie}` }, 401, 'unauthorized'],
    [{ 'x-csrf-token': undefined }, 403, 'not_allowed'],
    [{ 'x-csrf-token': other.signedIn.csrf_token }, 403, 'not_allowed'],
    [{ origin: 'https://evil.example' }, 403, 'not_allowed'],
    [{ origin: 'null' }, 403, 'not_allowed'],
    [{ 'sec-fetch-site': 'cross-site' }, 403, 'not_allowed'],
  ];
  for (const [headers, status, kind] of refusals) {
    const { status: given, json } = await user.send('/sessions/end', body, headers);
    assert.deepEqual([given, json.error?.kind], [status, kind], JSON.stringify(headers));
  }
  const fromElsewhere = await post('/session/sign-in', operators.staff, { origin: 'https://evil.example' });
  assert.equal(fromElsewhere.statusCode, 403);
  assert.equal((await actionsOf(app, 'sessions/end')).length, 0);
  const { sessions } = await user.ask(sessionsList, {});
  assert.ok(sessions.some(({ is_current }) => is_current));
});

test('operators list and end their own sessions, and administrators also those of others', async () => {
  const [admin, staff, viewer] = [await signIn(app, 'admin'), await signIn(app, 'staff'), await signIn(app, 'viewer')];
  const usernames = async (user: typeof admin) => [
    ...new Set(column((await user.ask(sessionsList, {})).sessions, 'username')),
  ];
  assert.deepEqual([await usernames(staff), await usernames(viewer)], [['packer'], ['viewer']]);
  assert.deepEqual((await usernames(admin)).toSorted(), ['boss', 'packer', 'viewer']);

  assert.deepEqual(await viewer.ask(sessionsEnd, { session_id: staff.signedIn.session_id }), { kind: 'not_found' });
  assert.equal((await staff.send('/sessions/list', {})).status, 200);
  assert.deepEqual(await admin.ask(sessionsEnd, { session_id: staff.signedIn.session_id }), { kind: 'ended' });
  assert.equal((await staff.send('/sessions/list', {})).status, 401);
  assert.deepEqual(await viewer.ask(sessionsEnd, { session_id: viewer.signedIn.session_id }), { kind: 'ended' });
  assert.equal((await viewer.send('/sessions/list', {})).status, 401);

  const left = await post('/session/sign-out', {}, { cookie: admin.cookie });
  assert.match(String(left.headers['set-cookie']), /^lading-session=; .*Max-Age=0$/);
  assert.equal((await admin.send('/sessions/list', {})).status, 401);
  assert.deepEqual((await post('/session/current', {}, { cookie: admin.cookie })).json(), { kind: 'signed_out' });
});

test('a session ends with a new password and while the operator is disabled; a new role counts at once', async () => {
  const user = await signIn(app, 'viewer');
  const current = async () => (await post('/session/current', {}, { cookie: user.cookie })).json();
  await app.provision({ operators: [{ username: 'viewer', role: 'staff' }] });
  assert.equal((await current()).role, 'staff');
  await app.provision({ operators: [{ username: 'viewer', role: 'read-only', enabled: false }] });
  assert.deepEqual(await current(), { kind: 'signed_out' });
  assert.equal(await kindOf('viewer', { from: '127.0.0.1' }), 'refused');
  await app.provision({ operators: [{ username: 'viewer', enabled: true }] });
  assert.equal((await current()).kind, 'signed_in');
  await app.provision({ operators: [{ username: 'viewer', password: 'a new one altogether' }] });
  assert.deepEqual(await current(), { kind: 'signed_out' });
});

test('a session without activity ends, even if a page makes requests on its own', async () => {
  const user = await signIn(app, 'staff');
  const seenAgo = (interval: string) =>
    app.store.database.transaction(
      (tx) =>
        tx`update operator_session set last_seen_at = now() - ${interval}::interval where session_id = ${user.signedIn.session_id}`,
    );
  await seenAgo('119 minutes');
  assert.equal((await user.send('/sessions/list', {}, { 'x-attended': '1' })).status, 200);
  await seenAgo('119 minutes');
  assert.equal((await user.send('/sessions/list', {})).status, 200);
  const [session] = await app.store.database.read(
    (sql) =>
      sql`select last_seen_at < now() - interval '118 minutes' as is_alone from operator_session where session_id = ${user.signedIn.session_id}`,
  );
  assert.equal(session!.is_alone, true);
  await seenAgo('121 minutes');
  assert.equal((await user.send('/sessions/list', {}, { 'x-attended': '1' })).status, 401);
});

interface Attempt {
  from: string;
  password?: string;
  cookie?: string;
}

/** Signs in from this address, by default with the right password. */
async function signInFrom(who: TestOperator, { from, cookie, ...given }: Attempt, on: typeof app = app) {
  const { username, password } = operators[who];
  return await on.http.inject({
    method: 'POST',
    url: '/console/api/session/sign-in',
    remoteAddress: from,
    headers: cookie === undefined ? {} : { cookie },
    payload: { username, password, ...given },
  });
}

async function kindOf(who: TestOperator, attempt: Attempt, on: typeof app = app): Promise<string> {
  return (await signInFrom(who, attempt, on)).json().kind;
}

/** The cookie of a browser in which this operator has signed in from this address. */
async function deviceOf(who: TestOperator, from: string): Promise<string> {
  const { cookies } = await signInFrom(who, { from });
  const { name, value, httpOnly, sameSite, path } = cookies.find((cookie) => cookie.name === 'lading-device')!;
  assert.deepEqual([httpOnly, sameSite, path], [true, 'Strict', '/']);
  return `${name}=${value}`;
}

const times = (count: number, kind: string) => Array<string>(count).fill(kind);

/** Stops the clock of the limiter: a further guess is allowed every 6 s. */
function stopClock(t: TestContext): void {
  const nowMs = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => nowMs);
}

test('ten guesses from an address are evaluated, also of a hundred at once; a neighbour who has signed in before still can', async (t) => {
  stopClock(t);
  const from = '192.0.2.1';
  assert.equal(await kindOf('admin', { from }), 'signed_in');
  const guesses = Array.from({ length: 100 }, (_, index) => kindOf('staff', { from, password: `guess ${index}` }));
  assert.deepEqual((await Promise.all(guesses)).toSorted(), [...times(10, 'refused'), ...times(90, 'throttled')]);
  assert.deepEqual([await kindOf('staff', { from }), await kindOf('admin', { from })], ['throttled', 'signed_in']);
});

test('a hundred guesses from many addresses lock a name, except at the addresses and browsers of its owner, also of another node', async (t) => {
  stopClock(t);
  let addresses = 0;
  const newAddress = () => `198.51.100.${++addresses}`;
  const home = newAddress();
  const cookie = await deviceOf('admin', home);
  const second = await startSecondNode(app);
  const kinds: string[] = [];
  while (kinds.length < 101) kinds.push(await kindOf('admin', { from: newAddress(), password: 'guess' }, second));
  assert.deepEqual(kinds, [...times(100, 'refused'), 'throttled']);

  const forged = `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'E' : 'A'}`;
  const ofOwner: [attempt: Attempt, kind: string][] = [
    [{ from: newAddress() }, 'throttled'],
    [{ from: home }, 'signed_in'],
    [{ from: newAddress(), cookie: forged }, 'throttled'],
    [{ from: newAddress(), cookie }, 'signed_in'],
    ...times(10, 'refused').map((kind): [Attempt, string] => [{ from: newAddress(), cookie, password: 'guess' }, kind]),
    [{ from: newAddress(), cookie }, 'throttled'],
  ];
  for (const [attempt, kind] of ofOwner) assert.equal(await kindOf('admin', attempt, second), kind, attempt.cookie);
});

test('a known browser is known for its own operator only', async (t) => {
  stopClock(t);
  const from = '192.0.2.3';
  const cookie = await deviceOf('staff', from);
  for (const kind of [...times(10, 'refused'), 'throttled'])
    assert.equal(await kindOf('admin', { from, cookie, password: 'guess' }), kind);
  assert.equal(await kindOf('viewer', { from, cookie, password: 'guess' }), 'throttled');
});

test('entries of the audit log are never changed or deleted; their outcome is added once', async () => {
  const before = await fingerprintOf(app.store, 'operator_action');
  const alter = (statement: string) => app.store.service.transaction(noAccounts, (tx) => tx.unsafe(statement));
  await assert.rejects(alter(`update operator_action set username = 'somebody'`), mayNot('operator_action'));
  await assert.rejects(alter('delete from operator_action'), mayNot('operator_action'));
  assert.equal((await alter(`update operator_action set outcome = 'other' where outcome is not null`)).count, 0);
  assert.equal(await fingerprintOf(app.store, 'operator_action'), before);
});

await app.http.listen({ host: '127.0.0.1', port: 0 });
const liveUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/console/api/live`;

/** The events of a stream, one after the other, as a browser reads them. */
async function* eventsOf(user: ConsoleUser): AsyncGenerator<{ event: string; data: unknown }> {
  const answer = await fetch(liveUrl, { headers: { cookie: user.cookie } });
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/event-stream']);
  let text = '';
  for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = /^event: (.*)$/m.exec(text.slice(0, end))?.[1];
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (event !== undefined) yield { event, data: JSON.parse(data!) };
    }
  }
}

test('the live stream reports new orders and changed stock, and nothing else', async () => {
  await receive(app, { 'sku-1': [['2030-01-01', 50]] });
  const events = eventsOf(await signIn(app, 'staff'));
  assert.deepEqual((await events.next()).value, { event: 'open', data: {} });
  // Changes before the first look, such as the sign-in, are not reported: the page has just loaded everything.
  let topics: string[] = [];
  for (let orders = 1; !topics.includes('orders'); orders++) {
    await order(app, `L-${orders}`, [['sku-1', 1]]);
    const { event, data } = (await events.next()).value!;
    assert.equal(event, 'change');
    topics = (data as { topics: string[] }).topics;
  }
  assert.deepEqual(
    topics.filter((topic) => topic !== 'audit'),
    ['orders', 'inbound', 'stock'].filter((topic) => topics.includes(topic)),
  );
  assert.ok(topics.includes('stock'));
  await events.return(undefined);
});

test('the live stream needs a session, and a page of this host', async () => {
  const { cookie } = await signIn(app, 'staff');
  const refusals: [headers: Record<string, string>, status: number, kind: string][] = [
    [{}, 401, 'unauthorized'],
    [{ cookie, origin: 'https://evil.example' }, 403, 'not_allowed'],
  ];
  for (const [headers, status, kind] of refusals) {
    const answer = await fetch(liveUrl, { headers });
    const { error } = (await answer.json()) as { error: { kind: string } };
    assert.deepEqual([answer.status, error.kind], [status, kind]);
  }
});

test('the live stream ends with its session', async () => {
  const user = await signIn(app, 'staff');
  const events = eventsOf(user);
  assert.equal((await events.next()).value?.event, 'open');
  await user.ask(sessionsEnd, { session_id: user.signedIn.session_id });
  const rest = await Array.fromAsync(events);
  assert.equal(rest.at(-1)?.event, 'signed-out');
});
