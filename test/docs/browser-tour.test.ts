import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import { alpha, startTestApp } from '../support/app.ts';
import { startTestBackground } from '../support/background.ts';
import { openBrowser, openWatchedPage, type PageLook } from '../support/browser.ts';
import { column } from '../support/console.ts';
import { assertAccessible, assertFitsWidth, assertNoComplaints, phone } from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { assertNotDone } from '../support/main.ts';
import { sdkBundle } from '../support/sdk-bundle.ts';

const app = await startTestApp();
await provisionLive(app);
startTestBackground(app);
await app.http.listen({ host: '127.0.0.1', port: 0 });
const ownUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const browser = await openBrowser();
after(() => browser.close());

async function openTour(path: string, look: PageLook = {}) {
  const watched = await openWatchedPage(browser, look);
  await watched.page.goto(`${ownUrl}${path}`);
  return watched;
}

/** LADING_TEST_SHOTS names a folder for pictures of the pages. */
async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env.LADING_TEST_SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: `${folder}/tour-${name}.png`, fullPage: true });
}

const demoFile = `LADING_ACCOUNT_NO='${alpha.accountNo}'
LADING_SECRET='${alpha.secret}'
LADING_CLIENT_ID='${alpha.clientId}'
LADING_CHECK_VALUE='${alpha.checkValue}'
LADING_API_KEY='${alpha.apiKey}'
LADING_CALLBACK_SECRET='${alpha.callbackSecret}'
`;

async function fillIn(page: Page): Promise<void> {
  await page.locator('[name=file]').fill(demoFile);
  await page.locator('[name=tenant]').fill(alpha.warehouseTpwId);
}

const stepNames = ['sync', 'inbound', 'stock', 'order', 'repeat', 'return', 'cancelOrder', 'cancelInbound', 'callback'];
const outcomesOf = (page: Page) =>
  page.locator('.step').evaluateAll((all) => all.map((one) => [one.dataset.step, one.dataset.outcome ?? null]));

test('the whole tour ends with a callback that the page has verified', async () => {
  const tour = await openTour('/docs/tour');
  const { page } = tour;
  await fillIn(page);
  await page.locator('#run-all').click();
  await page.locator('#end').waitFor();

  assert.deepEqual(
    await outcomesOf(page),
    stepNames.map((name) => [name, 'done']),
  );
  assert.match(await page.locator('#step-callback .outcome').innerText(), /^Verified/);
  const shown = await page.locator('#step-callback .shown').innerText();
  assert.match(shown, /webhook-signature: v1,[\w+/]{43}=/);
  assert.match(shown, /"event":"order\.shipped".*"test":true/);
  assert.match(await page.locator('#step-repeat .shown').innerText(), /"idempotent": true/);
  // What is signed is the body of the request, directly followed by its timestamp.
  const [request, signed] = await page.locator('#step-sync .shown pre').allInnerTexts();
  const [head, body] = request!.split('\n\n');
  assert.equal(signed, `${body}${/timestamp: (\d{10})/.exec(head!)![1]}`);
  await assertAccessible(page);
  await picture(page, 'en-wide');
  assertNoComplaints(tour);
  // Secrets are neither stored nor sent, except the CheckValue for a token.
  assert.deepEqual(
    await page.evaluate('[Object.values({ ...localStorage }), Object.values({ ...sessionStorage })].flat()'),
    [],
  );
  const sent = tour.requests
    .map((one) => one.url() + JSON.stringify(one.headers()) + (one.postData() ?? ''))
    .join('\n');
  for (const secret of [alpha.secret, alpha.callbackSecret]) assert.ok(!sent.includes(secret));
  const orders = await app.store.database.read((sql) => sql`select status from orders`);
  assert.deepEqual(column([...orders], 'status'), ['cancelled']);
});

test('a wrong secret is explained by the diagnosis, and the tour stops there', async () => {
  const { page } = await openTour('/docs/tour');
  await fillIn(page);
  await page.locator('[name=secret]').fill(`${alpha.secret}x`);
  await page.locator('#run-all').click();
  await page.locator('#step-sync[data-outcome=failed]').waitFor();
  assert.match(await page.locator('#step-sync .hint').innerText(), /most likely the secret is a different one/);
  assert.match(await page.locator('#step-sync .outcome').innerText(), /^Refused: authentication failed/);
  assert.deepEqual(
    (await outcomesOf(page)).slice(1),
    stepNames.slice(1).map((name) => [name, null]),
  );
  await page.locator('[name=secret]').fill('');
  await page.locator('#step-sync button').first().click();
  await page.getByText('Fill in your credentials first: Shared secret').waitFor();
});

