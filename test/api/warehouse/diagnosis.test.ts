import assert from 'node:assert/strict';
import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatStored } from '../../../messages/format-message.ts';
import { type Message, readMessage } from '../../../messages/message.ts';
import type { KnownAccount } from '../../../server/domain/partners/account-directory.ts';
import { rotateSecret } from '../../../server/domain/partners/rotate-secret.ts';
import { findRequest } from '../../../server/domain/requests/request-log-queries.ts';
import { makeLog } from '../../../server/platform/log.ts';
import { makeDiagnoser } from '../../../server/signature-doctor/diagnose-in-background.ts';
import {
  diagnoseSignature,
  diagnosisLimits,
  type RefusedRequest,
} from '../../../server/signature-doctor/diagnose-signature.ts';
import { nodesMax, readBody } from '../../../server/signature-doctor/json-styles.ts';
import { bodyMistakes } from '../../../server/signature-doctor/mistakes.ts';
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

/** Everything that libraries write differently: spaces, order of keys, punctuation, characters, numbers. */
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
  /** The bytes that were signed instead of body and timestamp, or the value of `sign`. */
  signed?: string | Buffer;
  secret?: string | Buffer;
  sign?: string;
  url?: string;
}

const right = hmac(sent + seconds);
const noon = (shiftSeconds: number) => String(Number(seconds) + shiftSeconds);

/** A mistake, how to make it, and the codes of the diagnosis: of each line, with the codes inside it. */
type Mistake = [name: string, planted: Planted, findings: string[]];

