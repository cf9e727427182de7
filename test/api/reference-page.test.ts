import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { connectorReference } from '../../contract/connector/reference.ts';
import { logisticsReference } from '../../contract/logistics/reference.ts';
import { mainReference } from '../../contract/main/reference.ts';
import { operationsReference } from '../../contract/operations.ts';
import { warehouseReference } from '../../contract/warehouse/reference.ts';
import { startTestApp } from '../support/app.ts';
import { findChromium, openBrowser } from '../support/browser.ts';

const app = await startTestApp();
const chromium = findChromium();
const skip = chromium === null ? 'no Chromium on this machine; see test/support/browser.ts' : false;

test('a browser that reaches no other host shows every endpoint and every webhook, and asks no other host', { skip }, async () => {
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const ownUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const browser = await openBrowser(chromium!);
  try {
    const page = await browser.newPage({ locale: 'en-US' });
    const foreignRequests: string[] = [];
    const complaints: string[] = [];
    await page.route('**', async (route) => {
      const url = route.request().url();
      if (url.startsWith(`${ownUrl}/`) || url.startsWith('data:')) return await route.continue();
      foreignRequests.push(url);
      await route.abort();
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => {
      if (line.type() === 'error') complaints.push(line.text());
    });

    await page.goto(`${ownUrl}/docs`);
    for (const { name, endpoints, webhooks = [] } of [mainReference, warehouseReference, connectorReference, logisticsReference]) {
      // Its endpoints are listed once it is looked at.
      await page.getByRole('link', { name, exact: true }).click();
      const summaries = [...endpoints, ...webhooks].map(({ summary }) => summary);
      for (const summary of summaries) await page.getByRole('link', { name: new RegExp(`^${summary}`) }).waitFor();
      // Each takes the page a second: the first and the last one show that they open.
      for (const summary of new Set([summaries[0]!, summaries.at(-1)!])) {
        await page.getByRole('link', { name: new RegExp(`^${summary}`) }).click();
        await page.getByRole('heading', { name: summary, exact: true }).waitFor();
      }
    }
    await page.getByRole('link', { name: operationsReference.name }).waitFor();
    assert.deepEqual({ foreignRequests, complaints }, { foreignRequests: [], complaints: [] });
  } finally {
    await browser.close();
  }
});
