import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import Fastify from 'fastify';
import { mountConsolePages } from '../../server/api/console/console-pages.ts';

const script = 'console.log("built");'.repeat(20);
const folder = mkdtempSync(join(tmpdir(), 'lading-console-pages-'));
mkdirSync(join(folder, 'assets'));
writeFileSync(
  join(folder, 'index.html'),
  '<meta name="csp-nonce" content="nonce-of-this-answer"><script src="./assets/a-1.js"></script>',
);
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

test('every address of the console is its page, under a policy that allows only its own scripts', async () => {
  const nonces: string[] = [];
  const ways = {
    '/console': 'console/',
    '/console/': './',
    '/console/orders?status=packed': './',
    '/console/orders/12': '../',
  };
  for (const [url, way] of Object.entries(ways)) {
    const { statusCode, headers, payload } = await app.inject(url);
    // Found also where a proxy puts a path of its own before all of ours.
    assert.ok(payload.includes(`src="${way}assets/a-1.js"`), payload);
    const policy = String(headers['content-security-policy']);
    const nonce = /'nonce-([\w-]{24})'/.exec(policy)![1]!;
    nonces.push(nonce);
    assert.equal(statusCode, 200);
    assert.equal(
      policy,
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; ` +
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    assert.ok(payload.includes(nonce) && !payload.includes('nonce-of-this-answer'));
  }
  assert.equal(new Set(nonces).size, nonces.length);
});

test('assets are cached for good, and compressed as well as the browser supports', async () => {
  const get = (encoding?: string) =>
    app.inject({
      url: '/console/assets/a-1.js',
      headers: encoding === undefined ? {} : { 'accept-encoding': encoding },
    });
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

test('no other file of the disk is served', async () => {
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

test('if the pages were not built, the response says what to do', async () => {
  const { statusCode, payload } = await unbuilt.inject('/console/orders');
  assert.equal(statusCode, 503);
  assert.match(payload, /Run "npm run console"/);
});

const builtFolder = process.env.LADING_TEST_CONSOLE ?? fileURLToPath(new URL('../../console/dist', import.meta.url));
const assets = join(builtFolder, 'assets');
/** Over a connection of 10 Mbit/s, a quarter of a second. */
const scriptBytesMax = 300_000;

/** The scripts that a page needs at once: those of the document and of the page itself, with all their imports. */
function scriptsOf(pageName: string): Set<string> {
  const page = readFileSync(join(builtFolder, 'index.html'), 'utf8');
  const first = [...page.matchAll(/"\.\/assets\/([^"]+\.js)"/g)].map(([, name]) => name!);
  const own = readdirSync(assets).filter((name) => name.startsWith(`${pageName}-`) && name.endsWith('.js'));
  assert.ok(first.length > 0 && own.length === 1, `${first} ${own}`);
  const found = new Set<string>();
  const waiting = [...first, ...own];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (found.has(name)) continue;
    found.add(name);
    const text = readFileSync(join(assets, name), 'utf8');
    waiting.push(...[...text.matchAll(/(?:from|import)\s*"(\.\/[^"]+\.js)"/g)].map(([, path]) => basename(path!)));
  }
  return found;
}

function compressedBytes(name: string): number {
  const compressed = join(assets, `${name}.br`);
  return existsSync(compressed)
    ? readFileSync(compressed).length
    : brotliCompressSync(readFileSync(join(assets, name))).length;
}

for (const pageName of ['sign-in-page', 'home-page', 'print-page', 'orders-page']) {
  test(`the scripts of ${pageName} are less than 300 KB, compressed`, () => {
    const scripts = scriptsOf(pageName);
    const bytes = [...scripts].reduce((sum, name) => sum + compressedBytes(name), 0);
    assert.ok(scripts.size > 3 && bytes > 50_000, `${[...scripts]}`);
    assert.ok(bytes < scriptBytesMax, `${bytes} bytes in ${[...scripts]}`);
    // The barcode library is loaded beside a print-out, and by no other page.
    assert.deepEqual(
      [...scripts].filter((name) => name.startsWith('bwip-js-')),
      [],
    );
  });
}
