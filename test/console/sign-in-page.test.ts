import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { operators, provisionOperators } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';

const app = await startTestApp();
await provisionOperators(app);
const consoleBrowser = await startConsoleBrowser(app);

test('who is not signed in is asked to, told when that fails, and brought back to where they wanted to go; signing out ends it', async () => {
  const watched = await consoleBrowser.open(null, '/sessions?from=here');
  const { page } = watched;
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  assert.deepEqual(await findAxeFindings(page), []);

  await page.getByRole('button', { name: 'Sign in' }).click();
  await shown(page.getByText('Enter your username.'));
  await page.getByLabel('Username').fill(operators.staff.username);
  await page.getByLabel('Password', { exact: true }).fill('wrong');
  await page.keyboard.press('Enter');
  await shown(page.getByRole('alert').filter({ hasText: 'Username or password is wrong.' }));
  await page.getByLabel('Password', { exact: true }).fill(operators.staff.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${consoleBrowser.ownUrl}/console/sessions?from=here`);

  // Out of reach of scripts, and nothing of it is kept elsewhere.
  const kept = String(await page.evaluate('JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }])'));
  assert.ok(!kept.includes('lading-session') && !kept.includes(operators.staff.password), kept);

  await page.getByRole('button', { name: 'packer: account menu' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  await page.goto(`${consoleBrowser.ownUrl}/console/orders`);
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  // What the page was just asking for when the session ended.
  assertNoComplaints({ ...watched, complaints: watched.complaints.filter((complaint) => !complaint.includes('status of 401')) });
});

test('an address that leads elsewhere is not followed after signing in', async () => {
  const { page } = await consoleBrowser.open(null, `/sign-in?return=${encodeURIComponent('//evil.example/')}`);
  await page.getByLabel('Username').fill(operators.viewer.username);
  await page.getByLabel('Password', { exact: true }).fill(operators.viewer.password);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${consoleBrowser.ownUrl}/console`);
});

test('the console works below whatever path a proxy puts before ours', async (t) => {
  const proxy = createServer((incoming, outgoing) => {
    if (!incoming.url!.startsWith('/oms/')) return outgoing.writeHead(404).end();
    const { method, headers } = incoming;
    const onward = request(
      `${consoleBrowser.ownUrl}${incoming.url!.slice('/oms'.length)}`,
      { method, headers, setHost: false },
      (answer) => {
        outgoing.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(outgoing);
      },
    );
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
  const watched = await consoleBrowser.open(null, '/sign-in');
  const { page } = watched;
  await page.goto(`${proxyUrl}/oms/console/partners/accounts/ALPHA`);
  await page.getByLabel('Username').fill(operators.viewer.username);
  await page.getByLabel('Password', { exact: true }).fill(operators.viewer.password);
  await page.keyboard.press('Enter');
  await shown(page.getByRole('heading', { level: 1, name: 'ALPHA' }));
  await page.getByRole('link', { name: 'Stock', exact: true }).click();
  await shown(page.getByRole('heading', { level: 1, name: 'Stock' }));
  assert.equal(page.url(), `${proxyUrl}/oms/console/stock`);
  assertNoComplaints(watched);
});

test('a session that ends while a page is open leads back to signing in', async () => {
  const { page } = await consoleBrowser.open('staff', '/sessions');
  await shown(page.getByRole('button', { name: 'packer: account menu' }));
  await app.store.database.transaction(
    (tx) => tx`update operator_session set ended_at = now(), ended_by = 'test' where username = 'packer'`,
  );
  await shown(page.getByRole('heading', { name: 'Sign in' }));
});

test('the language is the browser’s at first, can be changed, and is kept', async () => {
  const { page } = await consoleBrowser.open(null, '/sign-in', { locale: 'zh-TW', viewport: { width: 390, height: 844 } });
  await shown(page.getByRole('heading', { name: '登入' }));
  assert.equal(await page.evaluate('document.documentElement.lang'), 'zh-Hant-TW');
  assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false);
  await page.getByRole('button', { name: /English/ }).click();
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  await page.reload();
  await shown(page.getByRole('heading', { name: 'Sign in' }));
  assert.equal(await page.evaluate('document.documentElement.lang'), 'en');
});
