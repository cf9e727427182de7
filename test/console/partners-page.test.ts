import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { browserName } from '../../console/pages/sessions/browser-name.ts';
import { startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { operators, provisionOperators, signIn } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';

const app = await startTestApp();
await provisionOperators(app);
const browser = await startConsoleBrowser(app);

async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await findAxeFindings(page), []);
}

/** What the dialogue with a secret shows. */
async function takeSecret(page: Page, title: string): Promise<string> {
  const dialog = page.getByRole('dialog', { name: title });
  const secret = await dialog.locator('pre').innerText();
  await dialog.getByRole('button', { name: 'I have copied it' }).click();
  await dialog.waitFor({ state: 'hidden' });
  return secret;
}

async function chooseFor(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('a client is created, shown its secret once, rotated and disabled; the audit log tells it', async () => {
  const watched = await browser.open('admin', '/partners?tab=clients');
  const { page } = watched;
  const create = page.getByRole('button', { name: 'New client' });
  const form = page.getByRole('dialog', { name: 'New client' });
  await create.click();
  await shown(form.locator(':focus'));
  await page.keyboard.press('Escape');
  await shown(create.and(page.locator(':focus')));
  await page.keyboard.press('Enter');
  await form.getByRole('button', { name: 'Create' }).click();
  await shown(form.getByText('Fill this in.'));
  assert.equal(await form.getByText('Fill this in.').count(), 2);
  await form.getByLabel('Client ID').fill('alpha-erp');
  await form.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: 'ALPHA' }).click();
  await form.getByRole('button', { name: 'Create' }).click();
  await shown(form.getByRole('alert').getByText('This one exists already.'));
  await form.getByLabel('Client ID').fill('shop-front');
  await form.getByRole('checkbox', { name: 'Look up stock' }).check();
  await form.getByRole('button', { name: 'Create' }).click();

  const checkValue = await takeSecret(page, 'CheckValue of shop-front');
  assert.match(checkValue, /^lcv_/);
  const called = await app.callMain('/getStocksData/searchList', {}, { as: { clientId: 'shop-front', checkValue } });
  assert.equal(called.status, 200);
  await page.reload();
  await shown(page.getByRole('row', { name: /shop-front/ }));
  assert.ok(!(await page.content()).includes(checkValue));
  await assertAccessible(page);

  await chooseFor(page, 'shop-front', 'New CheckValue…');
  const rotate = page.getByRole('dialog', { name: 'New CheckValue for shop-front?' });
  await shown(rotate.getByText('Both work until'));
  await rotate.getByRole('radio', { name: 'Stops at once' }).check();
  await shown(rotate.getByText('The current one stops at once.'));
  await rotate.getByRole('button', { name: 'Make a new one' }).click();
  assert.notEqual(await takeSecret(page, 'CheckValue of shop-front'), checkValue);

  await chooseFor(page, 'shop-front', 'Disable…');
  const disable = page.getByRole('dialog', { name: 'Disable client shop-front?' });
  await shown(disable.getByText('Within 5 seconds calls of shop-front are refused.'));
  await disable.getByRole('button', { name: 'Disable', exact: true }).click();
  await shown(page.getByRole('row', { name: /shop-front/ }).getByText('Disabled'));

  await page.goto(`${browser.ownUrl}/console/audit-log?subject=shop-front`);
  await shown(page.getByRole('row', { name: /boss Change client shop-front .* Changed/ }));
  await shown(page.getByRole('row', { name: /boss Rotate secret shop-front .* Rotated/ }));
  await shown(page.getByRole('row', { name: /boss Client changed shop-front ALPHA Made Enabled: Yes → No/ }));
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('an account has a page with all that belongs to it, and both languages; who may not change it sees no buttons', async () => {
  const watched = await browser.open('admin', '/partners');
  const { page } = watched;
  await page.getByRole('link', { name: 'ALPHA' }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'Account ALPHA' }));
  await page.getByRole('button', { name: 'New tenant' }).click();
  const form = page.getByRole('dialog', { name: 'New tenant' });
  await form.getByLabel('Tenant (warehouse_tpw_id)').fill('台北一倉');
  for (const [field, option] of [
    ['Warehouse', '1 Taoyuan'],
    ['Store', '10 Upload test'],
  ] as const) {
    await form.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  }
  await form.getByRole('button', { name: 'Create' }).click();
  await shown(page.getByRole('table', { name: 'Tenants' }).getByText('台北一倉'));
  await shown(page.getByText('Tenant ALPHA/台北一倉: created'));
  await assertAccessible(page);
  assertNoComplaints(watched);

  const looking = await browser.open('viewer', '/partners/accounts/ALPHA', { locale: 'zh-TW' });
  await shown(looking.page.getByRole('heading', { level: 1, name: '帳號 ALPHA' }));
  await shown(looking.page.getByRole('table', { name: '租戶' }).getByText('台北一倉'));
  assert.equal(await looking.page.getByRole('button', { name: /新增|停用|更換|的操作/ }).count(), 0);
  assertNoComplaints(looking);
});

test('an operator is created; a session is ended by an admin; one’s own password is changed', async () => {
  const watched = await browser.open('admin', '/operators');
  const { page } = watched;
  await page.getByRole('button', { name: 'New operator' }).click();
  const form = page.getByRole('dialog', { name: 'New operator' });
  await form.getByLabel('Username').fill('night-shift');
  await form.getByRole('radio', { name: 'Read only' }).check();
  await form.getByRole('button', { name: 'Create' }).click();
  assert.match(await takeSecret(page, 'Password of night-shift'), /^lop_/);
  await shown(page.getByRole('row', { name: /night-shift Read only Enabled/ }));
  await chooseFor(page, 'boss', 'Disable…');
  const disable = page.getByRole('dialog', { name: 'Disable operator boss?' });
  await disable.getByRole('button', { name: 'Disable', exact: true }).click();
  await shown(page.getByText('One enabled administrator must be left.'));
  await assertAccessible(page);

  const packer = await signIn(app, 'staff');
  await page.goto(`${browser.ownUrl}/console/sessions`);
  await page.getByRole('button', { name: 'End session of packer from 127.0.0.1' }).click();
  await page.getByRole('dialog', { name: 'End this session of packer?' }).getByRole('button', { name: 'End session' }).click();
  await shown(page.getByText('The session was ended'));
  assert.equal((await packer.send('/sessions/list', {})).status, 401);

  await page.getByLabel('Current password').fill(operators.admin.password);
  await page.getByLabel('New password', { exact: true }).fill('another horse battery');
  await page.getByLabel('New password, again').fill('another horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await shown(page.getByText('Your password was changed'));
  await shown(page.getByText('This session', { exact: true }));
  await assertAccessible(page);
  assertNoComplaints(watched);
});

test('a browser is called by its name, version and system', () => {
  const named = {
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0':
      'Edge 139, Windows',
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15':
      'Safari 18, macOS',
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Mobile Safari/537.36': 'Chrome 138, Android',
    'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0': 'Firefox 141, Linux',
    'curl/8.14': null,
  };
  for (const [userAgent, name] of Object.entries(named)) assert.equal(browserName(userAgent), name);
});
