import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { operatorsList, operatorsResetTotp } from '../../contract/console/operators.ts';
import { secondFactorBegin, secondFactorConfirm, secondFactorState } from '../../contract/console/second-factor.ts';
import { noAccounts } from '../../server/platform/postgres/sql.ts';
import { codeAt, fromBase32, stepOf } from '../../server/platform/totp.ts';
import { startTestApp } from '../support/app.ts';
import { actionsOf, columns, operators, provisionOperators, signIn, type TestOperator } from '../support/console.ts';
import { exported } from '../support/exports.ts';
import { startSecondNode } from '../support/second-node.ts';

const app = await startTestApp();
await provisionOperators(app);
const startMs = Date.parse('2026-11-18T00:00:00Z');
let stepsLater = 0;
moveOn();

/** Each test has steps of its own, because a code is accepted once. */
function moveOn(steps = 3): void {
  stepsLater += steps;
  app.clock.set(new Date(startMs + stepsLater * 30_000));
}

type User = Awaited<ReturnType<typeof signIn>>;

async function post(path: string, payload: object, on: Pick<typeof app, 'http'> = app, from = '127.0.0.1') {
  const url = `/console/api${path}`;
  return (await on.http.inject({ method: 'POST', url, payload, remoteAddress: from })).json();
}

const codeNow = (secret: string, later = 0) => codeAt(fromBase32(secret), stepOf(app.clock.now()) + later);

/** Sets up one-time codes for an operator who is signed in. */
async function enrol(user: User, password: string): Promise<{ secret: string; codes: string[] }> {
  const begun = await user.ask(secondFactorBegin, { password });
  assert.ok(begun.kind === 'begun', JSON.stringify(begun));
  const confirmed = await user.ask(secondFactorConfirm, { ticket: begun.ticket, code: codeNow(begun.secret) });
  assert.ok(confirmed.kind === 'confirmed', JSON.stringify(confirmed));
  moveOn();
  return { secret: begun.secret, codes: confirmed.recovery_codes };
}

async function ticketOf(who: TestOperator): Promise<string> {
  const { username, password } = operators[who];
  const answer = await post('/session/sign-in', { username, password });
  assert.equal(answer.kind, 'code_needed', JSON.stringify(answer));
  return answer.ticket;
}

/** Removes the codes again, so that the next test begins without them. */
async function reset(who: TestOperator): Promise<void> {
  const admin = who === 'admin' ? null : await signIn(app, 'admin');
  const body = { username: operators[who].username };
  assert.equal((await admin!.ask(operatorsResetTotp, body)).kind, 'reset');
}

test('codes are in use once a code has confirmed them; the password then opens nothing without a code', async () => {
  const [user, elsewhere] = [await signIn(app, 'staff'), await signIn(app, 'staff')];
  const { password } = operators.staff;
  const begun = await user.ask(secondFactorBegin, { password });
  assert.ok(begun.kind === 'begun');
  assert.match(begun.secret, /^[A-Z2-7]{32}$/);
  assert.match(begun.uri, new RegExp(`^otpauth://totp/Lading%20.*:packer\\?secret=${begun.secret}&issuer=`));
  assert.equal((await signIn(app, 'staff')).signedIn.kind, 'signed_in', 'nothing changes before the confirmation');
  const { ticket } = begun;
  assert.deepEqual(await user.ask(secondFactorConfirm, { ticket, code: '000000' }), { kind: 'wrong_code' });
  const other = await elsewhere.ask(secondFactorConfirm, { ticket, code: codeNow(begun.secret) });
  assert.deepEqual(other, { kind: 'expired' }, 'the ticket belongs to its session');

  const confirmed = await user.ask(secondFactorConfirm, { ticket, code: codeNow(begun.secret) });
  assert.ok(confirmed.kind === 'confirmed');
  assert.equal(new Set(confirmed.recovery_codes).size, 10);
  assert.ok(confirmed.recovery_codes.every((code) => /^([A-Z2-7]{4}-){3}[A-Z2-7]{4}$/.test(code)));
  assert.equal((await elsewhere.send('/sessions/list', {})).status, 401, 'sessions without the code end');
  const state = await user.ask(secondFactorState, {});
  assert.deepEqual([state.enrolled_at !== null, state.recovery_codes_left], [true, 10]);

  const signInTicket = await ticketOf('staff');
  const used = codeNow(begun.secret);
  assert.deepEqual(await post('/session/sign-in-code', { ticket: signInTicket, code: used }), { kind: 'refused' });
  moveOn();
  const signedIn = await post('/session/sign-in-code', { ticket: signInTicket, code: codeNow(begun.secret) });
  assert.deepEqual([signedIn.kind, signedIn.username], ['signed_in', 'packer']);
  assert.deepEqual(columns(await actionsOf(app, 'session/sign-in-code'), 'username', 'outcome'), [
    ['packer', 'refused'],
    ['packer', 'signed_in'],
  ]);
  await reset('staff');
});

