import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { codeAt, fromBase32, stepOf } from '../../server/platform/totp.ts';
import { startTestApp } from '../support/app.ts';
import { operators, provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { freePort } from '../support/free-port.ts';
import { oidcSettings, startIdentityProvider } from '../support/identity-provider.ts';

const port = await freePort();
const publicUrl = `http://127.0.0.1:${port}`;
const people = {
  7: { preferred_username: 'mei-ling', roles: ['pickers'] },
  9: { preferred_username: 'guest', roles: ['other'] },
};
const provider = await startIdentityProvider(`${publicUrl}/console/api/oidc/callback`, people);
const app = await startTestApp({
  env: { PORT: String(port), PUBLIC_URL: publicUrl, REQUIRE_TOTP: 'admins', ...oidcSettings(provider.url) },
});
await provisionOperators(app);
const browser = await startConsoleBrowser(app, port);

/** The clock of the service is moved on, because each code is accepted once. */
let nowMs = Date.parse('2026-11-18T00:00:00Z');
function nextCode(secret: string): string {
  nowMs += 90_000;
  app.clock.set(new Date(nowMs));
  return codeAt(fromBase32(secret), stepOf(app.clock.now()));
}

async function fill(page: Page, fields: Record<string, string>, button: string): Promise<void> {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
  await page.getByRole('button', { name: button, exact: true }).click();
}

async function signIn(page: Page, { username, password }: { username: string; password: string }): Promise<void> {
  await fill(page, { Username: username, Password: password }, 'Sign in');
}

async function look(page: Page, name: string): Promise<void> {
  await assertAccessible(page, name);
  await assertFitsWidth(page, name);
}

let secretOfAdmin = '';

test('an admin must set up codes before anything else, with a QR code or the key, and gets recovery codes once', async () => {
  const watched = await browser.open(null, '/operators');
  const { page } = watched;
  await signIn(page, operators.admin);
  await shown(page.getByRole('heading', { name: 'Set up one-time codes' }));
  await look(page, 'enrolment: password');
  await fill(page, { 'Current password': 'wrong' }, 'Continue');
  await shown(page.getByText('This is not your current password.'));
  await fill(page, { 'Current password': operators.admin.password }, 'Continue');
  await shown(page.getByRole('img', { name: 'QR code for the authenticator app' }));
  secretOfAdmin = (await page.locator('code').innerText()).replaceAll(' ', '');
  await look(page, 'enrolment: QR code');
  await fill(page, { 'Code from the app': '000000' }, 'Confirm');
  await shown(page.getByText('This code is wrong, or was used already. Wait for the next one.'));
  await fill(page, { 'Code from the app': nextCode(secretOfAdmin) }, 'Confirm');
  await shown(page.getByText('Each of these works once'));
  assert.equal((await page.locator('pre').innerText()).split('\n').length, 10);
  await look(page, 'enrolment: recovery codes');
  await page.getByRole('button', { name: 'I have stored them' }).click();
  await shown(page.getByRole('heading', { name: 'Operators' }));
  await shown(page.getByRole('row', { name: /boss.*One-time codes/ }));
  await look(page, 'operators');
  assertNoComplaints(watched);
});

test('the sign-in then asks for a code in a second step, on a phone and in Chinese too', async () => {
  const watched = await browser.open(null, '/sign-in', { locale: 'zh-TW', viewport: phone });
  const { page } = watched;
  const texts = { 使用者名稱: 'boss', 密碼: operators.admin.password };
  await fill(page, texts, '登入');
  await shown(page.getByText('請輸入驗證器 App 顯示的驗證碼'));
  await look(page, 'second step');
  await fill(page, { 一次性驗證碼: '000000' }, '登入');
  await shown(page.getByText('驗證碼錯誤或已使用過，請等下一組。'));
  await fill(page, { 一次性驗證碼: nextCode(secretOfAdmin) }, '登入');
  await page.getByRole('heading', { name: '首頁' }).or(page.getByRole('navigation')).first().waitFor();
  await page.goto(`${browser.ownUrl}/console/sessions`);
  await shown(page.getByText('剩餘備用碼'));
  await look(page, 'own codes');
  assertNoComplaints(watched);
});

test('the button of the identity provider signs in through its pages, and a person without a role reads why not', async () => {
  const { page } = await browser.open(null, '/orders');
  await shown(page.getByRole('link', { name: 'Sign in with Acme ID' }));
  await look(page, 'sign-in with a provider');
  await page.getByRole('link', { name: 'Sign in with Acme ID' }).click();
  await throughProvider(page, '7');
  await page.waitForURL(`${browser.ownUrl}/console/orders`);
  await shown(page.getByRole('heading', { name: 'Orders' }));
  await page.goto(`${browser.ownUrl}/console/sessions`);
  await shown(page.getByText('You sign in with the identity provider'));
  assert.equal(await page.getByText('Change my password').count(), 0);

  const { page: other } = await browser.open(null, '/');
  await other.getByRole('link', { name: 'Sign in with Acme ID' }).click();
  await throughProvider(other, '9');
  await shown(other.getByText('You have no role in Lading.'));
  await look(other, 'no role');
});

/** The pages of the provider have two forms: who you are, and your consent. */
async function throughProvider(page: Page, person: string): Promise<void> {
  await page.locator('input[name=login]').fill(person);
  await page.locator('input[name=password]').fill('x');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
