import assert from 'node:assert/strict';
import { createPublicKey, randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLocalJWKSet, jwtVerify } from 'jose';
import { buildApp } from '../../../server/app.ts';
import { masterKeysInUse } from '../../../server/domain/master-key/sealed-queries.ts';
import { renewTokenKeys, rotateTokenKey } from '../../../server/domain/partners/rotate-token-key.ts';
import { keyToSignWith, openTokenKey } from '../../../server/domain/partners/token-key.ts';
import { listTokenKeys, type TokenKeyRow } from '../../../server/domain/partners/token-key-queries.ts';
import { systemClock } from '../../../server/platform/clock.ts';
import { makeKeyring } from '../../../server/platform/keyring.ts';
import { makeLog } from '../../../server/platform/log.ts';
import { type Database, openDatabase } from '../../../server/platform/postgres/database.ts';
import { DatabaseUnavailable } from '../../../server/platform/postgres/deadline.ts';
import { rowValues } from '../../../server/platform/postgres/sql.ts';
import { makeRunHere } from '../../cli/run-here.ts';
import { dumpTables } from '../../partners/dump.ts';
import { alpha, startTestApp, type TestAnswer, type TestApp, testConfig } from '../../support/app.ts';
import { settingsFor } from '../../support/command.ts';
import { makeTestStore, patienceSeconds, type TestStore } from '../../support/database.ts';
import { startSecondNode } from '../../support/second-node.ts';

/** For the rotations of a key's whole life, by a clock that the test sets. */
const app = await startTestApp();
const second = await startSecondNode(app);
/** For a key that leaked, by the real clock. */
const leaky = await startTestApp();
const leakySecond = await startSecondNode(leaky);
let isAway = true;
const late = await startTestApp({ database: ({ service }) => awayAtFirst(service) });

function awayAtFirst(database: Database): Database {
  const away = async () => {
    throw new DatabaseUnavailable('away');
  };
  return {
    ...database,
    read: (...asked) => (isAway ? away() : database.read(...asked)),
    transaction: (...asked) => (isAway ? away() : database.transaction(...asked)),
  };
}

const stores: TestStore[] = [];
after(() => Promise.all(stores.map((store) => store.close())));

async function emptyStore(): Promise<TestStore> {
  const store = await makeTestStore({ pool: 4 });
  stores.push(store);
  return store;
}

async function rowsOf({ database }: Pick<TestStore, 'database'>): Promise<TokenKeyRow[]> {
  return [...(await database.read(listTokenKeys))];
}

async function publishedBy(node: Pick<TestApp, 'http'>): Promise<string[]> {
  return (await node.http.inject('/.well-known/jwks.json')).json().keys.map(({ kid }: { kid: string }) => kid);
}

async function newToken(node: Pick<TestApp, 'http'>): Promise<string> {
  const payload = { ClientId: alpha.clientId, CheckValue: alpha.checkValue };
  return (await node.http.inject({ method: 'POST', url: '/api/v1/token/getToken', payload })).json().retval
    .access_token;
}

function kidOf(token: string): string {
  return JSON.parse(Buffer.from(token.split('.')[0]!, 'base64url').toString()).kid;
}

async function callWith(node: Pick<TestApp, 'callMain'>, token: string): Promise<TestAnswer> {
  return await node.callMain('/getOrdersData/searchList', {}, { token });
}

async function statusWith(node: Pick<TestApp, 'callMain'>, token: string): Promise<number> {
  return (await callWith(node, token)).status;
}

async function within5s(isTrue: () => Promise<boolean>): Promise<boolean> {
  const giveUpAtMs = performance.now() + 5000;
  while (performance.now() < giveUpAtMs) {
    if (await isTrue()) return true;
    await sleep(50);
  }
  return false;
}

function later(instant: Date, seconds: number): Date {
  return new Date(instant.getTime() + seconds * 1000);
}

test('four nodes that start at once on an empty database share one key, which all of them publish', async () => {
  const store = await emptyStore();
  const databases = Array.from({ length: 4 }, () =>
    openDatabase(store.serviceConnection, { max: 2, deadlineSeconds: patienceSeconds }),
  );
  const parts = { config: testConfig(), keyring: store.keyring, clock: systemClock, log: makeLog('silent') };
  const nodes = await Promise.all(databases.map((database) => buildApp({ ...parts, database })));
  const published = await Promise.all(nodes.map(publishedBy));
  await Promise.all(nodes.map((node) => node.close()));
  await Promise.all(databases.map((database) => database.close()));

  const rows = await rowsOf(store);
  assert.equal(rows.length, 1);
  assert.deepEqual([rows[0]!.valid_until, rows[0]!.signs_from], [null, rows[0]!.created_at]);
  assert.deepEqual(published, Array(4).fill([rows[0]!.kid]));
});

