import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { sessionsEnd, sessionsList } from '../../contract/console/sessions.ts';
import { formatStored } from '../../messages/format-message.ts';
import { insertCallbacks } from '../callbacks/insert-callbacks.ts';
import { startTestApp } from '../support/app.ts';
import { operators, provisionOperators, signIn, type TestOperator } from '../support/console.ts';
import {
  assertAccessible,
  assertFitsWidth,
  assertNoComplaints,
  phone,
  shown,
  startConsoleBrowser,
} from '../support/console-browser.ts';
import { assertBooksInOrder, form, formPath } from '../support/logistics.ts';
import { accountIdOf } from '../support/main.ts';
import { dataOf, order, putLot, receive } from '../support/warehouse.ts';

const app = await startTestApp();
const { database } = app.store;
await provisionOperators(app);
const browser = await startConsoleBrowser(app);

/** Fills in the sign-in form. */
async function signInAs(page: Page, who: TestOperator, password: string = operators[who].password): Promise<void> {
  await page.getByLabel('Username').fill(operators[who].username);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
}

test('the console asks for a sign-in, says when it fails, and returns to the requested page; signing out ends the session', async () => {
  const watched = await browser.open(null, '/sessions?from=here');
  const { page } = watched;
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  await assertAccessible(page);

  await page.getByRole('button', { name: 'Sign in' }).click();
  await shown(page.getByText('Enter your username.'));
  await signInAs(page, 'staff', 'wrong');
  await shown(page.getByRole('alert').filter({ hasText: 'Username or password is wrong.' }));
  await signInAs(page, 'staff');
  await page.waitForURL(`${browser.ownUrl}/console/sessions?from=here`);

  const kept = String(
    await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])'),
  );
  const isKept = kept.includes('lading-session') || kept.includes(operators.staff.password);
  assert.ok(!isKept, `scripts can read the session or the password: ${kept}`);

  await page.getByRole('button', { name: 'packer: account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  await page.goto(`${browser.ownUrl}/console/orders`);
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  // The page may have been loading data when the session ended.
  const complaints = watched.complaints.filter((complaint) => !complaint.includes('status of 401'));
  assertNoComplaints({ ...watched, complaints });
});

test('the console works below a path that a proxy puts in front of it', async (t) => {
  const proxy = createServer((incoming, outgoing) => {
    if (!incoming.url!.startsWith('/oms/')) return outgoing.writeHead(404).end();
    const { method, headers } = incoming;
    const ownUrl = `${browser.ownUrl}${incoming.url!.slice('/oms'.length)}`;
    const onward = request(ownUrl, { method, headers, setHost: false }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    proxy.close();
    proxy.closeAllConnections();
  });
  const proxyUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const watched = await browser.open(null, '/sign-in');
  const { page } = watched;
  await page.goto(`${proxyUrl}/oms/console/partners/accounts/ALPHA`);
  await signInAs(page, 'viewer');
  await shown(page.getByRole('heading', { level: 1, name: 'ALPHA' }));
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'Stock' }));
  assert.equal(page.url(), `${proxyUrl}/oms/console/stock`);
  assertNoComplaints(watched);
});

test('a page whose session ends leads back to signing in', async () => {
  const { page } = await browser.open('staff', '/sessions');
  await shown(page.getByRole('button', { name: 'packer: account menu' }));
  const admin = await signIn(app, 'admin');
  const { sessions } = await admin.ask(sessionsList, {});
  for (const { session_id, username } of sessions) {
    if (username === 'packer') await admin.ask(sessionsEnd, { session_id });
  }
  await shown(page.getByRole('heading', { name: 'Sign in' }));
});

test('the console starts in the language of the browser, which can be changed and is kept', async () => {
  const { page } = await browser.open(null, '/sign-in', { locale: 'zh-TW', viewport: phone });
  await shown(page.getByRole('heading', { name: '登入' }));
  assert.equal(await page.evaluate('document.documentElement.lang'), 'zh-Hant-TW');
  await assertFitsWidth(page);
  await page.getByRole('button', { name: /English/ }).click();
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  await page.reload();
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
});

