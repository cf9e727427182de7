import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { fillSearch } from '../../server/domain/search/fill-search.ts';
import { startTestApp } from '../support/app.ts';
import { clientsOf } from '../support/clients.ts';
import { actionsOf, provisionOperators } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { bring, item, ship } from '../support/logistics.ts';
import { orderRow, receive } from '../support/warehouse.ts';
import { until } from '../support/worker.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
const browser = await startConsoleBrowser(app);
await bring(app, [{ sku: 'LAMP', quantity: 50 }], live.apiKey);
await receive(app, { 'TEA-ALISHAN-75': [['2030-01-01', 5]] }, live);
const { warehouse, main } = await clientsOf(app, live);
await warehouse.productSync({ sku_id: 'TEA-ALISHAN-75', sku_name: '阿里山高山茶 75g', storage_type: 1 });
const people = [
  ['SHOP-20261117-0008', '王小明', '0912-345-678'],
  ['SHOP-20261118-0042', '陳怡君', '0933-111-678'],
  ['SHOP-20261118-0043', '林大同', '0987-005-678'],
] as const;
for (const [number, delivery_name, phoneNumber] of people)
  await ship(
    app,
    number,
    [item('LAMP', 1)],
    { delivery_name, phone: phoneNumber, customer_name: delivery_name },
    live.apiKey,
  );
await main.fulfilmentAdvance([
  { internal_name: 'SHOP-20261117-0008', status: 'shipped', shipment_no: '907212345678', carrier: 'tcat' },
]);
await fillSearch(app.store.service, { youngestSeconds: 0, restRatio: 0 });

const field = (page: Page) => page.getByRole('combobox', { name: /^(Search|搜尋)$/ });
const option = (page: Page, name: string | RegExp) => page.getByRole('option', { name });

/** Waits until the search is closed, and opens it again. */
async function openAgain(page: Page): Promise<void> {
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('/');
  await field(page).waitFor();
}

async function orderPath(number: string): Promise<string> {
  return `/console/orders/${(await orderRow(app, number))!.order_id}`;
}

test('a customer calls with the last four digits of the phone: no click leads to the parcel, where it took three', async () => {
  const watched = await browser.open('staff', '/');
  const { page } = watched;
  await shown(page.getByRole('button', { name: /Search/ }));
  await page.keyboard.press('/');
  await field(page).waitFor();
  await page.keyboard.type('5678');
  await shown(option(page, /ends in 5678/));
  // The shipment number contains the digits, too.
  await shown(option(page, /907212345678/));
  await page.keyboard.press('Enter');
  await shown(option(page, /王○明 09xx-xxx-678.*SHOP-20261117-0008 · 907212345678/));
  await page.keyboard.press('ArrowDown');
  assert.equal(await page.getByText('王小明').count(), 0);
  await page.getByRole('button', { name: 'Show the recipient' }).click();
  await shown(page.getByText('王小明 · 0912-345-678'));
  await assertAccessible(page);
  await field(page).focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${await orderPath('SHOP-20261117-0008')}`);
  await shown(page.getByText('907212345678'));
  assert.ok(!page.url().includes('5678'));
  const [order] = [(await orderRow(app, 'SHOP-20261117-0008'))!.order_id];
  assert.deepEqual(
    (await actionsOf(app, 'orders/search-by-recipient')).map(({ outcome, details }) => [outcome, details]),
    [['found 2', { filters: ['phone'] }]],
  );
  assert.deepEqual(
    (await actionsOf(app, 'orders/view-recipient')).map(({ subject }) => subject),
    [`order ${order}`],
  );
  assertNoComplaints(watched);
});

test('arrows and Enter choose among groups of documents, and a scanned number opens its order although Enter comes at once', async () => {
  const watched = await browser.open('viewer', '/');
  const { page } = watched;
  await shown(page.getByRole('button', { name: /Search/ }));
  await page.keyboard.press('Control+k');
  await shown(page.getByText('Any four characters of an order'));
  await page.keyboard.type('8-004');
  await shown(page.getByRole('group', { name: 'Orders' }).getByRole('option', { name: /SHOP-20261118-0043/ }));
  assert.equal(await page.getByRole('option').count(), 2);
  // Results of fewer characters may still arrive and begin the choice again.
  const second = page.getByRole('option', { name: /SHOP-20261118-0042/, selected: true });
  await until('the second order is chosen', async () => {
    if ((await second.count()) === 1) return true;
    await page.keyboard.press('ArrowDown');
    return false;
  });
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${await orderPath('SHOP-20261118-0042')}`);

  await openAgain(page);
  await page.keyboard.type('SHOP-20261118-0043');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**${await orderPath('SHOP-20261118-0043')}`);

  // Somebody who may only read does not search by recipient.
  await openAgain(page);
  await field(page).fill('0933-111-678');
  await shown(page.getByText('Nothing found for "0933-111-678"'));
  assert.equal(await page.getByRole('option').count(), 0);
  assertNoComplaints(watched);
});

test('on a phone and in Chinese, one character finds a product, and short or unknown texts are explained', async () => {
  const watched = await browser.open('staff', '/', { viewport: phone, locale: 'zh-TW' });
  const { page } = watched;
  await page.getByRole('button', { name: /搜尋/ }).click();
  await field(page).fill('茶');
  await shown(page.getByRole('group', { name: '商品' }).getByRole('option', { name: /阿里山高山茶/ }));
  await field(page).fill('x');
  await shown(page.getByText('請再輸入一個字'));
  await field(page).fill('SHO');
  await shown(page.getByText('目前只比對單號開頭'));
  await field(page).fill('0000-9999-x');
  await shown(page.getByText('找不到「0000-9999-x」'));
  await field(page).fill('陳怡');
  await option(page, /找姓名開頭為「陳怡」的收件人/).click();
  await shown(option(page, /陳○君/));
  await assertFitsWidth(page);
  await assertAccessible(page);
  await option(page, /陳○君/).click();
  await page.waitForURL(`**${await orderPath('SHOP-20261118-0042')}`);
  assertNoComplaints(watched);
});