test('if the database is away at the start, the first key is made when it is first needed', async () => {
  assert.deepEqual(await rowsOf(late.store), []);
  const away = await late.http.inject('/.well-known/jwks.json');
  assert.deepEqual([away.statusCode, away.json().msg], [503, 'the database is out of reach; try again shortly']);
  isAway = false;
  assert.equal(await statusWith(late, await newToken(late)), 200);
  assert.equal((await rowsOf(late.store)).length, 1);
});

test('the public keys are served as a JWK set that may be kept for 5 minutes, and verify tokens of every node', async () => {
  const answer = await app.http.inject('/.well-known/jwks.json');
  const [row] = await rowsOf(app.store);
  const { x, y } = openTokenKey(app.store.keyring, row!)!.publicKey.export({ format: 'jwk' });

  assert.equal(answer.statusCode, 200);
  assert.equal(answer.headers['content-type'], 'application/jwk-set+json; charset=utf-8');
  assert.equal(answer.headers['cache-control'], 'public, max-age=300');
  assert.deepEqual(answer.json(), {
    keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: row!.kid, alg: 'ES256', use: 'sig' }],
  });
  const head = await app.http.inject({ method: 'HEAD', url: '/.well-known/jwks.json' });
  const { 'content-type': type } = head.headers;
  assert.deepEqual([head.statusCode, head.payload, type], [200, '', 'application/jwk-set+json; charset=utf-8']);
  // A partner can verify a token without calling us.
  const keys = createLocalJWKSet(answer.json());
  const { payload } = await jwtVerify(await newToken(second), keys, { issuer: 'lading', audience: 'lading:main-api' });
  assert.equal(payload.sub, alpha.clientId);
});

test('a new key is published 10 minutes before it signs, and the one before stays until the longest token has expired; then it is forgotten', async () => {
  const { service, keyring } = app.store;
  const start = new Date();
  app.clock.set(start);
  const oldToken = await newToken(app);
  const oldKid = kidOf(oldToken);

  const rotation = await rotateTokenKey(service, keyring, app.clock, { actor: 'test' });
  const signsFrom = later(start, 600);
  const previousValidUntil = later(signsFrom, 86_460);
  assert.deepEqual(rotation, { kid: rotation.kid, signsFrom, previousValidUntil });
  for (const node of [app, second]) {
    assert.ok(await within5s(async () => (await publishedBy(node)).length === 2));
    assert.deepEqual(await publishedBy(node), [oldKid, rotation.kid]);
    assert.equal(kidOf(await newToken(node)), oldKid);
  }

  app.clock.set(later(signsFrom, -0.001));
  const lastOfOld = await newToken(second);
  assert.equal(kidOf(lastOfOld), oldKid);
  app.clock.set(signsFrom);
  for (const node of [app, second]) {
    const token = await newToken(node);
    assert.equal(kidOf(token), rotation.kid);
    for (const other of [app, second])
      for (const each of [token, oldToken, lastOfOld]) assert.equal(await statusWith(other, each), 200);
  }

  app.clock.set(later(previousValidUntil, -0.001));
  assert.deepEqual(await publishedBy(second), [oldKid, rotation.kid]);
  assert.equal((await renewTokenKeys(service, keyring, app.clock, 'test')).forgotten, 0);
  app.clock.set(previousValidUntil);
  assert.deepEqual(await publishedBy(second), [rotation.kid]);
  assert.equal((await callWith(second, lastOfOld)).json.msg, 'the access token is not valid');
  assert.deepEqual(await renewTokenKeys(service, keyring, app.clock, 'test'), { rotation: null, forgotten: 1 });
  assert.deepEqual(
    (await rowsOf(app.store)).map(({ kid }) => kid),
    [rotation.kid],
  );
  app.clock.set(null);
});

