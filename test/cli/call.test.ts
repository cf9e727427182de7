import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newTraceId } from '../../server/platform/ids.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { runLading, settingsFor } from '../support/command.ts';
import { form, formPath } from '../support/logistics.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
await app.http.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const settings = { ...settingsFor(app.store), PUBLIC_URL: url };
const here = makeRunHere(settings);
const folder = mkdtempSync(join(tmpdir(), 'lading-call-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const syncPath = '/warehouse/v1/product/sync';
const checkValueFile = fileWith('check-value', `${alpha.checkValue}\n`);
const keyFile = fileWith('key', `${alpha.apiKey}\n`);
const wrongSecretFile = fileWith('wrong', 'wrong-secret');
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const sign = (text: string, secret = alpha.secret) => createHmac('sha256', secret).update(text).digest('hex');
const product = (skuId: string) => JSON.stringify({ sku_id: skuId, sku_name: '烏龍茶', storage_type: 1 });

test('call sends a request of any contract, chosen by its path, and shows request and response', async () => {
  const tokenFile = fileWith('token', await app.tokenOf());
  const search = '/api/v2/default/getProductsData/searchList';
  const asClient = ['--client', alpha.clientId, '--check-value-file', checkValueFile];
  const formBody = JSON.stringify(form('CALLED', [{ sku: 'CALLED', quantity: 1 }]));
  const calls: [path: string, body: string, options: string[], shownHeader: RegExp][] = [
    [syncPath, product('CALLED'), ['--account', 'ALPHA'], /^account-no: ALPHA$/m],
    [search, '{}', asClient, /^authorization: Bearer eyJ\w{7}…$/m],
    [search, '{}', ['--token-file', tokenFile], /^authorization: Bearer eyJ\w{7}…$/m],
    [`/logistics${formPath}`, formBody, ['--key-file', keyFile], /^authorization: alpha-api-…$/m],
  ];
  for (const [path, body, options, shownHeader] of calls) {
    const { code, stdout, stderr } = await here.run(['call', path, body, ...options]);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.ok(stdout.startsWith(`POST ${url}${path}\ncontent-type: application/json\n`));
    assert.match(stdout, shownHeader);
    assert.ok(stdout.includes(`\n\n${body}\n\nHTTP 200 (`));
    assert.match(stdout, /^trace-id: [0-9a-f-]{36}\n\{\n {2}"/m);
    for (const secret of [alpha.secret, alpha.checkValue, alpha.apiKey]) assert.ok(!stdout.includes(secret));
  }
});

test('call without a body sends GET to a public endpoint; the address may end with a slash', async () => {
  const { code, stdout } = await here.run(`call /health/live --url ${url}/`);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^GET ${url}/health/live\n\nHTTP 200 .*\ntrace-id: .*\n\\{\n {2}"status": "ok",`));
  const { status, answer } = await here.json('call /.well-known/jwks.json');
  assert.deepEqual([status, Object.keys(answer)], [200, ['keys']]);
});

test('a path that does not exist gets the response of the service, and the path that was probably meant', async () => {
  const meant: [given: string, suggested: string][] = [
    ['/warehouse/v1/product/snyc', syncPath],
    ['/orders/create', '/api/v2/default/orders/create'],
    ['/health/redy', '/health/ready'],
  ];
  for (const [given, suggested] of meant) {
    const { code, stdout, stderr } = await here.run([
      'call',
      given,
      '{}',
      ...(given.startsWith('/w') ? ['--account', 'ALPHA'] : []),
    ]);
    assert.deepEqual([code, stderr], [1, `There is no ${given}. Did you mean ${suggested}?\n`]);
    assert.match(stdout, /^HTTP 404 /m);
  }
});

test('call --json prints everything, with secrets cut short', async () => {
  const body = JSON.stringify({ ClientId: alpha.clientId, CheckValue: alpha.checkValue });
  const { request, status, trace_id, duration_ms, answer, why } = await here.json(
    `call /api/v1/token/getToken ${body}`,
  );
  assert.deepEqual(request, {
    method: 'POST',
    url: `${url}/api/v1/token/getToken`,
    headers: { 'content-type': 'application/json' },
    body: '{"ClientId":"alpha-erp","CheckValue":"alpha-chec…"}',
  });
  assert.deepEqual(
    [status, answer.msg, typeof trace_id, typeof duration_ms, why],
    [200, 'success', 'string', 'number', undefined],
  );
});

test('a refused call exits with 1 and names the doctor, who explains it', async () => {
  const options = ['--account', 'ALPHA', '--secret-file', wrongSecretFile];
  const refused = await here.run(['call', syncPath, product('REFUSED'), ...options]);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /^HTTP 401 /m);
  const traceId = /^Why\? npx lading doctor ([0-9a-f-]{36})$/m.exec(refused.stdout)![1]!;

  const { code, stdout } = await here.run(`doctor ${traceId}`);
  assert.equal(code, 0);
  assert.match(stdout, /^call +POST \/warehouse\/v1\/product\/sync \(warehouse API\)$/m);
  assert.match(stdout, /^account +ALPHA$/m);
  assert.match(stdout, /^why +the signature does not match$/m);
  assert.match(
    stdout,
    /^found {5}- The signature matches none of the usual mistakes: most likely the secret is a\n {12}different one/m,
  );
  assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(`SHA-256 ${sha256(product('REFUSED'))}`));
  assert.ok(stdout.split('\n').every((line) => line.length <= 98));
  const line = await here.json(`doctor ${traceId}`);
  assert.deepEqual(
    [line.trace_id, line.account_no, line.status, line.reason],
    [traceId, 'ALPHA', 401, 'the signature does not match'],
  );
});

test('call names a missing, wrong or superfluous argument, exits with 2, and sends nothing', async () => {
  const empty = fileWith('empty', '\n');
  const twoLines = fileWith('two-lines', `${alpha.apiKey}\n${beta.apiKey}\n`);
  const tea = fileWith('tea', '茶葉');
  const big5 = fileWith('big5', Buffer.from('a4a4a4e5', 'hex'));
  const none = join(folder, 'none');
  const notOneLine = `${twoLines} must contain only the secret, on a single line`;
  const notAscii = 'cannot be sent: it may only contain visible ASCII characters and spaces';
  const wrong: [command: string, message: string][] = [
    [
      `call ${syncPath} {}`,
      `${syncPath} belongs to the warehouse API, which requires --account NUMBER, and --secret-file FILE if its secret is not in the local database`,
    ],
    [
      `call ${syncPath} --account ALPHA`,
      `${syncPath} belongs to the warehouse API, where every request needs a body: JSON text, @FILE or -`,
    ],
    [
      'call /api/v2/default/orders/cancel {} --client x',
      '/api/v2/default/orders/cancel belongs to the main API, which requires --client ID with --check-value-file FILE, or --token-file FILE',
    ],
    [
      'call /logistics/orders/order {} --account ALPHA',
      '--account cannot be used with /logistics/orders/order, which belongs to the logistics webhook',
    ],
    [
      `call /health/live --key-file ${keyFile}`,
      '--key-file cannot be used with /health/live, which belongs to the public endpoints',
    ],
    ['call product/sync {}', `product/sync is not a path: a path starts with /; did you mean ${syncPath}?`],
    [`call /api/v2/x {} --token-file ${none}`, `${none} cannot be read (ENOENT)`],
    [`call /warehouse/v1/x {} --account ALPHA --secret-file ${empty}`, `${empty} is empty`],
    [`call /api/v2/x {} --token-file ${empty}`, `${empty} is empty`],
    [`call /logistics/orders/order {} --key-file ${twoLines}`, notOneLine],
    [`call /api/v2/x {} --token-file ${twoLines}`, notOneLine],
    [`call /logistics/orders/order {} --key-file ${tea}`, `the header authorization ${notAscii}`],
    [`call /warehouse/v1/x {} --account 茶 --secret-file ${wrongSecretFile}`, `the header account-no ${notAscii}`],
    [`call /logistics/orders/order {} --key-file ${big5}`, `${big5} is not UTF-8 text`],
    [
      'sign {} --account ALPHA --curl warehouse',
      '--curl warehouse is not a URL such as http://127.0.0.1:8080/warehouse/v1/product/sync',
    ],
  ];
  const invalidOptions: [command: string, message: RegExp][] = [
    [
      'call /health/live --url localhost:8080',
      /'localhost:8080' is invalid\. It must be a URL such as http:\/\/127\.0\.0\.1:8080\./,
    ],
    ['sign {} --account ALPHA --timestamp 1772337906000', /It must be Unix time in seconds, 10 digits\./],
  ];
  const before = (await app.metrics.requests.get()).values;
  for (const [command, message] of wrong)
    assert.deepEqual(await here.run(command), { code: 2, stdout: '', stderr: `lading: ${message}\n` });
  for (const [command, message] of invalidOptions) {
    const { code, stderr } = await here.run(command);
    assert.equal(code, 2);
    assert.match(stderr, message);
  }
  assert.deepEqual((await app.metrics.requests.get()).values, before);
});

test('call exits with 3 without a response, and with 1 without a token', async () => {
  const silent = await here.run('call /health/live --url http://127.0.0.1:9');
  assert.deepEqual([silent.code, silent.stdout], [3, '']);
  assert.match(silent.stderr, /^lading: no response from http:\/\/127\.0\.0\.1:9 \(/);
  const wrongValue = `--client ${alpha.clientId} --check-value-file ${keyFile}`;
  const refused = await here.run(`call /api/v2/default/orders/cancel {} ${wrongValue}`);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /^lading: could not get an access token for alpha-erp: invalid ClientId or CheckValue\n {2}npx lading doctor [0-9a-f-]{36}\n$/,
  );
});

test('sign prints the headers for exactly the given bytes: from an argument, a file or standard input', async () => {
  const body = '{"sku_name": "烏龍茶 "}\n';
  const elsewhere = ['sign', '-', '--account', 'ELSEWHERE', '--secret-file', wrongSecretFile];
  const printed = [
    await here.run(['sign', body, '--account', 'ALPHA']),
    // With a secret file, no database is needed.
    await runLading(elsewhere, {}, body),
  ].map(({ stdout }) =>
    Object.fromEntries([...stdout.matchAll(/^(.*?): (.*)$/gm)].map(([, name, value]) => [name, value])),
  );
  const fromFile = await here.json(`sign @${fileWith('body', body)} --account ALPHA`);
  const signers: [headers: Record<string, string>, accountNo: string, secret: string][] = [
    [printed[0]!, 'ALPHA', alpha.secret],
    [printed[1]!, 'ELSEWHERE', 'wrong-secret'],
    [fromFile, 'ALPHA', alpha.secret],
  ];
  for (const [headers, accountNo, secret] of signers) {
    const { timestamp } = headers;
    assert.match(timestamp!, /^\d{10}$/);
    assert.deepEqual(headers, { 'account-no': accountNo, timestamp, sign: sign(`${body}${timestamp}`, secret) });
  }
  assert.deepEqual(await here.run('sign {} --account NOBODY'), {
    code: 1,
    stdout: '',
    stderr:
      'lading: there is no account NOBODY in this database; use --secret-file to sign for an account of another service\n',
  });
});

test('sign --timestamp repeats the signature of another moment; --explain describes the signed bytes, but not the secret', async () => {
  const body = '{"sku_name": "烏龍茶"}\n';
  const args = ['sign', body, '--account', 'ALPHA', '--timestamp', '1772337906', '--explain'];
  const bytes = Buffer.byteLength(body);
  assert.deepEqual(await here.run(args), {
    code: 0,
    stdout:
      `account-no: ALPHA\ntimestamp: 1772337906\nsign: ${sign(`${body}1772337906`)}\n\n` +
      `sign is the lowercase hex of HMAC-SHA256, keyed with the secret, over ${bytes + 10} bytes:\n` +
      `  the body, ${bytes} bytes, SHA-256 ${sha256(body)}; it ends with a line break, which is signed and must be sent too\n` +
      '  directly followed by the timestamp, 10 bytes: 1772337906\n',
    stderr: '',
  });
  assert.deepEqual((await here.json(args)).explained, {
    body_bytes: bytes,
    body_sha256: sha256(body),
    body_ends_with_line_break: true,
    timestamp: '1772337906',
    message_bytes: bytes + 10,
  });
});

test('sign warns about a secret of another kind, or with quotes around it', async () => {
  const checkValue = fileWith('kind', 'lcv_0123456789');
  const withQuotes = fileWith('quotes', `"${alpha.secret}"`);
  const warnings: [file: string, warning: string][] = [
    [checkValue, `the content of ${checkValue} looks like a CheckValue, not an account secret`],
    [withQuotes, `the secret in ${withQuotes} is enclosed in quotes`],
  ];
  for (const [file, warning] of warnings)
    assert.equal((await here.run(`sign {} --account ALPHA --secret-file ${file}`)).stderr, `lading: ${warning}\n`);
});

test('sign --curl prints a command that a shell runs and the service accepts, whatever quotes are in the body', async () => {
  const inFile = `${product('CURLED')}\n`;
  const bodies = [
    `{"sku_id":"CURL","sku_name":"it's \\"$HOME\\" \`x\`","storage_type":1}`,
    `@${fileWith('body.json', inFile)}`,
  ];
  for (const body of bodies) {
    const { stdout } = await here.run(['sign', body, '--account', 'ALPHA', '--curl', `${url}${syncPath}`]);
    const script = stdout.replace(/^curl /, 'printf "%s\\n" curl ');
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n');
    const headers = words.flatMap((word, index) => (word === '-H' ? [words[index + 1]!.split(': ')] : []));
    const data = words.slice(words.findIndex((word) => word.startsWith('--data-')) + 1).join('\n');
    const payload = words.includes('--data-binary') ? inFile : data.trimEnd();
    const answer = await app.http.inject({
      method: 'POST',
      url: syncPath,
      headers: Object.fromEntries(headers),
      payload,
    });
    assert.equal(answer.statusCode, 200, answer.payload);
  }
});

/** The output of the doctor for a response. */
async function doctor({ headers }: { headers: Record<string, unknown> }) {
  await app.requestLog.flush();
  const traceId = String(headers['trace-id']);
  return { ...(await here.json(`doctor ${traceId}`)), printed: (await here.run(`doctor ${traceId}`)).stdout };
}

test('doctor names each mistake in a signature on a line', async () => {
  const body = product('DOCTOR');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = { sign: sign(`${timestamp}.${body}`).toUpperCase(), timestamp };
  const { diagnosis, printed } = await doctor(await app.callWarehouse('/product/sync', body, { headers }));
  assert.deepEqual(diagnosis, [
    'The header sign has upper-case hex digits. Send 64 lowercase hex digits.',
    'The signed message is put together differently: the timestamp comes before the body, with the separator . between them. ' +
      'Sign the bytes of the body directly followed by the timestamp, with HMAC-SHA256.',
    'Nothing else is wrong: with this fixed, the signature matches.',
  ]);
  assert.match(
    printed,
    /^found {5}- The header sign has upper-case hex digits\. Send 64 lowercase hex digits\.\n {10}- The signed message /m,
  );
  assert.ok(!/^cause|^fix/m.test(printed));
});

test('doctor shows cause and fix of any other refusal, of every contract; and neither for a success', async () => {
  const refusals = [
    await app.callWarehouse('/product/sync', { sku_id: 'X' }),
    await app.callMain('/orders/cancel', { wrong: 1 }),
    await app.callLogistics('/orders/order', {}),
  ];
  for (const answer of refusals) {
    const { status, diagnosis, explanation, printed } = await doctor(answer);
    assert.deepEqual([status, diagnosis, Object.keys(explanation ?? {})], [400, null, ['cause', 'fix']]);
    assert.match(printed, /^cause {5}\S.*\n(?: {10}.*\n)*fix {7}\S/m);
  }
  const right = await doctor(await app.callWarehouse('/product/sync', product('RIGHT')));
  assert.deepEqual([right.status, right.diagnosis, right.explanation], [200, null, null]);
});

test('doctor exits with 1 for an unknown call, and with 2 for a text that is no trace id', async () => {
  const unknown = 'the request log does not contain this trace id';
  const refusals: [traceId: string, code: number, message: string][] = [
    [newTraceId(Date.UTC(2026, 0, 1)), 1, `${unknown} (entries are kept for REQUEST_LOG_DAYS)`],
    [newTraceId(Date.now() - 10_000), 1, `${unknown} yet; try again in a moment`],
    ['garbage', 2, 'this is not a trace id of this service'],
    ['ffffffff-ffff-7fff-bfff-ffffffffffff', 2, 'this is not a trace id of this service'],
  ];
  for (const [traceId, code, message] of refusals)
    assert.deepEqual(await here.run(`doctor ${traceId}`), { code, stdout: '', stderr: `lading: ${message}\n` });
});

test('a secret of another kind is recognized by its form in the reason, which never contains the secret', async () => {
  const asKey = (apiKey: string) => app.callLogistics('/orders/order', {}, { apiKey });
  const asToken = (authorization: string) => app.callMain('/orders/cancel', {}, { headers: { authorization } });
  const asCheckValue = (CheckValue: string) =>
    app.http.inject({
      method: 'POST',
      url: '/api/v1/token/getToken',
      payload: { ClientId: alpha.clientId, CheckValue },
    });
  const looksLike = (what: string, wanted: string) => `; the value sent looks like ${what}, not ${wanted}`;
  const [key, accessToken] = ['a logistics API key', 'an access token of the main API'];
  const noKey = 'no such API key';
  const noBearer = 'header Authorization does not begin with Bearer';
  const noMatch = 'the CheckValue of client alpha-erp does not match';
  const reasons: [answer: { headers: Record<string, unknown> }, reason: string][] = [
    [await asKey('las_PlantedSecret'), noKey + looksLike('an account secret', key)],
    [await asKey('llk_PlantedSecret'), noKey],
    [
      await asToken('Bearer lcv_PlantedSecret'),
      `the token is not three parts in base64url${looksLike('a CheckValue', accessToken)}`,
    ],
    [await asToken('llk_PlantedSecret'), noBearer + looksLike(key, accessToken)],
    [await asCheckValue('las_PlantedSecret'), noMatch + looksLike('an account secret', 'a CheckValue')],
  ];
  for (const [answer, reason] of reasons)
    assert.equal((await app.requestLine(String(answer.headers['trace-id'])))!.reason, reason);
});
