import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
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
import { live, provisionLive } from '../support/live.ts';
import { assertBooksInOrder, form } from '../support/logistics.ts';
import { retvalOf } from '../support/main.ts';
import { dataOf, inboundRow, orderRow, receive } from '../support/warehouse.ts';

// The tests run in this order on one service.
const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
const uatKey = {
  name: 'later',
  key: 'later-key-of-thirty-two-characters-or-more',
  account_no: 'ALPHA',
  receive_after_s: 3600,
};
await app.provision({ logistics_keys: [{ ...uatKey, warehouse_no: 1, store_no: 10 }] });
await receive(app, { TEA: [['2030-01-01', 100]], CUP: [['2031-01-01', 100]] }, live);
const browser = await startConsoleBrowser(app);
const inChinese = { locale: 'zh-TW' } as const;
const onPhone = { ...inChinese, viewport: phone } as const;

/** Five units of TEA and two of CUP for the same person, to the door or to a pickup store. */
async function ordered(number: string, method: object = { logistics_type: 'home', express_type: 'tcat' }) {
  const person = {
    consignee_name: '林美華',
    consignee_phone: '0912-345-678',
    consignee_address: '臺北市信義區松仁路 1 號',
  };
  const details = Object.entries({ TEA: 5, CUP: 2 }).map(([sku_id, qty]) => ({ sku_id, qty }));
  const body = { outbound_short_id: number, warehouse_tpw_id: live.warehouseTpwId, consignee_country: 'TW', details };
  dataOf(await app.callWarehouse('/outbound/create', { ...body, ...person, ...method }, live));
}

async function advance(number: string, report: object): Promise<void> {
  const orders = [{ outbound_short_id: number, ...report }];
  const { results } = retvalOf(await app.callMain('/fulfilment/advance', { orders }, { as: live }));
  assert.notEqual(results[0].status, 'refused', JSON.stringify(results));
}

function parcel(shipment_no: string, units: Record<string, number>) {
  return { shipment_no, carrier: '黑貓', items: Object.entries(units).map(([sku_id, qty]) => ({ sku_id, qty })) };
}

async function orderPath(number: string): Promise<string> {
  return `/orders/${(await orderRow(app, number))!.order_id}`;
}

/** The rows of a table without its head, each as one line. */
async function rowsOf(page: Page, table: string): Promise<string[]> {
  const rows = page.getByRole('table', { name: table, exact: true }).getByRole('row');
  await rows.nth(1).waitFor();
  return (await rows.allInnerTexts()).slice(1).map((row) => row.replaceAll(/\s+/g, ' ').trim());
}

test('an order page shows each parcel with its units, those that have not left, and those that never will', async () => {
  await ordered('PARCELS');
  await advance('PARCELS', { status: 'partially_shipped', parcels: [parcel('P-1', { TEA: 3 })] });
  const watched = await browser.open('staff', await orderPath('PARCELS'));
  const { page } = watched;
  await shown(page.getByText('Partially shipped'));
  assert.match((await rowsOf(page, 'Parcels')).join(), /^P-1 黑貓 TEA 3 no batch 2030-01-01 \d{4}-\d\d-\d\d [\d:]{8}$/);
  assert.deepEqual(await rowsOf(page, 'Not shipped yet'), ['TEA Name of TEA 2', 'CUP Name of CUP 2']);
  await page.getByRole('button', { name: 'Ship', exact: true }).click();
  const question = page.getByRole('dialog', { name: 'Ship order PARCELS?' });
  // The number of the first parcel would be refused.
  assert.equal(await question.getByRole('textbox', { name: 'Shipment no. of PARCELS' }).inputValue(), '');
  await page.keyboard.press('Escape');

  await advance('PARCELS', { status: 'shipped', final: true, parcels: [parcel('P-2', { TEA: 1, CUP: 2 })] });
  await shown(page.getByText('2 parcels'));
  assert.deepEqual(
    (await rowsOf(page, 'Parcels')).map((row) => row.slice(0, row.indexOf(' no batch'))),
    ['P-1 黑貓 TEA 3', 'P-2 黑貓 TEA 1', 'P-2 黑貓 CUP 2'],
  );
  assert.deepEqual(await rowsOf(page, 'Short: ordered, but will not be shipped'), ['TEA Name of TEA 1']);
  assert.equal(await page.getByRole('table', { name: 'Not shipped yet' }).count(), 0);
  await assertAccessible(page);
  assertNoComplaints(watched);

  const chinese = await browser.open('viewer', await orderPath('PARCELS'), onPhone);
  for (const heading of ['包裹', '短出：已訂購但不再出貨'])
    await shown(chinese.page.getByRole('heading', { name: heading, exact: true }));
  await shown(chinese.page.getByText('宅配 · 黑貓宅急便'));
  await shown(chinese.page.getByText('2 件包裹'));
  await assertFitsWidth(chinese.page);
  assertNoComplaints(chinese);
});