test('the same code in requests at two nodes opens one session', async () => {
  const { secret } = await enrol(await signIn(app, 'viewer'), operators.viewer.password);
  const second = await startSecondNode(app);
  for (let round = 0; round < 5; round++) {
    moveOn();
    const ticket = await ticketOf('viewer');
    const guess = { ticket, code: codeNow(secret) };
    const answers = await Promise.all([app, second, app, second].map((on) => post('/session/sign-in-code', guess, on)));
    assert.deepEqual(answers.map(({ kind }) => kind).toSorted(), ['refused', 'refused', 'refused', 'signed_in']);
  }
  await reset('viewer');
});

test('a code is accepted half a minute early or late, and none that is older than the last one', async () => {
  const { secret } = await enrol(await signIn(app, 'staff'), operators.staff.password);
  const ticket = await ticketOf('staff');
  const kindOf = async (later: number) =>
    (await post('/session/sign-in-code', { ticket, code: codeNow(secret, later) })).kind;
  assert.deepEqual([await kindOf(-2), await kindOf(2)], ['refused', 'refused']);
  assert.deepEqual([await kindOf(-1), await kindOf(1)], ['signed_in', 'signed_in']);
  assert.deepEqual([await kindOf(0), await kindOf(1)], ['refused', 'refused']);
  await reset('staff');
});

test('each recovery code works once, however it is typed', async () => {
  const { codes } = await enrol(await signIn(app, 'staff'), operators.staff.password);
  const ticket = await ticketOf('staff');
  const typed = codes[0]!.toLowerCase().replaceAll('-', ' ');
  const answers = await Promise.all([codes[0]!, typed].map((code) => post('/session/sign-in-code', { ticket, code })));
  assert.deepEqual(answers.map(({ kind }) => kind).toSorted(), ['refused', 'signed_in']);
  const [left] = await app.store.database.read(
    (sql) => sql`select count(*)::int as count from operator_recovery_code where used_at is null`,
  );
  assert.equal(left!.count, 9);
  await reset('staff');
});

/** Stops the clock of the limiter: a further guess is allowed every 6 s. */
function stopClock(t: TestContext): void {
  const nowMs = Math.ceil(performance.now());
  t.mock.method(performance, 'now', () => nowMs);
}

test('codes are guessed ten times from an address, and the right password in between gives no further guesses', async (t) => {
  const { secret } = await enrol(await signIn(app, 'staff'), operators.staff.password);
  stopClock(t);
  const from = '192.0.2.7';
  const { username, password } = operators.staff;
  const kinds: string[] = [];
  for (let guesses = 0; guesses < 12; guesses++) {
    const { kind, ticket } = await post('/session/sign-in', { username, password }, app, from);
    if (kind !== 'code_needed') kinds.push(kind);
    else kinds.push((await post('/session/sign-in-code', { ticket, code: '000000' }, app, from)).kind);
  }
  assert.deepEqual(kinds, [...Array(10).fill('refused'), 'throttled', 'throttled']);
  const ticket = await ticketOf('staff');
  const right = { ticket, code: codeNow(secret) };
  assert.equal((await post('/session/sign-in-code', right, app, from)).kind, 'throttled');
  // Ten wrong codes are all that this operator has for today, from any address.
  assert.equal((await post('/session/sign-in-code', right)).kind, 'too_many_codes');
  await reset('staff');
});