test('a filter in the address finds lots; one lot is corrected and moved to defective, and its ledger shows both', async () => {
  await receive(app, { 'TEA-1': [['2031-01-01', 10]], 'RICE-2KG': [['2020-01-01', 4]] });
  const rice = { sku_id: 'RICE-2KG', sku_name: '池上米 2 公斤', storage_type: 1, weight: 2.05 };
  dataOf(await app.callWarehouse('/product/sync', rice));
  await putLot(app, { skuId: 'RICE-2KG', qty: 3, expireDate: null, stockType: 'bad', batchId: '批-7' });
  await order(app, 'WEB-1001', [['TEA-1', 4]]);
  const watched = await browser.open('staff', '/stock');
  const { page } = watched;
  await shown(page.getByRole('row', { name: /RICE-2KG.*Expired/ }));
  await shown(page.getByRole('link', { name: /^Defective/ }).getByText('1', { exact: true }));

  await page.getByRole('textbox', { name: 'SKU begins with' }).fill('TEA');
  await page.getByRole('row', { name: /RICE-2KG.*Expired/ }).waitFor({ state: 'detached' });
  await page.waitForURL(/[?&]sku=TEA/);
  await page.getByRole('link', { name: 'TEA-1', exact: true }).click();
  await shown(page.getByRole('heading', { level: 1, name: /^TEA-1 · lot \d+$/ }));
  const ledger = page.getByRole('table', { name: 'Movements' });
  await shown(ledger.getByRole('link', { name: 'WEB-1001' }));
  assert.equal(await ledger.getByRole('row').count(), 3);

  await page.getByRole('button', { name: 'Correct', exact: true }).click();
  const correct = page.getByRole('dialog', { name: /^Correct TEA-1, lot \d+$/ });
  await correct.getByRole('textbox', { name: 'Units to add or remove' }).fill('-7');
  await shown(correct.getByText('On hand: 10 → 3'));
  await correct.getByRole('textbox', { name: 'Reason' }).fill('盤點少了兩件');
  await correct.getByRole('button', { name: 'Correct stock' }).click();
  await shown(correct.getByText('At most 6: the rest is locked for orders.'));
  await correct.getByRole('textbox', { name: 'Units to add or remove' }).fill('-2');
  await assertAccessible(page);
  await correct.getByRole('button', { name: 'Correct stock' }).click();
  await shown(ledger.getByRole('row', { name: /Adjust -2 8 .* packer 盤點少了兩件/ }));

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

test('units move to another warehouse of the account, and the ledgers name both warehouses, the number and the reason', async () => {
  const second = { warehouse_tpw_id: 'TPW-A-2', warehouse_no: 2, store_no: 10 };
  await app.provision({
    warehouses: [{ warehouse_no: 2, name: '高雄倉' }],
    accounts: [{ account_no: 'ALPHA', environment: 'uat', tenants: [second] }],
  });
  await receive(app, { MOVED: [['2031-01-01', 10]] });
  const watched = await browser.open('staff', '/stock?sku=MOVED');
  const { page } = watched;
  await page.getByRole('link', { name: 'MOVED', exact: true }).click();
  await page.getByRole('button', { name: 'Move to warehouse' }).click();
  const move = page.getByRole('dialog', { name: /^Move units of MOVED, lot \d+, to another warehouse$/ });
  await move.getByRole('textbox', { name: 'Reason' }).fill('補貨');
  await move.getByRole('button', { name: 'Move to warehouse' }).click();
  await shown(move.getByText('Choose a warehouse.'));
  await move.getByRole('combobox', { name: 'To warehouse' }).click();
  await page.getByRole('option', { name: '2 高雄倉' }).click();
  await move.getByRole('textbox', { name: 'Units to move' }).fill('4');
  await move.getByRole('textbox', { name: 'Reference' }).fill('MV-7');
  await assertAccessible(page);
  await move.getByRole('button', { name: 'Move to warehouse' }).click();
  const ledger = page.getByRole('table', { name: 'Movements' });
  await shown(ledger.getByRole('row', { name: /Move to warehouse 2 -4 6 .*MV-7 packer 補貨/ }));
  assertNoComplaints(watched);
  await assertBooksInOrder(app);
});

test('the stock page runs an audit and names the differences, which an administrator repairs', async () => {
  await receive(app, { TAMPERED: [['2031-01-01', 7]] });
  await database.read((sql) => sql`update lot set on_hand = on_hand + 5 where sku_id = 'TAMPERED'`);
  const watched = await browser.open('admin', '/stock');
  const audit = watched.page.getByRole('region', { name: 'Audit' });
  await shown(audit.getByText('No audit has run yet.'));
  await audit.getByRole('button', { name: 'Audit now' }).click();
  await shown(audit.getByText('12 on hand, but 7 by its movements.'));
  await shown(audit.getByText('1 finding', { exact: true }));
  await audit.getByRole('button', { name: 'Repair' }).click();
  const dialog = watched.page.getByRole('dialog', { name: 'Repair the differences (1)?' });
  await dialog.getByRole('button', { name: 'Repair' }).click();
  await shown(audit.getByText('Repaired', { exact: true }));
  await shown(audit.getByText('the books match', { exact: true }));
  assertNoComplaints(watched);
  await assertBooksInOrder(app);
});

test('a read-only operator sees sums by SKU, lots and products without actions, in Chinese', async () => {
  const watched = await browser.open('viewer', '/stock?view=sku', { locale: 'zh-TW' });
  const { page } = watched;
  await shown(page.getByRole('row', { name: /RICE-2KG 池上米 2 公斤 ALPHA 1 Taoyuan 2 7 0 7 4 3 2020-01-01/ }));
  assert.equal(await page.getByRole('button', { name: '立即稽核' }).count(), 0);
  await page.getByRole('link', { name: 'RICE-2KG', exact: true }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'RICE-2KG' }));
  const lots = page.getByRole('table', { name: '批次' });
  await shown(lots.getByText('已過期'));
  await assertAccessible(page);
  await lots.getByRole('link').first().click();
  await shown(page.getByRole('table', { name: '異動紀錄' }).getByRole('cell', { name: '入庫' }));
  assert.equal(await page.getByRole('button', { name: '調整數量' }).count(), 0);

  await page.goto(`${browser.ownUrl}/console/products?name=${encodeURIComponent('池上')}`);
  await shown(page.getByRole('row', { name: /RICE-2KG 池上米 2 公斤 ALPHA 常溫 2.05/ }));
  assert.equal(await page.getByRole('table', { name: '商品' }).getByRole('row').count(), 2);
  assertNoComplaints(watched);
});

