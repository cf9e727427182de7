import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { provisionOperators } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';
import { assertBooksInOrder } from '../support/logistics.ts';
import { dataOf, order, putLot, receive } from '../support/warehouse.ts';

const app = await startTestApp();
const { database } = app.store;
await provisionOperators(app);
await receive(app, { 'TEA-1': [['2031-01-01', 10]], 'RICE-2KG': [['2020-01-01', 4]], TAMPERED: [['2031-01-01', 7]] });
dataOf(await app.callWarehouse('/product/sync', { sku_id: 'RICE-2KG', sku_name: '池上米 2 公斤', storage_type: 1, weight: 2.05 }));
await putLot(app, { skuId: 'RICE-2KG', qty: 3, expireDate: null, stockType: 'bad', batchId: '批-7' });
await order(app, 'WEB-1001', [['TEA-1', 4]]);
const browser = await startConsoleBrowser(app);

test('lots are found by a filter that stands in the address; one is corrected and moved to defective, and its ledger tells it', async () => {
  const watched = await browser.open('staff', '/stock');
  const { page } = watched;
  await shown(page.getByRole('row', { name: /RICE-2KG.*Expired/ }));
  await shown(page.getByRole('link', { name: /^Defective/ }).getByText('1', { exact: true }));
  assert.deepEqual(await findAxeFindings(page), []);

  await page.getByRole('textbox', { name: 'SKU begins with' }).fill('TEA');
  await page.getByRole('row', { name: /RICE-2KG.*Expired/ }).waitFor({ state: 'detached' });
  await page.waitForURL(/[?&]sku=TEA/);
  await page.getByRole('link', { name: 'TEA-1', exact: true }).click();
  await shown(page.getByRole('heading', { level: 1, name: /^TEA-1 · lot \d+$/ }));
  const ledger = page.getByRole('table', { name: 'Movements' });
  await shown(ledger.getByRole('link', { name: 'WEB-1001' }));
  assert.equal(await ledger.getByRole('row').count(), 3);
  assert.deepEqual(await findAxeFindings(page), []);

  await page.getByRole('button', { name: 'Correct', exact: true }).click();
  const correct = page.getByRole('dialog', { name: /^Correct TEA-1, lot \d+$/ });
  await correct.getByRole('textbox', { name: 'More or fewer units' }).fill('-7');
  await shown(correct.getByText('On hand: 10 → 3'));
  await correct.getByRole('textbox', { name: 'Reason' }).fill('盤點少了兩件');
  await correct.getByRole('button', { name: 'Correct stock' }).click();
  await shown(correct.getByText('No more than 6: the rest is held for orders.'));
  await correct.getByRole('textbox', { name: 'More or fewer units' }).fill('-2');
  assert.deepEqual(await findAxeFindings(page), []);
  await correct.getByRole('button', { name: 'Correct stock' }).click();
  await shown(ledger.getByRole('row', { name: /Adjust -2 8 .*operator packer 盤點少了兩件/ }));

  await page.getByRole('button', { name: 'Move to defective' }).click();
  const regrade = page.getByRole('dialog', { name: /^Move units of TEA-1/ });
  await regrade.getByRole('textbox', { name: 'Units to move' }).fill('1');
  await shown(regrade.getByText('Defective: 0 → 1'));
  await regrade.getByRole('textbox', { name: 'Reason' }).fill('wet');
  await regrade.getByRole('button', { name: 'Move to defective' }).click();
  await shown(ledger.getByRole('row', { name: /Adjust -1 7 / }));
  await page.getByRole('link', { name: '1 on hand' }).click();
  await shown(page.getByRole('button', { name: 'Move to good' }));
  assertNoComplaints(watched);
  await assertBooksInOrder(app);
});

test('an audit is run from the page: what does not add up is named, and an administrator has it repaired', async () => {
  await database.read((sql) => sql`update lot set on_hand = on_hand + 5 where sku_id = 'TAMPERED'`);
  const watched = await browser.open('admin', '/stock');
  const audit = watched.page.getByRole('region', { name: 'Audit' });
  await shown(audit.getByText('No audit has been made yet.'));
  await audit.getByRole('button', { name: 'Audit now' }).click();
  await shown(audit.getByText('12 on hand, by its movements 7.'));
  await shown(audit.getByText('1 finding', { exact: true }));
  await audit.getByRole('button', { name: 'Repair' }).click();
  await watched.page.getByRole('dialog', { name: 'Repair what does not add up (1)?' }).getByRole('button', { name: 'Repair' }).click();
  await shown(audit.getByText('Repaired', { exact: true }));
  await shown(audit.getByText('everything adds up', { exact: true }));
  assertNoComplaints(watched);
  await assertBooksInOrder(app);
});

test('who may only look has no buttons that change anything, and sees products and sums by sku; all of it in Chinese, too', async () => {
  const watched = await browser.open('viewer', '/stock?view=sku', { locale: 'zh-TW' });
  const { page } = watched;
  await shown(page.getByRole('row', { name: /RICE-2KG 池上米 2 公斤 ALPHA 1 Taoyuan 2 7 0 7 4 3 2020-01-01/ }));
  assert.equal(await page.getByRole('button', { name: '立即稽核' }).count(), 0);
  await page.getByRole('link', { name: 'RICE-2KG', exact: true }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'RICE-2KG' }));
  const lots = page.getByRole('table', { name: '批次' });
  await shown(lots.getByText('已過期'));
  assert.deepEqual(await findAxeFindings(page), []);
  await lots.getByRole('link').first().click();
  await shown(page.getByRole('table', { name: '異動紀錄' }).getByRole('cell', { name: '入庫' }));
  assert.equal(await page.getByRole('button', { name: '調整數量' }).count(), 0);

  await page.goto(`${browser.ownUrl}/console/products?name=${encodeURIComponent('池上')}`);
  await shown(page.getByRole('row', { name: /RICE-2KG 池上米 2 公斤 ALPHA 常溫 2.05/ }));
  assert.equal(await page.getByRole('table', { name: '商品' }).getByRole('row').count(), 2);
  assert.deepEqual(await findAxeFindings(page), []);
  assertNoComplaints(watched);
});