test('rotations in quick succession shorten no key’s life: they sign one after the other', async () => {
  const { database, service, keyring } = await emptyStore();
  const start = new Date('2026-05-01T00:00:00Z');
  const at = (seconds: number) => ({ now: () => later(start, seconds) });
  const rotations = [];
  for (const seconds of [0, 10, 20])
    rotations.push(await rotateTokenKey(service, keyring, at(seconds), { actor: 'test' }));
  const kids = rotations.map(({ kid }) => kid);
  const keys = (await rowsOf({ database })).map((row) => ({
    kid: row.kid,
    signsFrom: row.signs_from,
    validUntil: row.valid_until,
  }));

  assert.deepEqual(keys, [
    { kid: kids[0], signsFrom: start, validUntil: later(start, 610 + 86_460) },
    { kid: kids[1], signsFrom: later(start, 610), validUntil: later(start, 620 + 86_460) },
    { kid: kids[2], signsFrom: later(start, 620), validUntil: null },
  ]);
  const signing = [-1, 0, 609, 610, 619, 620, 100_000].map(
    (seconds) => keyToSignWith(keys, later(start, seconds))?.kid,
  );
  assert.deepEqual(signing, [kids[0], kids[0], kids[0], kids[1], kids[1], kids[2], kids[2]]);
});

test('the key in use is renewed when it is 30 days old, once, by any number of workers', async () => {
  const { database, service, keyring } = await emptyStore();
  const start = new Date('2026-05-01T00:00:00Z');
  const at = (seconds: number) => ({ now: () => later(start, seconds) });
  const renew = (seconds: number) =>
    Promise.all(Array.from({ length: 4 }, () => renewTokenKeys(service, keyring, at(seconds), 'worker')));
  const made = (outcomes: Awaited<ReturnType<typeof renew>>) => outcomes.flatMap(({ rotation }) => rotation ?? []);
  const month = 30 * 86_400;

  const [first, ...others] = made(await renew(0));
  assert.deepEqual([first?.signsFrom, first?.previousValidUntil, others], [start, null, []]);
  assert.deepEqual(made(await renew(month - 1)), []);
  const [next, ...more] = made(await renew(month));
  assert.deepEqual([next?.signsFrom, more], [later(start, month + 600), []]);
  assert.deepEqual(made(await renew(month + 1)), []);
  const changes = await database.read(
    (sql) =>
      sql`select actor, subject, change, fields from partner_change where subject_kind = 'token_key' order by partner_change_id`,
  );
  assert.deepEqual(
    changes.map((change) => ({ ...change })),
    [
      { actor: 'worker', subject: first!.kid, change: 'created', fields: { signs_from: start.toISOString() } },
      {
        actor: 'worker',
        subject: next!.kid,
        change: 'rotated',
        fields: {
          signs_from: next!.signsFrom.toISOString(),
          previous_valid_until: next!.previousValidUntil!.toISOString(),
        },
      },
    ],
  );
});

test('lading token-key lists the keys with their states, and rotates them with an overlap', async () => {
  const store = await emptyStore();
  const { run, json } = makeRunHere(settingsFor(store));
  assert.deepEqual(await run(['token-key', 'list']), {
    code: 0,
    stdout: 'there are no token keys yet; the first start of the service creates one\n',
    stderr: '',
  });
  const first = await json(['token-key', 'rotate']);
  assert.deepEqual(Object.keys(first), ['kid', 'signs_from', 'previous_valid_until']);
  assert.equal(first.previous_valid_until, null);
  const next = await json(['token-key', 'rotate', '--overlap', '2h']);
  assert.equal(Date.parse(next.previous_valid_until) - Date.parse(next.signs_from), 7_200_000);

  const rows = await json(['token-key', 'list']);
  const [{ created_at: firstAt }, { created_at: nextAt }] = rows;
  const { previous_valid_until: valid_until } = next;
  assert.deepEqual(rows, [
    { kid: first.kid, state: 'signing', created_at: firstAt, signs_from: first.signs_from, valid_until },
    { kid: next.kid, state: 'published', created_at: nextAt, signs_from: next.signs_from, valid_until: null },
  ]);

  const [change] = await store.database.read(
    (sql) => sql`select actor from partner_change order by partner_change_id desc limit 1`,
  );
  assert.equal(change!.actor, `token-key rotate (${userInfo().username})`);
  assert.equal((await run(['token-key', 'rotate', '--overlap', 'soon'])).code, 2);
  assert.equal((await rowsOf(store)).length, 2);
});