async function insertFailed(count: number) {
  const wanted = { urls: ['https://partner.example/hook'], count, accountId: await accountIdOf(app, 'ALPHA') };
  const made = await database.read((sql) => insertCallbacks(sql, { ...wanted, notify: false }));
  const ids = made.map(({ callbackId }) => callbackId);
  await database.transaction(async (tx) => {
    await tx`
      insert into callback_attempt (callback_id, attempt_no, account_id, duration_ms, http_status, address, response)
      select callback_id, 1, account_id, 12, 502, '203.0.113.7', 'Bad Gateway' from callback where callback_id = any(${ids})`;
    await tx`update callback set status = 'failed' where callback_id = any(${ids})`;
    await tx`delete from callback_delivery where callback_id = any(${ids})`;
  });
  return made;
}

async function countCallbacks(): Promise<Record<string, number>> {
  const rows = await database.read((sql) => sql`select status, count(*)::integer from callback group by status`);
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

test('failed callbacks are counted and sent again, all that match or one; a receiver is paused by its name', async () => {
  const [first] = await insertFailed(3);
  const watched = await browser.open('admin', '/callbacks?status=failed');
  const { page } = watched;
  await shown(page.getByRole('table', { name: 'Callbacks' }).getByRole('row').nth(3));
  await insertFailed(1);
  await page.getByRole('button', { name: 'Send all matching again…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send all matching callbacks again?' });
  await shown(dialog.getByText('4 callbacks match:'));
  await shown(dialog.getByText('Status: Failed'));
  await insertFailed(1);
  await dialog.getByRole('button', { name: 'Send 4 again' }).click();
  await shown(dialog.getByRole('alert'));
  assert.deepEqual(await countCallbacks(), { failed: 5 });
  await dialog.getByRole('button', { name: 'Send 5 again' }).click();
  await shown(page.getByText('5 sent again', { exact: true }));
  assert.deepEqual(await countCallbacks(), { pending: 5 });

  await page.goto(`${browser.ownUrl}/console/callbacks/${first!.callbackId}`);
  await shown(page.getByRole('heading', { level: 1, name: `Callback of D${first!.documentId}` }));
  await page.getByText('Attempt 1').click();
  await shown(page.getByText('Bad Gateway'));
  await shown(page.getByText(`"event_id": "${first!.eventId}"`));
  await page.getByText('As sent').click();
  await shown(page.getByText(`{"event_id":"${first!.eventId}"`));
  await assertAccessible(page);
  await page.getByRole('button', { name: 'Send again' }).click();
  await shown(page.getByRole('dialog').getByText('https://partner.example/hook'));
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click();
  await shown(page.getByText('1 sent again', { exact: true }));

  await page.goto(`${browser.ownUrl}/console/callbacks?tab=receivers`);
  await page.getByRole('button', { name: 'Pause https://partner.example/hook' }).click();
  const question = page.getByRole('dialog', { name: 'Pause this receiver?' });
  await shown(question.getByText('https://partner.example/hook (ALPHA)'));
  await shown(question.getByText('Callbacks pending now: 5'));
  await question.getByRole('button', { name: 'Pause', exact: true }).click();
  await shown(page.getByRole('button', { name: 'Resume https://partner.example/hook' }));
  await shown(page.getByText('by boss'));
  await page.getByRole('link', { name: 'partner.example/hook' }).click();
  await shown(page.getByText('Receiver is paused'));
  await page.getByRole('checkbox', { name: 'Select all rows shown' }).check();
  await page.getByRole('button', { name: 'Send 5 again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send 5 again' }).click();
  await shown(page.getByText('5 held: the receiver is paused or on hold', { exact: true }));
  assertNoComplaints(watched);
});

test('the callback pages say why a callback waits and how its receiver does; a read-only operator has no actions there', async () => {
  await database.read(
    (sql) =>
      sql`update callback_receiver set paused = false, failures = 5, unsuccessful = 5, open_until = now() + interval '5 minutes'`,
  );
  const { page } = await browser.open('viewer', '/callbacks?status=pending');
  const topRow = page.getByRole('table', { name: 'Callbacks' }).getByRole('row').nth(1);
  await shown(topRow.getByText('Receiver is on hold'));
  await shown(topRow.getByText(/next attempt in \d min/));
  await database.read((sql) => sql`update callback_receiver set failures = 0, open_until = null`);
  await page.reload();
  await shown(topRow.getByText('Queued'));
  assert.equal(await page.getByRole('checkbox').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Send all matching again…' }).count(), 0);
  await page.getByRole('tab', { name: 'Receivers' }).click();
  await shown(page.getByRole('row').nth(1).getByText('responds, but rejects callbacks'));
  await assertAccessible(page);
  assert.equal(await page.getByRole('button', { name: /Pause|Resume/ }).count(), 0);
});

test('a pasted trace id shows why a signature was refused; grouped errors open their requests; both languages', async () => {
  const body = { sku_id: 'TEA', sku_name: '烏龍茶', storage_type: 1 };
  const refused = await app.callWarehouse('/product/sync', body, {
    secret: 'beta-secret-of-thirty-two-characters-or-more',
  });
  await app.callWarehouse('/product/sync', body, { secret: 'beta-secret-of-thirty-two-characters-or-more' });
  const products = [{ sku: 'TEA', quantity: 3, storage_type: 'ambient' }];
  const made = await app.callLogistics(formPath, form('SEEN-1', products));
  await app.requestLog.flush();
  const traceId = String(refused.headers['trace-id']);
  const [line] = await database.read((sql) => sql`select diagnosis from request_log where trace_id = ${traceId}`);
  const diagnosis = formatStored(line!.diagnosis.split('\n')[0]!);

  const watched = await browser.open('viewer', '/requests');
  const { page } = watched;
  await shown(page.getByRole('table', { name: 'Requests' }).getByText('the signature does not match'));
  await page.getByRole('textbox', { name: 'Trace ID' }).fill(`trace-id: ${traceId}`);
  await page.keyboard.press('Enter');
  await shown(page.getByRole('region', { name: 'Diagnosis' }).getByText(diagnosis));
  await assertAccessible(page);

  await page.goto(`${browser.ownUrl}/console/requests?tab=errors`);
  const group = page.getByRole('table', { name: 'Grouped errors' }).getByRole('row').nth(1);
  await shown(group.getByRole('cell', { name: '2', exact: true }));
  await assertAccessible(page);
  await group.getByRole('link').first().click();
  await page.waitForURL(/status=401/);
  await shown(page.getByText('2 rows, all shown'));
  assertNoComplaints(watched);

  const chinese = await browser.open('viewer', `/requests/${made.headers['trace-id']}`, { locale: 'zh-TW' });
  await shown(chinese.page.getByRole('region', { name: '診斷' }).getByText('呼叫成功。'));
  await shown(chinese.page.getByRole('region', { name: '單據' }).getByRole('link', { name: 'SEEN-1' }));
  await chinese.page.getByRole('region', { name: '這些單據的回呼' }).getByRole('link', { name: '進貨已收貨' }).click();
  await shown(chinese.page.getByRole('heading', { level: 1, name: 'SEEN-1 的回呼' }));
  assertNoComplaints(chinese);
});

/** Reads the secret that a dialog shows, and closes the dialog. */
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

test('a client is created, shows its secret once, is rotated and disabled; the audit log shows each step', async () => {
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
  await shown(form.getByText('This field is required.'));
  assert.equal(await form.getByText('This field is required.').count(), 2);
  await form.getByLabel('Client ID').fill('alpha-erp');
  await form.getByRole('combobox', { name: 'Account' }).click();
  await page.getByRole('option', { name: 'ALPHA' }).click();
  await form.getByRole('button', { name: 'Create' }).click();
  await shown(form.getByRole('alert').getByText('It already exists.'));
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
  await rotate.getByRole('button', { name: 'Create a new one' }).click();
  assert.notEqual(await takeSecret(page, 'CheckValue of shop-front'), checkValue);

  await chooseFor(page, 'shop-front', 'Disable…');
  const disable = page.getByRole('dialog', { name: 'Disable client shop-front?' });
  await shown(disable.getByText('Within 5 seconds calls of shop-front are rejected.'));
  await disable.getByRole('button', { name: 'Disable', exact: true }).click();
  await shown(page.getByRole('row', { name: /shop-front/ }).getByText('Disabled'));

  await page.goto(`${browser.ownUrl}/console/audit-log?subject=shop-front`);
  await shown(page.getByRole('row', { name: /boss Change client shop-front .* Changed/ }));
  await shown(page.getByRole('row', { name: /boss Rotate secret shop-front .* Rotated/ }));
  await shown(page.getByRole('row', { name: /boss Client changed shop-front ALPHA Applied Enabled: Yes → No/ }));
  assertNoComplaints(watched);
});

test('an account page lists everything of the account, in both languages; a read-only operator has no actions there', async () => {
  const watched = await browser.open('admin', '/partners');
  const { page } = watched;
  await page.getByRole('link', { name: 'ALPHA' }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'Account ALPHA' }));
  await page.getByRole('button', { name: 'New tenant' }).click();
  const form = page.getByRole('dialog', { name: 'New tenant' });
  await form.getByLabel('Tenant (warehouse_tpw_id)').fill('台北一倉');
  for (const [field, option] of Object.entries({ Warehouse: '1 Taoyuan', Store: '10 Upload test' })) {
    await form.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name: option }).click();
  }
  const shelfLife = form.getByLabel('Days before expiry');
  assert.equal(await shelfLife.inputValue(), '0');
  await shelfLife.fill('3');
  await form.getByRole('button', { name: 'Create' }).click();
  const tenants = page.getByRole('table', { name: 'Tenants' });
  await shown(tenants.getByRole('row', { name: /台北一倉 .* 3 / }));
  await shown(page.getByText('Tenant ALPHA/台北一倉: created'));

  await chooseFor(page, '台北一倉', 'Edit');
  const change = page.getByRole('dialog', { name: 'Change tenant 台北一倉' });
  assert.equal(await change.getByLabel('Days before expiry').inputValue(), '3');
  await change.getByLabel('Days before expiry').fill('');
  await change.getByRole('button', { name: 'Save' }).click();
  await shown(tenants.getByRole('row', { name: /台北一倉 .* No limit / }));
  await assertAccessible(page);
  assertNoComplaints(watched);

  const looking = await browser.open('viewer', '/partners/accounts/ALPHA', { locale: 'zh-TW' });
  await shown(looking.page.getByRole('heading', { level: 1, name: '貨主 ALPHA' }));
  await shown(looking.page.getByRole('table', { name: '租戶' }).getByText('台北一倉'));
  assert.equal(await looking.page.getByRole('button', { name: /新增|停用|更換|的操作/ }).count(), 0);
  assertNoComplaints(looking);
});

