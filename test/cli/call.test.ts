import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { settingsFor } from '../support/command.ts';
import { form, formPath } from '../support/logistics.ts';
import { makeRunHere } from './run-here.ts';

const app = await startTestApp();
await app.http.listen({ host: '127.0.0.1', port: 0 });
const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const here = makeRunHere({ ...settingsFor(app.store), PUBLIC_URL: url });
const folder = mkdtempSync(join(tmpdir(), 'lading-call-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function fileWith(name: string, text: string | Buffer): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const checkValueFile = fileWith('check-value', `${alpha.checkValue}\n`);
const keyFile = fileWith('key', `${alpha.apiKey}\n`);
const emptyFile = fileWith('empty', '\n');
const twoLinesFile = fileWith('two-lines', `${alpha.apiKey}\n${beta.apiKey}\n`);
const teaFile = fileWith('tea', '茶葉');
const big5File = fileWith('big5', Buffer.from('a4a4a4e5', 'hex'));
const wrongSecretFile = fileWith('wrong', 'wrong-secret');
const asClient = ['--client', alpha.clientId, '--check-value-file', checkValueFile];
const product = (skuId: string) => JSON.stringify({ sku_id: skuId, sku_name: '烏龍茶', storage_type: 1 });

test('call makes a call of any contract, told by its path, and shows request and answer', async () => {
  const tokenFile = fileWith('token', await app.tokenOf());
  const search = '/api/v2/default/getProductsData/searchList';
  const calls: [args: string[], shownHeader: RegExp][] = [
    [['/warehouse/v1/product/sync', product('CALLED'), '--account', 'ALPHA'], /^account-no: ALPHA$/m],
    [[search, '{}', ...asClient], /^authorization: Bearer eyJ\w{7}…$/m],
    [[search, '{}', '--token-file', tokenFile], /^authorization: Bearer eyJ\w{7}…$/m],
    [
      [`/logistics${formPath}`, JSON.stringify(form('CALLED', [{ sku: 'CALLED', quantity: 1 }])), '--key-file', keyFile],
      /^authorization: alpha-api-…$/m,
    ],
  ];
  for (const [args, shownHeader] of calls) {
    const { code, stdout, stderr } = await here.run(['call', ...args]);
    assert.deepEqual([code, stderr], [0, ''], stdout);
    assert.ok(stdout.startsWith(`POST ${url}${args[0]}\ncontent-type: application/json\n`));
    assert.match(stdout, shownHeader);
    assert.ok(stdout.includes(`\n\n${args[1]}\n\nHTTP 200 (`));
    assert.match(stdout, /^trace-id: [0-9a-f-]{36}\n\{\n {2}"/m);
    for (const secret of [alpha.secret, alpha.checkValue, alpha.apiKey]) assert.ok(!stdout.includes(secret));
  }
});

test('a secret of another kind, or with quotes around it, is signed with, but not without a word', async () => {
  const args = (file: string) => ['sign', '{}', '--account', 'ALPHA', '--secret-file', file];
  const checkValue = fileWith('kind', 'lcv_0123456789');
  assert.equal(
    (await here.run(args(checkValue))).stderr,
    `lading: ${checkValue} holds what looks like a CheckValue, not an account secret\n`,
  );
  const withQuotes = fileWith('quotes', `"${alpha.secret}"`);
  assert.equal((await here.run(args(withQuotes))).stderr, `lading: in ${withQuotes} there are quotes around the secret\n`);
});

test('the address may end with a slash; one that is none is told so', async () => {
  assert.equal((await here.run(['call', '/health/live', '--url', `${url}/`])).code, 0);
  const { code, stderr } = await here.run(['call', '/health/live', '--url', 'localhost:8080']);
  assert.equal(code, 2);
  assert.match(stderr, /'localhost:8080' is invalid\. It must be such as http:\/\/127\.0\.0\.1:8080\./);
});

test('call without a body is a GET of what is open to everybody', async () => {
  const { code, stdout } = await here.run(['call', '/health/live']);
  assert.equal(code, 0);
  assert.match(stdout, new RegExp(`^GET ${url}/health/live\n\nHTTP 200 .*\ntrace-id: .*\n\\{\n {2}"status": "ok",`));
  const { status, answer } = await here.json(['call', '/.well-known/jwks.json']);
  assert.deepEqual([status, Object.keys(answer)], [200, ['keys']]);
});

test('call --json gives all of it, with secrets cut short', async () => {
  const body = JSON.stringify({ ClientId: alpha.clientId, CheckValue: alpha.checkValue });
  const { request, status, trace_id, duration_ms, answer, why } = await here.json(['call', '/api/v1/token/getToken', body]);
  assert.deepEqual(request, {
    method: 'POST',
    url: `${url}/api/v1/token/getToken`,
    headers: { 'content-type': 'application/json' },
    body: '{"ClientId":"alpha-erp","CheckValue":"alpha-chec…"}',
  });
  assert.deepEqual([status, answer.msg, typeof trace_id, typeof duration_ms, why], [200, 'success', 'string', 'number', undefined]);
});

test('a refused call exits with 1 and says how to ask why; doctor then says it', async () => {
  const args = ['call', '/warehouse/v1/product/sync', product('REFUSED'), '--account', 'ALPHA', '--secret-file', wrongSecretFile];
  const refused = await here.run(args);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout, /^HTTP 401 /m);
  const traceId = /^Why\? npx lading doctor ([0-9a-f-]{36})$/m.exec(refused.stdout)![1]!;

  const { code, stdout } = await here.run(['doctor', traceId]);
  assert.equal(code, 0);
  assert.match(stdout, /^why +the signature does not match$/m);
  assert.match(stdout, /^found {5}The headers are there, the account is registered, the clock and the form of sign are\n {10}right\. /m);
  assert.ok(stdout.replaceAll(/\s+/g, ' ').includes(`SHA-256 ${createHash('sha256').update(product('REFUSED')).digest('hex')}`));
  assert.ok(stdout.split('\n').every((line) => line.length <= 98));
});

test('call says what is missing or does not belong, exits with 2, and sends nothing', async () => {
  const wrong: [args: string[], message: string][] = [
    [
      ['/warehouse/v1/product/sync', '{}'],
      '/warehouse/v1/product/sync is of the warehouse API: give --account NUMBER, and --secret-file FILE where its secret is not in the local database',
    ],
    [
      ['/warehouse/v1/product/sync', '--account', 'ALPHA'],
      '/warehouse/v1/product/sync is of the warehouse API, where every call has a body: JSON text, @FILE or -',
    ],
    [
      ['/api/v2/default/orders/cancel', '{}', '--client', 'x'],
      '/api/v2/default/orders/cancel is of the main API: give --client ID with --check-value-file FILE, or --token-file FILE',
    ],
    [
      ['/logistics/orders/order', '{}', '--account', 'ALPHA'],
      '/logistics/orders/order is of the logistics webhook, which takes no --account',
    ],
    [['/health/live', '--key-file', keyFile], '/health/live is of paths that are open to everybody, which takes no --key-file'],
    [['/api/v2/x', '{}', '--token-file', join(folder, 'none')], `${join(folder, 'none')} cannot be read (ENOENT)`],
    [['warehouse', '{}'], 'warehouse is no path: it begins with /'],
    [['/warehouse/v1/x', '{}', '--account', 'ALPHA', '--secret-file', emptyFile], `${emptyFile} is empty`],
    [['/api/v2/x', '{}', '--token-file', emptyFile], `${emptyFile} is empty`],
    [
      ['/logistics/orders/order', '{}', '--key-file', twoLinesFile],
      `${twoLinesFile} must hold the secret on a single line, and nothing else`,
    ],
    [['/api/v2/x', '{}', '--token-file', twoLinesFile], `${twoLinesFile} must hold the secret on a single line, and nothing else`],
    [
      ['/logistics/orders/order', '{}', '--key-file', teaFile],
      'the header authorization cannot be sent: only visible ASCII characters and spaces are allowed in it',
    ],
    [
      ['/warehouse/v1/x', '{}', '--account', '茶', '--secret-file', wrongSecretFile],
      'the header account-no cannot be sent: only visible ASCII characters and spaces are allowed in it',
    ],
    [['/logistics/orders/order', '{}', '--key-file', big5File], `${big5File} is not UTF-8 text`],
  ];
  const before = (await app.metrics.requests.get()).values;
  for (const [args, message] of wrong)
    assert.deepEqual(await here.run(['call', ...args]), { code: 2, stdout: '', stderr: `lading: ${message}\n` });
  assert.deepEqual((await app.metrics.requests.get()).values, before);
});

test('call exits with 3 where nobody answers, and with 1 where there is no token', async () => {
  const silent = await here.run(['call', '/health/live', '--url', 'http://127.0.0.1:9']);
  assert.deepEqual([silent.code, silent.stdout], [3, '']);
  assert.match(silent.stderr, /^lading: no answer from http:\/\/127\.0\.0\.1:9 \(/);
  const refused = await here.run([
    'call',
    '/api/v2/default/orders/cancel',
    '{}',
    '--client',
    alpha.clientId,
    '--check-value-file',
    keyFile,
  ]);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(
    refused.stderr,
    /^lading: there was no access token for alpha-erp: invalid ClientId or CheckValue\n {2}npx lading doctor [0-9a-f-]{36}\n$/,
  );
});

const sign = (body: string, timestamp: string) => createHmac('sha256', alpha.secret).update(`${body}${timestamp}`).digest('hex');

test('sign makes the signature of another moment again, and explains what was signed, but not the secret', async () => {
  const body = '{"sku_name": "烏龍茶"}\n';
  const args = ['sign', body, '--account', 'ALPHA', '--timestamp', '1772337906', '--explain'];
  const bytes = Buffer.byteLength(body);
  const sha256 = createHash('sha256').update(body).digest('hex');
  assert.deepEqual(await here.run(args), {
    code: 0,
    stdout:
      `account-no: ALPHA\ntimestamp: 1772337906\nsign: ${sign(body, '1772337906')}\n\n` +
      `sign is the lowercase hex of HMAC-SHA256, keyed with the secret, over ${bytes + 10} bytes:\n` +
      `  the body, ${bytes} bytes, SHA-256 ${sha256}; it ends with a line break, which is signed and must be sent too\n` +
      '  directly followed by the timestamp, 10 bytes: 1772337906\n',
    stderr: '',
  });
  assert.deepEqual((await here.json(args)).explained, {
    body_bytes: bytes,
    body_sha256: sha256,
    body_ends_with_line_break: true,
    timestamp: '1772337906',
    message_bytes: bytes + 10,
  });
});

test('sign --curl prints a command that a shell runs and the service accepts, whatever quotes are in the body', async () => {
  const bodies = [
    `{"sku_id":"CURL","sku_name":"it's \\"$HOME\\" \`x\`","storage_type":1}`,
    `@${fileWith('body.json', `${product('CURLED')}\n`)}`,
  ];
  for (const body of bodies) {
    const { stdout } = await here.run(['sign', body, '--account', 'ALPHA', '--curl', `${url}/warehouse/v1/product/sync`]);
    const script = stdout.replace(/^curl /, 'printf "%s\\n" curl ');
    const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\n');
    const headers = words.flatMap((word, index) => (word === '-H' ? [words[index + 1]!.split(': ') as [string, string]] : []));
    const data = words.slice(words.findIndex((word) => word.startsWith('--data-')) + 1).join('\n');
    const payload = words.includes('--data-binary') ? `${product('CURLED')}\n` : data.trimEnd();
    const answer = await app.http.inject({
      method: 'POST',
      url: '/warehouse/v1/product/sync',
      headers: Object.fromEntries(headers),
      payload,
    });
    assert.equal(answer.statusCode, 200, answer.payload);
  }
});

test('sign refuses a timestamp and a URL that are none', async () => {
  const timestamp = await here.run(['sign', '{}', '--account', 'ALPHA', '--timestamp', '1772337906000']);
  const curl = await here.run(['sign', '{}', '--account', 'ALPHA', '--curl', 'warehouse']);
  assert.deepEqual([timestamp.code, curl.code], [2, 2]);
  assert.match(timestamp.stderr, /It must be Unix time in seconds, 10 digits\./);
  assert.match(curl.stderr, /^lading: --curl warehouse is not a URL such as /);
});

/** The trace id of a call, and what doctor says of it. */
async function doctor(answer: { headers: Record<string, unknown> }) {
  await app.requestLog.flush();
  return await here.json(['doctor', String(answer.headers['trace-id'])]);
}

test('doctor names the mistake in a signature, on a line each', async () => {
  const body = product('DOCTOR');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const headers = { sign: createHmac('sha256', alpha.secret).update(`${timestamp}.${body}`).digest('hex').toUpperCase(), timestamp };
  const refused = await app.callWarehouse('/product/sync', body, { headers });
  const { diagnosis } = await doctor(refused);
  assert.deepEqual(diagnosis, [
    'The header sign is in upper-case hex: send 64 lowercase hex digits.',
    'In what was signed, the timestamp stood before the body, with a dot between them. ' +
      'Sign with HMAC-SHA256 the bytes of the body, directly followed by the timestamp, and nothing else.',
    'Nothing else is wrong: with this put right, the signature fits.',
  ]);
  const { stdout } = await here.run(['doctor', String(refused.headers['trace-id'])]);
  assert.match(stdout, /^found {5}- The header sign is in upper-case hex: send 64 lowercase hex digits\.\n {10}- In what was signed, /m);
  assert.ok(!/^cause|^cure/m.test(stdout));
});

test('doctor tells cause and cure of any other refusal, of every contract; and of what is right nothing', async () => {
  const refusals = [
    await app.callWarehouse('/product/sync', { sku_id: 'X' }),
    await app.callMain('/orders/cancel', { wrong: 1 }),
    await app.callLogistics('/orders/order', {}),
  ];
  for (const answer of refusals) {
    const { status, diagnosis, explanation } = await doctor(answer);
    assert.deepEqual([status, diagnosis, Object.keys(explanation ?? {})], [400, null, ['cause', 'cure']]);
    assert.ok(explanation.cause.length > 0 && explanation.cure.length > 0);
    const { stdout } = await here.run(['doctor', String(answer.headers['trace-id'])]);
    assert.match(stdout, /^cause {5}\S.*\n(?: {10}.*\n)*cure {6}\S/m);
  }
  const right = await doctor(await app.callWarehouse('/product/sync', product('RIGHT')));
  assert.deepEqual([right.status, right.diagnosis, right.explanation], [200, null, null]);
});

test('a secret of another kind is known by its form: in the reason, and never the secret itself', async () => {
  const given = {
    las: 'las_PlantedSecret',
    lcv: 'lcv_PlantedSecret',
    llk: 'llk_PlantedSecret',
    whsec: 'whsec_PlantedSecret',
    lop: 'lop_PlantedSecret',
  };
  const token = await app.tokenOf(beta);
  const asMain = (authorization: string) => app.callMain('/orders/cancel', {}, { headers: { authorization } });
  const asked = await app.http.inject({
    method: 'POST',
    url: '/api/v1/token/getToken',
    payload: { ClientId: alpha.clientId, CheckValue: given.las },
  });
  const reasons: [answer: { headers: Record<string, unknown> }, reason: string][] = [
    [
      await app.callLogistics('/orders/order', {}, { apiKey: given.las }),
      'no such API key; what came looks like an account secret, not a logistics API key',
    ],
    [
      await app.callLogistics('/orders/order', {}, { apiKey: given.whsec }),
      'no such API key; what came looks like a callback secret, not a logistics API key',
    ],
    [
      await app.callLogistics('/orders/order', {}, { apiKey: `Bearer ${token}` }),
      'no such API key; what came looks like an access token of the main API, not a logistics API key',
    ],
    [await app.callLogistics('/orders/order', {}, { apiKey: given.llk }), 'no such API key'],
    [
      await asMain(`Bearer ${given.lcv}`),
      'the token is not three parts in base64url; what came looks like a CheckValue, not an access token of the main API',
    ],
    [
      await asMain(given.llk),
      'header Authorization does not begin with Bearer; what came looks like a logistics API key, not an access token of the main API',
    ],
    [asked, 'the CheckValue of client alpha-erp does not match; what came looks like an account secret, not a CheckValue'],
  ];
  for (const [answer, reason] of reasons) assert.equal((await doctor(answer)).reason, reason);
});
