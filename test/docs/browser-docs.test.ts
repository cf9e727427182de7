import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { errorCodes } from '../../contract/errors/codes.ts';
import { startTestApp } from '../support/app.ts';
import { openBrowser, openWatchedPage, type PageLook, type WatchedPage } from '../support/browser.ts';
import { assertAccessible, assertFitsWidth, assertNoComplaints, phone } from '../support/console-browser.ts';

const app = await startTestApp();
await app.http.listen({ host: '127.0.0.1', port: 0 });
const address = app.http.server.address();
const ownUrl = `http://127.0.0.1:${typeof address === 'object' ? address!.port : 0}`;
const browser = await openBrowser();
after(() => browser.close());

const wide = { width: 1440, height: 900 };
const pages = [
  '',
  '/guides/signing',
  '/guides/errors',
  '/reference/outboundCreate',
  '/errors/unknown_sku',
  '/changelog',
];

async function open(path: string, look: PageLook = {}): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser, { viewport: wide, ...look });
  await watched.page.goto(`${ownUrl}${path}`);
  return watched;
}

/** Each language has both widths and both colour schemes, and so has each width. */
const looks = [
  ['/docs', wide, 'light'],
  ['/docs', phone, 'dark'],
  ['/docs/zh-TW', wide, 'dark'],
  ['/docs/zh-TW', phone, 'light'],
] as const;

for (const [root, viewport, colorScheme] of looks) {
  test(`pages have no findings: ${root}, ${viewport.width} px, ${colorScheme}`, async () => {
    for (const page of pages) {
      const watched = await open(`${root}${page}`, { viewport, colorScheme });
      await assertAccessible(watched.page, page);
      await assertFitsWidth(watched.page, page);
      assertNoComplaints(watched);
      await watched.page.close();
    }
  });
}

test('every text page is below 200 KB compressed, with its styles, scripts and picture', async () => {
  const sizeOf = async (path: string) =>
    (await app.http.inject({ url: path, headers: { 'accept-encoding': 'gzip', accept: 'text/html' } })).rawPayload
      .length;
  const parts = ['pages.css', 'pages.js', 'search.js', 'rank.js', 'theme.js', 'favicon.svg'];
  const shared = (await Promise.all(parts.map((name) => sizeOf(`/docs/${name}`)))).reduce((sum, size) => sum + size, 0);
  const sizes: [page: string, bytes: number][] = [];
  for (const root of ['/docs', '/docs/zh-TW']) {
    const entries: { url: string }[] = (await app.http.inject(`${root}/search.json`)).json();
    const names = new Set(entries.map(({ url }) => url.split('#')[0]!));
    for (const name of ['', '/guides', '/reference', '/errors', '/changelog', ...names])
      sizes.push([`${root}${name}`, shared + (await sizeOf(`${root}${name}`))]);
  }
  assert.ok(sizes.length > 200, `only ${sizes.length} pages`);
  assert.deepEqual(
    sizes.filter(([, size]) => size < 10_000 || size > 200_000),
    [],
  );
});

test('the browser receives pages compressed, and nothing else than the files that the size counts', async () => {
  const { page, requests } = await open('/docs/guides/errors');
  await page.waitForLoadState('networkidle');
  const sizes = await Promise.all(requests.map(async (request) => (await request.sizes()).responseBodySize));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total > 10_000 && total < 200_000, `${total} bytes`);
  assert.deepEqual(requests.map((request) => new URL(request.url()).pathname.split('/').at(-1)).toSorted(), [
    'errors',
    'favicon.svg',
    'pages.css',
    'pages.js',
    'rank.js',
    'search.js',
    'theme.js',
  ]);
});

const search = (page: Page) => page.getByRole('dialog').getByRole('searchbox');