// The last test: afterwards the administrator has another password.
test('the system page shows weaknesses of the installation, in both languages', async () => {
  await app.http.inject({ url: '/docs', remoteAddress: '10.9.9.9', headers: { 'x-forwarded-for': '203.0.113.9' } });
  for (const [locale, title, text] of [
    ['en-US', 'Weaknesses of this installation', 'requests from 10.9.9.9 have the header X-Forwarded-For'],
    ['zh-TW', '此安裝環境的弱點', '來自 10.9.9.9 的請求帶有 X-Forwarded-For 標頭'],
  ] as const) {
    const watched = await browser.open('viewer', '/system', { locale });
    await shown(watched.page.getByRole('alert', { name: title }).getByText(text));
    await assertAccessible(watched.page);
    assertNoComplaints(watched);
  }
});

test('an administrator creates an operator and ends a session; operators change their own passwords', async () => {
  const watched = await browser.open('admin', '/operators');
  const { page } = watched;
  await page.getByRole('button', { name: 'New operator' }).click();
  const form = page.getByRole('dialog', { name: 'New operator' });
  await form.getByLabel('Username').fill('night-shift');
  await form.getByRole('radio', { name: 'Read only' }).check();
  await form.getByRole('button', { name: 'Create' }).click();
  const password = await takeSecret(page, 'Password of night-shift');
  assert.match(password, /^lop_/);
  await shown(page.getByRole('row', { name: /night-shift Read only All Enabled/ }));
  await chooseFor(page, 'boss', 'Disable…');
  const disable = page.getByRole('dialog', { name: 'Disable operator boss?' });
  await disable.getByRole('button', { name: 'Disable', exact: true }).click();
  await shown(page.getByText('At least one administrator must stay enabled.'));

  const payload = { username: 'night-shift', password };
  const signedIn = await app.http.inject({ method: 'POST', url: '/console/api/session/sign-in', payload });
  assert.equal(signedIn.json().kind, 'signed_in');
  await page.goto(`${browser.ownUrl}/console/sessions`);
  await page.getByRole('button', { name: 'End session of night-shift from 127.0.0.1' }).click();
  const end = page.getByRole('dialog', { name: 'End this session of night-shift?' });
  await end.getByRole('button', { name: 'End session' }).click();
  await shown(page.getByText('The session was ended'));

  await page.getByLabel('Current password').fill(operators.admin.password);
  await page.getByLabel('New password', { exact: true }).fill('another horse battery');
  await page.getByLabel('Repeat new password').fill('another horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await shown(page.getByText('Your password was changed'));
  await shown(page.getByText('This session', { exact: true }));
  assertNoComplaints(watched);
});