test('a ticket is worth nothing if it is altered or old, or after the password has changed', async () => {
  const { secret } = await enrol(await signIn(app, 'viewer'), operators.viewer.password);
  const ticket = await ticketOf('viewer');
  const send = (given: string) => post('/session/sign-in-code', { ticket: given, code: codeNow(secret) });
  const altered = `${ticket.slice(0, -2)}${ticket.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const forged of [altered, 'x', `${ticket.split('.')[0]}.AAAA`, ticket.replace(/^\w+/, 'deadbeef')])
    assert.deepEqual(await send(forged), { kind: 'expired' });
  moveOn(10);
  assert.deepEqual(await send(ticket), { kind: 'expired' });

  const fresh = await ticketOf('viewer');
  await app.provision({ operators: [{ username: 'viewer', password: 'a new one altogether' }] });
  assert.deepEqual(await send(fresh), { kind: 'refused' });
  await reset('viewer');
  await provisionOperators(app);
});

test('a change of the codes needs the password and a code; an admin can remove those of others, which ends their sessions', async () => {
  const user = await signIn(app, 'staff');
  const { password } = operators.staff;
  const { secret, codes } = await enrol(user, password);
  const begin = (body: object) => user.send('/second-factor/begin', body);
  assert.equal((await begin({ password: 'wrong' })).json.kind, 'wrong_password');
  assert.equal((await begin({ password })).json.kind, 'wrong_code');
  assert.equal((await begin({ password, code: codeNow(secret) })).json.kind, 'begun');
  assert.equal((await user.send('/second-factor/remove', { password, code: codes[9] })).json.kind, 'removed');
  assert.equal((await user.send('/second-factor/remove', { password })).json.kind, 'not_enrolled');

  await enrol(user, password);
  const admin = await signIn(app, 'admin');
  const ofPacker = async () => (await admin.ask(operatorsList, {})).rows.find(({ username }) => username === 'packer')!;
  assert.notEqual((await ofPacker()).totp_since, null);
  assert.deepEqual(await admin.ask(operatorsResetTotp, { username: 'packer' }), { kind: 'reset', sessions_ended: 1 });
  assert.deepEqual(await admin.ask(operatorsResetTotp, { username: 'packer' }), { kind: 'not_enrolled' });
  assert.deepEqual(await admin.ask(operatorsResetTotp, { username: 'boss' }), { kind: 'own' });
  assert.equal((await user.send('/sessions/list', {})).status, 401);
  assert.equal((await ofPacker()).totp_since, null);
  assert.equal((await signIn(app, 'staff')).signedIn.kind, 'signed_in');
  assert.deepEqual(columns(await actionsOf(app, 'operators/reset-totp'), 'username', 'subject', 'outcome').slice(-3), [
    ['boss', 'packer', 'reset'],
    ['boss', 'packer', 'not_enrolled'],
    ['boss', 'boss', 'own'],
  ]);
});

test('after ten wrong codes no code of this operator is accepted any more, wherever it is given, and a reset ends this', async () => {
  const user = await signIn(app, 'viewer');
  const { password } = operators.viewer;
  const { secret, codes } = await enrol(user, password);
  const begin = async (code: string) => (await user.send('/second-factor/begin', { password, code })).json;
  const tries = Array.from({ length: 10 }, () => begin('000000'));
  const kinds = (await Promise.all(tries)).map(({ kind }) => kind);
  // The general limit of guesses may come first.
  assert.deepEqual(
    [...new Set(kinds)].filter((kind) => kind !== 'throttled'),
    ['wrong_code'],
  );
  const ticket = await ticketOf('viewer');
  const give = (code: string) => post('/session/sign-in-code', { ticket, code });
  for (let left = 10 - kinds.filter((kind) => kind === 'wrong_code').length; left > 0; left--)
    assert.equal((await give('000000')).kind, 'refused');
  for (const code of [codeNow(secret), codes[0]!]) {
    const { kind, retry_after_s } = await give(code);
    assert.equal(kind, 'too_many_codes');
    assert.ok(retry_after_s > 0 && retry_after_s <= 8640, String(retry_after_s));
  }
  await reset('viewer');
  assert.equal((await signIn(app, 'viewer')).signedIn.kind, 'signed_in');
});

test('neither the secret nor a recovery code is in the database or in a log in plain text', async () => {
  const { secret, codes } = await enrol(await signIn(app, 'staff'), operators.staff.password);
  const tables = ['secret', 'operator_totp', 'operator_recovery_code', 'operator_action', 'partner_change'];
  const dumps = await Promise.all(
    tables.map((table) => app.store.database.read((sql) => sql.unsafe(`select t::text as whole from ${table} t`))),
  );
  const everything = `${JSON.stringify(dumps)}${app.logLines.join('')}`;
  const hidden = [
    secret,
    fromBase32(secret).toString('hex'),
    ...codes.flatMap((code) => [code, code.replaceAll('-', '')]),
  ];
  for (const plain of hidden) assert.ok(!everything.includes(plain));
  await reset('staff');
});

test('with REQUIRE_TOTP=admins an admin without codes can do nothing but set them up, and cannot remove them', async () => {
  const strict = await startTestApp({ env: { REQUIRE_TOTP: 'admins' } });
  await provisionOperators(strict);
  const [admin, staff] = [await signIn(strict, 'admin'), await signIn(strict, 'staff')];
  assert.deepEqual([admin.signedIn.must_enrol, staff.signedIn.must_enrol], [true, false]);
  for (const path of ['/home/attention', '/operators/list', '/sessions/list', '/views/list', '/orders/search']) {
    const { status, json } = await admin.send(path, {});
    assert.deepEqual([status, json.error?.message], [403, 'set up one-time codes first'], path);
  }
  const stream = await strict.http.inject({ url: '/console/api/live', headers: { cookie: admin.cookie } });
  for (const answer of [stream, await exported(strict, admin)])
    assert.deepEqual([answer.statusCode, answer.json().error.message], [403, 'set up one-time codes first']);
  assert.equal((await staff.send('/home/attention', {})).status, 200);

  strict.clock.set(app.clock.now());
  const { password } = operators.admin;
  const { codes } = await enrol(admin, password);
  assert.equal((await admin.send('/operators/list', {})).status, 200);
  assert.deepEqual((await admin.send('/second-factor/remove', { password, code: codes[0] })).json, {
    kind: 'required',
  });
  const rows = await strict.store.service.read(noAccounts, (sql) => sql`select username from operator_totp`);
  assert.deepEqual([...rows], [{ username: 'boss' }]);
});
