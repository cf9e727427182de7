import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp, type TestApp } from '../support/app.ts';
import { actionsOf, columns, operators, provisionOperators } from '../support/console.ts';
import { fingerprintOf } from '../support/database.ts';
import { freePort } from '../support/free-port.ts';
import {
  clientSecret,
  type Lie,
  oidcSettings,
  type Person,
  startIdentityProvider,
  startLyingProvider,
} from '../support/identity-provider.ts';

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const callback = `${publicUrl}/console/api/oidc/callback`;
const people: Record<string, Person> = {
  7: { preferred_username: 'mei-ling', roles: ['pickers'] },
  8: { preferred_username: 'boss', roles: ['lading-admins'] },
  9: { preferred_username: 'guest', roles: ['other'] },
};
const provider = await startIdentityProvider(callback, people);
const app = await startTestApp({ env: { PUBLIC_URL: publicUrl, ...oidcSettings(provider.url) } });
await provisionOperators(app);
await app.http.listen({ host: '127.0.0.1', port });

/** A browser without scripts: it keeps cookies by host and port, and follows one redirect at a time. */
function makeVisitor() {
  const jars = new Map<string, Map<string, string>>();
  return {
    cookies: (url: string) => jars.get(new URL(url).host) ?? new Map<string, string>(),
    async go(url: string, form?: Record<string, string>): Promise<{ status: number; to: string | null; text: string }> {
      const { host } = new URL(url);
      const jar = jars.get(host) ?? new Map<string, string>();
      jars.set(host, jar);
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const answer = await fetch(url, {
        redirect: 'manual',
        headers: { cookie, accept: 'text/html' },
        ...(form ? { method: 'POST', body: new URLSearchParams(form) } : {}),
      });
      for (const line of answer.headers.getSetCookie()) {
        const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
        if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name!);
        else jar.set(name!, value!);
      }
      const to = answer.headers.get('location');
      return { status: answer.status, to: to === null ? null : new URL(to, url).href, text: await answer.text() };
    },
  };
}

type Visitor = ReturnType<typeof makeVisitor>;

/** Goes through the pages of the provider as this person, up to the address that leads back to the service. */
async function throughProvider(visitor: Visitor, person: string, start = `${publicUrl}/console/api/oidc/start`) {
  let next = (await visitor.go(start)).to!;
  for (let pages = 0; pages < 12 && !next.startsWith(callback); pages++) {
    const page = await visitor.go(next);
    if (page.to !== null) next = page.to;
    else {
      const action = /action="([^"]+)"/.exec(page.text)![1]!;
      const prompt = /name="prompt" value="(\w+)"/.exec(page.text)![1]!;
      next = (await visitor.go(new URL(action, next).href, { prompt, login: person, password: 'x' })).to!;
    }
  }
  assert.ok(next.startsWith(callback), next);
  return next;
}

async function signInAs(person: string, visitor = makeVisitor()) {
  const back = await throughProvider(visitor, person);
  const { status, to } = await visitor.go(back);
  assert.equal(status, 303);
  const token = visitor.cookies(publicUrl).get('lading-session');
  const current =
    token === undefined
      ? null
      : (
          await app.http.inject({
            method: 'POST',
            url: '/console/api/session/current',
            payload: {},
            headers: { cookie: `lading-session=${token}` },
          })
        ).json();
  return { to: to!.slice(publicUrl.length), current, back };
}

const operatorRows = async (on: TestApp = app) => [
  ...(await on.store.database.read((sql) => sql`select username, role, enabled from operator order by username`)),
];

test('the first sign-in creates the operator with the role of the claim, and later ones follow the claim', async () => {
  const visitor = makeVisitor();
  const back = await throughProvider(visitor, '7', `${publicUrl}/console/api/oidc/start?return=/orders?status=shipped`);
  assert.deepEqual(await visitor.go(back), { status: 303, to: `${publicUrl}/console/orders?status=shipped`, text: '' });
  assert.match(visitor.cookies(publicUrl).get('lading-session')!, /^[\w-]{43}$/);
  assert.equal(visitor.cookies(publicUrl).has('lading-oidc'), false);

  const first = await signInAs('7');
  const { username, role, signed_in_with, must_enrol } = first.current;
  assert.deepEqual(
    [first.to, username, role, signed_in_with, must_enrol],
    ['/console/', 'mei-ling', 'staff', 'oidc', false],
  );
  people[7]!.roles = ['auditors', 'lading-admins'];
  assert.equal((await signInAs('7')).current.role, 'admin');
  people[7]!.roles = ['auditors'];
  assert.equal((await signInAs('7')).current.role, 'read-only');
  assert.deepEqual(columns(await actionsOf(app, 'session/sign-in-oidc'), 'username', 'outcome').slice(-2), [
    ['mei-ling', 'signed_in'],
    ['mei-ling', 'signed_in'],
  ]);
  const changes = await app.store.database.read(
    (sql) =>
      sql`select change, actor, fields->>'role' as role from partner_change where subject = 'mei-ling' order by 1`,
  );
  assert.deepEqual(
    changes.map(({ change, actor, role: given }) => [change, actor, given]),
    [
      ['changed', 'identity provider', 'admin'],
      ['changed', 'identity provider', 'read-only'],
      ['created', 'identity provider', 'staff'],
    ],
  );
});

