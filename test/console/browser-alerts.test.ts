import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { startReceiver } from '../callbacks/receiver.ts';
import { startTestApp } from '../support/app.ts';
import { provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { startMailServer } from '../support/mail-server.ts';

// The tests run in this order on one service.
const mailServer = await startMailServer();
const receiver = await startReceiver();
const app = await startTestApp({
  env: {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_FROM: 'Lading <alerts@mail.example>',
    CALLBACK_ALLOW_CIDRS: '127.0.0.0/8',
  },
});
await provisionOperators(app);
const browser = await startConsoleBrowser(app);

/** Counts the clicks of a person in this page. */
async function countClicks(page: Page): Promise<void> {
  await page.addInitScript(`globalThis.clicks = 0;
    addEventListener('click', (event) => { if (event.isTrusted && event.detail > 0) globalThis.clicks++; }, true);`);
}
const clicksOf = async (page: Page) => Number(await page.evaluate('globalThis.clicks'));

test('two clicks and two texts make a rule, a third click tests it and shows what the mail server answered', async () => {
  const watched = await browser.open('admin', '/alerts', {}, countClicks);
  const { page } = watched;
  await shown(page.getByText('No rules yet'));
  await assertAccessible(page);
  await page.getByRole('button', { name: 'New rule' }).first().click();
  const form = page.getByRole('dialog', { name: 'New rule' });
  await form.getByLabel('Name').fill('Night shift');
  await form.getByLabel('E-mail to').fill('ops@mail.example');
  await assertAccessible(page);
  await form.getByRole('button', { name: 'Create' }).click();
  await form.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Test Night shift' }).click();
  const result = page.getByRole('dialog', { name: 'Test of Night shift' });
  await shown(result.getByText('the mail server answered: 250 queued as 1'));
  assert.equal(await clicksOf(page), 3);
  await assertAccessible(page);
  assert.deepEqual(
    mailServer.received.map(({ to, subject }) => [to, subject]),
    [[['ops@mail.example'], '[Lading] Test: Night shift']],
  );
  await result.getByRole('button', { name: 'Close' }).last().click();
  await shown(page.getByRole('table', { name: 'History' }).getByText('Test', { exact: true }));
  assertNoComplaints(watched);
});

test('on a phone in Chinese, a rule gets a webhook, whose secret is shown once, and quiet hours', async () => {
  const watched = await browser.open('admin', '/alerts', { locale: 'zh-TW', viewport: phone });
  const { page } = watched;
  await page.getByRole('button', { name: '「Night shift」的更多動作' }).click();
  await page.getByRole('menuitem', { name: '變更…' }).click();
  const form = page.getByRole('dialog', { name: '規則「Night shift」' });
  await form.getByLabel('Webhook 網址').fill('nowhere');
  await form.getByLabel('勿擾時段（臺北時間）').check();
  await form.getByLabel('開始', { exact: true }).fill('25:00');
  await form.getByRole('button', { name: '儲存' }).click();
  await shown(form.getByText('請輸入 http(s) 網址。'));
  await shown(form.getByText('請輸入時間，例如 22:00。'));
  await assertFitsWidth(page);
  await assertAccessible(page);
  await form.getByLabel('Webhook 網址').fill(receiver.url);
  await form.getByLabel('開始', { exact: true }).fill('21:30');
  await form.getByRole('button', { name: '儲存' }).click();
  const secret = page.getByRole('dialog', { name: '「Night shift」的 Webhook 密鑰' });
  await shown(secret.getByText(/^whsec_/));
  await assertAccessible(page);
  await secret.getByRole('button').last().click();
  await shown(page.getByText('21:30–07:00、每天'));
  await page.getByRole('button', { name: '測試「Night shift」' }).click();
  await shown(page.getByRole('dialog', { name: '「Night shift」的測試結果' }).getByText('HTTP 200：ok'));
  assert.equal(receiver.received.length, 1);
  await assertFitsWidth(page);
  assertNoComplaints(watched);
});

test('staff have no menu entry for alerts, and the page refuses them', async () => {
  const { page } = await browser.open('staff', '/alerts');
  await shown(page.getByRole('heading', { level: 1, name: 'Alerts' }));
  assert.equal(await page.getByRole('navigation').getByRole('link', { name: 'Alerts' }).count(), 0);
  assert.equal(await page.getByRole('button', { name: 'New rule' }).count(), 0);
});