test('a wrong tenant and a wrong callback secret are explained, too', async () => {
  const { page } = await openTour('/docs/tour');
  await fillIn(page);
  await page.locator('[name=callbackSecret]').fill('whsec_YW5vdGhlciBzZWNyZXQgb2YgYSByZWNlaXZlcg==');
  await page.locator('[name=tenant]').fill('TPW-WRONG');
  await page.locator('#step-sync button').first().click();
  await page.locator('#step-sync[data-outcome=done]').waitFor();
  await page.locator('#step-order button').first().click();
  await page.getByText('warehouse_tpw_id: unknown tenant').waitFor();
  await page.locator('[name=tenant]').fill(alpha.warehouseTpwId);
  for (const name of ['inbound', 'order', 'callback']) {
    await page.locator(`#step-${name} button`).first().click();
    await page.locator(`#step-${name}[data-outcome]:not([data-outcome=""]) .outcome:not(:empty)`).waitFor();
    if (name !== 'callback') await page.locator(`#step-${name}[data-outcome=done]`).waitFor();
  }
  await page.getByText('The signature does not match.').waitFor();
  assert.equal(await page.locator('#end').isVisible(), false);
});

test('in Chinese, on a phone, in the dark: it fits, and has no axe findings', async () => {
  const tour = await openTour('/docs/zh-TW/tour', { viewport: phone, colorScheme: 'dark', locale: 'zh-TW' });
  await fillIn(tour.page);
  await tour.page.locator('#run-all').click();
  await tour.page.locator('#end').waitFor();
  assert.equal(await tour.page.locator('html').getAttribute('lang'), 'zh-TW');
  await assertFitsWidth(tour.page);
  await assertAccessible(tour.page);
  await picture(tour.page, 'zh-phone');
  assertNoComplaints(tour);
});

test('the client library, bundled for browsers, calls the service from a page', async () => {
  const { page, complaints } = await openTour('/docs/tour');
  const { accountNo, secret, clientId, checkValue } = alpha;
  await page.evaluate(`${await sdkBundle('browser')}; globalThis.lading = lading`);
  const program = `(async () => {
    const warehouse = new lading.WarehouseClient(${JSON.stringify({ url: ownUrl, accountNo, secret })});
    const { data, trace_id } = await warehouse
      .productSync({ sku_id: 'BROWSER', sku_name: 'Oolong tea', storage_type: 1 })
      .withResponse();
    const main = new lading.MainClient(${JSON.stringify({ url: ownUrl, clientId, checkValue })});
    const { rows } = await main.searchPage('products', { 'products.sku_id': 'BROWSER' });
    return [typeof data.products_id, typeof trace_id, rows.map((row) => row.sku_name)];
  })()`;
  assert.deepEqual(await page.evaluate(program), ['number', 'string', ['Oolong tea']]);
  assert.deepEqual(complaints, []);
});

const inbox = `${app.config.publicUrl}/docs/tour/inbox/${'ab'.repeat(16)}`;
const testOf = (callback_url: string, as = alpha) =>
  app.callMain('/callbacks/test', { event: 'order.shipped', callback_url }, { as });

test('only test callbacks of UAT accounts reach an inbox, and nothing else on this machine', async () => {
  const near = [
    `${inbox}/x`,
    `${inbox}a`,
    `${inbox}?a=1`,
    inbox.replace('inbox', 'x'),
    `${app.config.publicUrl}/health`,
  ];
  for (const url of near) assertNotDone(await testOf(url));
  assertNotDone(await testOf(inbox, live));
  const form = {
    form_no: 'F-1',
    internal_form_no: 'I-1',
    form_type: 1,
    shipping_type: 3,
    callback_url: inbox,
    products: [{ sku: 'TEA', quantity: 1, storage_type: 'ambient' }],
  };
  assertNotDone(await app.callLogistics('/purchases/purchase', form));
});

test('an inbox shows its callback only to a reader who knows account, name and event', async () => {
  const { event_id } = (await testOf(inbox)).json.retval;
  const read = async (name: string, query: string) => {
    const answer = await fetch(`${ownUrl}/docs/tour/inbox/${name}?${query}`);
    return (await answer.json()) as { callback: { body: string } | null };
  };
  const name = 'ab'.repeat(16);
  const rightQuery = `account_no=${alpha.accountNo}&event_id=${event_id}`;
  let arrived = await read(name, rightQuery);
  while (arrived.callback === null) arrived = await read(name, rightQuery);
  assert.equal(JSON.parse(arrived.callback.body).event_id, event_id);
  const wrong: [string, string][] = [
    ['cd'.repeat(16), rightQuery],
    [name, `account_no=BETA&event_id=${event_id}`],
    [name, `account_no=LIVE&event_id=${event_id}`],
    [name, `account_no=${alpha.accountNo}&event_id=${event_id.replace(/.$/, '0')}0`],
    [name, `account_no=${alpha.accountNo}`],
    ['..', rightQuery],
  ];
  for (const [wrongName, query] of wrong) {
    const answer = await fetch(`${ownUrl}/docs/tour/inbox/${wrongName}?${query}`);
    assert.ok(answer.status === 404 || ((await answer.json()) as { callback: null }).callback === null, query);
  }
});
