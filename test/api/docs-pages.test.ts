import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { gunzipSync } from 'node:zlib';
import type { OpenApiDocument } from '../../reference/openapi.ts';
import type { PostmanCollection, PostmanFolder, PostmanRequest } from '../../reference/postman.ts';
import { readGuides } from '../../server/api/docs/guides.ts';
import { renderMarkdown } from '../../server/api/docs/render-markdown.ts';
import { generateCollection } from '../../tools/generate-collection.ts';
import { alpha, beta, startTestApp } from '../support/app.ts';
import { refusedByMain } from '../support/errors.ts';

const publicUrl = 'https://lading.example/oms';
const app = await startTestApp({
  env: { WAREHOUSE_BASE_PATH: '/tpw/v9', LOGISTICS_SEGMENT: 'wms-hooks', PUBLIC_URL: `${publicUrl}/` },
});
const docs = new URL('../../docs/', import.meta.url);
const { guides } = readGuides(docs);
const guidePages = ['/guides', ...guides.map(({ name }) => `/guides/${name}`)];
const pages = ['/docs', '/docs/zh-TW'].flatMap((root) => guidePages.map((page) => `${root}${page}`));
const collectionPath = '/docs/collections/lading.postman_collection.json';

// First, because many requests without an account are only counted.
test('requests for the documentation are in the request log', async () => {
  for (const url of ['/openapi.json', '/docs', '/docs/viewer.js']) {
    const got = await app.http.inject(url);
    await assertGetOnly(url, got);
    const line = await app.requestLine(String(got.headers['trace-id']));
    assert.deepEqual([line?.endpoint, line?.status], [url, 200]);
  }
});

test('every guide is a page, and every link of every page leads to something that is there', async () => {
  const answers = new Map<string, { status: number; text: string }>();
  async function get(path: string) {
    const known = answers.get(path);
    if (known) return known;
    const { statusCode, payload } = await app.http.inject(path);
    answers.set(path, { status: statusCode, text: payload });
    return { status: statusCode, text: payload };
  }

  const lost: string[] = [];
  for (const page of ['/docs', '/docs/zh-TW', ...pages]) {
    const { status, text } = await get(page);
    assert.equal(status, 200, page);
    for (const [, href] of text.matchAll(/(?:href|src)="([^"]*)"/g)) {
      const url = new URL(href!.replaceAll('&amp;', '&'), `${publicUrl}${page}`);
      if (!url.href.startsWith(`${publicUrl}/`) || url.pathname.endsWith('lading-client.tgz')) continue;
      const target = await get(url.pathname.slice('/oms'.length));
      const part = decodeURIComponent(url.hash.slice(1));
      if (target.status !== 200 || (part !== '' && !target.text.includes(`id="${part}"`)))
        lost.push(`${page}: ${href}`);
    }
  }
  assert.deepEqual(lost, []);
  const unnamed = guides.filter(({ name }) => !answers.get('/docs/guides')!.text.includes(`href="guides/${name}"`));
  assert.deepEqual(unnamed, []);
});

test('examples on the pages have the addresses of this service', async () => {
  for (const page of pages) {
    const { payload } = await app.http.inject(page);
    assert.doesNotMatch(payload, /127\.0\.0\.1:8080|\/warehouse\/v1|\/logistics\/(orders|purchases)/, page);
  }
  assert.match(
    (await app.http.inject('/docs/guides/quickstart')).payload,
    /https:\/\/lading\.example\/oms\/docs\/lading-client\.tgz/,
  );
});

