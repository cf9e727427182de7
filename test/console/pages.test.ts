import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { mountConsolePages } from '../../server/api/console/console-pages.ts';
import { startTestApp } from '../support/app.ts';

const script = 'console.log("built");'.repeat(20);
const folder = mkdtempSync(join(tmpdir(), 'lading-console-pages-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(join(folder, 'index.html'), '<meta name="csp-nonce" content="nonce-of-this-answer"><script src="./assets/a-1.js"></script>');
writeFileSync(join(folder, 'assets', 'a-1.js'), script);
writeFileSync(join(folder, 'assets', 'a-1.js.br'), brotliCompressSync(script));
writeFileSync(join(folder, 'assets', 'a-1.js.gz'), gzipSync(script));
writeFileSync(join(folder, 'secret.txt'), 'not to be handed out');
const app = Fastify();
mountConsolePages(app, { folder });
const unbuilt = Fastify();
mountConsolePages(unbuilt, { folder: join(folder, 'nowhere') });
after(async () => {
  await Promise.all([app.close(), unbuilt.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test('every address of the console is its page, never kept, under a policy that lets run what this answer names, and nothing else', async () => {
  const nonces: string[] = [];
  const ways = { '/console': 'console/', '/console/': './', '/console/orders?status=packed': './', '/console/orders/12': '../' };
  for (const [url, way] of Object.entries(ways)) {
    const { statusCode, headers, payload } = await app.inject(url);
    // Found also where a proxy puts a path of its own before all of ours.
    assert.ok(payload.includes(`src="${way}assets/a-1.js"`), payload);
    const policy = String(headers['content-security-policy']);
    const nonce = /'nonce-([\w-]{24})'/.exec(policy)![1]!;
    nonces.push(nonce);
    assert.deepEqual([statusCode, headers['cache-control'], headers['x-content-type-options']], [200, 'no-store', 'nosniff']);
    assert.equal(
      policy,
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.ok(payload.includes(nonce) && !payload.includes('nonce-of-this-answer'));
  }
  assert.equal(new Set(nonces).size, nonces.length);
});

test('what the page loads is kept for good, and comes as small as the browser takes it', async () => {
  const get = (encoding?: string) =>
    app.inject({ url: '/console/assets/a-1.js', headers: encoding === undefined ? {} : { 'accept-encoding': encoding } });
  const cases: [given: string | undefined, encoding: string | undefined, read: (bytes: Buffer) => Buffer][] = [
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
    [undefined, undefined, (bytes) => bytes],
  ];
  for (const [given, encoding, read] of cases) {
    const { headers, rawPayload } = await get(given);
    assert.equal(headers['content-encoding'], encoding);
    assert.equal(read(rawPayload).toString(), script);
    assert.deepEqual(
      [headers['cache-control'], headers['content-type'], headers.vary],
      ['public, max-age=31536000, immutable', 'text/javascript; charset=utf-8', 'accept-encoding'],
    );
  }
});

test('nothing else of the disk can be had', async () => {
  for (const path of [
    'assets/none.js',
    'assets/../secret.txt',
    'assets/..%2fsecret.txt',
    'assets/a-1.js.br',
    'assets/%2e%2e/%2e%2e/package.json',
  ]) {
    const { statusCode, payload } = await app.inject(`/console/${path}`);
    assert.ok(!payload.includes('not to be handed out') && !payload.includes('"dependencies"'), path);
    assert.ok(statusCode === 404 || payload.includes('csp-nonce'), `${path}: ${statusCode}`);
  }
});

test('where the pages were not built, the answer says what to do', async () => {
  const { statusCode, payload } = await unbuilt.inject('/console/orders');
  assert.equal(statusCode, 503);
  assert.match(payload, /Run "npm run console"/);
});

test('what is no call of the console is told so in its own words, whatever the method; a call asked for in another way, how', async () => {
  const service = await startTestApp();
  const unknown = { status: 404, allow: undefined, kind: 'not_found', message: 'no such path' };
  const otherwise = { status: 405, allow: 'POST', kind: 'wrong_method', message: 'this path takes POST only' };
  for (const [method, path, { status, allow, ...error }] of [
    ['GET', 'no/such', unknown],
    ['GET', 'session/no-such?status=1', unknown],
    ['POST', 'no/such', unknown],
    ['POST', 'session/no-such', unknown],
    ['GET', 'orders/search', otherwise],
    ['PUT', 'orders/search', otherwise],
  ] as const) {
    const answer = await service.http.inject({ method, url: `/console/api/${path}` });
    const body = { error: { ...error, trace_id: answer.headers['trace-id'] } };
    assert.deepEqual([answer.statusCode, answer.headers.allow, answer.json()], [status, allow, body], `${method} ${path}`);
  }
  assert.equal((await service.http.inject({ method: 'HEAD', url: '/console/api/no/such' })).statusCode, 404);
});