test('after lading token-key rotate --overlap 0 every node refuses the earlier tokens within 5 s, also those it has cached, and new ones work at once', async () => {
  const { run } = makeRunHere(settingsFor(leaky.store));
  const oldToken = await newToken(leaky);
  for (const node of [leaky, leakySecond]) assert.equal(await statusWith(node, oldToken), 200);
  const waiting = await rotateTokenKey(leaky.store.service, leaky.store.keyring, systemClock, { actor: 'test' });

  const rotated = await run(['token-key', 'rotate', '--overlap', '0']);
  const [row, ...others] = await rowsOf(leaky.store);
  assert.deepEqual(others, []);
  assert.match(
    rotated.stdout,
    new RegExp(
      `^new token key ${row!.kid}, signs tokens from .*\nearlier keys are no longer valid; their tokens are rejected within 5 s\n$`,
    ),
  );
  for (const node of [leakySecond, leaky]) {
    const token = await newToken(node);
    assert.equal(kidOf(token), row!.kid);
    assert.deepEqual(await Promise.all([leaky, leakySecond].map((other) => statusWith(other, token))), [200, 200]);
  }
  for (const node of [leakySecond, leaky]) {
    assert.ok(await within5s(async () => (await statusWith(node, oldToken)) === 401));
    assert.equal((await callWith(node, oldToken)).json.msg, 'the access token is not valid');
    assert.ok(await within5s(async () => !(await publishedBy(node)).includes(waiting.kid)));
    assert.deepEqual(await publishedBy(node), [row!.kid]);
  }
});

test('a key is sealed in the database and bound to its kid: its private part cannot be read anywhere', async () => {
  const { database, keyring } = app.store;
  await newToken(app);
  await app.requestLog.flush();
  const [row] = await rowsOf(app.store);
  const { privateKey } = openTokenKey(keyring, row!)!;
  const d = Buffer.from(privateKey.export({ format: 'jwk' }).d!, 'base64url');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const places = { dump: JSON.stringify(await dumpTables(database)), logs: app.logLines.join('\n') };

  const secrets = [d.toString('hex'), d.toString('base64').slice(0, -2), d.toString('base64url')];
  for (const [place, text] of Object.entries(places))
    for (const secret of [...secrets, der.toString('base64').slice(0, 60), alpha.checkValue])
      assert.equal(text.includes(secret), false, place);
  assert.ok(places.dump.includes(row!.sealed.toString('hex')));
  assert.equal(openTokenKey(keyring, { ...row!, kid: 'another' }), null);
  assert.equal(openTokenKey(makeKeyring(randomBytes(32)), row!), null);
  assert.ok(createPublicKey(privateKey).equals(openTokenKey(keyring, row!)!.publicKey));
});

test('a key that was planted in the database is ignored: it is not published, and tokens of the real key work', async () => {
  const { database } = app.store;
  const token = await newToken(app);
  const [row] = await rowsOf(app.store);
  const planted = { ...row!, kid: 'planted', valid_until: new Date(Date.now() + 3_600_000) };
  await database.transaction((tx) => tx`insert into token_key ${rowValues(planted)}`);
  try {
    const node = await startSecondNode(app);
    assert.equal((await node.callMain('/orders/cancel', { outbound_short_ids: ['NOBODYS'] }, { token })).status, 200);
    const { keys } = (await node.http.inject('/.well-known/jwks.json')).json();
    assert.ok(keys.length > 0 && keys.every(({ kid }: { kid: string }) => kid !== 'planted'));
  } finally {
    await database.transaction((tx) => tx`delete from token_key where kid = 'planted'`);
  }
});

test('the master key of a token key is one that the service must be given', async () => {
  const store = await emptyStore();
  await rotateTokenKey(store.service, store.keyring, systemClock, { actor: 'test' });
  assert.deepEqual(await store.database.read(masterKeysInUse), [store.keyring.currentKeyId]);

  const otherKey = randomBytes(32).toString('base64');
  const changed = { ...settingsFor(store), MASTER_KEY: otherKey };
  const refused = await makeRunHere(changed).run(['token-key', 'rotate', '--overlap', '0']);
  assert.equal(refused.code, 3);
  assert.match(refused.stderr, new RegExp(`protected by master key ${store.keyring.currentKeyId}`));
  const withFormer = makeRunHere({ ...changed, MASTER_KEY_PREVIOUS: settingsFor(store).MASTER_KEY! });
  assert.equal((await withFormer.json(['token-key', 'list'])).length, 1);
});