test('an order that waits at the store is marked as not collected; its page and that of its return lead to each other', async () => {
  await ordered('STORE', { logistics_type: 'csvs', express_type: 'pcsc' });
  await advance('STORE', { status: 'shipped', shipment_no: 'S-1' });
  await advance('STORE', { status: 'arrived' });
  const watched = await browser.open('staff', await orderPath('STORE'), inChinese);
  const { page } = watched;
  await shown(page.getByText('已到店'));
  await shown(page.getByText('超商取貨 · 7-ELEVEN'));
  await page.getByRole('button', { name: '標記未送達' }).click();
  const dialog = page.getByRole('dialog', { name: '標記為未送達：訂單 STORE？' });
  await dialog.getByRole('combobox', { name: '原因' }).selectOption('逾期未取');
  await dialog.getByRole('button', { name: '標記未送達 訂單 STORE' }).click();
  const results = page.getByRole('dialog', { name: '未送達結果' });
  await shown(results.getByText('目前：未送達'));
  await page.keyboard.press('Escape');
  await shown(page.getByText('未送達原因'));
  await shown(page.getByText('逾期未取'));
  await shown(page.getByText('待到貨'));

  await page.getByRole('link', { name: /^si_/ }).click();
  await shown(page.getByRole('heading', { level: 1, name: /^退貨單 si_/ }));
  await shown(page.getByRole('heading', { name: '原訂單' }));
  await page.getByRole('link', { name: 'STORE', exact: true }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'STORE' }));
  assertNoComplaints(watched);

  const english = await browser.open('viewer', await orderPath('STORE'));
  for (const text of ['Not delivered because', 'Not collected', 'Returns', 'Store pickup · 7-ELEVEN'])
    await shown(english.page.getByText(text, { exact: true }));
  assertNoComplaints(english);
});

test('staff hold an order with a reason and release it; the page says that it is on hold, why, and who did it', async () => {
  await ordered('HELD');
  const watched = await browser.open('staff', await orderPath('HELD'));
  const { page } = watched;
  await page.getByRole('button', { name: 'Hold', exact: true }).click();
  const hold = page.getByRole('dialog', { name: 'Hold order HELD?' });
  await hold.getByRole('textbox', { name: 'Reason' }).fill('等客服確認');
  await assertAccessible(page);
  await hold.getByRole('button', { name: 'Hold order HELD' }).click();
  await shown(page.getByRole('dialog', { name: 'Holding: results' }).getByText('On hold'));
  await page.keyboard.press('Escape');
  const alert = page.getByRole('alert').filter({ hasText: 'On hold' });
  await shown(alert.getByText('Reason: 等客服確認'));
  await shown(page.getByText('Put on hold'));
  await shown(page.getByText('by packer', { exact: true }));
  assertNoComplaints(watched);

  const chinese = await browser.open('staff', await orderPath('HELD'), onPhone);
  await shown(chinese.page.getByRole('alert').getByText('原因：等客服確認'));
  await assertFitsWidth(chinese.page);
  await chinese.page.getByRole('button', { name: '解除暫緩' }).click();
  const release = chinese.page.getByRole('dialog', { name: '解除暫緩：訂單 HELD？' });
  await release.getByRole('button', { name: '解除暫緩 訂單 HELD' }).click();
  await shown(chinese.page.getByRole('dialog', { name: '解除暫緩結果' }).getByText('已解除暫緩'));
  await chinese.page.keyboard.press('Escape');
  await shown(chinese.page.getByRole('button', { name: '暫緩出貨' }));
  assert.equal(await chinese.page.getByRole('alert').count(), 0);
  assertNoComplaints(chinese);
});

