import assert from 'node:assert/strict';
import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { test } from 'node:test';
import type { PublicErrorCode } from '../../../contract/errors/codes.ts';
import { mainReference } from '../../../reference/main/endpoints.ts';
import { permissions } from '../../../server/domain/partners/provisioning.ts';
import { openTokenKey } from '../../../server/domain/partners/token-key.ts';
import { listTokenKeys } from '../../../server/domain/partners/token-key-queries.ts';
import { alpha, beta, startTestApp, type TestAnswer, type TestApp, type TokenCaller } from '../../support/app.ts';
import { refusedByMain } from '../../support/errors.ts';
import { dumpAll, lists } from '../../support/main.ts';
import { eventually } from '../../support/nodes.ts';
import { startSecondNode } from '../../support/second-node.ts';
import { order, orderRow, receive } from '../../support/warehouse.ts';

const app = await startTestApp();
const second = await startSecondNode(app);
const elsewhere = await startTestApp();

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

function hmacSigned(headerOfIt: object, secret: string | Buffer): string {
  const text = `${encoded(headerOfIt)}.${claimsPart}`;
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
}

function derSigned(): string {
  const text = `${headerPart}.${claimsPart}`;
  return `${text}.${sign('sha256', Buffer.from(text), { key: ours.privateKey, dsaEncoding: 'der' }).toString('base64url')}`;
}

