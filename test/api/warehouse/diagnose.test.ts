import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { UnauthorizedError, WarehouseClient } from '../../../sdk/client.ts';
import { rotateSecret } from '../../../server/domain/partners/rotate-secret.ts';
import { diagnosesPerMinute } from '../../../server/http/limits.ts';
import { alpha, startTestApp } from '../../support/app.ts';
import { addressOf } from '../../support/clients.ts';
import { column } from '../../support/console.ts';
import { errorItem } from '../../support/errors.ts';
import { dataOf, dump } from '../../support/warehouse.ts';

// Every refused request is written here, because tests look at the log of each.
const app = await startTestApp({ anonymousLines: { burst: 10_000 } });
app.clock.set(new Date('2026-03-01T04:05:06.789Z'));
const timestamp = String(Math.floor(app.clock.now().getTime() / 1000));
const secretOf = (name: string) => `${name}-secret-of-thirty-two-characters-or-more`;
const longPrefix = `${'x'.repeat(40)}_z`;
const account = (account_no: string, secret: string, other: object = {}) => ({
  account_no,
  secret,
  environment: 'uat' as const,
  ...other,
});
await app.provision({
  accounts: [
    account('ASKER', secretOf('asker'), { tenants: [{ warehouse_tpw_id: 'TPW-ASK', warehouse_no: 1, store_no: 10 }] }),
    account('LIVE', secretOf('live'), { environment: 'production' }),
    account('BUSY', secretOf('busy')),
    account('OFF', secretOf('off'), { enabled: false }),
    account('CLOSED', secretOf('closed'), { warehouse_api: false }),
    account('PREFIXED', longPrefix),
    account('CHANGED', secretOf('changed')),
  ],
  clients: [{ client_id: 'asker-erp', account_no: 'ASKER' }],
});

const body = '{"sku_id": "ASK-1"}';
const signed = (secret: string, message = body + timestamp) =>
  createHmac('sha256', secret).update(message).digest('hex');

interface Sent {
  headers?: Record<string, string>;
  payload?: string | Buffer;
  path?: string;
}

