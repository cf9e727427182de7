import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { insertCallbacks } from '../callbacks/insert-callbacks.ts';
import { startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { provisionOperators } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';
import { form, formPath } from '../support/logistics.ts';

const app = await startTestApp();
await provisionOperators(app);
const { database } = app.store;
const browser = await startConsoleBrowser(app);
const [account] = await database.read((sql) => sql<{ account_id: number }[]>`select account_id from account where account_no = 'ALPHA'`);

async function failed(count: number, url: string) {
  const wanted = { urls: [url], count, accountId: account!.account_id, notify: false };
  const made = await database.read((sql) => insertCallbacks(sql, wanted));
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

async function countOf(status: string): Promise<number> {
  const [row] = await database.read((sql) => sql<[{ count: number }]>`select count(*)::integer from callback where status = ${status}`);
  return row.count;
}

async function assertAccessible(page: Page): Promise<void> {
  assert.deepEqual(await findAxeFindings(page), []);
}

test('callbacks that failed are counted and sent again, all that fit or one; a receiver is paused by its name', async () => {
  const [first] = await failed(3, 'https://partner.example/hook');
  const watched = await browser.open('admin', '/callbacks?status=failed');
  const { page } = watched;
  const table = page.getByRole('table', { name: 'Callbacks' });
  await shown(table.getByRole('row').nth(3));
  await assertAccessible(page);
  await failed(1, 'https://partner.example/hook');
  await page.getByRole('button', { name: 'Send all that fit again…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Send all that fit again?' });
  await shown(dialog.getByText('4 callbacks fit:'));
  await shown(dialog.getByText('Status: Failed'));
  await failed(1, 'https://partner.example/hook');
  await dialog.getByRole('button', { name: 'Send 4 again' }).click();
  await shown(dialog.getByRole('alert'));
  assert.equal(await countOf('failed'), 5);
  await dialog.getByRole('button', { name: 'Send 5 again' }).click();
  await shown(page.getByText('5 sent again', { exact: true }));
  assert.deepEqual([await countOf('failed'), await countOf('pending')], [0, 5]);

  await page.goto(`${browser.ownUrl}/console/callbacks/${first!.callbackId}`);
  await shown(page.getByRole('heading', { level: 1, name: `Callback of D${first!.documentId}` }));
  await page.getByText('Try 1').click();
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
  await shown(question.getByText('5 callbacks wait for it now'));
  await question.getByRole('button', { name: 'Pause', exact: true }).click();
  await shown(page.getByRole('button', { name: 'Resume https://partner.example/hook' }));
  await shown(page.getByText('by boss'));
  await assertAccessible(page);
  const [receiver] = await database.read((sql) => sql`select paused, paused_by from callback_receiver`);
  assert.deepEqual({ ...receiver }, { paused: true, paused_by: 'boss' });
  await page.getByRole('link', { name: 'partner.example/hook' }).click();
  await shown(page.getByText('Receiver is paused'));
  await page.getByRole('checkbox', { name: 'Select all that are shown' }).check();
  await page.getByRole('button', { name: 'Send 5 again' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send 5 again' }).click();
  await shown(page.getByText('5 held: the receiver is paused or on hold', { exact: true }));
  assertNoComplaints(watched);

  await database.read(
    (sql) => sql`update callback_receiver set paused = false, failures = 5, unsuccessful = 5, open_until = now() + interval '5 minutes'`,
  );
  await page.goto(`${browser.ownUrl}/console/callbacks`);
  const topRow = table.getByRole('row').nth(1);
  await shown(topRow.getByText('Receiver is on hold'));
  await shown(topRow.getByText(/next try in \d min/));
  await database.read((sql) => sql`update callback_receiver set failures = 0, unsuccessful = 5, open_until = null`);
  await page.goto(`${browser.ownUrl}/console/callbacks`);
  await shown(topRow.getByText('Waiting for its turn'));
  await page.goto(`${browser.ownUrl}/console/callbacks?tab=receivers`);
  await shown(page.getByRole('row').nth(1).getByText('answers, but rejects callbacks'));
  await assertAccessible(page);
});

test('who only looks is offered nothing to send or pause', async () => {
  const { page } = await browser.open('viewer', '/callbacks?status=pending');
  await shown(page.getByRole('table', { name: 'Callbacks' }));
  assert.equal(await page.getByRole('checkbox').count(), 0);
  assert.equal(await page.getByRole('button', { name: 'Send all that fit again…' }).count(), 0);
  await page.getByRole('tab', { name: 'Receivers' }).click();
  await shown(page.getByRole('table', { name: 'Receivers' }));
  assert.equal(await page.getByRole('button', { name: 'Resume' }).count(), 0);
});

test('a pasted trace id shows why a signature was refused; grouped errors open their requests; all of it in Chinese too', async () => {
  const body = { sku_id: 'TEA', sku_name: '烏龍茶', storage_type: 1 };
  const refused = await app.callWarehouse('/product/sync', body, { secret: 'beta-secret' });
  await app.callWarehouse('/product/sync', body, { secret: 'beta-secret' });
  const made = await app.callLogistics(formPath, form('SEEN-1', [{ sku: 'TEA', quantity: 3, storage_type: 'ambient' }]));
  await app.requestLog.flush();
  const [{ diagnosis }] = await database.read(
    (sql) => sql<[{ diagnosis: string }]>`select diagnosis from request_log where trace_id = ${String(refused.headers['trace-id'])}`,
  );

  const watched = await browser.open('viewer', '/requests');
  const { page } = watched;
  await shown(page.getByRole('table', { name: 'Requests' }).getByText('the signature does not match'));
  await assertAccessible(page);
  await page.getByRole('textbox', { name: 'Trace ID' }).fill(`trace-id: ${refused.headers['trace-id']}`);
  await page.keyboard.press('Enter');
  await shown(page.getByRole('region', { name: 'Diagnosis' }).getByText(diagnosis.split('\n')[0]!));
  await assertAccessible(page);

  await page.goto(`${browser.ownUrl}/console/requests?tab=errors`);
  const group = page.getByRole('table', { name: 'Errors grouped' }).getByRole('row').nth(1);
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
