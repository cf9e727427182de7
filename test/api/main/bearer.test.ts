import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTokenKey } from '../../../server/domain/partners/token-key.ts';
import { listTokenKeys } from '../../../server/domain/partners/token-key-queries.ts';
import { alpha, beta, startTestApp, type TestAnswer, type TestApp } from '../../support/app.ts';
import { listenRaw, rawRequest } from '../../support/raw-http.ts';
import { startSecondNode } from '../../support/second-node.ts';
import { order, orderRow, receive } from '../../support/warehouse.ts';

const app = await startTestApp();
const second = await startSecondNode(app);
const elsewhere = await startTestApp();
const connect = await listenRaw(app);

await receive(app, { KEPT: [['2030-01-01', 1]] });
await order(app, 'OUT-KEPT', [['KEPT', 1]]);

const { keyring, database } = app.store;
const [row] = await database.read(listTokenKeys);
const ours = { kid: row!.kid, ...openTokenKey(keyring, row!)! };
const strangers = generateKeyPairSync('ec', { namedCurve: 'P-256' });

const token = await app.tokenOf();
const [headerPart, claimsPart, signaturePart] = token.split('.') as [string, string, string];
const header = JSON.parse(Buffer.from(headerPart, 'base64url').toString());
const claims = JSON.parse(Buffer.from(claimsPart, 'base64url').toString());
const nowSeconds = Math.floor(Date.now() / 1000);

function encoded(value: unknown): string {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
}

/** A token with whatever header and claims, signed as ES256 signs. */
function forged(headerOfIt: unknown, claimsOfIt: unknown, key: KeyObject = ours.privateKey): string {
  const text = `${encoded(headerOfIt)}.${encoded(claimsOfIt)}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`;
}

function without(...names: string[]): object {
  return Object.fromEntries(Object.entries(claims).filter(([name]) => !names.includes(name)));
}