async function ask({ headers = {}, payload = body, path = '/diagnose' }: Sent) {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/warehouse/v1${path}`,
    headers: { 'content-type': 'application/json', 'account-no': 'ASKER', timestamp, ...headers },
    payload,
  });
  return { status: answer.statusCode, headers: answer.headers, text: answer.payload, json: answer.json() };
}

const codesOf = ({ findings }: { findings: { code: string }[] }) => column(findings, 'code');

test('a UAT account learns why its signature was rejected, from the same headers and body; nothing changes', async () => {
  const rejected = { headers: { sign: signed(secretOf('asker'), `${body}.${timestamp}`) } };
  assert.equal((await ask({ ...rejected, path: '/product/sync' })).status, 401);
  const before = await dump(app);
  const answer = await ask(rejected);
  const data = dataOf(answer);
  assert.deepEqual(data, {
    signature_matches: false,
    findings: [
      {
        code: 'layout_differs',
        message:
          'The signed message is put together differently: the separator . is between the body and the timestamp. Sign the bytes of the body directly followed by the timestamp, with HMAC-SHA256.',
      },
      { code: 'rest_is_right', message: 'Nothing else is wrong: with this fixed, the signature matches.' },
    ],
  });
  assert.deepEqual(await dump(app), before);

  const line = await app.requestLine(String(answer.headers['trace-id']));
  assert.deepEqual(
    [line?.account_no, line?.status, line?.diagnosis],
    ['ASKER', 200, column(data.findings, 'message').join('\n')],
  );
});

test('a body that is no JSON, of any type, and a header of another name are diagnosed', async () => {
  const form = 'sku_id=ASK-1';
  const sign = signed(secretOf('asker'), `{"sku_id":"ASK-1"}${timestamp}`);
  const asForm = await ask({ headers: { sign, 'content-type': 'application/x-www-form-urlencoded' }, payload: form });
  assert.deepEqual(codesOf(dataOf(asForm)), ['body_is_form', 'no_match', 'headers_right', 'body_received']);
  const [received] = dataOf(asForm).findings.slice(-1);
  assert.ok(received.message.includes(`12 bytes and the SHA-256 ${createHash('sha256').update(form).digest('hex')}`));

  const headers = { 'account-no': '', account_no: 'ASKER', sign: signed(secretOf('asker')) };
  assert.deepEqual(codesOf(dataOf(await ask({ headers }))), ['header_renamed', 'rest_is_right']);
});

test('a right signature has no findings, whatever the path was', async () => {
  const sdk = new WarehouseClient({ url: await addressOf(app), accountNo: 'ANY', secret: 'not used' });
  const headers = { 'account-no': 'ASKER', timestamp, sign: signed(secretOf('asker')) };
  assert.deepEqual(await sdk.diagnose({ headers, body }), { signature_matches: true, findings: [] });
  const bytes = Uint8Array.from(Buffer.from([0xff, 0x00]));
  const sign = createHmac('sha256', secretOf('asker')).update(bytes).update(timestamp).digest('hex');
  assert.deepEqual(await sdk.diagnose({ headers: { ...headers, sign }, body: bytes }), {
    signature_matches: true,
    findings: [],
  });
});

test('a production account, an unknown one and others that may not ask get one and the same response', async () => {
  const responses = new Set<string>();
  const callers: [accountNo: string, secret: string][] = [
    ['LIVE', secretOf('live')],
    ['LIVE', 'wrong'],
    ['NOBODY', secretOf('asker')],
    ['OFF', secretOf('off')],
    ['CLOSED', secretOf('closed')],
    ['asker', secretOf('asker')],
    ['TPW-ASK', secretOf('asker')],
    ['asker-erp', secretOf('asker')],
    ['', secretOf('asker')],
  ];
  for (const [accountNo, secret] of callers) {
    const answer = await ask({ headers: { 'account-no': accountNo, sign: signed(secret) } });
    const { 'trace-id': traceId, date: _, ...headers } = answer.headers;
    responses.add(JSON.stringify([answer.status, headers, answer.text]).replaceAll(String(traceId), ''));
    const data = { errors: [errorItem('signature_invalid', '', 'authentication failed')] };
    assert.deepEqual([answer.status, answer.json.code, answer.json.data], [401, 'LST-TPW-4001', data], accountNo);
  }
  assert.equal(responses.size, 1);

  const usual = await ask({ headers: { 'account-no': 'NOBODY', sign: signed('wrong') }, path: '/product/sync' });
  const { 'trace-id': traceId, date: _, ...headers } = usual.headers;
  assert.ok(responses.has(JSON.stringify([401, headers, usual.text]).replaceAll(String(traceId), '')));
  const sdk = new WarehouseClient({ url: await addressOf(app), accountNo: 'ANY', secret: 'not used' });
  const refused = await sdk.diagnose({ headers: { 'account-no': 'LIVE' }, body }).catch((error) => error);
  assert.ok(refused instanceof UnauthorizedError);
});

test('the secret of another account is not recognized, and no account and no secret is named', async () => {
  for (const other of [alpha.secret, secretOf('live'), secretOf('busy')]) {
    const answer = await ask({ headers: { sign: signed(other) } });
    assert.deepEqual(codesOf(dataOf(answer)), ['no_match', 'headers_right', 'body_received']);
    for (const hidden of ['ALPHA', 'LIVE', 'BUSY', 'ASKER', other, secretOf('asker'), 'ASK-1'])
      assert.ok(!answer.text.includes(hidden), hidden);
  }
});

test('a key that is a small part of the secret is not recognized, so that parts of it cannot be guessed', async () => {
  const data = dataOf(await ask({ headers: { 'account-no': 'PREFIXED', sign: signed('z') } }));
  assert.deepEqual(codesOf(data), ['no_match', 'headers_right', 'body_received']);
});

test('a former secret of the account itself is recognized', async () => {
  const call = (sign: string) => ask({ headers: { 'account-no': 'CHANGED', sign } });
  assert.equal(dataOf(await call(signed(secretOf('changed')))).signature_matches, true);
  const secret = { kind: 'account_secret', owner: 'CHANGED' } as const;
  const rotated = await rotateSecret(app.store.service, app.store.keyring, secret, {
    overlapSeconds: 0,
    actor: 'test',
  });
  const current = rotated.kind === 'rotated' ? rotated.issued.value : '';
  assert.equal(dataOf(await call(signed(current))).signature_matches, true);
  assert.deepEqual(codesOf(dataOf(await call(signed(secretOf('changed'))))), ['secret_former', 'rest_is_right']);
});

test('an account has a few diagnoses per minute; others are not affected', async () => {
  const busy = () => ask({ headers: { 'account-no': 'BUSY', sign: 'wrong' } });
  for (let asked = 0; asked < diagnosesPerMinute; asked++) assert.equal((await busy()).status, 200);
  // On a slow machine an allowance may come back between two calls.
  const more = await Promise.all(Array.from({ length: 30 }, busy));
  const limited = more.find(({ status }) => status === 429)!;
  assert.equal(limited.json.code, 'LST-TPW-4290');
  const waitSeconds = Number(limited.headers['retry-after']);
  assert.ok(waitSeconds >= 1 && waitSeconds <= 6, String(waitSeconds));
  assert.equal((await ask({ headers: { 'account-no': 'PREFIXED', sign: 'wrong' } })).status, 200);
});

test('a diagnosis is off with the warehouse API', async () => {
  const off = await startTestApp({ env: { WAREHOUSE_API: 'off' } });
  const answer = await off.callWarehouse('/diagnose', {});
  assert.deepEqual([answer.status, answer.json.code], [503, 'LST-TPW-5030']);
});
