import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { connectorReference } from '../../reference/connector/endpoints.ts';
import { logisticsReference } from '../../reference/logistics/endpoints.ts';
import { mainReference } from '../../reference/main/endpoints.ts';
import { operationsReference } from '../../reference/operations.ts';
import { warehouseReference } from '../../reference/warehouse/endpoints.ts';
import { alpha, startTestApp } from '../support/app.ts';
import { openBrowser, openWatchedPage, type WatchedPage } from '../support/browser.ts';

const app = await startTestApp();
const browser = await openBrowser();
after(() => browser.close());
await app.http.listen({ host: '127.0.0.1', port: 0 });
const ownUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;

/** The endpoints that are tried out below: with the whole document, the viewer takes seconds for every click. */
const triedPaths = /\/(product\/sync|inbound\/cancel|getToken|getProductsData\/searchList|purchases\/purchase)$/;
const { page, requests, foreignRequests, complaints } = await openReference(onlyTried);

interface ShownDocument {
  tags: { name: string }[];
  paths: Record<string, Record<string, { responses: Record<string, object> }>>;
  components: Record<string, Record<string, object>>;
}

function onlyTried(document: ShownDocument): object {
  const tags = document.tags.map(({ name }) => ({ name }));
  const tried = Object.entries(document.paths).filter(([path]) => triedPaths.test(path));
  const paths = Object.fromEntries(
    tried.map(([path, { post }]) => [path, { post: { ...post, responses: { 200: post!.responses[200] } } }]),
  );
  return { ...document, tags, webhooks: {}, paths, components: { ...document.components, responses: {} } };
}

async function openReference(shorten: (document: ShownDocument) => object): Promise<WatchedPage> {
  const watched = await openWatchedPage(browser);
  await watched.page.route(`${ownUrl}/openapi.json`, async (route) => {
    await route.fulfill({ json: shorten(await (await route.fetch()).json()) });
  });
  await watched.page.goto(`${ownUrl}/docs/try`);
  return watched;
}

test('a browser that reaches no other host shows every endpoint and every webhook, and asks no other host', async () => {
  const { page, foreignRequests, complaints, violations } = await openReference((document) => document);
  for (const { name, endpoints, webhooks = [] } of [
    mainReference,
    warehouseReference,
    connectorReference,
    logisticsReference,
  ]) {
    // Its endpoints are listed once it is looked at.
    await page.getByRole('link', { name, exact: true }).click();
    const summaries = [...endpoints, ...webhooks].map(({ summary }) => summary);
    for (const summary of summaries) await page.getByRole('link', { name: new RegExp(`^${summary}`) }).waitFor();
    // Opening one takes the page a second: webhooks of one contract show that they do, endpoints where they are tried.
    for (const { summary } of name === logisticsReference.name ? webhooks : []) {
      await page.getByRole('link', { name: new RegExp(`^${summary}`) }).click();
      await page.getByRole('heading', { name: summary, exact: true }).waitFor();
    }
  }
  await page.getByRole('link', { name: operationsReference.name }).waitFor();
  await page.getByRole('link', { name: 'Guides', exact: true }).waitFor();
  assert.deepEqual({ foreignRequests, complaints }, { foreignRequests: [], complaints: [] });
  // The viewer tries whether it may compile what it checks with, and does without.
  assert.deepEqual(
    violations.filter((violation) => !violation.startsWith('script-src eval ')),
    [],
  );
});

test('the page signs what is tried out, over the bytes that go out, and shows what it signed; the shared secret never leaves it', async () => {
  const body = '{ "sku_id": "TEA-烏龍",\n  "sku_name": "凍頂烏龍茶 é 🍵", "storage_type": 1 }';
  await page.getByRole('link', { name: warehouseReference.name, exact: true }).click();
  await openDialog(/^F-1/, 'product/sync');
  await writeBody(body, { over: 'Oolong tea' });
  await send('product/sync');
  await enter({ 'account-no': alpha.accountNo, 'Shared secret': alpha.secret });

  await answered('200 OK');
  await page.getByText('"LST-TPW-2000"').last().waitFor();
  const sent = requests.at(-1)!;
  const headers = await sent.allHeaders();
  const sign = createHmac('sha256', alpha.secret).update(`${body}${headers.timestamp}`).digest('hex');
  assert.deepEqual([sent.postData(), headers['account-no'], headers.sign], [body, alpha.accountNo, sign]);
  assert.equal(await signedPanel().getByRole('status').innerText(), wordSigned(headers, body));
  const rows = await app.store.database.read((sql) => sql`select name from product where sku_id = 'TEA-烏龍'`);
  assert.deepEqual([...rows], [{ name: '凍頂烏龍茶 é 🍵' }]);

  // Not 401: nothing can be signed, too.
  await writeBody('', { over: '凍頂烏龍茶' });
  await send('product/sync');
  await answered('400 Bad Request');
  assert.equal(
    await signedPanel().getByRole('status').innerText(),
    wordSigned(await requests.at(-1)!.allHeaders(), ''),
  );
  await signedPanel().getByRole('button', { name: 'Close' }).click();
  await signedPanel().waitFor({ state: 'hidden' });

  const kept = await page.evaluate('JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])');
  assert.ok(!String(kept).includes(alpha.secret));
  for (const request of requests) {
    const everything = JSON.stringify([request.url(), await request.allHeaders(), request.postData()]);
    assert.ok(!everything.includes(alpha.secret), request.url());
  }
});