function hmacSigned(headerOfIt: object, secret: string | Buffer): string {
  const text = `${encoded(headerOfIt)}.${claimsPart}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function derSigned(): string {
  const text = `${headerPart}.${claimsPart}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key: ours.privateKey, dsaEncoding: 'der' }).toString('base64url')}`;
}

/** The same instant of change, told by the last character: it carries two bits that mean nothing. */
function otherLastCharacter(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)!) ^ 1];
}

const cancelKept = { outbound_short_ids: ['OUT-KEPT'] };

async function callWith(authorization: string | undefined, on: TestApp = app): Promise<TestAnswer> {
  const answer = await on.http.inject({
    method: 'POST',
    url: '/api/v2/default/orders/cancel',
    headers: { 'content-type': 'application/json', ...(authorization === undefined ? {} : { authorization }) },
    payload: JSON.stringify(cancelKept),
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
}

/** A call that changes nothing. */
async function readWith(accessToken: string, on: TestApp = app): Promise<TestAnswer> {
  return await on.callMain('/getOrdersData/searchList', {}, { token: accessToken });
}

async function assertRefused(answer: TestAnswer, told: string, reason?: string, challenge = 'Bearer error="invalid_token"'): Promise<void> {
  assert.equal(answer.status, 401);
  assert.equal(answer.text, JSON.stringify({ done: false, msg: told, retval: null }));
  assert.equal(answer.headers['www-authenticate'], challenge);
  if (reason === undefined) return;
  const line = await app.requestLine(answer.headers['trace-id'] as string);
  assert.deepEqual([line?.status, line?.reason], [401, reason]);
}

const missing = 'the header Authorization is missing; it must be: Bearer <access token>';
const noBearer = 'the header Authorization must be: Bearer <access token>';
const malformed = 'the access token is malformed';
const invalid = 'the access token is not valid';
const expired = 'the access token has expired';
const disabled = 'this client is disabled';

const noPrefix = 'header Authorization does not begin with Bearer';
const notThreeParts = 'the token is not three parts in base64url';
const cutOff = 'the token was cut off or changed on its way';
const unreadable = 'the header of the token cannot be read';
const tooLong = 'the token is longer than 4096 characters';
const otherAlgorithm = 'the algorithm of the token is not ES256';
const noKey = 'the token names no key';
const saysMore = 'the header of the token says more than ours do';
const notOurs = 'the token is signed with a key that is not ours or has ended';
const badSignature = 'the signature of the token does not match';

/** RFC 6750, section 3.1: the challenge names an error only if the request had a token. */
const hasToken = (authorization: string | undefined) => ![undefined, '', 'Bearer'].includes(authorization);

const attacks: [name: string, authorization: string | undefined, told: string, reason: string][] = [
  ['no header', undefined, missing, 'header Authorization is missing'],
  ['an empty header', '', missing, 'header Authorization is missing'],
  ['the token without its prefix', token, noBearer, noPrefix],
  ['the prefix without a token', 'Bearer', noBearer, 'no token follows Bearer in header Authorization'],
  ['the prefix glued to the token', `Bearer${token}`, noBearer, noPrefix],
  ['the prefix with a colon', `Bearer: ${token}`, noBearer, noPrefix],
  ['a tab after the prefix', `Bearer\t${token}`, noBearer, noPrefix],
  ['another scheme', `Token ${token}`, noBearer, noPrefix],
  ['ClientId and CheckValue as Basic', `Basic ${Buffer.from('alpha-erp:alpha-check-value').toString('base64')}`, noBearer, noPrefix],

  ['the CheckValue as token', `Bearer ${alpha.checkValue}`, malformed, notThreeParts],
  ['two tokens', `Bearer ${token} ${token}`, malformed, notThreeParts],
  ['two tokens with a comma', `Bearer ${token},${token}`, malformed, notThreeParts],
  ['a token in quotes', `Bearer "${token}"`, malformed, notThreeParts],
  ['four parts', `Bearer ${token}.${signaturePart}`, malformed, notThreeParts],
  ['five parts, as of an encrypted token', `Bearer ${token}.${signaturePart}.${signaturePart}`, malformed, notThreeParts],
  ['padding in base64', `Bearer ${headerPart}.${claimsPart}.${signaturePart}==`, malformed, notThreeParts],
  ['a space inside', `Bearer ${headerPart}. ${claimsPart}.${signaturePart}`, malformed, notThreeParts],
  ['plain base64 instead of base64url', `Bearer ${headerPart}.${claimsPart}.+${signaturePart.slice(1)}`, malformed, notThreeParts],
  ['the last bits of the signature, which mean nothing, changed', `Bearer ${otherLastCharacter(token)}`, malformed, cutOff],
  ['no signature', `Bearer ${headerPart}.${claimsPart}.`, malformed, notThreeParts],
  ['no claims', `Bearer ${headerPart}..${signaturePart}`, malformed, notThreeParts],
  ['no header part', `Bearer .${claimsPart}.${signaturePart}`, malformed, notThreeParts],
  ['nothing but dots', 'Bearer ..', malformed, notThreeParts],
  ['a header that is no JSON', `Bearer ${encoded('{"alg":')}.${claimsPart}.${signaturePart}`, malformed, unreadable],
  ['a header that is a list', `Bearer ${encoded('[]')}.${claimsPart}.${signaturePart}`, malformed, unreadable],
  ['swapped parts', `Bearer ${claimsPart}.${headerPart}.${signaturePart}`, invalid, otherAlgorithm],
  ['10 KB', `Bearer ${'A'.repeat(10_240)}`, malformed, tooLong],
  ['10 KB of claims, signed by us', `Bearer ${forged(header, { ...claims, filler: 'x'.repeat(10_240) })}`, malformed, tooLong],
  ['cut off in the header', `Bearer ${token.slice(0, headerPart.length - 4)}`, malformed, notThreeParts],
  ['cut off after the header', `Bearer ${headerPart}.`, malformed, notThreeParts],
  ['cut off in the claims', `Bearer ${token.slice(0, headerPart.length + 21)}`, malformed, notThreeParts],
  ['cut off in the signature', `Bearer ${token.slice(0, -6)}`, malformed, cutOff],
  ['cut off by half a signature', `Bearer ${token.slice(0, -43)}`, malformed, cutOff],

  ['alg none without a signature', `Bearer ${encoded({ ...header, alg: 'none' })}.${claimsPart}.`, malformed, notThreeParts],
  [
    'alg none with the old signature',
    `Bearer ${encoded({ ...header, alg: 'none' })}.${claimsPart}.${signaturePart}`,
    invalid,
    otherAlgorithm,
  ],
  ['alg NONE', `Bearer ${encoded({ ...header, alg: 'NONE' })}.${claimsPart}.${signaturePart}`, invalid, otherAlgorithm],
  ['alg es256 in small letters', `Bearer ${forged({ ...header, alg: 'es256' }, claims)}`, invalid, otherAlgorithm],
  ['no alg', `Bearer ${forged({ kid: header.kid, typ: header.typ }, claims)}`, invalid, otherAlgorithm],
  ['alg as a list', `Bearer ${forged({ ...header, alg: ['ES256'] }, claims)}`, invalid, otherAlgorithm],
  [
    'HS256 with the public key (PEM) as secret',
    `Bearer ${hmacSigned({ ...header, alg: 'HS256' }, ours.publicKey.export({ type: 'spki', format: 'pem' }) as string)}`,
    invalid,
    otherAlgorithm,
  ],
  [
    'HS256 with the public key (JWK) as secret',
    `Bearer ${hmacSigned({ ...header, alg: 'HS256' }, JSON.stringify(ours.publicKey.export({ format: 'jwk' })))}`,
    invalid,
    otherAlgorithm,
  ],
  ['HS256 with an empty secret', `Bearer ${hmacSigned({ ...header, alg: 'HS256' }, '')}`, invalid, otherAlgorithm],
  [
    'an HMAC under alg ES256',
    `Bearer ${hmacSigned(header, ours.publicKey.export({ type: 'spki', format: 'pem' }) as string)}`,
    malformed,
    cutOff,
  ],
  ['alg ES384', `Bearer ${forged({ ...header, alg: 'ES384' }, claims)}`, invalid, otherAlgorithm],
  ['alg RS256', `Bearer ${forged({ ...header, alg: 'RS256' }, claims)}`, invalid, otherAlgorithm],

  ['a key of a stranger under our kid', `Bearer ${forged(header, claims, strangers.privateKey)}`, invalid, badSignature],
  ['an unknown kid', `Bearer ${forged({ ...header, kid: 'f'.repeat(24) }, claims)}`, invalid, notOurs],
  ['no kid', `Bearer ${forged({ alg: 'ES256', typ: 'at+jwt' }, claims)}`, invalid, noKey],
  ['a kid that is a number', `Bearer ${forged({ ...header, kid: 1 }, claims)}`, invalid, noKey],
  ['an empty kid', `Bearer ${forged({ ...header, kid: '' }, claims)}`, invalid, notOurs],
  ['a kid with a path', `Bearer ${forged({ ...header, kid: '../../../../dev/null' }, claims)}`, invalid, notOurs],
  ['a kid with SQL', `Bearer ${forged({ ...header, kid: `' union select '${header.kid}` }, claims)}`, invalid, notOurs],
  ['a kid with NUL', `Bearer ${forged({ ...header, kid: `${header.kid}\u0000` }, claims)}`, invalid, notOurs],
  ['a kid that is a member of every object', `Bearer ${forged({ ...header, kid: '__proto__' }, claims)}`, invalid, notOurs],
  ['a header with jku', `Bearer ${forged({ ...header, jku: 'https://attacker.example/jwks.json' }, claims)}`, invalid, saysMore],
  ['a header with x5u', `Bearer ${forged({ ...header, x5u: 'https://attacker.example/cert.pem' }, claims)}`, invalid, saysMore],
  ['a header with x5c', `Bearer ${forged({ ...header, x5c: ['MIIB'] }, claims)}`, invalid, saysMore],
  [
    'a header with the jwk of a stranger, signed with that',
    `Bearer ${forged({ ...header, jwk: strangers.publicKey.export({ format: 'jwk' }) }, claims, strangers.privateKey)}`,
    invalid,
    saysMore,
  ],
  ['a header with crit', `Bearer ${forged({ ...header, crit: ['exp'], exp: claims.exp }, claims)}`, invalid, saysMore],
  ['a header with crit b64', `Bearer ${forged({ ...header, crit: ['b64'], b64: false }, claims)}`, invalid, saysMore],

  [
    'changed claims with the old signature',
    `Bearer ${headerPart}.${encoded({ ...claims, sub: beta.clientId })}.${signaturePart}`,
    invalid,
    badSignature,
  ],
  [
    'a changed header with the old signature',
    `Bearer ${encoded({ typ: 'at+jwt', ...header })}.${claimsPart}.${signaturePart}`,
    invalid,
    badSignature,
  ],
  [
    'one bit of the signature changed',
    `Bearer ${headerPart}.${claimsPart}.${signaturePart.startsWith('A') ? 'B' : 'A'}${signaturePart.slice(1)}`,
    invalid,
    badSignature,
  ],
  ['a signature of zeros', `Bearer ${headerPart}.${claimsPart}.${Buffer.alloc(64).toString('base64url')}`, invalid, badSignature],
  ['a signature of ones', `Bearer ${headerPart}.${claimsPart}.${Buffer.alloc(64, 255).toString('base64url')}`, invalid, badSignature],
  ['a signature in DER', `Bearer ${derSigned()}`, malformed, cutOff],
  ['a token of another installation', `Bearer ${await elsewhere.tokenOf()}`, invalid, notOurs],
  ['another typ', `Bearer ${forged({ ...header, typ: 'JWT' }, claims)}`, invalid, 'the token fails in typ'],
  [
    'no typ, something else instead',
    `Bearer ${forged({ alg: 'ES256', kid: header.kid, cty: 'at+jwt' }, claims)}`,
    invalid,
    'the token fails in typ',
  ],
  ['another issuer', `Bearer ${forged(header, { ...claims, iss: 'someone' })}`, invalid, 'the token fails in iss'],
  ['another audience', `Bearer ${forged(header, { ...claims, aud: 'lading:console' })}`, invalid, 'the token fails in aud'],
  ['no audience', `Bearer ${forged(header, without('aud'))}`, invalid, 'the token fails in aud'],
  ['no issuer', `Bearer ${forged(header, without('iss'))}`, invalid, 'the token fails in iss'],
  ['no expiry', `Bearer ${forged(header, without('exp'))}`, invalid, 'the token fails in exp'],
  ['an expiry as text', `Bearer ${forged(header, { ...claims, exp: String(claims.exp) })}`, invalid, 'the token fails in exp'],
  ['an expiry of null', `Bearer ${forged(header, { ...claims, exp: null })}`, invalid, 'the token fails in exp'],
  ['no subject', `Bearer ${forged(header, without('sub'))}`, invalid, 'the token fails in sub'],
  [
    'a subject that is a list',
    `Bearer ${forged(header, { ...claims, sub: [alpha.clientId] })}`,
    invalid,
    'the token says sub in a form that ours do not',
  ],
  ['no time of issue', `Bearer ${forged(header, without('iat'))}`, invalid, 'the token fails in iat'],
  ['a time of issue as text', `Bearer ${forged(header, { ...claims, iat: 'now' })}`, invalid, 'the token fails in iat'],
  ['no id', `Bearer ${forged(header, without('jti'))}`, invalid, 'the token fails in jti'],
  ['not valid before tomorrow', `Bearer ${forged(header, { ...claims, nbf: nowSeconds + 86_400 })}`, invalid, 'the token fails in nbf'],
  ['claims that are no JSON', `Bearer ${forged(header, '{"sub":')}`, invalid, 'the token cannot be verified (ERR_JWT_INVALID)'],
  ['claims that are a list', `Bearer ${forged(header, [claims])}`, invalid, 'the token cannot be verified (ERR_JWT_INVALID)'],
  ['an unknown client', `Bearer ${forged(header, { ...claims, sub: 'nobody' })}`, invalid, 'the client of the token does not exist'],
  ['expired long ago', `Bearer ${forged(header, { ...claims, iat: 1_700_000_000, exp: 1_700_003_600 })}`, expired, 'the token has expired'],
  ['expired one second ago', `Bearer ${forged(header, { ...claims, exp: nowSeconds - 1 })}`, expired, 'the token has expired'],
  [
    'expired, and signed by a stranger',
    `Bearer ${forged(header, { ...claims, exp: nowSeconds - 1 }, strangers.privateKey)}`,
    invalid,
    badSignature,
  ],
];
for (const [name, authorization, told, reason] of attacks) {
  test(`401 with its own words, the reason in the request log, nothing changed: ${name}`, async () => {
    const answer = await callWith(authorization);

    await assertRefused(answer, told, reason, hasToken(authorization) ? undefined : 'Bearer realm="lading"');
    assert.equal((await orderRow(app, 'OUT-KEPT'))?.status, 'pending_warehouse_transfer');
  });
}

test('a good token is what all of these differ from: made the same way it is accepted, first and again', async () => {
  const good = forged(header, { ...claims, jti: randomUUID() });
  for (let time = 0; time < 2; time++) assert.equal((await readWith(good)).status, 200);
});

test('the scheme may be written in any case, with one or more spaces', async () => {
  for (const prefix of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) {
    const answer = await app.callMain('/getOrdersData/searchList', {}, { headers: { authorization: `${prefix}${token}` } });
    assert.equal(answer.status, 200, prefix);
  }
});

test('two Authorization headers are refused and told so', async () => {
  const connection = await connect();
  const headers: [string, string][] = [
    ['content-type', 'application/json'],
    ['authorization', `Bearer ${token}`],
    ['authorization', `Bearer ${token}`],
  ];
  connection.send(rawRequest('POST', '/api/v2/default/orders/cancel', headers, JSON.stringify(cancelKept)));
  const answer = await connection.answer();
  assert.deepEqual([answer?.status, answer?.json.msg], [401, 'the header authorization came twice']);
  assert.equal((await orderRow(app, 'OUT-KEPT'))?.status, 'pending_warehouse_transfer');
});

test('a token lives to the last second of its life, also where it is known already, and not one longer', async () => {
  const fresh = await app.tokenOf(beta);
  const { exp } = JSON.parse(Buffer.from(fresh.split('.')[1]!, 'base64url').toString());
  app.clock.set(new Date(exp * 1000 - 1));
  assert.equal((await readWith(fresh)).status, 200);
  app.clock.set(new Date(exp * 1000));
  const refusals = [await readWith(fresh), await readWith(fresh, second)];
  app.clock.set(null);
  for (const answer of refusals) await assertRefused(answer, expired);
  const line = await app.requestLine(refusals[0]!.headers['trace-id'] as string);
  assert.deepEqual([line?.account_no, line?.reason], ['BETA', 'the token has expired']);
});

test('a call with a good token is written down with its account', async () => {
  const answer = await readWith(token);
  assert.equal((await app.requestLine(answer.headers['trace-id'] as string))?.account_no, 'ALPHA');
});

test('a token of one node is good on the other, and so is that of a client made just now', async () => {
  assert.equal((await readWith(token, second)).status, 200);
  const newcomer = { clientId: 'newcomer', checkValue: 'newcomer-value' };
  await app.provision({
    clients: [{ client_id: 'newcomer', account_no: 'ALPHA', check_value: 'newcomer-value', permissions: ['orders.read'] }],
  });
  assert.equal((await readWith(await app.tokenOf(newcomer), second)).status, 200);
});

test('a client without the permission is told which one it lacks, also in the challenge, and nothing is changed', async () => {
  const reader = { clientId: 'reader', checkValue: 'reader-value' };
  await app.provision({
    clients: [{ client_id: 'reader', account_no: 'ALPHA', check_value: 'reader-value', permissions: ['orders.read'] }],
  });
  const answer = await app.callMain('/orders/cancel', cancelKept, { as: reader });
  assert.deepEqual(
    [answer.status, answer.json],
    [403, { done: false, msg: 'this client lacks the permission orders.write', retval: null }],
  );
  assert.equal(answer.headers['www-authenticate'], 'Bearer error="insufficient_scope", scope="orders.write"');
  assert.equal((await orderRow(app, 'OUT-KEPT'))?.status, 'pending_warehouse_transfer');
});

/** What the nodes answer once they have heard of a change: within 5 s. */
async function soon(call: () => Promise<TestAnswer>, isThere: (answer: TestAnswer) => boolean): Promise<TestAnswer> {
  const giveUpAtMs = performance.now() + 5000;
  for (;;) {
    const answer = await call();
    if (isThere(answer) || performance.now() > giveUpAtMs) return answer;
    await sleep(50);
  }
}

test('a disabled client, a client of a disabled account and a changed permission: every node knows within 5 s, also for tokens it knows', async () => {
  const [byClient, byAccount, byPermission] = ['by-client', 'by-account', 'by-permission'].map((clientId) => ({
    clientId,
    checkValue: `${clientId}-value`,
  })) as [TokenCaller, TokenCaller, TokenCaller];
  await app.provision({
    accounts: [{ account_no: 'GAMMA', environment: 'uat' }],
    clients: [byClient, byAccount, byPermission].map(({ clientId, checkValue }) => ({
      client_id: clientId,
      account_no: clientId === 'by-account' ? 'GAMMA' : 'ALPHA',
      check_value: checkValue,
      permissions: ['orders.read'],
    })),
  });
  const tokens = await Promise.all([byClient, byAccount, byPermission].map((caller) => app.tokenOf(caller)));
  const [ofClient, ofAccount, ofPermission] = tokens as [string, string, string];
  for (const node of [app, second]) for (const one of tokens) assert.equal((await readWith(one, node)).status, 200);

  await app.provision({
    accounts: [{ account_no: 'GAMMA', enabled: false }],
    clients: [
      { client_id: 'by-client', enabled: false },
      { client_id: 'by-permission', permissions: ['stocks.read'] },
    ],
  });
  for (const node of [second, app]) {
    const is = (status: number) => (answer: TestAnswer) => answer.status === status;
    const [client, account, permission] = await Promise.all([
      soon(() => readWith(ofClient, node), is(401)),
      soon(() => readWith(ofAccount, node), is(401)),
      soon(() => readWith(ofPermission, node), is(403)),
    ]);
    await assertRefused(client, disabled);
    await assertRefused(account, disabled);
    assert.equal(permission.json.msg, 'this client lacks the permission orders.read');
  }
  const line = await app.requestLine((await readWith(ofAccount)).headers['trace-id'] as string);
  assert.deepEqual([line?.account_no, line?.reason], ['GAMMA', 'the account of client by-account is disabled']);
});

test('enabled again, a client needs a new token, which works at once on every node; the old one stays dead', async () => {
  for (const [disable, enable] of [
    [{ clients: [{ client_id: 'again', enabled: false }] }, { clients: [{ client_id: 'again', enabled: true }] }],
    [{ accounts: [{ account_no: 'AGAIN', enabled: false }] }, { accounts: [{ account_no: 'AGAIN', enabled: true }] }],
  ]) {
    await app.provision({
      accounts: [{ account_no: 'AGAIN', environment: 'uat' }],
      clients: [{ client_id: 'again', account_no: 'AGAIN', check_value: 'again-value', permissions: ['orders.read'] }],
    });
    const before = forged(header, { ...claims, sub: 'again', iat: Math.floor(Date.now() / 1000) - 1, jti: randomUUID() });
    await app.provision(disable!);
    await assertRefused(
      await soon(
        () => readWith(before),
        ({ status }) => status === 401,
      ),
      disabled,
    );
    await app.provision(enable!);

    const retval = (
      await second.http.inject({
        method: 'POST',
        url: '/api/v1/token/getToken',
        payload: { ClientId: 'again', CheckValue: 'again-value' },
      })
    ).json().retval;
    for (const node of [app, second]) {
      assert.equal((await readWith(retval.access_token, node)).status, 200);
      await assertRefused(
        await soon(
          () => readWith(before, node),
          ({ json }) => json.msg === invalid,
        ),
        invalid,
      );
    }
    assert.equal(
      (await app.requestLine((await readWith(before)).headers['trace-id'] as string))?.reason,
      'the token is older than the disabling of its client',
    );
  }
});

test('no log line and no row of the request log holds a token or a part of one', async () => {
  await app.requestLog.flush();
  const rows = await database.read((sql) => sql`select t::text as row from request_log t`);
  const written = [...app.logLines, ...rows.map(({ row: text }) => text as string)].join('\n');
  for (const part of [headerPart, claimsPart, signaturePart, header.kid, claims.jti]) assert.equal(written.includes(part), false, part);
  assert.ok(written.includes(badSignature));
});

interface TokenCaller {
  clientId: string;
  checkValue: string;
}
