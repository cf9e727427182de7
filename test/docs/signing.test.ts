import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash, createHmac, createSecretKey } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { signedCallSamples } from '../../reference/warehouse/signing.ts';
import { signRequest, signRequestAsync } from '../../sdk/client.ts';
import { signatureOf } from '../../server/domain/partners/request-signature.ts';
import { sampleUrl } from '../../tools/generate-signing-samples.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { listenRaw, rawRequest } from '../support/raw-http.ts';
import { storeWeakSecret } from '../support/weak-secret.ts';
import { blockNamed, blocksOf, readGuide } from './guide.ts';
import { missingFor, runProgram } from './programs.ts';
import { bodyOf, type RequestVector, requestVectors } from './vectors.ts';

const app = await startTestApp();
const connect = await listenRaw(app);
const { port } = app.http.server.address() as AddressInfo;
const guide = readGuide('signing.md');
const caller = { LADING_ACCOUNT_NO: alpha.accountNo, LADING_SECRET: alpha.secret };

test('the worked example is true, to the byte', () => {
  const [secret, body, timestamp, message, sign] = ['secret', 'body', 'timestamp', 'message', 'sign'].map((name) =>
    blockNamed(guide, name),
  );
  assert.equal(message, `${body}${timestamp}`);
  assert.equal(createHmac('sha256', secret!).update(message!).digest('hex'), sign);
  assert.deepEqual([Buffer.byteLength(body!), Buffer.byteLength(message!)], [59, 69]);
  assert.equal(new Date(Number(timestamp) * 1000).toISOString(), '2026-03-01T04:05:06.000Z');
  const [vector] = requestVectors;
  assert.deepEqual([vector!.secret, vector!.body, vector!.timestamp, vector!.sign], [secret, body, timestamp, sign]);
});

test('the worked example on a command line gives the same', async (t) => {
  if (await missingFor('worked-example.sh')) return t.skip('openssl is not on this machine');
  const output = await runProgram('worked-example.sh', blockNamed(guide, 'worked-example.sh'), {});
  assert.equal(output.trim().split(' ').at(-1), blockNamed(guide, 'sign'));
});

const samples = blocksOf(guide).filter(({ name }) => /^signed-?call\./i.test(name));

test('the guide has a sample in each of the seven languages', () => {
  assert.deepEqual(
    samples.map(({ language }) => language),
    ['sh', 'ts', 'python', 'php', 'java', 'csharp', 'go'],
  );
});

for (const { name, text } of samples.slice(0, 4)) {
  test(`the sample of the page runs unchanged: ${name}`, async (t) => {
    const missing = await missingFor(name);
    if (missing) return t.skip(`${missing} is not on this machine`);
    const output = await runProgram(
      name,
      text.replace(sampleUrl, `http://127.0.0.1:${port}/warehouse/v1/product/sync`),
      caller,
    );
    assert.match(output, /\b200\b/);
    assert.match(output, /"code":"LST-TPW-2000",.*"data":\{"success":true,"products_id":\d+\}/);
  });
}

/** Characters that need quoting or escaping in some language. */
const nasty = {
  sku_name: `It's "50 %" of $HOME, \${x}, {0}, #{y}, \`date\`, ''' and """, \\ and \\n, 烏龍茶 é 🍵 שלום`,
  storage_type: 1,
  "o'clock": 'line\nbreak\r\ttab \u2028 \\u0041 <?php ?> @ /* */ // %s $(id) !',
};

/** In front of the service: keeps the bytes as they came, and hands them on. */
const received: Buffer[] = [];
const recorder = createServer(async (request, response) => {
  const payload = await buffer(request);
  received.push(payload);
  const { 'transfer-encoding': _, ...headers } = request.headers as Record<string, string>;
  const answer = await app.http.inject({ method: 'POST', url: request.url!, headers, payload });
  response.writeHead(answer.statusCode).end(answer.payload);
});
await new Promise<void>((listening) => recorder.listen(0, '127.0.0.1', listening));
after(() => recorder.close());