test('numbers of examples are of this page alone; a wrong secret is answered with 401, and then asked for again; where the browser cannot sign, nothing is sent', async () => {
  complaints.length = 0;
  await closeDialog();
  await page.getByRole('button', { name: 'Credentials', exact: true }).click();
  await enter({ 'Shared secret': 'not-the-secret' });
  const numberStart = await page.locator('code', { hasText: /^[A-Z]{4}-$/ }).innerText();
  await openDialog(/^F-4/, 'inbound/cancel');
  await send('inbound/cancel');
  await answered('401 Unauthorized');
  assert.deepEqual(requests.at(-1)!.postDataJSON(), {
    inbound_short_ids: ['RT-1001', 'IN-1001', 'IN-9999'].map((number) => `${numberStart}${number}`),
  });

  await page.evaluate('Object.defineProperty(crypto, "subtle", { value: undefined })');
  const before = requests.length;
  await send('inbound/cancel');
  await page.getByText('The last request with these was answered with 401.').waitFor();
  await page.getByText('This page cannot sign').waitFor();
  await enter({ 'Shared secret': alpha.secret });
  await page.getByText('Nothing was sent').first().waitFor();
  assert.equal(requests.length, before);
  assert.deepEqual(
    complaints.filter((complaint) => !/status of 401|Nothing was sent/.test(complaint)),
    [],
  );
});

test('the token of a tried token call is used for the main API, and the logistics webhook gets its key', async () => {
  await closeDialog();
  await page.getByRole('link', { name: mainReference.name, exact: true }).click();
  await openDialog(/^Get an access token/, 'getToken');
  await sendAsWritten('getToken', JSON.stringify({ ClientId: alpha.clientId, CheckValue: alpha.checkValue }));
  await answered('200 OK');

  await closeDialog();
  await openDialog(/^Search products/, 'getProductsData/searchList');
  await send('getProductsData/searchList');
  await answered('200 OK');

  await closeDialog();
  await page.getByRole('link', { name: logisticsReference.name, exact: true }).click();
  await openDialog(/^Send an inbound/, 'purchases/purchase');
  await send('purchases/purchase');
  await enter({ 'API key': alpha.apiKey });
  await answered('200 OK');
  assert.equal((await requests.at(-1)!.allHeaders()).authorization, alpha.apiKey);
  assert.deepEqual(foreignRequests, []);
});

function signedPanel(): Locator {
  return page.getByRole('region', { name: 'What was signed' });
}

function wordSigned(headers: Record<string, string>, body: string): string {
  const sha256 = createHash('sha256').update(body).digest('hex');
  return [
    ...['account-no', 'timestamp', 'sign'].map((name) => `${name}: ${headers[name]}`),
    `body: ${Buffer.byteLength(body)} bytes, SHA-256 ${sha256}`,
  ].join('\n');
}

/** Opens the dialog that tries an endpoint out, once that shows this endpoint and not the one before it. */
async function openDialog(link: RegExp, path: string): Promise<void> {
  await page.getByRole('link', { name: link }).click();
  await page.getByRole('button', { name: new RegExp(`^Test Request.*${path}`) }).click();
  await sendButton(path).waitFor();
}

async function closeDialog(): Promise<void> {
  await page.keyboard.press('Escape');
  await sendButton('').waitFor({ state: 'hidden' });
}

/** In place of the example, once that is there: the viewer would put it over what was written before. */
async function writeBody(text: string, { over }: { over: string }): Promise<void> {
  const editor = page.locator('.cm-content[contenteditable=true]').first();
  await editor.filter({ hasText: over }).waitFor();
  await editor.fill(text);
}

async function send(path: string): Promise<void> {
  await sendButton(path).click();
}

/** Tries again where the viewer, on a busy machine, sent its example or missed the click: what goes out is what counts here. */
async function sendAsWritten(path: string, body: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    await writeBody(body, { over: '{' });
    const going = page.waitForRequest((request) => request.url().endsWith(path), { timeout: 10_000 }).catch(() => null);
    await send(path);
    const sent = (await going)?.postData();
    if (sent === body) return;
    assert.ok(tries < 5, `sent ${sent} instead of what was written`);
  }
}

function sendButton(path: string): Locator {
  return page.getByRole('button', { name: new RegExp(`Send post request to .*${path}`) });
}

async function enter(credentials: Record<string, string>): Promise<void> {
  const form = page.getByRole('dialog', { name: 'Credentials for trying it out' });
  for (const [label, value] of Object.entries(credentials)) await form.getByLabel(label).fill(value);
  await form.getByRole('button', { name: 'Use these' }).click();
}

async function answered(status: string): Promise<void> {
  const answer = page.getByText(status, { exact: true });
  await answer.waitFor().catch(async (error: Error) => {
    const sent = requests.slice(-2).map((request) => `${request.url()} ${request.postData()}`);
    const shown = await page.getByRole('dialog').allInnerTexts();
    throw new Error(`${error.message}\nsent last:\n${sent.join('\n')}\nshown:\n${shown.join('\n')}`);
  });
}
