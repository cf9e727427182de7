import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rotateSecret } from '../../../server/domain/partners/rotate-secret.ts';
import type { Database } from '../../../server/platform/postgres/database.ts';
import { dumpTables } from '../../partners/dump.ts';
import { alpha, beta, startTestApp, type TestAnswer, type TestApp } from '../../support/app.ts';
import { refusedByMain } from '../../support/errors.ts';
import { startSecondNode } from '../../support/second-node.ts';

const app = await startTestApp();
const second = await startSecondNode(app);
const short = await startTestApp({ env: { TOKEN_TTL_S: '60', RATE_LIMIT: '3' } });
const proxied = await startTestApp({ env: { TRUSTED_PROXIES: '10.0.0.7, 10.1.0.0/16' } });
let looks = 0;
const counted = await startTestApp({ database: ({ service }) => countLooks(service) });

/** Here, only the directories give a time limit to what they read. */
function countLooks(database: Database): Database {
  return {
    ...database,
    read(accountIds, work, withinSeconds) {
      if (withinSeconds !== undefined) looks++;
      return database.read(accountIds, work, withinSeconds);
    },
  };
}

let addresses = 0;
/** An address that no test has used, so that the guesses of one test do not limit another. */
const newAddress = () => `198.51.${++addresses >> 8}.${addresses & 255}`;

interface Sending {
  on?: TestApp;
  from?: string;
  headers?: Record<string, string>;
}