for (const [index, { name }] of samples.entries()) {
  test(`a body with every kind of quote and escape arrives as it was meant: ${name}`, async (t) => {
    const missing = await missingFor(name);
    if (missing) return t.skip(`${missing} is not on this machine`);
    const body = { sku_id: `NASTY-${name}`, ...nasty };
    const url = `http://127.0.0.1:${(recorder.address() as AddressInfo).port}/warehouse/v1/product/sync`;
    const output = await runProgram(name, signedCallSamples(url, body)[index]!.source, caller);
    assert.deepEqual(JSON.parse(received.at(-1)!.toString()), body);
    assert.match(output, /\b200\b/);
    assert.match(output, /"code":"LST-TPW-2000"/);
  });
}

/** The reasons of the vectors in the words of the request log. */
const reasons: Record<string, RegExp> = {
  missing_header: /^header \S+ is missing$/,
  repeated_header: /came twice$/,
  malformed_timestamp: /^timestamp is not 10 digits/,
  malformed_sign: /^sign is not 64 lowercase hex digits/,
  outside_window: /^timestamp is off by -?301 s/,
  wrong_signature: /^the signature does not match/,
  unknown_account: /^account-no is not registered/,
};

test('the service accepts and rejects the request vectors as stated, and logs their reasons', async () => {
  const known = requestVectors.filter(({ reason }) => reason !== 'unknown_account');
  const accounts = new Map(known.map(({ headers, secret }) => [Object.fromEntries(headers)['account-no'], secret]));
  await app.provision({
    accounts: [...accounts.keys()].flatMap((account_no) =>
      account_no ? [{ account_no, environment: 'uat' as const }] : [],
    ),
  });
  // Some are shorter than new secrets may be.
  for (const [account_no, secret] of accounts)
    if (account_no) await storeWeakSecret(app, 'account_secret', account_no, secret);
  const connection = await connect();
  const refused: [vector: RequestVector, traceId: string][] = [];
  for (const vector of requestVectors) {
    app.clock.set(new Date(vector.now * 1000));
    const headers: [string, string][] = [['content-type', 'application/json'], ...vector.headers];
    connection.send(rawRequest('POST', '/warehouse/v1/product/sync', headers, bodyOf(vector)));
    const answer = (await connection.answer())!;
    assert.equal(answer.status !== 401, vector.valid, `${vector.name}: ${answer.text}`);
    if (!vector.valid) refused.push([vector, answer.json.trace_id]);
  }
  app.clock.set(null);
  for (const [{ name, reason }, traceId] of refused) {
    assert.match(String((await app.requestLine(traceId))?.reason), reasons[reason!]!, name);
  }
});

test('our signer and those of the SDK make the signature of every request vector', async () => {
  for (const vector of requestVectors) {
    const { name, secret, timestamp, sign } = vector;
    assert.equal(
      signatureOf(createSecretKey(Buffer.from(secret)), bodyOf(vector), timestamp).toString('hex'),
      sign,
      name,
    );
    if (vector.reason === 'malformed_timestamp') continue;
    const request = { accountNo: 'V-MAIN', secret, body: bodyOf(vector), timestamp: Number(timestamp) };
    assert.deepEqual(signRequest(request), { 'account-no': 'V-MAIN', timestamp, sign }, name);
    assert.deepEqual(await signRequestAsync(request), signRequest(request), name);
  }
});

test('each request vector has its own name and never changes', () => {
  assert.equal(new Set(requestVectors.map(({ name }) => name)).size, requestVectors.length);
  const digest = createHash('sha256').update(readGuide('vectors/request-signatures.json')).digest('hex');
  assert.equal(digest, 'ff3c7f88a0e1987abeded2164542e8d010a028e47753393890fcdfe18d7f9f36');
});

for (const name of ['unicode', 'secret-of-200-bytes']) {
  test(`openssl makes the signature of a request vector: ${name}`, async (t) => {
    if (await missingFor('openssl.sh')) return t.skip('openssl is not on this machine');
    const vector = requestVectors.find((one) => one.name === name) as RequestVector;
    const openssl = promisify(execFile)('openssl', ['dgst', '-sha256', '-hmac', vector.secret]);
    openssl.child.stdin!.end(Buffer.concat([bodyOf(vector), Buffer.from(vector.timestamp)]));
    assert.equal((await openssl).stdout.trim().split(' ').at(-1), vector.sign);
  });
}