test('a guide can neither run a script nor ask another host', async () => {
  const { headers } = await app.http.inject('/docs/guides/signing');
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(
    String(headers['content-security-policy']),
    /^default-src 'none'; script-src 'self'; style-src 'self'; /,
  );
  assert.doesNotMatch(String(headers['content-security-policy']), /https?:|\*|unsafe/);

  const { html } = renderMarkdown(
    '# A & B\n\n<script>alert(1)</script>\n\n<!-- drawn -->\n\nhas <b onclick="x">b</b> [run](javascript:alert(1)) [up](../package.json) [s](signing.md#x)\n\n# A & B',
    new Set(['signing']),
    { here: '/docs/guides/a', language: 'en' },
  );
  assert.doesNotMatch(html, /<script|<b |javascript:|package\.json|drawn/);
  assert.match(html, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.match(html, /<a href="signing#x">s<\/a>/);
  assert.deepEqual(
    [...html.matchAll(/ id="([^"]*)"/g)].map((match) => match[1]),
    ['a--b', 'a--b-1'],
  );
});

/** HEAD is answered like GET but without the body, and other methods with 405. */
async function assertGetOnly(url: string, { statusCode, headers }: { statusCode: number; headers: object }) {
  const head = await app.http.inject({ method: 'HEAD', url });
  const lengthOf = (given: object) => (given as Record<string, unknown>)['content-length'];
  assert.deepEqual([head.statusCode, head.payload, lengthOf(head.headers)], [statusCode, '', lengthOf(headers)], url);
  const posted = await app.http.inject({ method: 'POST', url });
  assert.deepEqual(
    [posted.statusCode, posted.headers.allow, posted.json().msg],
    [405, 'GET', 'this path takes GET only'],
    url,
  );
}

test('pages and files have ETags, and answer GET and HEAD only', async () => {
  const files = ['/docs/pages.css', '/docs/vectors/request-signatures.json', '/docs/clients/lading.py', collectionPath];
  for (const url of ['/docs', '/docs/guides', '/docs/guides/signing', ...files]) {
    const got = await app.http.inject(url);
    assert.deepEqual(
      [got.statusCode, got.headers['cache-control'], got.headers['x-content-type-options']],
      [200, 'no-cache', 'nosniff'],
    );
    await assertGetOnly(url, got);
    for (const etag of [got.headers.etag, `"other", W/${got.headers.etag}`]) {
      const again = await app.http.inject({ url, headers: { 'if-none-match': String(etag) } });
      assert.deepEqual([again.statusCode, again.payload], [304, '']);
    }
  }
});

test('the OpenAPI document has the addresses of this service', async () => {
  const { paths, servers }: OpenApiDocument = (await app.http.inject('/openapi.json')).json();
  assert.deepEqual(servers, [{ url: publicUrl }]);
  assert.equal(Object.keys(paths).filter((path) => path.startsWith('/tpw/v9/')).length, 8);
  assert.doesNotMatch(JSON.stringify(paths), /\/warehouse\/v1|"\/logistics\//);
  for (const path of ['/tpw/v9/stock/query', '/wms-hooks/orders/order']) {
    const [{ source }] = paths[path]!.post!['x-codeSamples'] as [{ source: string }];
    assert.ok(source.includes(`curl '${publicUrl}${path}'`), source);
  }
});

test('the page of the reference names no other host, its policy allows none, and its script can be compressed', async () => {
  const { payload, headers } = await app.http.inject('/docs');
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.doesNotMatch(payload, /https?:|\/\//);
  const policy = String(headers['content-security-policy']);
  assert.match(policy, /^default-src 'none'; script-src 'self'; /);
  assert.doesNotMatch(policy, /https?:|\*|unsafe-eval|script-src[^;]*unsafe/);

  const plain = await app.http.inject('/docs/viewer.js');
  const zipped = await app.http.inject({ url: '/docs/viewer.js', headers: { 'accept-encoding': 'br, gzip' } });
  assert.equal(plain.headers['content-type'], 'text/javascript; charset=utf-8');
  assert.deepEqual(
    [plain, zipped].map((one) => one.headers['content-encoding']),
    [undefined, 'gzip'],
  );
  assert.ok(gunzipSync(zipped.rawPayload).equals(plain.rawPayload));
});

test('only the files of the folders are served, byte for byte', async () => {
  for (const name of readdirSync(new URL('vectors/', docs)).filter((name) => name.endsWith('.json'))) {
    const { payload, headers } = await app.http.inject(`/docs/vectors/${name}`);
    assert.equal(headers['content-type'], 'application/json; charset=utf-8');
    assert.equal(payload, readFileSync(new URL(`vectors/${name}`, docs), 'utf8'));
  }
  const guides = ['nothing', 'README', 'operating', 'operating.md', '%2e%2e/README'].map((name) => `guides/${name}`);
  for (const path of [...guides, 'vectors/..%2f..%2fpackage.json', 'browser']) {
    const { statusCode, payload } = await app.http.inject(`/docs/${path}`);
    const expected = refusedByMain('unknown_path', 'no such path', `${publicUrl}/docs`);
    assert.deepEqual([statusCode, JSON.parse(payload)], [404, expected], path);
  }
});

test('the clients are served byte for byte, with their checksums', async () => {
  const folder = new URL('../../clients/', import.meta.url);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\/[A-Za-z]+\.\w+$/.test(path),
  );
  const sums: string[] = [];
  for (const path of paths) {
    const { statusCode, headers, rawPayload } = await app.http.inject(`/docs/clients/${basename(path)}`);
    assert.deepEqual([statusCode, headers['content-type']], [200, 'text/plain; charset=utf-8'], path);
    assert.ok(rawPayload.equals(readFileSync(new URL(path, folder))), path);
    sums.push(`${createHash('sha256').update(rawPayload).digest('hex')}  ${basename(path)}`);
  }
  assert.equal(sums.length, 7);
  const { payload } = await app.http.inject('/docs/clients/SHA256SUMS');
  assert.deepEqual(payload.trimEnd().split('\n').toSorted(), sums.toSorted());
  const strangers = await app.http.inject('/docs/clients/..%2f..%2fpackage.json');
  assert.equal(strangers.statusCode, 404);
});

test('addresses that people try redirect to the right page, also behind a proxy that adds a path', async () => {
  for (const [url, status, page] of [
    ['/', 302, '/docs'],
    ['/docs/', 308, '/docs'],
    ['/docs/guides/', 308, '/docs/guides'],
    ['/docs/zh-TW/', 308, '/docs/zh-TW'],
    ['/docs/zh-TW/guides/', 308, '/docs/zh-TW/guides'],
    ['/docs/vectors', 302, '/docs/guides/vectors'],
    ['/docs/vectors/', 302, '/docs/guides/vectors'],
    ['/docs/clients', 302, '/docs/guides/clients'],
    ['/docs/clients/', 302, '/docs/guides/clients'],
  ] as const) {
    const { statusCode, headers } = await app.http.inject(url);
    assert.deepEqual(
      [statusCode, new URL(headers.location!, `${publicUrl}${url}`).href],
      [status, `${publicUrl}${page}`],
    );
    await assertGetOnly(url, { statusCode, headers });
    assert.equal((await app.http.inject(page)).statusCode, 200);
  }
});

test('without the folder of the guides there is a page that says so', () => {
  const { contents, guides } = readGuides(new URL('file:///no/such/folder/'));
  assert.deepEqual([contents.texts.en.markdown, guides], ['# Guides\n\nNone are installed here.', []]);
});

test('the client library is served, or the answer says how to make it', async () => {
  const { statusCode, payload, headers, rawPayload } = await app.http.inject('/docs/lading-client.tgz');
  const packed = readIfThere(new URL('../../sdk/lading-client.tgz', import.meta.url));
  if (packed === null) {
    const msg = 'the client library is not made yet: npm run sdk makes it';
    assert.deepEqual([statusCode, JSON.parse(payload)], [404, refusedByMain('not_found', msg, `${publicUrl}/docs`)]);
  } else {
    assert.deepEqual([statusCode, headers['content-type'], rawPayload.equals(packed)], [200, 'application/gzip', true]);
  }
});

function readIfThere(file: URL): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

test('the collection has the addresses of this service', async () => {
  const collection: PostmanCollection = (await app.http.inject(collectionPath)).json();
  assert.equal(collection.variable[0]!.value, publicUrl);
  const text = JSON.stringify(collection)
    .replaceAll(publicUrl, 'http://127.0.0.1:8080')
    .replaceAll('/tpw/v9', '/warehouse/v1')
    .replaceAll('"tpw","v9"', '"warehouse","v1"');
  assert.deepEqual(JSON.parse(text.replaceAll('wms-hooks', 'logistics')), JSON.parse(generateCollection()));
});

const warehousePaths = [
  '/product/sync',
  '/inbound/create',
  '/stock/query',
  '/outbound/create',
  '/inbound/return',
  '/inbound/cancel',
  '/outbound/cancel',
  '/diagnose',
];

test('the collection runs from its first request to its last, for one partner after the other: signed as sent, with one token each', async () => {
  const collection: PostmanCollection = (await app.http.inject(collectionPath)).json();
  const runner = makeRunner({ baseUrl: '', tea: '凍頂烏龍茶 é 🍵' });
  const [sync] = collection.item[0]!.item;
  sync!.request.body!.raw = sync!.request.body!.raw.replace('Oolong tea', '{{tea}}');

  const success = (path: string): [string, number, string] => [path, 200, 'success'];
  const expected = [
    ...warehousePaths.map((path) => success(`/tpw/v9${path}`)),
    success('/api/v1/token/getToken'),
    ['/.well-known/jwks.json', 200, undefined],
    ...['Stocks', 'Products', 'Orders', 'Inbounds', 'Callbacks'].map((list) =>
      success(`/api/v2/default/get${list}Data/searchList`),
    ),
    success('/api/v2/default/orders/create'),
    success('/api/v2/default/orders/cancel'),
    success('/api/v2/default/orders/update'),
    success('/api/v2/default/orders/hold'),
    success('/api/v2/default/orders/release'),
    ['/api/v2/default/inbounds/receive', 400, 'inbound_short_id not found'],
    ['/api/v2/default/inbounds/stop', 400, 'inbound_short_id not found'],
    success('/api/v2/default/inbounds/cancel'),
    success('/api/v2/default/fulfilment/advance'),
    success('/api/v2/default/callbacks/redeliver'),
    success('/api/v2/default/products/update'),
    success('/api/v2/default/stocks/adjust'),
    ['/api/v2/default/stocks/move', 400, 'lines[0].to_warehouse_no is not a warehouse of your account'],
    success('/api/v2/default/callbacks/test'),
    success('/wms-hooks/orders/order'),
    success('/wms-hooks/purchases/purchase'),
    success('/wms-hooks/callbacks/test'),
    ...['/health/live', '/health/ready', '/metrics', '/openapi.json', '/openapi.zh-TW.json'].map((path) => [
      path,
      200,
      undefined,
    ]),
  ];
  for (const { secret: sharedSecret, ...partner } of [alpha, beta]) {
    runner.set({ ...partner, sharedSecret });
    const answers: [path: string, status: number, saying: string | undefined][] = [];
    for (const folder of collection.item) {
      for (const item of folder.item) answers.push(await runner.run(folder, structuredClone(item)));
    }
    assert.deepEqual(answers, expected, partner.accountNo);
  }
  assert.equal(runner.tokenRequests(), 2);
  const rows = await app.store.database.read((sql) => sql`select name from product where sku_id = 'TEA-1'`);
  assert.deepEqual([...rows], [{ name: '凍頂烏龍茶 é 🍵' }, { name: '凍頂烏龍茶 é 🍵' }]);
  const orders = await app.store.database.read(
    (sql) => sql`
      select account_no from orders join account using (account_id) where partner_number = 'OUT-1001' order by account_no`,
  );
  assert.deepEqual([...orders], [{ account_no: 'ALPHA' }, { account_no: 'BETA' }]);
});

interface SentByScript {
  method: 'POST';
  url: string;
  header: Record<string, string>;
  body: { raw: string };
}

/** Implements the part of Postman that the collection needs. */
function makeRunner(given: Record<string, string>) {
  const variables = new Map<string, unknown>(Object.entries(given));
  const fill = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_whole, name) => String(variables.get(name)));
  const scope = {
    get: (name: string) => variables.get(name),
    set: (name: string, value: unknown) => void variables.set(name, value),
    replaceIn: fill,
  };
  let tokenRequests = 0;

  async function runScript({ event }: PostmanFolder, request: PostmanRequest['request']): Promise<void> {
    const pending: Promise<void>[] = [];
    function sendRequest(
      { method, url, header, body }: SentByScript,
      answered: (error: null, answer: { json(): unknown }) => void,
    ): void {
      tokenRequests += 1;
      pending.push(
        app.http
          .inject({ method, url, headers: header, payload: body.raw })
          .then((answer) => answered(null, { json: () => answer.json() })),
      );
    }
    const pm = {
      variables: scope,
      collectionVariables: scope,
      request: { body: request.body, url: { toString: () => fill(request.url.raw) } },
      sendRequest,
    };
    for (const { listen, script } of event) {
      if (listen === 'prerequest')
        runInNewContext(script.exec.join('\n'), { pm, require: createRequire(import.meta.url) });
    }
    await Promise.all(pending);
  }

  return {
    tokenRequests: () => tokenRequests,
    set: (changes: Record<string, string>) =>
      Object.entries(changes).forEach(([name, value]) => void variables.set(name, value)),
    async run(folder: PostmanFolder, { request }: PostmanRequest): Promise<[string, number, string | undefined]> {
      await runScript(folder, request);
      const path = fill(request.url.raw);
      const headers = Object.fromEntries(request.header.map(({ key, value }) => [key, fill(value)]));
      const payload = request.body ? { payload: fill(request.body.raw) } : {};
      const answer = await app.http.inject({
        method: request.method as 'GET' | 'POST',
        url: path,
        headers,
        ...payload,
      });
      const { msg, message } = answer.payload.startsWith('{') ? answer.json() : {};
      return [path, answer.statusCode, msg ?? message];
    },
  };
}