/** The body as libraries write it; these differ in how they escape characters. */
const styled = (name: string) => `{"sku_name":"${name}","sku_id":"DIAG","storage_type":1,"price":2.0}`;
const indented = (indent: string | number) => JSON.stringify(value, null, indent).replace(': 2\n', ': 2.0\n');
const python = styled("\\u70cf\\u9f8d\\u8336 <\\u00e9> & '/' = +").replace(/([,:])(?=["\d])/g, '$1 ');

/** The bytes that were signed in place of the body. */
const bodiesSigned: [name: string, signed: string, finding: string][] = [
  ['compact JSON', compact, 'json_compact'],
  ["Python's json.dumps", python, 'json_python'],
  ['spaces', compact.replace(/([,:])(?=["\d])/g, '$1 '), 'json_spaced'],
  ["PHP's json_encode", styled("\\u70cf\\u9f8d\\u8336 <\\u00e9> & '\\/' = +"), 'json_php'],
  ['Gson', styled('烏龍茶 \\u003cé\\u003e \\u0026 \\u0027/\\u0027 \\u003d +'), 'json_gson'],
  [
    'Go, a map with sorted keys',
    `{"price":2.0,"sku_id":"DIAG","sku_name":"烏龍茶 \\u003cé\\u003e \\u0026 '/' = +","storage_type":1}`,
    'json_sorted json_go',
  ],
  [
    'System.Text.Json',
    styled('\\u70CF\\u9F8D\\u8336 \\u003C\\u00E9\\u003E \\u0026 \\u0027/\\u0027 = \\u002B'),
    'json_csharp',
  ],
  ['parsed and written by JavaScript', JSON.stringify(value), 'json_reparsed'],
  ['indented by two spaces', indented(2), 'json_indented'],
  ['signed with a line break', `${sent}\n`, 'body_line_break_added'],
  ['an empty body', '', 'body_empty'],
  ['JSON twice', JSON.stringify(sent), 'body_quoted'],
  ['UTF-8 signed twice', Buffer.from(utf8(sent).toString('latin1')).toString(), 'body_encoded_twice'],
];

/** The changed request, and the bytes that were signed. */
const bodiesSent: [name: string, body: string | Buffer, signed: string | Buffer, finding: string][] = [
  ['sent with a line break', `${sent}\n`, sent, 'body_line_break_removed'],
  ['CRLF became LF', sent.replaceAll(', ', ',\r\n'), sent.replaceAll(', ', ',\n'), 'body_lf'],
  ['sent with a byte order mark', `\ufeff${sent}`, sent, 'body_without_bom'],
  ['white space around it', `  ${sent} `, sent, 'body_trimmed'],
  ['text sent as a JSON string', JSON.stringify(sent), sent, 'body_sent_quoted'],
  ['Latin-1', '{"sku_name":"thé"}', Buffer.from('{"sku_name":"thé"}', 'latin1'), 'body_latin1'],
  ['UTF-8 sent twice', utf8(utf8('{"name":"é"}').toString('latin1')), '{"name":"é"}', 'body_sent_encoded_twice'],
];

const layoutsSigned: [name: string, signed: string, finding: string][] = [
  ['timestamp first', seconds + sent, 'timestamp_first'],
  ['a dot between', `${sent}.${seconds}`, 'separator_between'],
  ['timestamp, dot, body', `${seconds}.${sent}`, 'timestamp_first_separator'],
  ['echo', `${sent}${seconds}\n`, 'line_break_after'],
  ['the body only', sent, 'body_only'],
];

const secrets: [name: string, secret: string | Buffer, finding: string][] = [
  ['a line break behind the secret', `${signer.secret}\n`, 'secret_differs secret_line_break'],
  ['quotes around the secret', `"${signer.secret}"`, 'secret_differs secret_quoted'],
  ['the secret without its prefix', signer.secret.slice(4), 'secret_differs secret_without_prefix'],
  ['the secret decoded', Buffer.from(signer.secret.slice(4), 'base64url'), 'secret_differs secret_decoded'],
  ['no secret', '', 'secret_empty'],
  ['the secret of another account', beta.secret, 'secret_of_other'],
];

const hex = right.toString('hex');
const nothingFound = ['no_match', 'headers_right', 'body_received'];
const signs: [name: string, sign: string, ...findings: string[]][] = [
  ['upper case', hex.toUpperCase(), 'sign_upper_case'],
  ['base64', right.toString('base64'), 'sign_base64'],
  [
    'base64url',
    Buffer.from(right).fill(0xff, 0, 6).toString('base64url'),
    ...['sign_base64', 'no_match', 'body_received'],
  ],
  ['a prefix', `sha256=${hex}`, 'sign_labelled'],
  ['quotes', `"${hex}"`, 'sign_wrapped'],
  ['hex of the hex', utf8(hex).toString('hex'), 'sign_encoded_twice'],
  ['dashes between bytes', hex.toUpperCase().match(/../g)!.join('-'), 'sign_separated'],
  ['%x of each byte', Array.from(right, (byte) => byte.toString(16)).join(''), 'sign_without_zeros'],
  ['SHA-1', hmac(sent + seconds, signer.secret, 'sha1').toString('hex'), 'sign_other_hash'],
  [
    'SHA-512 in base64',
    hmac(sent + seconds, signer.secret, 'sha512').toString('base64'),
    ...['sign_base64', 'sign_other_hash'],
  ],
  ['no hash at all', 'signature', 'sign_unreadable'],
  [
    'upper case over the timestamp first',
    hmac(seconds + sent)
      .toString('hex')
      .toUpperCase(),
    ...['sign_upper_case', 'layout_differs timestamp_first'],
  ],
  ['one bit', hex.replace(/.$/, (digit) => (digit === '0' ? '1' : '0')), ...nothingFound],
];

/** A timestamp that was sent and signed as it is. */
const timestamps: [name: string, timestamp: string, finding: string][] = [
  ['milliseconds', `${now.getTime()}`, 'timestamp_milliseconds'],
  ['microseconds', `${now.getTime()}000`, 'timestamp_finer'],
  ['an ISO date', now.toISOString(), 'timestamp_date'],
  ['not a time', 'now', 'timestamp_unreadable'],
  ['Taipei time as UTC', noon(28_800), 'local_time'],
  ['a slow clock', noon(-1000), 'clock_skew'],
];

const otherMistakes: Mistake[] = [
  ['a form', { body: 'sku_id=A&qty=1', signed: `{"sku_id":"A","qty":1}${seconds}` }, ['body_is_form', ...nothingFound]],
  ['account_no', { without: 'account-no', headers: { account_no: signer.accountNo } }, ['header_renamed']],
  [
    'Authorization',
    { without: 'sign', headers: { authorization: `HMAC ${hex}` } },
    ['header_renamed', 'sign_labelled'],
  ],
  ['in the query', { without: 'sign', url: `?sign=${hex}` }, ['header_in_query']],
  ['missing', { without: 'sign' }, ['header_missing', 'headers_incomplete']],
  ['sent twice', { headers: { timestamp: `${seconds}, ${seconds}` } }, ['header_twice']],
  ['account in another case', { headers: { 'account-no': 'signer' } }, ['account_similar']],
  ['warehouse_tpw_id for the account', { headers: { 'account-no': 'TPW-S' } }, ['account_is_tenant']],
  ['ClientId for the account', { headers: { 'account-no': 'signer-erp' } }, ['account_is_client']],
  [
    'an unknown account, a known secret',
    { headers: { 'account-no': 'NOBODY' } },
    ['account_unknown', 'secret_of_other'],
  ],
  [
    'a quoted timestamp',
    { headers: { timestamp: `"${seconds}"` }, signed: sent + seconds },
    ['timestamp_wrapped', 'timestamp_differs signed_seconds'],
  ],
  ['milliseconds signed', { signed: `${sent}${now.getTime()}` }, ['timestamp_differs signed_milliseconds']],
  ['clock read twice', { signed: sent + noon(-1) }, ['timestamp_differs signed_earlier']],
  [
    'compact JSON, a line break behind the secret',
    { signed: compact + seconds, secret: `${signer.secret}\n` },
    ['body_differs json_compact', 'secret_differs secret_line_break'],
  ],
  [
    'milliseconds in the header only, in base64',
    { headers: { timestamp: `${now.getTime()}` }, sign: right.toString('base64') },
    ['timestamp_milliseconds', 'sign_base64', 'timestamp_differs signed_seconds'],
  ],
  [
    'everything at once',
    {
      without: 'account-no',
      headers: { 'x-account-no': 'signer', timestamp: noon(28_800) },
      sign: `v1=${hmac(`${noon(28_800)}.${compact}`).toString('base64')}`,
    },
    [
      ...['header_renamed', 'account_similar', 'local_time', 'sign_labelled', 'sign_base64'],
      ...['body_differs json_compact', 'layout_differs timestamp_first_separator'],
    ],
  ],
  ['an unknown secret', { secret: 'another-secret-of-thirty-two-characters-or-more' }, nothingFound],
];

const withSeconds = (text: string | Buffer) => Buffer.concat([Buffer.from(text), utf8(seconds)]);
const mistakes: Mistake[] = [
  ...bodiesSigned.map(
    ([name, signed, finding]): Mistake => [name, { signed: signed + seconds }, [`body_differs ${finding}`]],
  ),
  ...bodiesSent.map(
    ([name, body, signed, finding]): Mistake => [
      name,
      { body, signed: withSeconds(signed) },
      [`body_differs ${finding}`],
    ],
  ),
  ...layoutsSigned.map(([name, signed, finding]): Mistake => [name, { signed }, [`layout_differs ${finding}`]]),
  ...secrets.map(([name, secret, finding]): Mistake => [name, { secret }, [finding]]),
  ...signs.map(([name, sign, ...findings]): Mistake => [name, { sign }, findings]),
  ...timestamps.map(
    ([name, timestamp, finding]): Mistake => [name, { headers: { timestamp }, signed: sent + timestamp }, [finding]],
  ),
  ...otherMistakes,
];

function headersOf({ body = sent, headers = {}, without, signed, secret, sign }: Planted): Headers {
  const all: Headers = {
    'account-no': signer.accountNo,
    timestamp: seconds,
    sign: sign ?? hmac(signed ?? body.toString() + seconds, secret).toString('hex'),
    ...headers,
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => name !== without));
}

async function send(planted: Planted) {
  const answer = await app.http.inject({
    method: 'POST',
    url: `/warehouse/v1/product/sync${planted.url ?? ''}`,
    headers: { 'content-type': 'application/json', ...headersOf(planted) },
    payload: Buffer.from(planted.body ?? sent),
  });
  const { 'trace-id': traceId, date: _date, ...others } = answer.headers;
  const response = JSON.stringify([others, answer.payload]).replaceAll(String(traceId), '');
  return { status: answer.statusCode, traceId: String(traceId), response };
}

async function diagnosisOf(traceId: string): Promise<string[]> {
  await app.requestLog.flush();
  const line = await findRequest(app.store.service, traceId);
  return codesOf(line?.diagnosis ?? '');
}

/** The code of each line, with the codes inside it. */
function codesOf(diagnosis: string): string[] {
  return diagnosis.split('\n').map((line) => wholeCode(readMessage(line) as Message));
}

function wholeCode({ code, params }: Message): string {
  return params?.way === undefined ? code : `${code} ${wholeCode(params.way as Message)}`;
}

const directory = new Map([accountWith('SIGNER', signer.secret), accountWith('BETA', beta.secret)]);

function accountWith(accountNo: string, secret: string): [string, KnownAccount] {
  const secrets = [{ key: createSecretKey(secret, 'utf8'), validUntil: null }];
  const open = { environment: 'uat', enabled: true, warehouseApi: true, callbackUrl: null } as const;
  const tenants: KnownAccount['tenants'] = new Map(accountNo === 'SIGNER' ? [['TPW-S', {} as never]] : []);
  const account = { accountId: 1, accountNo, ...open, secrets, formerKeys: [], tenants };
  return [accountNo, account];
}

/** A diagnosis to its end or for so many steps, and the work that it took. */
function diagnose(request: Partial<RefusedRequest>, stepsMax = Number.POSITIVE_INFINITY) {
  const body = request.body ?? utf8(sent);
  const headers = { 'account-no': 'SIGNER', timestamp: seconds, sign: right.toString('hex') };
  const whole = { headers, url: '/', refusedAt: now, bodyBytes: body.length, ...request, body };
  const clientsAccount = whole.headers['account-no'] === 'signer-erp' ? directory.get('SIGNER')! : null;
  const steps = diagnoseSignature(whole, { accounts: directory, clientsAccount });
  const worked = { steps: 0, hashes: 0, bytes: 0, bytesOfStepMax: 0 };
  for (;;) {
    const step = steps.next(worked.steps < stepsMax);
    if (step.done) return { findings: step.value.findings, codes: step.value.findings.map(wholeCode), ...worked };
    worked.steps++;
    worked.hashes += step.value.hashes;
    worked.bytes += step.value.bytes;
    worked.bytesOfStepMax = Math.max(worked.bytesOfStepMax, step.value.bytes);
  }
}

const secretParts = [signer, alpha, beta]
  .map(({ secret }) => secret)
  .concat(signer.secret.slice(4, 16), 'another-secret-of-thirty-two-characters-or-more');

for (const [name, planted, findings] of mistakes) {
  test(`the diagnosis names the mistake, and nothing of a secret or of the body: ${name}`, () => {
    const body = Buffer.from(planted.body ?? sent);
    const found = diagnose({ body, headers: headersOf(planted), url: `/${planted.url ?? ''}` });
    const isOpen = /^(body_received|headers_incomplete|sign_unreadable)$/.test(findings.at(-1)!);
    assert.deepEqual(found.codes, isOpen ? findings : [...findings, 'rest_is_right']);
    const written = found.findings.map((message) => JSON.stringify(message));
    for (const line of [...written, ...written.map((line) => formatStored(line)!)])
      for (const part of [...secretParts, 'DIAG', '烏龍茶']) assert.ok(!line.includes(part), line);
  });
}

test('the request log has the diagnosis, and the response, which is the same for all mistakes, has not', async () => {
  const responses = new Set<string>();
  for (const name of [
    'compact JSON',
    'the body only',
    'no secret',
    'an ISO date',
    'ClientId for the account',
    'missing',
  ]) {
    const [, planted, findings] = mistakes.find(([mistake]) => mistake === name)!;
    const { status, traceId, response } = await send(planted);
    assert.equal(status, 401);
    responses.add(response);
    const codes = await diagnosisOf(traceId);
    assert.deepEqual(codes.slice(0, findings.length), findings, name);
  }
  assert.equal(responses.size, 1);
});

test('the account is not logged where the signature does not prove it', async () => {
  const late = noon(-3600);
  const milliseconds = `${seconds}000`;
  const unproven: [Planted, reason: string][] = [
    [
      { headers: { timestamp: late }, signed: sent + late, secret: 'another-secret-of-thirty-two-characters-or-more' },
      'timestamp is off by -3600 s',
    ],
    [
      { headers: { timestamp: milliseconds }, signed: sent + milliseconds, secret: signer.accountNo },
      'timestamp is not 10 digits (Unix time in seconds)',
    ],
    [
      { sign: createHash('sha256').update(`${sent}${seconds}`).digest('hex').toUpperCase() },
      'sign is not 64 lowercase hex digits',
    ],
  ];
  for (const [planted, reason] of unproven) {
    const line = await app.requestLine((await send(planted)).traceId);
    assert.deepEqual([line?.reason, line?.account_no], [reason, null]);
  }
});

test('if nothing matches, the diagnosis has the length and the hash of the received body', async () => {
  const { traceId } = await send({ secret: 'another-secret-of-thirty-two-characters-or-more' });
  await app.requestLog.flush();
  const { diagnosis } = (await findRequest(app.store.service, traceId))!;
  const sha256 = createHash('sha256').update(sent).digest('hex');
  assert.deepEqual(readMessage(diagnosis!.split('\n').at(-1)!), {
    code: 'body_received',
    params: { bytes: utf8(sent).length, sha256 },
  });
});

test('a diagnosis recognizes the former secret after a rotation', async () => {
  await app.provision({
    accounts: [{ account_no: 'ROTATED', environment: 'uat', secret: 'before-of-thirty-two-characters-or-more' }],
  });
  const call = (secret: string) => send({ headers: { 'account-no': 'ROTATED' }, secret });
  assert.equal((await call('before-of-thirty-two-characters-or-more')).status, 200);
  const secret = { kind: 'account_secret', owner: 'ROTATED' } as const;
  const rotated = await rotateSecret(app.store.service, app.store.keyring, secret, {
    overlapSeconds: 0,
    actor: 'test',
  });
  assert.equal((await call(rotated.kind === 'rotated' ? rotated.issued.value : '')).status, 200);

  const refused = await call('before-of-thirty-two-characters-or-more');
  assert.equal(refused.status, 401);
  assert.deepEqual(await diagnosisOf(refused.traceId), ['secret_former', 'rest_is_right']);
});

test('a request that is right, or refused for another reason, is not diagnosed', async () => {
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

test('only the headers are checked if the body is over 32 KiB', async () => {
  const body = JSON.stringify({ sku_name: 'x'.repeat(32_768) });
  const { traceId } = await send({
    body,
    sign: hmac(body + seconds)
      .toString('hex')
      .toUpperCase(),
  });
  assert.deepEqual(await diagnosisOf(traceId), ['sign_upper_case', 'body_too_large']);
});

test('a flood of refusals: every line is written, diagnosed or not; afterwards each is diagnosed again', async () => {
  const flood = await Promise.all(Array.from({ length: 40 }, () => send({ signed: compact + seconds })));
  const found = await Promise.all(flood.map(({ traceId }) => diagnosisOf(traceId)));
  const named = found.filter(([code]) => code === 'body_differs json_compact');
  const busy = found.filter(([code]) => code === 'not_diagnosed_busy');

  assert.deepEqual(new Set(flood.map(({ status }) => status)), new Set([401]));
  assert.equal(named.length + busy.length, 40);
  assert.ok(named.length >= 8, `${named.length} were diagnosed`);
  assert.deepEqual(await diagnosisOf((await send({ signed: compact + seconds })).traceId), [
    'body_differs json_compact',
    'rest_is_right',
  ]);
});

/** The result does not depend on how busy the machine is. */
const withoutEnd = { waitMaxMs: 60_000, workMaxMs: Number.POSITIVE_INFINITY };

function makeOwnDiagnoser(waitMaxMs = withoutEnd.waitMaxMs) {
  const accounts = {
    known: () => directory,
    allNow: async () => directory,
    find: async () => null,
    findNow: async () => null,
  };
  return makeDiagnoser({ accounts, clients: accounts, log: makeLog('silent'), times: { ...withoutEnd, waitMaxMs } });
}

const refusedCall = (accountNo: string, body = sent) => ({
  headers: { 'account-no': accountNo, timestamp: seconds, sign: hmac(compact + seconds).toString('hex') },
  url: '/warehouse/v1/product/sync',
  body: utf8(body),
  refusedAt: now,
});

/** The mistake is found at once, whatever account it names: it is signed with the secret of SIGNER. */
const foundAtOnce = (accountNo: string, body = compact) => {
  const call = refusedCall(accountNo, body);
  return { ...call, headers: { ...call.headers, sign: hmac(body + seconds).toString('hex') } };
};

test('sixteen requests wait at most, eight of one account; unregistered accounts share one queue', async () => {
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

  const diagnosed = found.map(({ diagnosis }) => !diagnosis.includes('not_diagnosed'));
  const countOf = (from: number, to: number) => diagnosed.slice(from, to).filter(Boolean).length;
  assert.deepEqual([countOf(0, 20), countOf(20, 25), countOf(25, 45)], [8, 5, 3]);
  assert.match((await diagnoser.take(refusedCall('SIGNER'))()).diagnosis, /json_compact/);
});

test('accounts take turns: many requests of one do not delay the others', async () => {
  const diagnoser = makeOwnDiagnoser();
  const order: string[] = [];
  const taken = ['NOBODY-1', 'NOBODY-2', 'NOBODY-3', 'BETA', 'BETA'].map((accountNo) => ({
    accountNo,
    begin: diagnoser.take(foundAtOnce(accountNo)),
  }));
  await Promise.all(
    taken.map(async ({ accountNo, begin }) => {
      assert.match((await begin()).diagnosis, /secret_of_other/);
      order.push(accountNo);
    }),
  );
  assert.deepEqual(order, ['NOBODY-1', 'BETA', 'NOBODY-2', 'BETA', 'NOBODY-3']);
});

test('an account that this process has not seen yet is looked up before it counts as not registered', async () => {
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
  assert.deepEqual(codesOf(found.diagnosis), ['header_missing', 'headers_incomplete']);
});

test('a request that has waited for too long is not diagnosed, and its line says so', async () => {
  const diagnoser = makeOwnDiagnoser(0);
  const taken = Array.from({ length: 8 }, () => diagnoser.take(refusedCall('SIGNER')));
  const found = await Promise.all(taken.map((begin) => begin()));
  assert.deepEqual(
    found.flatMap(({ diagnosis }) => codesOf(diagnosis)),
    Array(8).fill('not_diagnosed_busy'),
  );
});

test('a diagnosis begins after the answer; a stop does not wait for those that have not begun', async () => {
  const diagnoser = makeOwnDiagnoser();
  const [first, second] = [diagnoser.take(refusedCall('SIGNER')), diagnoser.take(refusedCall('SIGNER'))];
  const running = first();
  await new Promise(setImmediate);
  diagnoser.close();
  assert.match((await running).diagnosis, /json_compact/);
  assert.deepEqual(codesOf((await second()).diagnosis), ['not_diagnosed_stopping']);
});

const foreignHeaders = { 'account-no': 'SIGNER', timestamp: seconds, sign: 'ab'.repeat(32) };
const keptMaxBytes = 32_768;
const filled = (unit: string, open = '', close = '') =>
  utf8(open + unit.repeat(Math.floor((keptMaxBytes - open.length - close.length) / utf8(unit).length)) + close);
const brackets = (count: number, inside: string) => '['.repeat(count) + inside + ']'.repeat(count);
const items = (count: number, item: string) =>
  Array.from({ length: count }, (_, index) => item.replace('#', String(index))).join(',');

const hostileBodies: [name: string, body: Buffer][] = [
  ['10,000 levels', utf8(brackets(10_000, ''))],
  ['32 KiB of brackets', filled('[')],
  ['32 KiB of empty texts inside 30 brackets', filled('"",', '['.repeat(30), `""${']'.repeat(30)}`)],
  ['as many of them as are written', utf8(brackets(30, items(nodesMax - 30, '""')))],
  ['32 KiB of numbers', filled('1,', '[', '1]')],
  ['as many numbers as are written', utf8(brackets(1, items(nodesMax - 1, '1.0')))],
  ['as many keys as are written, inside 20 brackets', utf8(brackets(20, `{${items(nodesMax - 25, '"<#>":1.5')}}`))],
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
  [
    'numbers that doubles do not hold',
    utf8('{"a":123456789012345678901234567890,"b":1e999,"c":0.1000000000000000055}'),
  ],
  ['nothing', Buffer.alloc(0)],
  ['one byte', Buffer.from([0])],
];
/** A body that is written in another style may be four times as long. */
const writtenMaxBytes = 4 * keptMaxBytes;

test('hostile bodies are diagnosed within the limits, in small steps, and without an exception', () => {
  for (const [name, body] of hostileBodies) {
    const { codes, steps, hashes, bytesOfStepMax } = diagnose({ body, headers: foreignHeaders }, 300);
    assert.deepEqual(codes.slice(-2), ['headers_right', 'body_received'], name);
    assert.ok(bytesOfStepMax <= writtenMaxBytes, `${name}: ${bytesOfStepMax} bytes in a step`);
    // A mistake that makes no difference is a step as well.
    assert.equal(steps, 300, name);
    assert.ok(hashes < steps, `${name}: ${hashes} hashes`);
  }
});

test('the number of hashes limits the search for small bodies, their bytes limit it for large ones', () => {
  const small = diagnose({ body: utf8('{}'), headers: foreignHeaders });
  assert.ok(small.codes.includes('no_match'));
  assert.ok(small.hashes <= diagnosisLimits.hashesMax, `${small.hashes} hashes`);
  const large = diagnose({ body: filled('/', '["', '"]'), headers: foreignHeaders });
  assert.ok(large.codes.includes('no_match_in_time'));
  assert.ok(large.bytes <= diagnosisLimits.hashedBytesMax + large.bytesOfStepMax, `${large.bytes} bytes`);
});

test('a body is written in another style only if it has few nodes and few levels; the result is at most four times as long', () => {
  const written = hostileBodies.filter(([name, body]) => {
    for (const { change } of bodyMistakes(body))
      assert.ok((change()?.body?.length ?? 0) <= Math.max(4 * body.length, 16_384), name);
    return readBody(body) !== null;
  });
  assert.deepEqual(
    written.map(([name]) => name),
    [
      'as many of them as are written',
      'as many numbers as are written',
      'as many keys as are written, inside 20 brackets',
      'characters that many libraries escape',
      'characters that are not ASCII',
      'escaped characters',
      'slashes',
    ],
  );
  assert.equal(readBody(utf8(brackets(1, items(nodesMax, '1')))), null);
});

test('a header that is far too long is not read, whether it is the right one, a similar one or in the query', () => {
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
    const { findings, steps } = diagnose(request);
    assert.equal(steps, 0);
    assert.deepEqual(findings.slice(-2), [
      { code: 'header_too_long', params: { name, max: lengthMax } },
      { code: 'headers_incomplete' },
    ]);
  }
  const quoted = diagnose({ headers: { ...own, timestamp: `${'"'.repeat(27)}${seconds}${'"'.repeat(27)}` } });
  assert.deepEqual([quoted.codes[0], quoted.codes.at(-1)], ['timestamp_wrapped', 'rest_is_right']);
});

test('any headers and bytes have a diagnosis, and it repeats nothing of them', () => {
  const marker = 'COMES-IN';
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const text = fc.oneof(fc.string({ unit }), fc.constantFrom('', '0', seconds, '"', ' , ', 'x'.repeat(300)));
  const headers = fc.dictionary(
    fc.constantFrom(
      ...['account-no', 'timestamp', 'sign', 'signature', 'x-sign', 'date', 'authorization', 'account_no', '__proto__'],
    ),
    fc.oneof(
      text,
      text.map((some) => marker + some),
      fc.constant(right.toString('base64')),
    ),
  );
  fc.assert(
    fc.property(headers, text, fc.uint8Array({ maxLength: 40 }), (given, query, bytes) => {
      const request = { headers: given, url: `/x?${query}&sign=${marker}`, body: Buffer.concat([utf8(marker), bytes]) };
      const found = JSON.stringify(diagnose(request, 200).findings);
      assert.ok(found.length > 2);
      assert.ok(!found.includes(marker), found);
    }),
    { numRuns: 60 },
  );
});

test('an account that does not exist costs as many attempts as one that does', () => {
  const hashesFor = (accountNo: string) =>
    diagnose({ headers: { 'account-no': accountNo, timestamp: seconds, sign: 'ab'.repeat(32) } }).hashes;
  const ratio = hashesFor('NOBODY') / hashesFor('SIGNER');
  assert.ok(ratio > 0.8 && ratio < 1.2, `${ratio}`);
});

test('when time is up, the diagnosis says so', () => {
  assert.deepEqual(diagnose({ headers: foreignHeaders }, 1).codes, [
    'no_match_in_time',
    'headers_right',
    'body_received',
  ]);
});
