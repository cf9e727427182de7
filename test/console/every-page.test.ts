import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { startTestApp } from '../support/app.ts';
import { findAxeFindings } from '../support/browser-axe.ts';
import { provisionOperators } from '../support/console.ts';
import { assertNoComplaints, shown, startConsoleBrowser } from '../support/console-browser.ts';

const app = await startTestApp();
await provisionOperators(app);
const consoleBrowser = await startConsoleBrowser(app);
const router = readFileSync(new URL('../../console/router.tsx', import.meta.url), 'utf8');
/** Those of one document have tests of their own, which make the document. */
const paths = ['', ...[...router.matchAll(/path: '([a-z-]+)', lazy/g)].map(([, path]) => path!)];

test('every page, on a phone, in Chinese and in the dark: a heading, nothing wider than the screen, nothing that axe finds fault with', async () => {
  assert.ok(paths.length >= 13, paths.join());
  const watched = await consoleBrowser.open('admin', '/', { locale: 'zh-TW', viewport: { width: 390, height: 844 }, colorScheme: 'dark' });
  const { page } = watched;
  for (const path of paths) {
    // As a link would, without loading everything again.
    await page.evaluate(`history.pushState(null, '', '/console/${path}'); dispatchEvent(new PopStateEvent('popstate'))`);
    const heading = page.getByRole('heading', { level: 1 });
    await shown(heading);
    await page.waitForLoadState('networkidle');
    assert.match(await heading.innerText(), /\p{Script=Han}/u, path);
    assert.match(await page.title(), / · Lading$/, path);
    assert.deepEqual(await page.evaluate('[document.documentElement.scrollWidth, innerWidth]'), [390, 390], path);
    assert.deepEqual(await findAxeFindings(page), [], path);
  }
  assertNoComplaints(watched);
});

test('an address that there is no page for says so', async () => {
  const { page } = await consoleBrowser.open('viewer', '/no-such-page');
  await shown(page.getByRole('heading', { name: 'Page not found' }));
});
