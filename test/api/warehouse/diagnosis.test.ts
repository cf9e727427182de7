import assert from 'node:assert/strict';
import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { bodyCandidates } from '../../../server/api/warehouse/diagnose-candidates.ts';
import { makeDiagnoser } from '../../../server/api/warehouse/diagnose-in-background.ts';
import { jsonStyles, nodesMax, readTree, writeTree } from '../../../server/api/warehouse/diagnose-json-styles.ts';
import { diagnoseSignature, diagnosisLimits, type RefusedRequest } from '../../../server/api/warehouse/diagnose-signature.ts';
import type { KnownAccount } from '../../../server/domain/partners/account-directory.ts';
import { rotateSecret } from '../../../server/domain/partners/rotate-secret.ts';
import { makeLog } from '../../../server/platform/log.ts';
import { alpha, beta, startTestApp } from '../../support/app.ts';

// Every refused call is written here, because the tests look at the diagnosis of each.
const app = await startTestApp({ anonymousLines: { burst: 10_000 } });
const now = new Date('2026-03-01T04:05:06.789Z');
app.clock.set(now);
const seconds = String(Math.floor(now.getTime() / 1000));
const signer = {
  accountNo: 'SIGNER',
  secret: 'las_qNf0v2XhBk7wZr5sTy1uLm9pCd3eGa6iJo8KxWbVc4A',
  endedSecret: 'las_ended0000000000000000000000000000000000000',
};
await app.provision({
  warehouses: [{ warehouse_no: 2 }],
  accounts: [
    {
      account_no: signer.accountNo,
      environment: 'uat',
      secret: signer.secret,
      tenants: [{ warehouse_tpw_id: 'TPW-S', warehouse_no: 2, store_no: 10 }],
    },
  ],
  clients: [{ client_id: 'signer-erp', account_no: signer.accountNo }],
});