test('the search finds guides, endpoints, fields and error codes, in both languages, by keyboard alone', async () => {
  for (const [root, query, expected] of [
    ['/docs', 'insufficient_stock', '/docs/errors/insufficient_stock'],
    ['/docs', 'create an order', '/docs/reference/outboundCreate'],
    ['/docs', 'consignee_zip', '/docs/reference/'],
    ['/docs', 'worked example byte', '/docs/guides/signing'],
    ['/docs/zh-TW', '簽章', '/docs/zh-TW/'],
    ['/docs/zh-TW', '重送', '/docs/zh-TW/'],
    ['/docs/zh-TW', '庫存不足', '/docs/zh-TW/errors/insufficient_stock'],
  ] as const) {
    const watched = await open(`${root}/guides`);
    const { page } = watched;
    await page.keyboard.press('/');
    await search(page).fill(query);
    await page.locator('dialog li a').first().waitFor();
    const found = await page
      .locator('dialog li a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
    assert.ok(
      found.slice(0, 5).some((href) => new URL(href!).pathname.startsWith(expected)),
      `${query}: ${found.slice(0, 5).join(' ')}`,
    );
    await assertAccessible(page, query);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(found[0]!);
    assertNoComplaints(watched);
    await page.close();
  }
});

test('a search without a result says so, and Escape closes it', async () => {
  const { page } = await open('/docs/guides');
  await page.getByRole('button', { name: /^Search/ }).click();
  await search(page).fill('xyzzy plugh');
  await page.getByText('Nothing found.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
});

test('every result of the search leads to a page and a section that exist', async () => {
  for (const root of ['/docs', '/docs/zh-TW']) {
    const entries: { url: string }[] = (await app.http.inject(`${root}/search.json`)).json();
    const texts = new Map<string, string>();
    const lost: string[] = [];
    for (const url of new Set(entries.map((entry) => entry.url))) {
      const [path, section] = url.split('#') as [string, string?];
      const text = texts.get(path) ?? (await app.http.inject(`${root}${path}`)).payload;
      texts.set(path, text);
      if (!text.startsWith('<!doctype html>') || (section && !text.includes(` id="${section}"`))) lost.push(url);
    }
    assert.deepEqual(lost, [], root);
    const codes = Object.keys(errorCodes).filter((code) => !entries.some(({ url }) => url === `/errors/${code}`));
    assert.deepEqual(codes, []);
  }
});

test('excerpts, Markdown and descriptions begin with the text, not with marks of the repository or of tables', async () => {
  for (const root of ['/docs', '/docs/zh-TW']) {
    const entries: { title: string; text: string; url: string }[] = (
      await app.http.inject(`${root}/search.json`)
    ).json();
    const marked = entries.filter(({ text }) => /<!--|\|\s*-{3,}|^- |\[ \]/.test(text));
    assert.deepEqual(marked, [], root);
    for (const page of ['/guides/signing.md', '/guides/callbacks.md', '/llms-full.txt'])
      assert.doesNotMatch((await app.http.inject(`${root}${page}`)).payload, /^<!--/m, `${root}${page}`);
  }
  const { payload } = await app.http.inject('/docs/guides/idempotency-and-retries');
  assert.match(payload, /<meta name="description" content="In short: your own numbers are idempotency keys\./);
});

test('the programming language is chosen once for all pages, and a link to a section shows its tab', async () => {
  const watched = await open('/docs/guides/signing');
  const { page } = watched;
  await page.getByRole('tab', { name: 'PHP' }).click();
  assert.deepEqual(await page.locator('.panel:visible').evaluateAll((all) => all.map((one) => one.dataset.code)), [
    'php',
  ]);
  await page.goto(`${ownUrl}/docs/reference/outboundCreate`);
  await page.getByRole('tab', { name: 'PHP', selected: true }).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('tab', { name: 'PHP' }).focus();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('tab', { name: 'Java', selected: true }).and(page.locator(':focus')).waitFor();
  await page.goto(`${ownUrl}/docs/guides/signing#go`);
  await page.getByRole('tab', { name: 'Go', selected: true }).waitFor();
  assertNoComplaints(watched);
});

test('the colours follow the system until the reader chooses, and the choice stays', async () => {
  const { page } = await open('/docs/guides/signing', { colorScheme: 'dark' });
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  const dark = await background();
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('light');
  assert.equal(await background(), 'rgb(255, 255, 255)');
  await page.goto(`${ownUrl}/docs/errors`);
  assert.equal(await background(), 'rgb(255, 255, 255)');
  await page.getByRole('combobox', { name: 'Colours' }).selectOption('system');
  assert.equal(await background(), dark);
});

test('the contents mark the section that is read, and pages lead to their neighbours', async () => {
  const { page } = await open('/docs/guides/signing');
  await page.getByRole('navigation', { name: 'On this page' }).getByRole('link', { name: 'Samples' }).click();
  await page.locator('.contents a[aria-current]', { hasText: 'Samples' }).waitFor();
  await page.getByRole('navigation', { name: 'Previous and next page' }).locator('[rel=next]').click();
  await page.waitForURL(/\/docs\/guides\/(?!signing)/);
  await page.getByRole('navigation', { name: 'Previous and next page' }).locator('[rel=prev]').click();
  await page.waitForURL(/\/docs\/guides\/signing$/);
});

test('a block of code is copied as it is written', async () => {
  const { page } = await open('/docs/guides/signing');
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: ownUrl });
  const block = page.locator('.code', { has: page.locator('.file', { hasText: 'worked-example.sh' }) });
  await block.hover();
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), await block.locator('code').textContent());
});