test('nobody is created without a role, takes over a local operator, or comes back while disabled', async () => {
  const before = await operatorRows();
  assert.deepEqual(await pick(signInAs('9')), ['/console/sign-in?problem=no_role', null]);
  assert.deepEqual(await pick(signInAs('8')), ['/console/sign-in?problem=name_taken', null]);
  people[9] = { roles: ['pickers'] };
  assert.deepEqual(await pick(signInAs('9')), ['/console/sign-in?problem=no_name', null]);
  people[9] = { preferred_username: 'guest', roles: ['other'] };
  assert.deepEqual(await operatorRows(), before);

  const visitor = makeVisitor();
  await signInAs('7', visitor);
  await app.provision({ operators: [{ username: 'mei-ling', enabled: false }] });
  assert.deepEqual(await pick(signInAs('7')), ['/console/sign-in?problem=disabled', null]);
  await app.provision({ operators: [{ username: 'mei-ling', enabled: true }] });
  const [secret] = await app.store.database.read((sql) => sql`select from secret where owner = 'mei-ling'`);
  assert.equal(secret, undefined, 'a change of the operator creates no password');

  people[7]!.roles = [];
  assert.deepEqual(await pick(signInAs('7')), ['/console/sign-in?problem=no_role', null]);
  const [open] = await app.store.database.read(
    (sql) => sql`select count(*)::int as count from operator_session where username = 'mei-ling' and ended_at is null`,
  );
  assert.equal(open!.count, 0, 'the sessions of a person without a role end');
  people[7]!.roles = ['auditors'];
});

async function pick(signingIn: ReturnType<typeof signInAs>): Promise<[string, unknown]> {
  const { to, current } = await signingIn;
  return [to, current];
}

const refused = `${publicUrl}/console/sign-in?problem=refused`;
const expired = `${publicUrl}/console/sign-in?problem=expired`;

test('a code of another browser, with another state, or used before opens nothing', async () => {
  const visitor = makeVisitor();
  const back = await throughProvider(visitor, '7');
  const sessions = await fingerprintOf(app.store, 'operator_session');
  assert.equal((await makeVisitor().go(back)).to, expired, 'the browser that began the sign-in has the cookie');
  const other = makeVisitor();
  await throughProvider(other, '7');
  assert.equal((await other.go(back)).to, refused, 'the state is that of another attempt');
  const forged = new URL(back);
  forged.searchParams.set('state', 'forged');
  const ownCookie = visitor.cookies(publicUrl).get('lading-oidc')!;
  assert.equal((await visitor.go(forged.href)).to, refused);
  assert.equal(await fingerprintOf(app.store, 'operator_session'), sessions);

  visitor.cookies(publicUrl).set('lading-oidc', ownCookie);
  assert.equal((await visitor.go(back)).to, `${publicUrl}/console/`);
  const opened = await fingerprintOf(app.store, 'operator_session');
  visitor.cookies(publicUrl).set('lading-oidc', ownCookie);
  assert.equal((await visitor.go(back)).to, refused, 'the provider accepts a code once');
  assert.equal(await fingerprintOf(app.store, 'operator_session'), opened);
});

test('a return address leads nowhere but to a page of the console', async () => {
  for (const given of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:1',
    '/a b',
    `/${'x'.repeat(2000)}`,
  ]) {
    const visitor = makeVisitor();
    const start = `${publicUrl}/console/api/oidc/start?return=${encodeURIComponent(given)}`;
    const back = await throughProvider(visitor, '7', start);
    assert.equal((await visitor.go(back)).to, `${publicUrl}/console/`, given);
  }
});

test('neither the client secret nor a code or token of the provider is in a log or table', async () => {
  const { back } = await signInAs('7');
  const dumps = await Promise.all(
    ['operator_session', 'operator_action', 'operator_identity', 'partner_change', 'request_log'].map(async (table) => {
      await app.requestLog.flush();
      return app.store.database.read((sql) => sql.unsafe(`select t::text as whole from ${table} t`));
    }),
  );
  const everything = `${JSON.stringify(dumps)}${app.logLines.join('')}`;
  for (const hidden of [clientSecret, new URL(back).searchParams.get('code')!])
    assert.ok(!everything.includes(hidden), hidden.slice(0, 10));
});