/** Everything that languages write differently: spaces, order of keys, signs, characters, numbers. */
const sent = '{"sku_name": "烏龍茶 <é> & \'/\' = +","sku_id":"DIAG", "storage_type": 1,"price":2.0}';
const value = { sku_name: "烏龍茶 <é> & '/' = +", sku_id: 'DIAG', storage_type: 1, price: 2 };
const compact = JSON.stringify(value).replace(':2}', ':2.0}');
const utf8 = (text: string) => Buffer.from(text);
const hmac = (message: string | Buffer, secret: string | Buffer = signer.secret, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(message).digest();

type Headers = Record<string, string>;
interface Planted {
  body?: string | Buffer;
  headers?: Headers;
  without?: string;
  /** What was signed instead of the body and the timestamp; or what `sign` is. */
  signed?: string | Buffer;
  secret?: string | Buffer;
  sign?: string;
  url?: string;
}

const right = hmac(sent + seconds);
const noon = (shiftSeconds: number) => String(Number(seconds) + shiftSeconds);

/** A mistake, what was done, and how each line of the diagnosis begins. */
const mistakes: [name: string, planted: Planted, findings: string[]][] = [
  // What was signed, of the body.
  ['compact JSON', { signed: compact + seconds }, ['The body was signed as compact JSON (as JSON.stringify writes it).']],
  [
    "Python's json.dumps",
    { signed: `{"sku_name": "\\u70cf\\u9f8d\\u8336 <\\u00e9> & '/' = +", "sku_id": "DIAG", "storage_type": 1, "price": 2.0}${seconds}` },
    ["The body was signed as Python's json.dumps writes it"],
  ],
  [
    'spaces only',
    { signed: compact.replace(/([,:])(?=["\d])/g, '$1 ') + seconds },
    ['The body was signed as JSON with a space after each comma and colon'],
  ],
  [
    "PHP's json_encode",
    { signed: `{"sku_name":"\\u70cf\\u9f8d\\u8336 <\\u00e9> & '\\/' = +","sku_id":"DIAG","storage_type":1,"price":2.0}${seconds}` },
    ["The body was signed as PHP's json_encode writes it"],
  ],
  [
    'Gson',
    {
      signed: `{"sku_name":"烏龍茶 \\u003cé\\u003e \\u0026 \\u0027/\\u0027 \\u003d +","sku_id":"DIAG","storage_type":1,"price":2.0}${seconds}`,
    },
    ["The body was signed as Java's Gson writes it"],
  ],
  [
    'Go, a map (its keys sorted)',
    { signed: `{"price":2.0,"sku_id":"DIAG","sku_name":"烏龍茶 \\u003cé\\u003e \\u0026 '/' = +","storage_type":1}${seconds}` },
    ["The body was signed as Go's json.Marshal writes it (< > & as \\uXXXX), with its keys sorted."],
  ],
  [
    'System.Text.Json',
    {
      signed: `{"sku_name":"\\u70CF\\u9F8D\\u8336 \\u003C\\u00E9\\u003E \\u0026 \\u0027/\\u0027 = \\u002B","sku_id":"DIAG","storage_type":1,"price":2.0}${seconds}`,
    },
    ["The body was signed as C#'s System.Text.Json writes it."],
  ],
  [
    'parsed and written by JavaScript',
    { signed: JSON.stringify(value) + seconds },
    ['The body was signed as JSON.stringify writes it after JSON.parse'],
  ],
  [
    'pretty-printed',
    { signed: JSON.stringify(value, null, 2).replace(': 2\n', ': 2.0\n') + seconds },
    [
      'The body was signed as JSON on several lines, indented by 2 spaces (of a file? curl -d @FILE strips line breaks: use --data-binary).',
    ],
  ],
  [
    'tabs',
    { signed: JSON.stringify(value, null, '\t').replace(': 2\n', ': 2.0\n') + seconds },
    ['The body was signed as JSON on several lines, indented by tabs (of a file?'],
  ],
  [
    'signed with a trailing newline',
    { signed: `${sent}\n${seconds}` },
    ['The body was signed with a line break at its end that was not sent.'],
  ],
  [
    'sent with a trailing newline',
    { body: `${sent}\n`, signed: sent + seconds },
    ['The body was signed without the line break at its end.'],
  ],
  [
    'CRLF became LF',
    { body: sent.replaceAll(', ', ',\r\n'), signed: sent.replaceAll(', ', ',\n') + seconds },
    ['The body was signed with LF where CRLF was sent.'],
  ],
  [
    'sent with a BOM',
    { body: `\ufeff${sent}`, signed: sent + seconds },
    ['The body was signed without the byte order mark with which it was sent.'],
  ],
  ['white space around it', { body: `  ${sent} `, signed: sent + seconds }, ['The body was signed without the white space around it.']],
  ['an empty body', { signed: seconds }, ['The body was signed as if it were empty.']],
  ['an object as text', { signed: `[object Object]${seconds}` }, ['The body was signed as "[object Object]"']],
  [
    'text sent as JSON of its own',
    { body: JSON.stringify(sent), signed: sent + seconds },
    ['The body was signed as its JSON text, but what came is that text inside a JSON string'],
  ],
  [
    'UTF-8 sent twice',
    { body: Buffer.from(Buffer.from('{"sku_name":"é"}').toString('latin1')), signed: `{"sku_name":"é"}${seconds}` },
    ['The body was signed in UTF-8, but what came is UTF-8 encoded twice.'],
  ],
  ['a form', { body: 'sku_id=A&qty=1', signed: `{"sku_id":"A","qty":1}${seconds}` }, ['What came is no JSON object but looks like a form']],
  ['the placeholder of the guide', { secret: 'las_...' }, ['It was signed with "las_..." as the secret']],
  ['a line of a Windows file', { secret: `${signer.secret}\r` }, ['The secret was used with a carriage return at its end']],
  [
    'the whole line of the environment',
    { secret: `LADING_SECRET=${signer.secret}` },
    ['The secret was used with LADING_SECRET= before it.'],
  ],
  ['PowerShell', { signed: `${sent}${seconds}\r\n` }, ['In what was signed, a CRLF followed the timestamp.']],
  ['.NET', { signed: Buffer.from(sent + seconds, 'utf16le') }, ['In what was signed, everything was in UTF-16']],
  [
    'key and message exchanged',
    { sign: hmac(signer.secret, sent + seconds).toString('hex') },
    ['In what was signed, key and message were exchanged'],
  ],
  [
    'what openssl prints, whole',
    { sign: `SHA2-256(stdin)= ${right.toString('hex')}` },
    ['The header sign has other text around it (a label of openssl, a prefix):'],
  ],
  [
    '%x of each byte',
    { sign: Array.from(right, (byte) => byte.toString(16)).join('') },
    ['The header sign lacks the leading zero of some of its bytes (%x instead of %02x):'],
  ],
  ['JSON twice', { signed: JSON.stringify(sent) + seconds }, ['The body was signed as a JSON text inside a JSON string']],
  [
    'Latin-1',
    { body: '{"sku_name":"thé"}', signed: Buffer.concat([Buffer.from('{"sku_name":"thé"}', 'latin1'), utf8(seconds)]) },
    ['The body was signed in Latin-1'],
  ],
  ['UTF-16', { signed: Buffer.concat([Buffer.from(sent, 'utf16le'), utf8(seconds)]) }, ['The body was signed in UTF-16 (little-endian).']],
  [
    'UTF-8 twice',
    { signed: Buffer.from(utf8(sent).toString('latin1')).toString() + seconds },
    ['The body was signed in UTF-8 encoded twice.'],
  ],
  ['a form', { body: '{"a":"x y","b":[1]}', signed: `a=x+y&b=%5B1%5D${seconds}` }, ['The body was signed as a form']],
  ['compressed', { body: gzipSync(sent), signed: sent + seconds }, ['The body was signed before it was compressed.']],
  ['its hash', { signed: createHash('sha256').update(sent).digest('hex') + seconds }, ['The body was signed as its SHA-256 in hex.']],

  // How the message was put together.
  ['timestamp first', { signed: seconds + sent }, ['In what was signed, the timestamp stood before the body.']],
  ['a dot between', { signed: `${sent}.${seconds}` }, ['In what was signed, a dot stood between the body and the timestamp.']],
  [
    'timestamp, dot, body',
    { signed: `${seconds}.${sent}` },
    ['In what was signed, the timestamp stood before the body, with a dot between them.'],
  ],
  ['echo', { signed: `${sent}${seconds}\n` }, ['In what was signed, a line break followed the timestamp']],
  ['the body only', { signed: sent }, ['In what was signed, the body alone was signed, without the timestamp.']],
  [
    'with the account number',
    { signed: signer.accountNo + sent + seconds },
    ['In what was signed, the account number stood before the body.'],
  ],
  [
    'with method and path',
    { signed: `POST/warehouse/v1/product/sync${sent}${seconds}` },
    ['In what was signed, method and path stood before the body.'],
  ],
  [
    'no HMAC',
    {
      sign: createHash('sha256')
        .update(sent + seconds + signer.secret)
        .digest('hex'),
    },
    ['In what was signed, there was no HMAC but a plain hash of body, timestamp and secret.'],
  ],

  // With which secret.
  ['a newline behind the secret', { secret: `${signer.secret}\n` }, ['The secret was used with a line break at its end']],
  ['quotes around the secret', { secret: `"${signer.secret}"` }, ['The secret was used with double quotes around it.']],
  ['the secret without its prefix', { secret: signer.secret.slice(4) }, ['The secret was used without its prefix.']],
  [
    'the secret decoded',
    { secret: Buffer.from(signer.secret.slice(4), 'base64url') },
    ['The secret was used without its prefix, decoded from base64.'],
  ],
  ['a line of an env file', { secret: `SECRET=${signer.secret}` }, ['The secret was used with SECRET= before it.']],
  ['no secret', { secret: '' }, ['It was signed with an empty secret.']],
  ['the account number for a secret', { secret: signer.accountNo }, ['It was signed with the account number as the secret.']],
  ["another account's secret", { secret: beta.secret }, ['It was signed with the secret of account BETA.']],

  // The form of `sign`.
  ['upper case', { sign: right.toString('hex').toUpperCase() }, ['The header sign is in upper-case hex: send 64 lowercase hex digits.']],
  ['base64', { sign: right.toString('base64') }, ['The header sign is in base64:']],
  ['base64url', { sign: Buffer.from(right).fill(0xff, 0, 6).toString('base64url') }, ['The header sign is in base64url:', unfit()]],
  ['a prefix', { sign: `sha256=${right.toString('hex')}` }, ['The header sign has other text around it (a label of openssl, a prefix):']],
  ['quotes', { sign: `"${right.toString('hex')}"` }, ['The header sign has quotes or white space around it:']],
  ['hex of the hex', { sign: utf8(right.toString('hex')).toString('hex') }, ['The header sign is the hex of its hex text:']],
  ['base64 of the hex', { sign: utf8(right.toString('hex')).toString('base64') }, ['The header sign is the base64 of its hex text:']],
  [
    'bytes with dashes between',
    { sign: right.toString('hex').toUpperCase().match(/../g)!.join('-') },
    ['The header sign has separators between its bytes:'],
  ],
  ['SHA-1', { sign: hmac(sent + seconds, signer.secret, 'sha1').toString('hex') }, ['The header sign is as long as SHA-1, not SHA-256:']],
  [
    'SHA-512 in base64',
    { sign: hmac(sent + seconds, signer.secret, 'sha512').toString('base64') },
    ['The header sign is in base64 and is as long as SHA-512'],
  ],
  ['truncated', { sign: right.toString('hex').slice(0, 24) }, ['The header sign stands for 12 bytes, not 32:']],
  ['no hash at all', { sign: 'signature' }, ['The header sign is no hash in any form we know:']],

  // Headers.
  [
    'account_no',
    { without: 'account-no', headers: { account_no: signer.accountNo } },
    ['The header account-no is missing, and a header account_no came: rename it to account-no.'],
  ],
  [
    'x-timestamp',
    { without: 'timestamp', headers: { 'x-timestamp': seconds } },
    ['The header timestamp is missing, and a header x-timestamp came:'],
  ],
  [
    'Authorization',
    { without: 'sign', headers: { authorization: `HMAC ${right.toString('hex')}` } },
    [
      'The header sign is missing, and a header authorization came:',
      'The header sign has other text around it (a label of openssl, a prefix):',
    ],
  ],
  [
    'in the query',
    { without: 'sign', url: `?sign=${right.toString('hex')}` },
    ['The header sign is missing, and its value came in the query of the URL:'],
  ],
  [
    'nothing of the kind',
    { without: 'sign' },
    ['The header sign is missing, and none with a similar name came:', 'What was signed can be looked at once all three headers come.'],
  ],
  ['sent twice', { headers: { timestamp: `${seconds}, ${seconds}` } }, ['The header timestamp came twice:']],
  [
    'account in another case',
    { headers: { 'account-no': 'signer' } },
    ['The account-no is not registered; but for case, spaces or signs it is that of account SIGNER:'],
  ],
  [
    'warehouse_tpw_id for the account',
    { headers: { 'account-no': 'TPW-S' } },
    ['The account-no is not registered; it is a warehouse_tpw_id of account SIGNER:'],
  ],
  [
    'ClientId for the account',
    { headers: { 'account-no': 'signer-erp' } },
    ['The account-no is not registered; it is a ClientId of account SIGNER:'],
  ],
  [
    'an unknown account, a known secret',
    { headers: { 'account-no': 'NOBODY' } },
    ['The account-no is not registered: send', 'It was signed with the secret of account SIGNER.'],
  ],

  // Time.
  [
    'milliseconds',
    { headers: { timestamp: `${now.getTime()}` }, signed: `${sent}${now.getTime()}` },
    ['The timestamp is in milliseconds: send Unix time in seconds, 10 digits.'],
  ],
  [
    'microseconds',
    { headers: { timestamp: `${now.getTime()}000` }, signed: `${sent}${now.getTime()}000` },
    ['The timestamp is in microseconds:'],
  ],
  ['an ISO date', { headers: { timestamp: now.toISOString() }, signed: sent + now.toISOString() }, ['The timestamp is a date:']],
  ['not a time', { headers: { timestamp: 'now' }, signed: `${sent}now` }, ['The timestamp cannot be read:']],
  [
    'quoted',
    { headers: { timestamp: `"${seconds}"` }, signed: sent + seconds },
    ['The timestamp has quotes around it:', 'The timestamp was signed in seconds, not as it is in the header.'],
  ],
  [
    'Taipei time taken for UTC',
    { headers: { timestamp: noon(28_800) }, signed: sent + noon(28_800) },
    ['The timestamp is 28800 s ahead of our clock, where 300 s are allowed. That is 8 hours, which is the zone of Taipei:'],
  ],
  [
    'a slow clock',
    { headers: { timestamp: noon(-1000) }, signed: sent + noon(-1000) },
    ['The timestamp is 1000 s behind our clock, where 300 s are allowed: set the clock'],
  ],
  [
    'seconds sent, milliseconds signed',
    { signed: `${sent}${now.getTime()}` },
    ['The timestamp was signed in milliseconds, not as it is in the header.'],
  ],
  ['time taken twice', { signed: sent + noon(-1) }, ['The timestamp was signed 1 s earlier, not as it is in the header.']],

  // Several at once.
  [
    'upper case over the timestamp first',
    {
      sign: hmac(seconds + sent)
        .toString('hex')
        .toUpperCase(),
    },
    ['The header sign is in upper-case hex:', 'In what was signed, the timestamp stood before the body.'],
  ],
  [
    'compact JSON, a newline behind the secret',
    { signed: compact + seconds, secret: `${signer.secret}\n` },
    ['The body was signed as compact JSON', 'The secret was used with a line break at its end'],
  ],
  [
    'milliseconds in the header only, in base64',
    { headers: { timestamp: `${now.getTime()}` }, sign: right.toString('base64') },
    [
      'The timestamp is in milliseconds:',
      'The header sign is in base64:',
      'The timestamp was signed in seconds, not as it is in the header.',
    ],
  ],
  [
    'everything at once',
    {
      without: 'account-no',
      headers: { 'x-account-no': 'signer', timestamp: noon(28_800) },
      sign: `v1=${hmac(`${noon(28_800)}.${compact}`).toString('base64')}`,
    },
    [
      'The header account-no is missing, and a header x-account-no came:',
      'The account-no is not registered; but for case',
      'The timestamp is 28800 s ahead',
      'The header sign has other text around it (a label of openssl, a prefix) and is in base64:',
      'The body was signed as compact JSON',
      'In what was signed, the timestamp stood before the body, with a dot between them.',
    ],
  ],

  // None of these.
  [
    'an unknown secret',
    { secret: 'another-secret' },
    [`The headers are there, the account is registered, the clock and the form of sign are right. ${unfit()}`],
  ],
  [
    'one bit',
    { sign: right.toString('hex').replace(/.$/, (digit) => (digit === '0' ? '1' : '0')) },
    ['The headers are there, the account is registered,'],
  ],
];

function unfit(): string {
  return 'The signature fits none of the usual mistakes: most likely the secret is another one, or the body was changed after it was signed. ';
}

async function send({ body = sent, headers = {}, without, signed, secret, sign, url = '' }: Planted) {
  const all: Headers = {
    'account-no': signer.accountNo,
    timestamp: seconds,
    sign: sign ?? hmac(signed ?? body.toString() + seconds, secret).toString('hex'),
    ...headers,
  };
  const kept = Object.fromEntries(Object.entries(all).filter(([name]) => name !== without));
  const answer = await app.http.inject({
    method: 'POST',
    url: `/warehouse/v1/product/sync${url}`,
    headers: { 'content-type': 'application/json', ...kept },
    payload: Buffer.from(body),
  });
  const { 'trace-id': traceId, date: _date, ...others } = answer.headers;
  return {
    status: answer.statusCode,
    traceId: String(traceId),
    told: JSON.stringify([others, answer.payload]).replaceAll(String(traceId), ''),
  };
}

async function diagnosisOf(traceId: string): Promise<string> {
  return String((await app.requestLine(traceId))?.diagnosis);
}

const nothingElse = 'Nothing else is wrong: with this put right, the signature fits.';
const told = new Set<string>();
const diagnoses: string[] = [];

/** Some at a time, because a refusal takes 40 ms, most of which is waiting; neighbours apart, because those that fit nothing take the longest. */
const groups = 22;
const answers: Awaited<ReturnType<typeof send>>[] = [];
for (let group = 0; group < groups; group++) {
  const sending = mistakes.map(async ([, planted], index) => {
    if (index % groups === group) answers[index] = await send(planted);
  });
  await Promise.all(sending);
  await app.requestLog.flush();
}

for (const [index, [name, , findings]] of mistakes.entries()) {
  test(`named in the request log, and told to nobody: ${name}`, async () => {
    const answer = answers[index]!;
    assert.equal(answer.status, 401);
    told.add(answer.told);

    const lines = (await diagnosisOf(answer.traceId)).split('\n');
    diagnoses.push(...lines);
    const isCertain = lines.at(-1) === nothingElse;
    const named = isCertain ? lines.slice(0, -1) : lines;
    assert.equal(named.length, findings.length, lines.join('\n'));
    for (const [index, line] of named.entries()) {
      assert.ok(line.startsWith(findings[index]!), `${line}\ndoes not begin with\n${findings[index]}`);
    }
    const isOpen = /^(The headers are there|The signature fits none|What came is no JSON|What was signed can|The header sign is no hash)/;
    assert.equal(isCertain, !isOpen.test(named.at(-1)!), lines.join('\n'));
  });
}

test('every 401 has the same headers and the same words, whatever was found', () => {
  assert.equal(told.size, 1);
});

test('what was found has nothing of a secret or of the body in it', () => {
  const secrets = [signer, alpha, beta].map(({ secret }) => secret);
  for (const line of diagnoses) {
    for (const needle of [...secrets, signer.secret.slice(4, 16), 'DIAG', '烏龍茶', 'another-secret'])
      assert.ok(!line.includes(needle), line);
  }
});

test('the account is logged where the signature proves it, also when it was not looked at; and where it does not, none is', async () => {
  const loggedOf = async (planted: Planted) => {
    const { traceId } = await send(planted);
    await app.requestLog.flush();
    const line = (await app.requestLine(traceId))!;
    return [line.reason, line.account_no];
  };
  const late = noon(-3600);
  const milliseconds = `${seconds}000`;
  const inMilliseconds = 'timestamp is not 10 digits (Unix time in seconds)';
  const upperCase = 'sign is not 64 lowercase hex digits';
  const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
  const proven: Planted[] = [
    { headers: { timestamp: late }, signed: sent + late },
    { headers: { timestamp: milliseconds }, signed: sent + milliseconds },
    { sign: right.toString('hex').toUpperCase() },
    { headers: { 'account-no': 'signer' } },
  ];
  assert.deepEqual(await Promise.all(proven.map(loggedOf)), [
    ['timestamp is off by -3600 s', 'SIGNER'],
    [inMilliseconds, 'SIGNER'],
    [upperCase, 'SIGNER'],
    ['account-no is not registered', 'SIGNER'],
  ]);
  const unproven: Planted[] = [
    { headers: { timestamp: late }, signed: sent + late, secret: 'another-secret' },
    { headers: { timestamp: milliseconds }, signed: sent + milliseconds, secret: signer.accountNo },
    { sign: sha256(sent + seconds).toUpperCase() },
    { without: 'sign' },
  ];
  assert.deepEqual(await Promise.all(unproven.map(loggedOf)), [
    ['timestamp is off by -3600 s', null],
    [inMilliseconds, null],
    [upperCase, null],
    ['header sign is missing', null],
  ]);
});

test('where nothing fits, length and hash of what came are told, to compare with', async () => {
  const { traceId } = await send({ secret: 'another-secret' });
  const hash = createHash('sha256').update(sent).digest('hex');
  const found = await diagnosisOf(traceId);
  assert.ok(
    found.endsWith(
      `The body that came: ${utf8(sent).length} bytes, first byte 0x7b, last byte 0x7d, SHA-256 ${hash}. Compare with what you signed.`,
    ),
  );
});

test('a secret of before is known again after a rotation', async () => {
  await app.provision({ accounts: [{ account_no: 'ROTATED', environment: 'uat', secret: 'before' }] });
  const call = (secret: string) => send({ headers: { 'account-no': 'ROTATED' }, secret });
  assert.equal((await call('before')).status, 200);
  const secret = { kind: 'account_secret', owner: 'ROTATED' } as const;
  const rotated = await rotateSecret(app.store.database, app.store.keyring, secret, { overlapSeconds: 0, actor: 'test' });
  assert.equal((await call(rotated.kind === 'rotated' ? rotated.issued.value : '')).status, 200);

  const refused = await call('before');
  assert.equal(refused.status, 401);
  assert.match(
    await diagnosisOf(refused.traceId),
    /^It was signed with a former secret of the account, which has ended\. Use the current one\./,
  );
});

test('what is right, or refused for another reason, is not diagnosed', async () => {
  const body = { sku_id: 'RIGHT', sku_name: 'Tea', storage_type: 1 };
  for (const [answer, status] of [
    [await app.callWarehouse('/product/sync', body), 200],
    [await app.callWarehouse('/product/sync', { ...body, storage_type: 9 }), 400],
    [await app.callWarehouse('/no/such/path', body, { secret: 'wrong' }), 404],
    [await app.callMain('/orders/cancel', {}, { token: 'wrong' }), 401],
  ] as const) {
    const line = await app.requestLine(String(answer.headers['trace-id']));
    assert.deepEqual([line?.status, line?.diagnosis], [status, null]);
  }
});

test('of a body over 32 KiB only the headers are looked at', async () => {
  const body = JSON.stringify({ sku_name: 'x'.repeat(32_768) });
  const { traceId } = await send({
    body,
    sign: hmac(body + seconds)
      .toString('hex')
      .toUpperCase(),
  });
  assert.deepEqual((await diagnosisOf(traceId)).split('\n'), [
    'The header sign is in upper-case hex: send 64 lowercase hex digits.',
    `The body of ${body.length} bytes is too large for more than this: try the same with a smaller one.`,
  ]);
});

const tooMany = 'Not diagnosed: too many requests were refused at that moment; have the call sent again.';

test('a flood of refusals: every line is written, diagnosed or not; after it, all is as before', async () => {
  const flood = await Promise.all(Array.from({ length: 300 }, () => send({ signed: compact + seconds })));
  const found = await Promise.all(flood.map(({ traceId }) => diagnosisOf(traceId)));
  const named = found.filter((diagnosis) => diagnosis.startsWith('The body was signed as compact JSON'));
  const busy = found.filter((diagnosis) => diagnosis === tooMany);

  assert.deepEqual(new Set(flood.map(({ status }) => status)), new Set([401]));
  assert.equal(named.length + busy.length, 300);
  assert.ok(named.length >= 8, `${named.length} were diagnosed`);
  assert.match(await diagnosisOf((await send({ signed: compact + seconds })).traceId), /^The body was signed as compact JSON/);
});

const directory = new Map([accountWith('SIGNER', signer.secret), accountWith('BETA', beta.secret)]);

function accountWith(accountNo: string, secret: string): [string, KnownAccount] {
  const secrets = [{ key: createSecretKey(secret, 'utf8'), validUntil: null }];
  return [
    accountNo,
    { accountId: 1, accountNo, environment: 'uat', enabled: true, warehouseApi: true, secrets, formerKeys: [], tenants: new Map() },
  ];
}

/** What is found does not depend on how busy the machine is. */
const withoutEnd = { waitMaxMs: 60_000, workMaxMs: Number.POSITIVE_INFINITY };

function makeOwnDiagnoser(waitMaxMs = withoutEnd.waitMaxMs) {
  const accounts = { known: () => directory, allNow: async () => directory, find: async () => null, findNow: async () => null };
  return makeDiagnoser({ accounts, clients: accounts, log: makeLog('silent'), times: { ...withoutEnd, waitMaxMs } });
}

const refusedCall = (accountNo: string, body = sent) => ({
  headers: { 'account-no': accountNo, timestamp: seconds, sign: hmac(compact + seconds).toString('hex') },
  url: '/warehouse/v1/product/sync',
  body: utf8(body),
  refusedAt: now,
});

/** One that is found at once, whoever it says it is: signed with the secret of SIGNER. */
const foundAtOnce = (accountNo: string, body = compact) => {
  const call = refusedCall(accountNo, body);
  return { ...call, headers: { ...call.headers, sign: hmac(body + seconds).toString('hex') } };
};

test('sixteen wait at most, eight of one account; whoever is not registered shares one line', async () => {
  const diagnoser = makeOwnDiagnoser();
  const callers = [
    ...Array(20).fill('SIGNER'),
    ...Array(5).fill('BETA'),
    ...Array(20)
      .fill('NOBODY')
      .map((name, index) => `${name}-${index}`),
  ];
  const taken = callers.map((accountNo) => diagnoser.take(foundAtOnce(accountNo)));
  const found = await Promise.all(taken.map((begin) => begin()));

  const diagnosed = found.map(({ diagnosis }) => !diagnosis.startsWith('Not diagnosed'));
  const countOf = (from: number, to: number) => diagnosed.slice(from, to).filter(Boolean).length;
  assert.deepEqual([countOf(0, 20), countOf(20, 25), countOf(25, 45)], [8, 5, 3]);
  assert.match((await diagnoser.take(refusedCall('SIGNER'))()).diagnosis, /^The body was signed as compact JSON/);
});

test('accounts take turns, and of each the small bodies come first: who fills a line holds up nobody else', async () => {
  const diagnoser = makeOwnDiagnoser();
  const order: string[] = [];
  const calls: [name: string, accountNo: string, body: string][] = [
    ...Array.from({ length: 4 }, (_, index): [string, string, string] => [`nobody ${index}`, `NOBODY-${index}`, compact]),
    ['BETA, large', 'BETA', `${compact}      `],
    ['BETA, larger', 'BETA', `${compact}       `],
    ['BETA, small', 'BETA', compact],
  ];
  const taken = calls.map(([name, accountNo, body]) => ({ name, begin: diagnoser.take(foundAtOnce(accountNo, body)) }));
  await Promise.all(
    taken.map(async ({ name, begin }) => {
      assert.match((await begin()).diagnosis, /It was signed with the secret of account SIGNER\./);
      order.push(name);
    }),
  );
  assert.deepEqual(order, ['nobody 0', 'nobody 1', 'BETA, small', 'nobody 2', 'BETA, large', 'nobody 3', 'BETA, larger']);
});

test('an account that this process has not seen yet is looked for before it is told not to be registered', async () => {
  let seen: typeof directory = new Map();
  const findNow = async (accountNo: string) => {
    seen = directory;
    return seen.get(accountNo) ?? null;
  };
  const accounts = { known: () => seen, allNow: async () => seen, find: async () => null, findNow };
  const clients = { find: async () => null, findNow: async () => null };
  const diagnoser = makeDiagnoser({ accounts, clients, log: makeLog('silent'), times: withoutEnd });
  const { sign: _sign, ...headers } = refusedCall('SIGNER').headers;
  const found = await diagnoser.take({ ...refusedCall('SIGNER'), headers })();
  assert.deepEqual(
    found.diagnosis.split('\n').map((line) => line.split(/[,.:]/)[0]),
    ['The header sign is missing', 'What was signed can be looked at once all three headers come'],
  );
});

test('what has waited for too long is not diagnosed, and says so', async () => {
  const diagnoser = makeOwnDiagnoser(0);
  const taken = Array.from({ length: 8 }, () => diagnoser.take(refusedCall('SIGNER')));
  const found = await Promise.all(taken.map((begin) => begin()));
  assert.deepEqual(new Set(found.map(({ diagnosis }) => diagnosis)), new Set([tooMany]));
});

test('nothing is looked for before the answer; at a stop, what has not begun is not diagnosed, and nobody waits for it', async () => {
  const diagnoser = makeOwnDiagnoser();
  const [first, second] = [diagnoser.take(refusedCall('SIGNER')), diagnoser.take(refusedCall('SIGNER'))];
  const running = first();
  await new Promise(setImmediate);
  diagnoser.close();
  assert.match((await running).diagnosis, /^The body was signed as compact JSON/);
  assert.equal((await second()).diagnosis, 'Not diagnosed: the service was stopping.');
});

/** To its end, as if there were time without end, or for so many steps; and what it took. */
function diagnose(request: Partial<RefusedRequest>, stepsMax = Number.POSITIVE_INFINITY) {
  const body = request.body ?? utf8(sent);
  const headers = { 'account-no': 'SIGNER', timestamp: seconds, sign: right.toString('hex') };
  const whole = { headers, url: '/', refusedAt: now, bodyBytes: body.length, ...request, body };
  const steps = diagnoseSignature(whole, { accounts: directory, clientsAccount: null });
  const worked = { steps: 0, hashes: 0, bytes: 0, bytesOfStepMax: 0 };
  for (;;) {
    const step = steps.next(worked.steps < stepsMax);
    if (step.done) return { lines: step.value.lines, ...worked };
    worked.steps++;
    worked.hashes += step.value.hashes;
    worked.bytes += step.value.bytes;
    worked.bytesOfStepMax = Math.max(worked.bytesOfStepMax, step.value.bytes);
  }
}

const keptMaxBytes = 32_768;
const filled = (unit: string, open = '', close = '') =>
  utf8(open + unit.repeat(Math.floor((keptMaxBytes - open.length - close.length) / utf8(unit).length)) + close);
const brackets = (count: number, inside: string) => '['.repeat(count) + inside + ']'.repeat(count);
const items = (count: number, item: (index: number) => string) => Array.from({ length: count }, (_, index) => item(index)).join(',');

const hostileBodies: [name: string, body: Buffer][] = [
  ['10,000 levels', utf8(brackets(10_000, ''))],
  ['32 KiB of brackets', filled('[')],
  ['32 KiB of empty texts inside 30 brackets', filled('"",', '['.repeat(30), `""${']'.repeat(30)}`)],
  [
    'as many of them as are written',
    utf8(
      brackets(
        30,
        items(nodesMax - 30, () => '""'),
      ),
    ),
  ],
  ['32 KiB of numbers', filled('1,', '[', '1]')],
  [
    'as many numbers as are written',
    utf8(
      brackets(
        1,
        items(nodesMax - 1, () => '1.0'),
      ),
    ),
  ],
  ['as many keys as are written, inside 20 brackets', utf8(brackets(20, `{${items(nodesMax - 25, (index) => `"<${index}>":1.5`)}}`))],
  ['empty objects', filled('{},', '[', '{}]')],
  ['one number of 32 KiB', filled('0', '1.', '1')],
  ['characters that many libraries escape', filled('<', '["', '"]')],
  ['characters that are not ASCII', filled('茶', '["', '"]')],
  ['escaped characters', filled('\\u8336', '["', '"]')],
  ['slashes', filled('/', '["', '"]')],
  ['line breaks', filled('\n')],
  ['garbage of 32 KiB', Buffer.from(Array.from({ length: keptMaxBytes }, (_, index) => (index * 7919) & 0xff))],
  ['no UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0xc0, 0x80, 0x7d])],
  ['half of a pair', utf8('{"a":"\\ud800","b":"\\udc00"}')],
  ['keys of prototypes', utf8('{"__proto__":{"x":1},"constructor":{"prototype":1}}')],
  ['numbers that doubles do not hold', utf8('{"a":123456789012345678901234567890,"b":1e999,"c":0.1000000000000000055}')],
  ['broken gzip', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3])],
  ['a megabyte of zeros, compressed', gzipSync(Buffer.alloc(1_048_576))],
  ['128 KiB of zeros, compressed', gzipSync(Buffer.alloc(131_072))],
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from([0])],
];
/** Of what can be written of 32 KiB, four times as much. */
const writtenMaxBytes = 4 * keptMaxBytes;

test('hostile bodies are diagnosed like any other: within the limits, in small steps, and without an exception', () => {
  for (const [name, body] of hostileBodies) {
    // Within these, every way to write the body is tried; what comes after are pairs with other mistakes.
    const { lines, steps, hashes, bytesOfStepMax } = diagnose({ body }, 300);
    assert.match(lines.at(-1)!, /The signature fits none of those mistakes/, name);
    assert.ok(bytesOfStepMax <= writtenMaxBytes, `${name}: ${bytesOfStepMax} bytes in a step`);
    // What was written in vain is a step as well.
    assert.equal(steps, 300, name);
    assert.ok(hashes < steps, `${name}: ${hashes} hashes`);
  }
});

test('there is an end to what is tried: by the number of hashes for small bodies, by their bytes for large ones', () => {
  const small = diagnose({ body: utf8('{}') });
  assert.match(small.lines.at(-1)!, /The signature fits none of the usual mistakes/);
  assert.ok(small.hashes <= diagnosisLimits.hashesMax, `${small.hashes} hashes`);
  const large = diagnose({ body: filled('/', '["', '"]') });
  assert.match(large.lines.at(-1)!, /The signature fits none of those mistakes that there was time to try/);
  assert.ok(large.bytes <= diagnosisLimits.hashedBytesMax + large.bytesOfStepMax, `${large.bytes} bytes`);
});

test('a body is written in another way only where that is little work: few nodes, few levels, no more than four times as long', () => {
  const written = hostileBodies.map(([name, body]) => {
    const tree = readTree(body);
    if (tree === undefined) return [];
    for (const { value } of bodyCandidates(body)) assert.ok((value()?.length ?? 0) <= writtenMaxBytes, name);
    return [name];
  });
  assert.deepEqual(written.flat(), [
    'as many of them as are written',
    'as many numbers as are written',
    'as many keys as are written, inside 20 brackets',
    'characters that many libraries escape',
    'characters that are not ASCII',
    'escaped characters',
    'slashes',
  ]);
  assert.equal(
    readTree(
      utf8(
        brackets(
          1,
          items(nodesMax, () => '1'),
        ),
      ),
    ),
    undefined,
  );
  const nested = readTree(utf8('[[1],{"a":[]}]'))!;
  assert.equal(writeTree(nested, jsonStyles[0]!, 14), '[[1],{"a":[]}]');
  assert.equal(writeTree(nested, jsonStyles[0]!, 13), null);
});

test('a header that is far too long is not looked at: neither its own, nor one with a similar name, nor one in the query', () => {
  const long = (unit: string) => unit.repeat(15_500).slice(0, 15_500);
  const own = { 'account-no': 'SIGNER', timestamp: seconds, sign: right.toString('hex') };
  const { sign: _sign, ...withoutSign } = own;
  const calls: [request: Partial<RefusedRequest>, name: string, lengthMax: number][] = [
    [{ headers: { ...own, sign: `${long('A')}x` } }, 'sign', 256],
    [{ headers: { ...own, sign: `a${long(' ')}a` } }, 'sign', 256],
    [{ headers: { ...own, sign: 'a'.repeat(257) } }, 'sign', 256],
    [{ headers: { ...own, timestamp: long('"') } }, 'timestamp', 64],
    [{ headers: { ...own, timestamp: '0'.repeat(65) } }, 'timestamp', 64],
    [{ headers: { ...own, 'account-no': long('ß-') } }, 'account-no', 125],
    [{ headers: { ...own, 'account-no': 'A'.repeat(126) } }, 'account-no', 125],
    [{ headers: { ...withoutSign, authorization: long('A') } }, 'sign', 256],
    [{ headers: withoutSign, url: `/?sign=${long('A')}` }, 'sign', 256],
  ];
  for (const [request, name, lengthMax] of calls) {
    const { lines, steps } = diagnose(request);
    assert.equal(steps, 0);
    assert.deepEqual(lines.slice(-2), [
      `What came as ${name} is far too long: ${lengthMax} characters are more than enough.`,
      'What was signed can be looked at once all three headers come.',
    ]);
  }
  const quoted = diagnose({ headers: { ...own, timestamp: `${'"'.repeat(27)}${seconds}${'"'.repeat(27)}` } });
  assert.match(quoted.lines[0]!, /^The timestamp has quotes around it:/);
  assert.equal(quoted.lines.at(-1), nothingElse);
});

test('whatever headers and bytes come, there is a diagnosis, and nothing that came is repeated in it', () => {
  const marker = 'COMES-IN';
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const text = fc.oneof(fc.string({ unit }), fc.constantFrom('', '0', seconds, '"', ' , ', 'x'.repeat(300)));
  const headers = fc.dictionary(
    fc.constantFrom('account-no', 'timestamp', 'sign', 'signature', 'x-sign', 'date', 'authorization', 'account_no', '__proto__'),
    fc.oneof(
      text,
      text.map((some) => marker + some),
      fc.constant(right.toString('base64')),
    ),
  );
  fc.assert(
    fc.property(headers, text, fc.uint8Array({ maxLength: 40 }), (given, query, bytes) => {
      const request = { headers: given, url: `/x?${query}&sign=${marker}`, body: Buffer.concat([utf8(marker), bytes]) };
      const { lines } = diagnose(request, 200);
      assert.ok(lines.length > 0);
      assert.ok(!lines.join('\n').includes(marker), lines.join('\n'));
    }),
    { numRuns: 60 },
  );
});

test('for an account that does not exist as much is tried as for one that does', () => {
  const hashesFor = (accountNo: string) =>
    diagnose({ headers: { 'account-no': accountNo, timestamp: seconds, sign: 'ab'.repeat(32) } }).hashes;
  const ratio = hashesFor('NOBODY') / hashesFor('SIGNER');
  assert.ok(ratio > 0.8 && ratio < 1.2, `${ratio}`);
});

test('told that time is up, it says so, with what can be compared', () => {
  const request = { ...refusedCall('SIGNER'), bodyBytes: utf8(sent).length, body: Buffer.concat([utf8(sent), utf8('x')]) };
  const steps = diagnoseSignature(request, { accounts: directory, clientsAccount: null });
  steps.next(true);
  const last = steps.next(false);
  assert.ok(last.done);
  assert.match(last.value.lines.at(-1)!, /The signature fits none of those mistakes that there was time to try: .* SHA-256 [0-9a-f]{64}\./);
});