test('the pages can be read without JavaScript: all languages of the samples, lists and contents', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false, viewport: wide });
  const page = await context.newPage();
  await page.goto(`${ownUrl}/docs/guides/signing`);
  for (const name of ['curl', 'TypeScript', 'Python', 'PHP', 'Java', 'C#', 'Go'])
    await page.getByRole('heading', { level: 3, name, exact: false }).first().waitFor();
  assert.equal(await page.locator('.panel:visible').count(), 7);
  await page.getByRole('link', { name: 'Quickstart' }).first().click();
  await page.waitForURL(/\/docs\/guides\/quickstart$/);
  await page.getByRole('link', { name: '繁體中文' }).click();
  await page.waitForURL(/\/docs\/zh-TW\/guides\/quickstart$/);
  await context.close();
});

test('the page for trying endpoints opens at the endpoint that a page links to', async () => {
  const watched = await open('/docs/reference/outboundCreate');
  const { page } = watched;
  await page.getByRole('link', { name: 'Try this endpoint in the browser' }).click();
  await page.locator('[id$="POST/warehouse/v1/outbound/create"]').first().waitFor();
  await page.getByRole('button', { name: 'Credentials' }).click();
  await page.getByLabel('account-no').waitFor();
  assert.deepEqual([watched.complaints, watched.foreignRequests], [[], []]);
});

test('only pages that exist redirect: a name that is the URL of another host is no page', async () => {
  for (const name of [
    '%5C%5Cevil.example',
    'https:evil.example',
    '%2F%2Fevil.example',
    'x%0d%0aset-cookie:a=b',
    '%E6%B8%AC',
  ])
    for (const url of [
      `/docs/errors/${name}?language=en`,
      `/docs/zh-TW/reference/${name}?language=en`,
      `/docs/errors/${name}`,
    ]) {
      const headers = { accept: 'text/html', 'accept-language': 'zh-TW' };
      const { statusCode, headers: answered } = await app.http.inject({ url, headers });
      assert.deepEqual([statusCode, answered.location, answered['set-cookie']], [404, undefined, undefined], url);
    }
  const { statusCode, headers } = await app.http.inject('/docs/errors/unknown_sku?language=en');
  assert.deepEqual([statusCode, headers.location], [302, 'unknown_sku']);
});

test('the page for trying endpoints is in Chinese, with its viewer', async () => {
  const watched = await open('/docs/zh-TW/try', { locale: 'zh-TW' });
  const { page } = watched;
  await page.getByText('第一次來嗎？').waitFor();
  await page.getByRole('button', { name: '憑證' }).click();
  await page.getByRole('dialog', { name: '試打用的憑證' }).getByLabel('共用密鑰').waitFor();
  await page.getByRole('button', { name: '取消', exact: true }).click();
  await page.getByRole('link', { name: /^取得存取權杖/ }).click();
  await page.getByRole('button', { name: /^試打.*getToken/ }).click();
  await page.getByRole('button', { name: /^送出 post 請求到 .*getToken/i }).waitFor();
  const text = await page.locator('body').innerText();
  assert.doesNotMatch(text, /New here|Test Request|Introduction|Nothing was sent/);
  await page.goto(`${ownUrl}/docs/zh-TW/try`);
  await page.getByText('第一次來嗎？').waitFor();
  await assertAccessible(page);
  assert.deepEqual([watched.complaints, watched.foreignRequests], [[], []]);
});

test('a missing page offers the way back to people, and programs get the usual error', async () => {
  const watched = await open('/docs/zh-TW/guides/none', {});
  await watched.page.getByRole('heading', { name: '找不到這一頁' }).waitFor();
  await watched.page.getByRole('main').getByRole('link', { name: '指南' }).click();
  await watched.page.waitForURL(/\/docs\/zh-TW\/guides$/);
  const { statusCode, headers } = await app.http.inject({ url: '/docs/none', headers: { accept: 'application/json' } });
  assert.deepEqual([statusCode, headers['content-type']], [404, 'application/json; charset=utf-8']);
});