const otherFirstCharacter = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`;

/** The last character of a signature carries two bits that mean nothing. */
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

async function assertRefused(
  answer: TestAnswer,
  said: string,
  reason?: string,
  challenge = 'Bearer error="invalid_token"',
): Promise<void> {
  assert.equal(answer.status, 401);
  assert.equal(answer.text, JSON.stringify(refusedByMain(codes[said]!, said)));
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
const codes: Record<string, PublicErrorCode> = {
  [missing]: 'token_missing',
  [noBearer]: 'token_invalid',
  [malformed]: 'token_invalid',
  [invalid]: 'token_invalid',
  [expired]: 'token_expired',
  [disabled]: 'client_disabled',
};

/** The message to the caller, and the reason in the request log. */
type Refusal = [said: string, reason: string];

/** Signed by us, with something else in its header or its claims. */
const withHeader = (change: object, key?: KeyObject) => forged({ ...header, ...change }, claims, key);
const withClaims = (change: object, key?: KeyObject) => forged(header, { ...claims, ...change }, key);
const withSignature = (signature: string) => `${headerPart}.${claimsPart}.${signature}`;
/** With the signature of the good token. */
const resigned = (headerOfIt: unknown, claimsOfIt: unknown = claims) =>
  `${encoded(headerOfIt)}.${encoded(claimsOfIt)}.${signaturePart}`;
const publicPem = ours.publicKey.export({ type: 'spki', format: 'pem' }) as string;
const publicJwk = JSON.stringify(ours.publicKey.export({ format: 'jwk' }));
const basic = Buffer.from(`${alpha.clientId}:${alpha.checkValue}`).toString('base64');
const strangersJwk = strangers.publicKey.export({ format: 'jwk' });

const noHeader: Refusal = [missing, 'header Authorization is missing'];
const noToken: Refusal = [noBearer, 'no token follows Bearer in header Authorization'];
const noPrefix: Refusal = [noBearer, 'header Authorization does not begin with Bearer'];
const notThreeParts: Refusal = [malformed, 'the token is not three parts in base64url'];
const cutOff: Refusal = [malformed, 'the token was cut off or changed on its way'];
const unreadable: Refusal = [malformed, 'the header of the token cannot be read'];
const tooLong: Refusal = [malformed, 'the token is longer than 4096 characters'];
const otherAlgorithm: Refusal = [invalid, 'the algorithm of the token is not ES256'];
const noKey: Refusal = [invalid, 'the token names no key'];
const saysMore: Refusal = [invalid, 'the header of the token has unexpected fields'];
const notOurs: Refusal = [invalid, 'the token is signed with a key that is not ours or has ended'];
const badSignature: Refusal = [invalid, 'the signature of the token does not match'];
const unverifiable: Refusal = [invalid, 'the token cannot be verified (ERR_JWT_INVALID)'];
const unknownClient: Refusal = [invalid, 'the client of the token does not exist'];
const oddSubject: Refusal = [invalid, 'the sub claim of the token has a wrong format'];
const hasExpired: Refusal = [expired, 'the token has expired'];
const failsIn = (field: string): Refusal => [invalid, `the claim ${field} of the token is not valid`];

const wrongHeaders: [name: string, authorization: string | undefined, refusal: Refusal][] = [
  ['no header', undefined, noHeader],
  ['an empty header', '', noHeader],
  ['the token without its prefix', token, noPrefix],
  ['the prefix without a token', 'Bearer', noToken],
  ['the prefix glued to the token', `Bearer${token}`, noPrefix],
  ['another scheme', `Token ${token}`, noPrefix],
  ['ClientId and CheckValue as Basic', `Basic ${basic}`, noPrefix],
];

const wrongTokens: [name: string, sent: string, refusal: Refusal][] = [
  ['the CheckValue as token', alpha.checkValue, notThreeParts],
  ['two tokens', `${token} ${token}`, notThreeParts],
  ['a token in quotes', `"${token}"`, notThreeParts],
  ['four parts', `${token}.${signaturePart}`, notThreeParts],
  ['five parts, as of an encrypted token', `${token}.${signaturePart}.${signaturePart}`, notThreeParts],
  ['plain base64 instead of base64url', withSignature(`+${signaturePart.slice(1)}`), notThreeParts],
  ['no signature', withSignature(''), notThreeParts],
  ['nothing but dots', '..', notThreeParts],
  ['cut off in the signature', token.slice(0, -6), cutOff],
  ['cut off by half a signature', token.slice(0, -43), cutOff],
  ['the last bits of the signature, which mean nothing, changed', otherLastCharacter(token), cutOff],
  ['a signature in DER', derSigned(), cutOff],
  ['a header that is no JSON', resigned('{"alg":'), unreadable],
  ['a header that is a list', resigned('[]'), unreadable],
  ['swapped parts', `${claimsPart}.${headerPart}.${signaturePart}`, otherAlgorithm],
  ['10 KB', 'A'.repeat(10_240), tooLong],
  ['10 KB of claims, signed by us', withClaims({ filler: 'x'.repeat(10_240) }), tooLong],

  ['alg none without a signature', `${encoded({ ...header, alg: 'none' })}.${claimsPart}.`, notThreeParts],
  ['alg none with the old signature', resigned({ ...header, alg: 'none' }), otherAlgorithm],
  ['alg NONE', resigned({ ...header, alg: 'NONE' }), otherAlgorithm],
  ['alg es256 in small letters', withHeader({ alg: 'es256' }), otherAlgorithm],
  ['no alg', withHeader({ alg: undefined }), otherAlgorithm],
  ['alg as a list', withHeader({ alg: ['ES256'] }), otherAlgorithm],
  ['alg ES384', withHeader({ alg: 'ES384' }), otherAlgorithm],
  ['alg RS256', withHeader({ alg: 'RS256' }), otherAlgorithm],
  ['HS256 with the public key (PEM) as secret', hmacSigned({ ...header, alg: 'HS256' }, publicPem), otherAlgorithm],
  ['HS256 with the public key (JWK) as secret', hmacSigned({ ...header, alg: 'HS256' }, publicJwk), otherAlgorithm],
  ['HS256 with an empty secret', hmacSigned({ ...header, alg: 'HS256' }, ''), otherAlgorithm],
  ['an HMAC under alg ES256', hmacSigned(header, publicPem), cutOff],

  ['no kid', withHeader({ kid: undefined }), noKey],
  ['a kid that is a number', withHeader({ kid: 1 }), noKey],
  ['an unknown kid', withHeader({ kid: 'f'.repeat(24) }), notOurs],
  ['an empty kid', withHeader({ kid: '' }), notOurs],
  ['a kid with a path', withHeader({ kid: '../../../../dev/null' }), notOurs],
  ['a kid with SQL', withHeader({ kid: `' union select '${header.kid}` }), notOurs],
  ['a kid with NUL', withHeader({ kid: `${header.kid}\u0000` }), notOurs],
  ['a kid that is a member of every object', withHeader({ kid: '__proto__' }), notOurs],
  ['a token of another installation', await elsewhere.tokenOf(), notOurs],
  ['a header with jku', withHeader({ jku: 'https://attacker.example/jwks.json' }), saysMore],
  ['a header with x5u', withHeader({ x5u: 'https://attacker.example/cert.pem' }), saysMore],
  ['a header with x5c', withHeader({ x5c: ['MIIB'] }), saysMore],
  ['the jwk of a stranger, and its signature', withHeader({ jwk: strangersJwk }, strangers.privateKey), saysMore],
  ['a header with crit', withHeader({ crit: ['exp'], exp: claims.exp }), saysMore],
  ['a header with crit b64', withHeader({ crit: ['b64'], b64: false }), saysMore],
  ['another typ', withHeader({ typ: 'JWT' }), failsIn('typ')],
  ['no typ, something else instead', withHeader({ typ: undefined, cty: 'at+jwt' }), failsIn('typ')],

  ['a key of a stranger under our kid', forged(header, claims, strangers.privateKey), badSignature],
  ['changed claims with the old signature', resigned(header, { ...claims, sub: beta.clientId }), badSignature],
  ['a changed header with the old signature', resigned({ typ: 'at+jwt', ...header }), badSignature],
  ['one bit of the signature changed', withSignature(otherFirstCharacter(signaturePart)), badSignature],
  ['a signature of zeros', withSignature(Buffer.alloc(64).toString('base64url')), badSignature],
  ['a signature of ones', withSignature(Buffer.alloc(64, 255).toString('base64url')), badSignature],
  ['expired, and signed by a stranger', withClaims({ exp: nowSeconds - 1 }, strangers.privateKey), badSignature],

  ['another issuer', withClaims({ iss: 'someone' }), failsIn('iss')],
  ['no issuer', withClaims({ iss: undefined }), failsIn('iss')],
  ['another audience', withClaims({ aud: 'lading:console' }), failsIn('aud')],
  ['no audience', withClaims({ aud: undefined }), failsIn('aud')],
  ['no expiry', withClaims({ exp: undefined }), failsIn('exp')],
  ['an expiry as text', withClaims({ exp: String(claims.exp) }), failsIn('exp')],
  ['an expiry of null', withClaims({ exp: null }), failsIn('exp')],
  ['no subject', withClaims({ sub: undefined }), failsIn('sub')],
  ['a subject that is a list', withClaims({ sub: [alpha.clientId] }), oddSubject],
  ['no time of issue', withClaims({ iat: undefined }), failsIn('iat')],
  ['a time of issue as text', withClaims({ iat: 'now' }), failsIn('iat')],
  ['no id', withClaims({ jti: undefined }), failsIn('jti')],
  ['not valid before tomorrow', withClaims({ nbf: nowSeconds + 86_400 }), failsIn('nbf')],
  ['claims that are no JSON', forged(header, '{"sub":'), unverifiable],
  ['claims that are a list', forged(header, [claims]), unverifiable],
  ['an unknown client', withClaims({ sub: 'nobody' }), unknownClient],
  ['expired long ago', withClaims({ iat: 1_700_000_000, exp: 1_700_003_600 }), hasExpired],
  ['expired one second ago', withClaims({ exp: nowSeconds - 1 }), hasExpired],
];

/** RFC 6750, section 3.1: the challenge names an error only if the request had a token. */
const hasToken = (authorization: string | undefined) => ![undefined, '', 'Bearer'].includes(authorization);

const attacks = [
  ...wrongHeaders,
  ...wrongTokens.map(([name, sent, refusal]): (typeof wrongHeaders)[number] => [name, `Bearer ${sent}`, refusal]),
];
for (const [name, authorization, [said, reason]] of attacks) {
  test(`401 with its own words, the reason in the request log, nothing changed: ${name}`, async () => {
    const answer = await callWith(authorization);

    await assertRefused(answer, said, reason, hasToken(authorization) ? undefined : 'Bearer realm="lading"');
    assert.equal((await orderRow(app, 'OUT-KEPT'))?.status, 'pending_warehouse_transfer');
  });
}

test('a good token is what all of these differ from: made the same way it is accepted, first and again', async () => {
  const good = forged(header, { ...claims, jti: randomUUID() });
  for (let time = 0; time < 2; time++) assert.equal((await readWith(good)).status, 200);
});

test('the scheme may be written in any case, with one or more spaces', async () => {
  for (const prefix of ['Bearer ', 'bearer ', 'BEARER ', 'Bearer   ']) {
    const answer = await app.callMain(
      '/getOrdersData/searchList',
      {},
      { headers: { authorization: `${prefix}${token}` } },
    );
    assert.equal(answer.status, 200, prefix);
  }
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

test('a token of one node is good on the other, and so is that of a client made just now', async () => {
  assert.equal((await readWith(token, second)).status, 200);
  const newcomer = { clientId: 'newcomer', checkValue: 'newcomer-value-of-thirty-two-characters-or-more' };
  await app.provision({
    clients: [
      {
        client_id: 'newcomer',
        account_no: 'ALPHA',
        check_value: 'newcomer-value-of-thirty-two-characters-or-more',
        permissions: ['orders.read'],
      },
    ],
  });
  assert.equal((await readWith(await app.tokenOf(newcomer), second)).status, 200);
});

const endpoints: [path: string, permission: (typeof permissions)[number]][] = [
  ...Object.values(lists).map(({ path, permission }): (typeof endpoints)[number] => [
    path,
    permission as 'orders.read',
  ]),
  ['/orders/create', 'orders.write'],
  ['/orders/cancel', 'orders.write'],
  ['/fulfilment/advance', 'fulfilment.write'],
  ['/inbounds/receive', 'inbounds.write'],
  ['/inbounds/stop', 'inbounds.write'],
  ['/inbounds/cancel', 'inbounds.write'],
  ['/callbacks/redeliver', 'callbacks.write'],
  ['/callbacks/test', 'callbacks.write'],
  ['/orders/update', 'orders.write'],
  ['/orders/hold', 'orders.write'],
  ['/orders/release', 'orders.write'],
  ['/products/update', 'products.write'],
  ['/stocks/adjust', 'stocks.write'],
  ['/stocks/move', 'stocks.write'],
];

test('a client without the permission gets 403, whatever it sends; the message and the challenge name it, and nothing changes', async () => {
  assert.deepEqual(
    endpoints.map(([path]) => `/api/v2/default${path}`).sort(),
    mainReference.endpoints
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/api/v2/'))
      .sort(),
  );
  const before = await dumpAll(app);
  for (const [path, permission] of endpoints) {
    const [all, only] = ['all but', 'only'].map((kind) => ({
      clientId: `${kind} ${permission}`,
      checkValue: `${kind}-value-of-thirty-two-characters-or-more`,
    }));
    const allowed = [permissions.filter((one) => one !== permission), [permission]];
    await app.provision({
      clients: [all!, only!].map(({ clientId, checkValue }, index) => ({
        client_id: clientId,
        account_no: 'ALPHA',
        check_value: checkValue,
        permissions: allowed[index]!,
      })),
    });
    const msg = `this client lacks the permission ${permission}`;
    for (const body of [cancelKept, 'no JSON']) {
      const answer = await app.callMain(path, body, { as: all! });
      assert.deepEqual([answer.status, answer.json], [403, refusedByMain('permission_missing', msg)]);
      const challenge = `Bearer error="insufficient_scope", scope="${permission}"`;
      assert.equal(answer.headers['www-authenticate'], challenge);
    }
    const { status } = await app.callMain(path, 'no JSON', { as: only! });
    assert.equal(status, 400, `${path} with ${permission} alone`);
  }
  assert.deepEqual(await dumpAll(app), before);
});

test('a disabled client, a client of a disabled account and a changed permission: every node knows within 5 s, also for tokens it knows', async () => {
  const [byClient, byAccount, byPermission] = ['by-client', 'by-account', 'by-permission'].map((clientId) => ({
    clientId,
    checkValue: `${clientId}-value-of-thirty-two-characters-or-more`,
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
    for (const [one, status] of [
      [ofClient, 401],
      [ofAccount, 401],
      [ofPermission, 403],
    ] as const)
      await eventually(async () => (await readWith(one, node)).status === status);
    for (const one of [ofClient, ofAccount]) await assertRefused(await readWith(one, node), disabled);
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
      clients: [
        {
          client_id: 'again',
          account_no: 'AGAIN',
          check_value: 'again-value-of-thirty-two-characters-or-more',
          permissions: ['orders.read'],
        },
      ],
    });
    const before = forged(header, {
      ...claims,
      sub: 'again',
      iat: Math.floor(Date.now() / 1000) - 1,
      jti: randomUUID(),
    });
    await app.provision(disable!);
    await eventually(async () => (await readWith(before)).status === 401);
    await assertRefused(await readWith(before), disabled);
    await app.provision(enable!);

    const retval = (
      await second.http.inject({
        method: 'POST',
        url: '/api/v1/token/getToken',
        payload: { ClientId: 'again', CheckValue: 'again-value-of-thirty-two-characters-or-more' },
      })
    ).json().retval;
    for (const node of [app, second]) {
      assert.equal((await readWith(retval.access_token, node)).status, 200);
      await eventually(async () => (await readWith(before, node)).json.msg === invalid);
      await assertRefused(await readWith(before, node), invalid);
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
  for (const part of [headerPart, claimsPart, signaturePart, header.kid, claims.jti])
    assert.equal(written.includes(part), false, part);
  assert.ok(written.includes(badSignature[1]));
});