async function send(
  payload: unknown,
  { on = app, from = newAddress(), headers = {} }: Sending = {},
): Promise<TestAnswer> {
  const answer = await on.http.inject({
    method: 'POST',
    url: '/api/v1/token/getToken',
    headers: { 'content-type': 'application/json', ...headers },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    remoteAddress: from,
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
}

async function getToken(clientId: string, checkValue: string, sending?: Sending): Promise<TestAnswer> {
  return await send({ ClientId: clientId, CheckValue: checkValue }, sending);
}

function decoded(token: string) {
  const [header, claims] = token.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
  return { header, claims };
}

/** For how long a CheckValue stays valid beside its successor. */
const overlap = { actor: 'test', overlapSeconds: 600 };
const invalid = refusedByMain('credentials_invalid', 'invalid ClientId or CheckValue');
const disabled = refusedByMain('client_disabled', 'this client is disabled');

function assertInvalid({ status, text, headers }: TestAnswer): void {
  assert.deepEqual([status, text, headers['cache-control']], [200, JSON.stringify(invalid), 'no-store']);
}

function assertIssued({ status, json }: TestAnswer): void {
  assert.deepEqual([status, json.done, json.msg], [200, true, 'success']);
}

/** Everything but the request log, which grows with every call, and the last use of a partner, which is written later. */
async function everything(on: TestApp = app) {
  const tables = Object.entries(await dumpTables(on.store.database));
  return Object.fromEntries(tables.filter(([name]) => !/^(request_log|partner_use)/.test(name)));
}

test('ClientId and CheckValue give a token signed with ES256 that says whose it is and how long it lives', async () => {
  const now = new Date('2026-03-01T04:05:06.789Z');
  app.clock.set(now);
  const answer = await getToken(alpha.clientId, alpha.checkValue);
  app.clock.set(null);
  const jwks = (await app.http.inject('/.well-known/jwks.json')).json();

  assert.equal(answer.status, 200);
  assert.equal(answer.headers['cache-control'], 'no-store');
  const { access_token } = answer.json.retval;
  assert.deepEqual(answer.json, {
    done: true,
    msg: 'success',
    retval: { access_token, token_type: 'Bearer', expires_in: 3600 },
  });
  const { header, claims } = decoded(access_token);
  assert.deepEqual(header, { alg: 'ES256', kid: jwks.keys[0].kid, typ: 'at+jwt' });
  const iat = Math.floor(now.getTime() / 1000);
  const { jti, ...others } = claims;
  assert.deepEqual(others, { iss: 'lading', aud: 'lading:main-api', sub: 'alpha-erp', iat, exp: iat + 3600 });
  assert.match(jti, /^[0-9a-f-]{36}$/);
  const another = await getToken(alpha.clientId, alpha.checkValue);
  assert.notEqual(another.json.retval.access_token, access_token);
  const line = await app.requestLine(answer.headers['trace-id'] as string);
  assert.deepEqual(
    [line?.contract, line?.endpoint, line?.status, line?.account_no, line?.reason],
    ['main', '/api/v1/token/getToken', 200, 'ALPHA', null],
  );
});

test('the lifetime follows the setting TOKEN_TTL_S', async () => {
  const { retval } = (await getToken(alpha.clientId, alpha.checkValue, { on: short })).json;
  const { claims } = decoded(retval.access_token);
  assert.deepEqual([retval.expires_in, claims.exp - claims.iat], [60, 60]);
});

const wrong: [string, string, string, string?][] = [
  ['another CheckValue', alpha.clientId, 'alpha-check-valuE', 'ALPHA'],
  ["another client's CheckValue", alpha.clientId, beta.checkValue, 'ALPHA'],
  ["the account's secret", alpha.clientId, alpha.secret, 'ALPHA'],
  ['a CheckValue of 256 characters', alpha.clientId, '茶'.repeat(256), 'ALPHA'],
  ['an unknown ClientId', 'nobody', alpha.checkValue],
  ['the ClientId in another case', 'ALPHA-ERP', alpha.checkValue],
  ["the account's number as ClientId", alpha.accountNo, alpha.checkValue],
];
test('wrong credentials are refused with the same words, the reason in the request log only, and nothing changes', async () => {
  for (const [, clientId, checkValue, accountNo = null] of wrong) {
    const before = await everything();
    const answer = await getToken(clientId, checkValue);

    assertInvalid(answer);
    assert.deepEqual(await everything(), before);
    const line = await app.requestLine(answer.headers['trace-id'] as string);
    const reason =
      accountNo === null ? 'ClientId is not registered' : `the CheckValue of client ${clientId} does not match`;
    assert.deepEqual([line?.status, line?.reason, line?.account_no], [200, reason, accountNo]);
  }
});

test('a right CheckValue of a disabled client or account gets a message that says so; once enabled, it gets tokens at once', async () => {
  const clients = (enabled: boolean) => [
    { client_id: 'off', account_no: 'ALPHA', check_value: 'off-value-of-thirty-two-characters-or-more', enabled },
    { client_id: 'closed-erp', account_no: 'CLOSED', check_value: 'closed-value-of-thirty-two-characters-or-more' },
  ];
  const accounts = (enabled: boolean) => [{ account_no: 'CLOSED', environment: 'uat' as const, enabled }];
  await app.provision({ accounts: accounts(false), clients: clients(false) });
  for (const [clientId, checkValue, reason, accountNo] of [
    ['off', 'off-value-of-thirty-two-characters-or-more', 'client off is disabled', 'ALPHA'],
    [
      'closed-erp',
      'closed-value-of-thirty-two-characters-or-more',
      'the account of client closed-erp is disabled',
      'CLOSED',
    ],
  ] as const) {
    const refused = await getToken(clientId, checkValue);
    assert.deepEqual([refused.status, refused.json], [200, disabled]);
    const line = await app.requestLine(refused.headers['trace-id'] as string);
    assert.deepEqual([line?.reason, line?.account_no], [reason, accountNo]);
    assertInvalid(await getToken(clientId, 'wrong-value'));
  }
  await app.provision({ accounts: accounts(true), clients: clients(true) });
  for (const on of [app, second]) {
    assertIssued(await getToken('off', 'off-value-of-thirty-two-characters-or-more', { on }));
    assertIssued(await getToken('closed-erp', 'closed-value-of-thirty-two-characters-or-more', { on }));
  }
});

test('a new client works at once on every node, and so does its next CheckValue; the one before works until its overlap ends', async () => {
  assertInvalid(await getToken('late', 'late-value-of-thirty-two-characters-or-more', { on: second }));
  await app.provision({
    clients: [{ client_id: 'late', account_no: 'ALPHA', check_value: 'late-value-of-thirty-two-characters-or-more' }],
  });
  assertIssued(await getToken('late', 'late-value-of-thirty-two-characters-or-more', { on: second }));

  const { service, keyring } = app.store;
  const rotated = await rotateSecret(service, keyring, { kind: 'check_value', owner: 'late' }, overlap);
  assert.equal(rotated.kind, 'rotated');
  const { issued, previousValidUntil } = rotated as Extract<typeof rotated, { kind: 'rotated' }>;
  for (const on of [app, second]) {
    assertIssued(await getToken('late', issued.value, { on }));
    assertIssued(await getToken('late', 'late-value-of-thirty-two-characters-or-more', { on }));
  }
  app.clock.set(previousValidUntil);
  assertInvalid(await getToken('late', 'late-value-of-thirty-two-characters-or-more'));
  assertIssued(await getToken('late', issued.value));
  app.clock.set(null);
});

test('an unknown ClientId and a wrong CheckValue cost the same looks and the same digests, with one valid CheckValue or with two', async () => {
  const { service, keyring } = counted.store;
  await counted.provision({
    clients: [{ client_id: 'twice', account_no: 'ALPHA', check_value: 'first-value-of-thirty-two-characters-or-more' }],
  });
  await rotateSecret(service, keyring, { kind: 'check_value', owner: 'twice' }, overlap);
  let digests = 0;
  const { digest } = keyring;
  keyring.digest = (...args) => {
    digests++;
    return digest(...args);
  };

  const costs = [];
  for (const clientId of ['nobody', alpha.clientId, 'twice']) {
    digests = looks = 0;
    assertInvalid(await getToken(clientId, 'wrong-value', { on: counted }));
    costs.push({ digests, looks });
  }
  assert.deepEqual(costs, Array(3).fill({ digests: 2, looks: 3 }));
});

test('after a right CheckValue the rate limit of the account applies; wrong ones do not use it up', async () => {
  for (let index = 0; index < 5; index++) assertInvalid(await getToken(beta.clientId, 'wrong-value', { on: short }));
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => getToken(beta.clientId, beta.checkValue, { on: short })),
  );
  const issued = answers.filter(({ status }) => status === 200);
  const limited = answers.filter(({ status }) => status === 429);
  assert.ok(issued.length >= 3 && issued.length <= 5, `${issued.length} were issued`);
  assert.equal(issued.length + limited.length, 12);
  assert.deepEqual(limited[0]!.json, refusedByMain('rate_limited', 'too many requests; try again in 1 s'));
});

