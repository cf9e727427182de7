import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sessionsEnd, sessionsList } from '../../contract/console/session.ts';
import { startTestApp } from '../support/app.ts';
import { operators, provisionOperators, signIn } from '../support/console.ts';
import { startSecondNode } from '../support/second-node.ts';

const app = await startTestApp();
await provisionOperators(app);

async function post(path: string, payload: object, headers: Record<string, string> = {}) {
  return await app.http.inject({ method: 'POST', url: `/console/api${path}`, payload, headers });
}

async function actions(action: string) {
  return await app.store.database.read(
    (sql) => sql`select username, outcome from operator_action where action = ${action} order by operator_action_id`,
  );
}

test('a right password opens a session: a cookie for this host only, out of reach of scripts and of other sites; nobody else is let in', async () => {
  const { username, password } = operators.admin;
  const answer = await post('/session/sign-in', { username, password });
  const { csrf_token, session_id, expires_at, version, ...rest } = answer.json();
  assert.deepEqual([answer.statusCode, rest], [200, { kind: 'signed_in', username: 'boss', role: 'admin' }]);
  assert.ok(csrf_token.length >= 40 && session_id && expires_at && version);
  const cookie = String([answer.headers['set-cookie']].flat()[0]);
  assert.match(cookie, /^lading-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/);
  assert.equal(answer.headers['cache-control'], 'no-store');

  const token = /=([\w-]{43})/.exec(cookie)![1]!;
  const rows = await app.store.database.read((sql) => sql`select operator_session::text as whole from operator_session`);
  assert.ok(rows.every(({ whole }) => !whole.includes(token)));

  for (const given of [
    { username, password: 'wrong' },
    { username: 'nobody', password },
  ]) {
    const refused = await post('/session/sign-in', given);
    assert.deepEqual([refused.statusCode, refused.json(), refused.headers['set-cookie']], [200, { kind: 'refused' }, undefined]);
  }
  assert.deepEqual(
    (await actions('session/sign-in')).map(({ username, outcome }) => [username, outcome]),
    [
      ['boss', 'signed_in'],
      ['boss', 'refused'],
      ['(unknown)', 'refused'],
    ],
  );
});

test('over https the cookies are __Host- and Secure', async () => {
  const secure = await startTestApp({ env: { PUBLIC_URL: 'https://lading.example' } });
  await provisionOperators(secure);
  const { username, password } = operators.admin;
  const answer = await secure.http.inject({ method: 'POST', url: '/console/api/session/sign-in', payload: { username, password } });
  const [session, device] = answer.headers['set-cookie'] as string[];
  assert.match(device!, /^__Host-lading-device=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=15552000$/);
  assert.match(session!, /^__Host-lading-session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Secure; Max-Age=43200$/);
});

test('without a session, with a made-up one, without or with a wrong CSRF token, or from a page of another host, nothing is done', async () => {
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
  assert.equal((await actions('sessions/end')).length, 0);
  const { sessions } = await user.ask(sessionsList, {});
  assert.ok(sessions.some(({ is_current }) => is_current));
});