test('a token with another nonce, audience, issuer or key, an expired one and one without signature are refused', async () => {
  const liar = await startLyingProvider();
  const believer = await startTestApp({ env: { PUBLIC_URL: publicUrl, ...oidcSettings(liar.url) } });
  const before = await operatorRows(believer);
  async function comeBack(lie: Lie): Promise<string> {
    liar.lie = lie;
    const start = await believer.http.inject('/console/api/oidc/start');
    const query = new URL(start.headers.location!).searchParams;
    assert.deepEqual(
      [query.get('response_type'), query.get('code_challenge_method'), query.get('redirect_uri')],
      ['code', 'S256', callback],
    );
    liar.nonce = query.get('nonce')!;
    const url = `/console/api/oidc/callback?code=x&state=${query.get('state')}`;
    const cookie = String(start.headers['set-cookie']).split(';')[0]!;
    const answer = await believer.http.inject({ url, headers: { cookie }, remoteAddress: `192.0.2.${++callers}` });
    return String(answer.headers.location);
  }
  let callers = 0;
  const now = Math.floor(Date.now() / 1000);
  const lies: Lie[] = [
    { nonce: 'another' },
    { claims: { aud: 'another client' } },
    { claims: { aud: ['lading', 'another client'], azp: 'another client' } },
    { claims: { iss: 'http://127.0.0.1:1' } },
    { claims: { exp: now - 3600, iat: now - 7200 } },
    { algorithm: 'none' },
    { algorithm: 'other key' },
  ];
  for (const lie of lies) assert.equal(await comeBack(lie), '../../sign-in?problem=refused', JSON.stringify(lie));
  assert.deepEqual(await operatorRows(believer), before);
  believer.clock.set(new Date(Date.now() + 3_600_000));
  assert.equal(await comeBack({}), '../../sign-in?problem=refused', 'our clock decides what has expired');
  believer.clock.set(null);
  assert.equal(await comeBack({}), '../../');
  assert.deepEqual((await operatorRows(believer)).at(-1), { username: 'liar', role: 'admin', enabled: true });
});

test('while the provider is down, its button says so and passwords work', async () => {
  const down = await startTestApp({ env: oidcSettings(`http://127.0.0.1:${await freePort()}`) });
  await provisionOperators(down);
  const { headers } = await down.http.inject('/console/api/oidc/start');
  assert.equal(headers.location, '../../sign-in?problem=unreachable');
  const post = async (path: string, payload: object) =>
    (await down.http.inject({ method: 'POST', url: `/console/api/session${path}`, payload })).json();
  const { username, password } = operators.staff;
  assert.equal((await post('/sign-in', { username, password })).kind, 'signed_in');
  assert.deepEqual(await post('/options', {}), { kind: 'options', oidc_name: 'Acme ID', passwords: true });
});

test('ten failures from an address are throttled; calls without a sign-in that was begun here do not count', async (t) => {
  const careful = await startTestApp({ env: { PUBLIC_URL: publicUrl, ...oidcSettings(provider.url) } });
  const nowMs = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => nowMs);
  const comeBack = async (state: string, headers: Record<string, string>) => {
    const url = `/console/api/oidc/callback?code=x&state=${state}`;
    const answer = await careful.http.inject({ url, headers, remoteAddress: '192.0.2.9' });
    return String(answer.headers.location).split('=')[1]!;
  };
  const problems: string[] = [];
  for (let calls = 0; calls < 12; calls++) problems.push(await comeBack('y', {}));
  for (let calls = 0; calls < 12; calls++) {
    const start = await careful.http.inject('/console/api/oidc/start');
    const state = new URL(String(start.headers.location)).searchParams.get('state')!;
    problems.push(await comeBack(state, { cookie: String(start.headers['set-cookie']).split(';')[0]! }));
  }
  assert.deepEqual(problems, [...Array(12).fill('expired'), ...Array(10).fill('refused'), 'throttled', 'throttled']);
});

test('with PASSWORD_SIGN_IN=off only an operator with emergency access signs in with a password, until it ends', async () => {
  const env = { PUBLIC_URL: publicUrl, PASSWORD_SIGN_IN: 'off', ...oidcSettings(provider.url) };
  const closed = await startTestApp({ env });
  await provisionOperators(closed);
  const { username, password } = operators.admin;
  const signIn = async () => {
    const url = '/console/api/session/sign-in';
    return (await closed.http.inject({ method: 'POST', url, payload: { username, password } })).json().kind;
  };
  assert.equal(await signIn(), 'refused');
  const { allowPassword } = await import('../../server/domain/operators/break-glass.ts');
  const allow = (name: string, seconds: number) =>
    allowPassword(closed.store.service, name, { seconds, actor: 'test' });
  assert.equal((await allow('boss', 3600)).kind, 'allowed');
  assert.equal(await signIn(), 'signed_in');
  assert.deepEqual(await allow('boss', 0), { kind: 'allowed', until: null });
  assert.equal(await signIn(), 'refused');
  assert.deepEqual(await allow('nobody', 3600), { kind: 'not_found' });
});