function assertThrottled({ status, json, headers }: TestAnswer): void {
  const seconds = Number(headers['retry-after']);
  assert.ok(seconds >= 1 && seconds <= 6, `retry-after ${headers['retry-after']}`);
  assert.deepEqual(
    [status, json],
    [429, refusedByMain('rate_limited', `too many requests; try again in ${seconds} s`)],
  );
}

test('an address may guess ten times, also at the same instant; then not even the right CheckValue helps, but it works from elsewhere', async () => {
  const from = newAddress();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, index) => getToken(`burst-${index}`, 'x', { from })),
  );
  for (const [index, answer] of answers.toSorted((one, other) => one.status - other.status).entries())
    (index < 10 ? assertInvalid : assertThrottled)(answer);
  assertThrottled(await getToken(beta.clientId, beta.checkValue, { from }));
  assertIssued(await getToken(beta.clientId, beta.checkValue));
});

test('thirty right CheckValues at the same instant from one new address are all looked at', async () => {
  const from = newAddress();
  const right = Array.from({ length: 30 }, () => getToken(alpha.clientId, alpha.checkValue, { from }));
  for (const answer of await Promise.all(right)) assertIssued(answer);
});

test('a ClientId that many addresses guess at is looked at a hundred times; its owner gets in from where it is known, on every node', async () => {
  await app.provision({
    clients: [
      { client_id: 'attacked', account_no: 'ALPHA', check_value: 'attacked-value-of-thirty-two-characters-or-more' },
    ],
  });
  const home = newAddress();
  assertIssued(await getToken('attacked', 'attacked-value-of-thirty-two-characters-or-more', { from: home }));
  for (const on of [app, second]) {
    const answers = await Promise.all(Array.from({ length: 120 }, () => getToken('attacked', 'guess', { on })));
    assert.equal(answers.filter(({ status }) => status === 200).length, 100);
    const throttled = answers.filter(({ status }) => status === 429);
    assert.equal(throttled.length, 20);
    assert.ok(throttled.every(({ headers }) => Number(headers['retry-after']) <= 36));

    assert.equal((await getToken('attacked', 'attacked-value-of-thirty-two-characters-or-more', { on })).status, 429);
    assertIssued(await getToken('attacked', 'attacked-value-of-thirty-two-characters-or-more', { on, from: home }));
    assertInvalid(await getToken('other', 'guess', { on }));
  }
});

test('X-Forwarded-For of somebody who is no trusted proxy is ignored', async () => {
  for (const on of [app, proxied]) {
    const from = newAddress();
    const guess = (index: number) =>
      getToken(`claims-${index}`, 'x', { on, from, headers: { 'x-forwarded-for': `203.0.113.${index}` } });
    for (let index = 0; index < 10; index++) assertInvalid(await guess(index));
    assertThrottled(await guess(99));
  }
});

test('behind a trusted proxy each caller counts by the address that the proxy saw, not by what it says itself', async () => {
  const through = (from: string, forwarded: string) =>
    getToken(`through ${forwarded}`, 'x', { on: proxied, from, headers: { 'x-forwarded-for': forwarded } });
  for (let index = 0; index < 10; index++) assertInvalid(await through('10.0.0.7', `192.0.2.${index}, 203.0.113.77`));
  assertThrottled(await through('10.0.0.7', '192.0.2.99, 203.0.113.77'));
  assertThrottled(await through('10.1.2.3', '203.0.113.77, 10.1.9.9'));
  assertInvalid(await through('10.0.0.7', '203.0.113.78'));
});

test('no log line and no row of the request log holds a CheckValue, a token or an unknown ClientId', async () => {
  const answer = await getToken(alpha.clientId, alpha.checkValue);
  assertInvalid(await getToken('mistaken-for-a-secret', 'planted-guess'));
  await app.requestLog.flush();
  const rows = await app.store.database.read((sql) => sql`select t::text as row from request_log t`);
  const written = [...app.logLines, ...rows.map(({ row }) => row as string)].join('\n');
  const { access_token } = answer.json.retval;
  const planted = [
    'late-value-of-thirty-two-characters-or-more',
    'off-value-of-thirty-two-characters-or-more',
    'planted-guess',
    'mistaken-for-a-secret',
    access_token,
  ];
  for (const secret of [alpha.checkValue, beta.checkValue, ...planted])
    assert.equal(written.includes(secret), false, secret);
  assert.ok(written.includes('the CheckValue of client alpha-erp does not match'));
});