test('a changed recipient is in the history with old and new values, masked; shown, they are in full', async () => {
  await ordered('CHANGED');
  const watched = await browser.open('staff', await orderPath('CHANGED'), inChinese);
  const { page } = watched;
  await page.getByRole('button', { name: '變更收件人' }).click();
  const dialog = page.getByRole('dialog', { name: '變更 CHANGED 的收件人' });
  await dialog.getByRole('textbox', { name: '姓名' }).fill('陳大文');
  for (const [field, option] of Object.entries({ 配送方式: '超商取貨', 物流商或超商: '全家' })) {
    await dialog.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  }
  await assertAccessible(page);
  await dialog.getByRole('button', { name: '變更', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  for (const change of ['姓名：林○華 → 陳○文', '配送方式：宅配 → 超商取貨', '物流商或超商：黑貓宅急便 → 全家'])
    await shown(page.getByText(change));
  await page.getByRole('button', { name: '顯示', exact: true }).click();
  await shown(page.getByText('姓名：林美華 → 陳大文'));
  assertNoComplaints(watched);

  const english = await browser.open('viewer', await orderPath('CHANGED'));
  for (const change of [
    'Name: 林○華 → 陳○文',
    'Delivery: Home delivery → Store pickup',
    'Carrier or chain: T-Cat → FamilyMart',
  ])
    await shown(english.page.getByText(change));
  assert.equal(await english.page.getByRole('button', { name: 'Change recipient' }).count(), 0);
  assertNoComplaints(english);
});

test('staff find orders by recipient; the results mask the name, and the audit log shows the search as a success', async () => {
  const watched = await browser.open('staff', '/orders');
  const { page } = watched;
  await page.getByRole('textbox', { name: 'Recipient' }).fill('0912345678');
  await page.keyboard.press('Enter');
  await shown(page.getByRole('columnheader', { name: 'Recipient' }));
  await shown(page.getByRole('link', { name: 'HELD' }));
  assert.equal(await page.getByText('林美華').count(), 0);
  await assertAccessible(page);
  assertNoComplaints(watched);

  const log = await browser.open('admin', '/audit-log', inChinese);
  await shown(log.page.getByRole('row', { name: /packer 依收件人搜尋訂單 .*找到：\d+ 搜尋依據：電話/ }));
  await shown(log.page.getByRole('row', { name: /packer 變更訂單 .*已修改 .*欄位：姓名/ }));
  assertNoComplaints(log);
});

test('a form of a UAT key says when it is received; until then it takes receipts', async () => {
  const body = form('LATER', [{ sku: 'CUP', quantity: 3 }]);
  retvalOf(await app.callLogistics('/purchases/purchase', body, { apiKey: uatKey.key }));
  const path = `/inbound/${(await inboundRow(app, 'LATER'))!.inbound_id}`;
  for (const [look, label, waiting] of [
    [{}, 'Received automatically', 'Expected'],
    [onPhone, '自動收貨時間', '待到貨'],
  ] as const) {
    const watched = await browser.open('staff', path, look);
    const { page } = watched;
    await shown(page.getByText(waiting, { exact: true }));
    const fact = page.locator('dl > div').filter({ hasText: label });
    assert.match(await fact.getByRole('definition').innerText(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await shown(page.getByRole('textbox', { name: /Scan a product|掃描商品/ }));
    // The rule of the key would contradict that time.
    assert.equal(await page.getByText(/When announced|建單即入庫/).count(), 0);
    await assertFitsWidth(page);
    assertNoComplaints(watched);
  }
});

test('an admin gives an account and a tenant callback URLs, whose secrets are shown once; staff send a test callback', async () => {
  const watched = await browser.open('admin', '/partners/accounts/ALPHA');
  const { page } = watched;
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  const account = page.getByRole('dialog', { name: 'Change account ALPHA' });
  await account.getByRole('textbox', { name: 'Callback URL' }).fill('https://shop.example/hook');
  await account.getByRole('button', { name: 'Save' }).click();
  await shown(page.getByText(/^whsec_/));
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await shown(page.getByText('https://shop.example/hook'));
  await shown(page.getByRole('button', { name: 'New callback secret' }));
  await shown(page.getByRole('table', { name: 'Tenants' }).getByText('That of the account'));

  await page.getByRole('button', { name: 'Actions for TPW-A' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const tenant = page.getByRole('dialog', { name: 'Change tenant TPW-A' });
  await tenant.getByRole('textbox', { name: 'Callback URL' }).fill('https://tenant.example/hook');
  await tenant.getByRole('button', { name: 'Save' }).click();
  await shown(page.getByText(/^whsec_/));
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await shown(page.getByRole('table', { name: 'Tenants' }).getByText('https://tenant.example/hook'));
  assert.equal(await page.getByText(/whsec_/).count(), 0);
  assertNoComplaints(watched);

  const staff = await browser.open('staff', '/partners/accounts/ALPHA', onPhone);
  await staff.page.getByRole('button', { name: '測試回呼' }).click();
  const dialog = staff.page.getByRole('dialog', { name: '要送出 ALPHA 的測試回呼嗎？' });
  await dialog.getByRole('textbox', { name: '網址' }).fill('http://127.0.0.1/hook');
  await dialog.getByRole('button', { name: '送出' }).click();
  await shown(staff.page.getByText('網址指向私有或保留位址。'));
  await dialog.getByRole('textbox', { name: '網址' }).fill('');
  await dialog.getByRole('button', { name: '送出' }).click();
  await shown(staff.page.getByText('測試回呼將送到 https://shop.example/hook'));
  await staff.page.goto(`${browser.ownUrl}/console/callbacks`);
  await shown(staff.page.getByText('訂單已出貨'));
  await assertFitsWidth(staff.page);
  assertNoComplaints(staff);
  await assertBooksInOrder(app);
});
