import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { provisionOperators } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';
import { live, provisionLive } from '../support/live.ts';
import { item, ship } from '../support/logistics.ts';
import { order, receive } from '../support/warehouse.ts';

const app = await startTestApp();
await provisionOperators(app);
await provisionLive(app);
await app.provision({ warehouses: [{ warehouse_no: 1, name: '桃園', connector: { type: 'manual' } }] });
const browser = await startConsoleBrowser(app);

test('a new service says what to do next; with the first order, the page shows what needs attention and how today goes', async () => {
  const watched = await browser.open('viewer', '/');
  const { page } = watched;
  await shown(page.getByRole('heading', { name: 'Welcome to Lading' }));
  assert.equal(await page.getByRole('link', { name: 'API documentation' }).getAttribute('href'), '/docs');

  await receive(app, { 'TEA-1': [['2030-01-01', 50]] }, live);
  await order(app, 'OUT-1', [['TEA-1', 1]], live);
  await ship(app, 'WAIT-1', [item('TEA-9', 1)], {}, live.apiKey);
  await shown(page.getByRole('link', { name: '1 Orders waiting for stock' }));
  await page.getByRole('heading', { name: 'Welcome to Lading' }).waitFor({ state: 'hidden' });

  const chart = page.getByRole('figure', { name: 'Orders per hour, by channel' });
  await chart.getByText('Warehouse API: 1').waitFor({ state: 'attached' });
  assert.deepEqual(await findAxeFindings(page), []);

  await page.getByRole('link', { name: '1 Orders waiting for stock' }).click();
  await page.waitForURL('**/console/orders?status=awaiting_stock');
  await shown(page.getByRole('link', { name: 'WAIT-1' }));
  assertNoComplaints(watched);
  await page.close();
});

test('a chart of a single value shows it, as a point or a bar', async () => {
  const watched = await browser.open('viewer', '/system');
  const { page } = watched;
  const hour = { from: '2026-11-16T00:00:00+08:00', main: 0, logistics: 0, shipped: 3, callback_median_s: null, callback_worst_s: null };
  await page.route('**/home/flow', async (route) => {
    const flow = await (await route.fetch()).json();
    await route.fulfill({ json: { ...flow, hours: [{ ...hour, warehouse: 5 }] } });
  });
  await page.goto(`${browser.ownUrl}/console/`);
  for (const chart of ['Orders per hour, by channel', 'Shipped per hour']) {
    const canvas = page.getByRole('figure', { name: chart }).locator('canvas');
    await canvas.waitFor();
    await page.waitForFunction(drawnInFirstColour(chart));
  }
  assertNoComplaints(watched);
  await page.close();
});

/** A script that tells whether anything is drawn in the colour of the first series. The legend is no part of the canvas. */
function drawnInFirstColour(chart: string): string {
  return `(() => {
    const canvas = document.querySelector('figure[aria-label="${chart}"] canvas');
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    for (let at = 0; at < data.length; at += 4) {
      if ([11, 106, 102].every((value, place) => Math.abs(data[at + place] - value) <= 3) && data[at + 3] > 100) return true;
    }
    return false;
  })()`;
}

test('Ctrl+K finds an order by its number, and Enter opens it', async () => {
  const { page } = await browser.open('viewer', '/system');
  await shown(page.getByRole('heading', { name: 'System', level: 1 }));
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill('OUT-1');
  await shown(page.getByRole('option', { name: /OUT-1/ }));
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/console\/orders\/\d+$/);
  await page.close();
});

test('the system page is there in Chinese and dark, and staff let a warehouse have its orders after naming it', async () => {
  const watched = await browser.open('staff', '/system', { locale: 'zh-TW', colorScheme: 'dark' });
  const { page } = watched;
  await shown(page.getByRole('heading', { name: '系統', level: 1 }));
  assert.deepEqual(await findAxeFindings(page), []);
  // As if there were more than can be handed over in one go: the page then asks on until there are none.
  let asked = 0;
  await page.route('**/system/push-now', async (route) => {
    const answer = await (await route.fetch()).json();
    await route.fulfill({ json: asked++ === 0 ? { ...answer, has_more: true } : answer });
  });
  await page.getByRole('button', { name: '立即拋轉：倉庫 1 桃園' }).click();
  const dialog = page.getByRole('dialog', { name: '立即拋轉至倉庫 1 桃園？' });
  await dialog.getByRole('button', { name: '立即拋轉' }).click();
  await dialog.waitFor({ state: 'detached' });
  await shown(page.getByText('已交付 1 筆訂單'));
  assert.equal(asked, 2);
  const [row] = await app.store.database.read((sql) => sql`select status from orders where partner_number = 'OUT-1'`);
  assert.equal(row!.status, 'in_warehouse');
  assertNoComplaints(watched);
  await page.close();
});

test('on a phone nothing is wider than the page, in Chinese too', async () => {
  const { page } = await browser.open('viewer', '/', { locale: 'zh-TW', viewport: { width: 390, height: 844 } });
  await shown(page.getByRole('heading', { name: '每小時出貨' }));
  assert.equal(await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth'), 0);
  await page.close();
});
