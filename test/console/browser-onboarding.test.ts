import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { verifyCallback } from '../../sdk/client.ts';
import { startReceiver } from '../callbacks/receiver.ts';
import { startTestApp } from '../support/app.ts';
import { startTestBackground } from '../support/background.ts';
import { clientsOf } from '../support/clients.ts';
import { provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { readPdf } from '../support/pdf.ts';
import { inboundBody, orderBody } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp({ env: { CALLBACK_ALLOW_CIDRS: '127.0.0.0/8' } });
await provisionOperators(app);
const browser = await startConsoleBrowser(app);
startTestBackground(app);
const receiver = await startReceiver();

/** What the partner has learned. */
const partner = { link: '', secret: '', checkValue: '', callbackSecret: '' };

/** Counts the clicks of a person in this page. */
const countClicks = async (page: Page) => {
  await page.addInitScript(`globalThis.clicks = 0;
    addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) globalThis.clicks++; }, true);`);
};
const clicksOf = async (page: Page) => Number(await page.evaluate('globalThis.clicks'));

test('five clicks connect a partner: account, store, tenant, client with permissions, and callback address; mistakes are at their fields', async () => {
  const watched = await browser.open('admin', '/partners', {}, countClicks);
  const { page } = watched;
  await page.getByRole('link', { name: 'Connect a partner' }).click();

  await page.getByRole('textbox', { name: 'Account number' }).fill('ALPHA');
  await page.getByRole('button', { name: 'Next' }).click();
  await shown(page.getByRole('textbox', { name: 'Tenant (warehouse_tpw_id)' }));
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Next' }).click();
  await shown(page.getByRole('radio', { name: 'Shop: orders and stock', checked: true }));
  await page.getByRole('textbox', { name: 'Callback URL' }).fill('not an address');
  await page.getByRole('button', { name: 'Next' }).click();
  await shown(page.getByText('A URL that begins with https:// or http://.'));
  await assertAccessible(page);
  await page.getByRole('textbox', { name: 'Callback URL' }).fill(receiver.url);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Create everything' }).click();

  // ALPHA and its tenant's name are taken, so the wizard leads back to the first field with a mistake.
  await shown(page.getByText('It already exists. Choose another name or number.'));
  const number = page.getByRole('textbox', { name: 'Account number' });
  assert.equal(await number.inputValue(), 'ALPHA');
  await assertAccessible(page);
  assertNoComplaints(watched);

  await page.goto(`${browser.ownUrl}/console/partners`);
  await page.getByRole('link', { name: 'Connect a partner' }).click();
  await page.getByRole('textbox', { name: 'Account number' }).fill('NEWTEA');
  await page.getByRole('textbox', { name: 'Name of the partner' }).fill('好茶選品');
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('textbox', { name: 'Callback URL' }).fill(receiver.url);
  await page.getByRole('button', { name: 'Next' }).click();
  await shown(page.getByText('TPW-NEWTEA → 1 Taoyuan'));
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Create everything' }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'Hand-over sheet: NEWTEA' }));
  assert.equal(await clicksOf(page), 5);

  partner.link = (await page.getByText(/\/handover\?lang=en#/).textContent())!.trim();
  await shown(page.getByText('Not opened yet'));
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('the sheet is one printed page in the language of the partner, with addresses, names and the link, without the console', async () => {
  const watched = await browser.open('admin', '/partners/accounts/NEWTEA/handover?language=zh-TW');
  const { page } = watched;
  await shown(page.getByRole('heading', { name: '串接資訊：好茶選品 (NEWTEA)' }));
  const [sheet, ...more] = readPdf(await page.pdf({ format: 'A4' }));
  assert.equal(more.length, 0);
  for (const text of ['TPW-NEWTEA', 'newtea-erp', '/warehouse/v1', '/docs/guides/signing', '憑證', '貨主編號'])
    assert.ok(sheet!.text.includes(text), text);
  for (const text of ['Partners', 'Print', 'First steps', 'las_']) assert.ok(!sheet!.text.includes(text), text);
  // A link is shown on the page that issued it only.
  assert.ok(!sheet!.text.includes('#'));
  await page.setViewportSize(phone);
  // The page reacts to a new size after the next frame.
  await until('the page fits the phone', () =>
    assertFitsWidth(page).then(
      () => true,
      () => false,
    ),
  );
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('the partner opens the link with a click, in its language, once; a preview before that changes nothing', async () => {
  const { pathname, search, hash } = new URL(partner.link);
  assert.equal((await fetch(`${browser.ownUrl}${pathname}${search}`)).status, 200);
  const watched = await browser.open(null, '/sign-in', { locale: 'zh-TW', viewport: phone });
  const { page } = watched;
  await page.goto(`${browser.ownUrl}${pathname}${search}${hash}`);
  await page.reload();
  await page.getByRole('link', { name: '中文' }).click();
  await shown(page.getByRole('heading', { name: '您的串接憑證' }));
  assert.equal(await page.getByLabel('代碼').isVisible(), false);
  await assertFitsWidth(page);
  await assertAccessible(page);
  await page.getByRole('button', { name: '顯示憑證' }).click();
  await shown(page.getByRole('heading', { name: '貨主 NEWTEA 的憑證' }));
  await assertFitsWidth(page);
  await assertAccessible(page);
  const values = await page.locator('code').allTextContents();
  const secretWith = (prefix: string) => values.find((value) => value.startsWith(prefix))!;
  partner.secret = secretWith('las_');
  partner.checkValue = secretWith('lcv_');
  partner.callbackSecret = secretWith('whsec_');
  assert.equal(values.length, 3);

  await page.goto(`${browser.ownUrl}${pathname}?lang=en${hash}`);
  await page.getByRole('button', { name: 'Show the credentials' }).click();
  await shown(page.getByText(/It was opened before, and opens once only/));
  await assertAccessible(page);
  const complaints = watched.complaints.filter((complaint) => !complaint.includes('status of 404'));
  assertNoComplaints({ ...watched, complaints });
});

test('without scripts the code is typed, and the page works', async (t) => {
  const { page } = await browser.open(null, '/sign-in');
  const context = await page.context().browser()!.newContext({ javaScriptEnabled: false });
  t.after(() => context.close());
  const plain = await context.newPage();
  await plain.goto(`${browser.ownUrl}/handover?lang=en`);
  await plain.getByLabel('Code').fill(new URL(partner.link).hash.slice(1));
  await plain.getByRole('button', { name: 'Show the credentials' }).click();
  await plain.getByText(/It was opened before/).waitFor();
});

test('the first steps complete themselves while the partner works: call, product, inbound, order and verified callback', async () => {
  const watched = await browser.open('admin', '/partners/accounts/NEWTEA');
  const { page } = watched;
  const steps = page.getByRole('region', { name: 'First steps' });
  await shown(steps.getByText('0 of 5'));
  await page.getByRole('button', { name: 'Test callback…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  await until('the test callback has arrived', () => receiver.received.length > 0);
  const verified = verifyCallback(receiver.received[0]!, { secrets: partner.callbackSecret });
  assert.equal(verified.test, true);
  await shown(steps.getByText('1 of 5'));
  await shown(steps.getByText('First delivered callback (a test)'));

  const { warehouse, main } = await clientsOf(app, {
    accountNo: 'NEWTEA',
    secret: partner.secret,
    clientId: 'newtea-erp',
    checkValue: partner.checkValue,
    apiKey: 'none',
  });
  const tenant = { warehouseTpwId: 'TPW-NEWTEA' };
  for await (const row of main.searchStocks()) assert.fail(JSON.stringify(row));
  await warehouse.productSync({ sku_id: 'TEA-1', sku_name: '烏龍茶', storage_type: 1 });
  await warehouse.inboundCreate(inboundBody('IN-1', { 'TEA-1': [['2031-01-01', 10]] }, tenant));
  await warehouse.outboundCreate(orderBody('WEB-1', [['TEA-1', 2]], tenant));
  await app.requestLog.flush();
  await shown(steps.getByText('5 of 5'));
  await shown(steps.getByRole('link', { name: 'WEB-1' }));
  await shown(page.getByRole('region', { name: 'Health' }).getByText('Callbacks waiting'));
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('a rotation is handed over by a link; the operator sees who opened the first one, and revokes the second', async () => {
  const watched = await browser.open('admin', '/partners/accounts/NEWTEA');
  const { page } = watched;
  await page.getByRole('button', { name: 'New account secret…' }).click();
  await page.getByRole('checkbox', { name: 'Hand it over by a one-time link' }).check();
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Create a new one' }).click();
  await shown(page.getByText(/\/handover\?lang=en#/));
  const links = page.getByRole('region', { name: 'Links to credentials' });
  await shown(links.getByText(/from 127\.0\.0\.1/));
  await links.getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await shown(links.getByText('Revoked'));
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('the list of accounts shows error rate, callbacks and calls of each; staff have no wizard', async () => {
  const watched = await browser.open('staff', '/partners', { locale: 'zh-TW' });
  const { page } = watched;
  await shown(page.getByRole('columnheader', { name: '每日呼叫' }));
  await shown(page.getByRole('row', { name: /NEWTEA.*正常/ }));
  assert.equal(await page.getByRole('link', { name: '串接精靈' }).count(), 0);
  await assertAccessible(page);
  assertNoComplaints(watched);
});