test('sessions are listed and ended: one’s own, by an admin those of others too', async () => {
  const [admin, staff, viewer] = [await signIn(app, 'admin'), await signIn(app, 'staff'), await signIn(app, 'viewer')];
  const usernames = async (user: typeof admin) => [...new Set((await user.ask(sessionsList, {})).sessions.map(({ username }) => username))];
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

test('a session ends with a new password, and while the operator is disabled; a new role counts at once', async () => {
  const user = await signIn(app, 'viewer');
  const current = async () => (await post('/session/current', {}, { cookie: user.cookie })).json();
  await app.provision({ operators: [{ username: 'viewer', role: 'staff' }] });
  assert.equal((await current()).role, 'staff');
  await app.provision({ operators: [{ username: 'viewer', role: 'read-only', enabled: false }] });
  assert.deepEqual(await current(), { kind: 'signed_out' });
  assert.deepEqual((await post('/session/sign-in', { username: 'viewer', password: operators.viewer.password })).json(), {
    kind: 'refused',
  });
  await app.provision({ operators: [{ username: 'viewer', enabled: true }] });
  assert.equal((await current()).kind, 'signed_in');
  await app.provision({ operators: [{ username: 'viewer', password: 'a new one altogether' }] });
  assert.deepEqual(await current(), { kind: 'signed_out' });
});

test('a session that is left alone ends, also where a page goes on asking by itself', async () => {
  const user = await signIn(app, 'staff');
  const seenAgo = (interval: string) =>
    app.store.database.transaction(
      (tx) => tx`update operator_session set last_seen_at = now() - ${interval}::interval where session_id = ${user.signedIn.session_id}`,
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

test('guesses are throttled, and an operator who has signed in from an address before is not locked out by a neighbour', async () => {
  const crowded = await startTestApp();
  await provisionOperators(crowded);
  const { username, password } = operators.admin;
  const guess = async (given: object) =>
    (await crowded.http.inject({ method: 'POST', url: '/console/api/session/sign-in', payload: given })).json();
  assert.equal((await guess({ username, password })).kind, 'signed_in');
  const kinds = [];
  for (let tries = 0; tries < 12; tries++) kinds.push((await guess({ username: 'packer', password: `guess ${tries}` })).kind);
  assert.deepEqual(kinds, [...Array(10).fill('refused'), 'throttled', 'throttled']);
  assert.equal((await guess({ username: 'packer', password: operators.staff.password })).kind, 'throttled');
  assert.equal((await guess({ username, password })).kind, 'signed_in');
});

test('a hundred guesses at a password at the same instant are ten guesses', async () => {
  const attacked = await startTestApp();
  await provisionOperators(attacked);
  const { username } = operators.admin;
  const startedAt = performance.now();
  const kinds = await Promise.all(
    Array.from({ length: 100 }, async (_, index) => {
      const payload = { username, password: `guess ${index}` };
      return (await attacked.http.inject({ method: 'POST', url: '/console/api/session/sign-in', payload })).json().kind;
    }),
  );
  assert.deepEqual(new Set(kinds), new Set(['refused', 'throttled']));
  // One more for every 6 s that this took; on a machine that stands still, some may have waited too long for their turn.
  const evaluated = kinds.filter((kind) => kind === 'refused').length;
  assert.ok(evaluated <= 10 + (performance.now() - startedAt) / 6000, `${evaluated} guesses were evaluated`);
});

test('a name that hundreds of addresses guess at is looked at a hundred times; its owner gets in at a known address or with a known browser', async () => {
  const attacked = await startTestApp();
  await provisionOperators(attacked);
  const second = await startSecondNode(attacked);
  const { username, password } = operators.admin;
  let addresses = 0;
  const newAddress = () => `198.51.100.${++addresses}`;
  async function signInFrom(remoteAddress: string, given: { on?: typeof attacked; password?: string; cookie?: string } = {}) {
    const { on = attacked, cookie } = given;
    return await on.http.inject({
      ...{ method: 'POST', url: '/console/api/session/sign-in', remoteAddress },
      headers: cookie === undefined ? {} : { cookie },
      payload: { username, password: given.password ?? password },
    });
  }
  const home = newAddress();
  const first = await signInFrom(home);
  assert.equal(first.json().kind, 'signed_in');
  const device = first.cookies.find(({ name }) => name === 'lading-device')!;
  assert.deepEqual([device.httpOnly, device.sameSite, device.path], [true, 'Strict', '/']);
  const cookie = `lading-device=${device.value}`;

  for (const on of [attacked, second]) {
    const kinds: string[] = [];
    while (kinds.length < 110) {
      const some = Array.from({ length: 2 }, () => signInFrom(newAddress(), { on, password: 'guess' }));
      kinds.push(...(await Promise.all(some)).map((answer) => answer.json().kind));
    }
    assert.deepEqual(kinds, [...Array(100).fill('refused'), ...Array(10).fill('throttled')]);

    assert.equal((await signInFrom(newAddress(), { on })).json().kind, 'throttled');
    assert.equal((await signInFrom(home, { on })).json().kind, 'signed_in');
    const roaming = newAddress();
    assert.equal(
      (await signInFrom(roaming, { on, cookie: `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'E' : 'A'}` })).json().kind,
      'throttled',
    );
    assert.equal((await signInFrom(roaming, { on, cookie })).json().kind, 'signed_in');
  }
  for (let tries = 0; tries < 10; tries++) {
    assert.equal((await signInFrom(newAddress(), { cookie, password: 'guess' })).json().kind, 'refused');
  }
  assert.equal((await signInFrom(newAddress(), { cookie })).json().kind, 'throttled');
});

test('a known browser is known for its own operator only', async () => {
  const attacked = await startTestApp();
  await provisionOperators(attacked);
  const { username, password } = operators.viewer;
  const sign = async (payload: object, cookie = '') =>
    await attacked.http.inject({ method: 'POST', url: '/console/api/session/sign-in', headers: { cookie }, payload });
  const { cookies } = await sign({ username, password });
  const cookie = `lading-device=${cookies.find(({ name }) => name === 'lading-device')!.value}`;
  const kinds: string[] = [];
  for (let tries = 0; tries < 11; tries++) kinds.push((await sign({ username: 'boss', password: 'guess' }, cookie)).json().kind);
  assert.deepEqual(kinds, [...Array(10).fill('refused'), 'throttled']);
  assert.equal((await sign({ username: 'packer', password: 'guess' }, cookie)).json().kind, 'throttled');
});

test('what operators did is never altered or deleted; how it went is added once', async () => {
  const alter = (statement: string) => app.store.database.transaction((tx) => tx.unsafe(statement));
  await assert.rejects(alter(`update operator_action set username = 'somebody'`), /append-only/);
  await assert.rejects(alter(`update operator_action set outcome = 'other' where outcome is not null`), /append-only/);
  await assert.rejects(alter('delete from operator_action'), /append-only/);
});
