import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { Browser, Locator } from 'playwright-core';
import type { TestApp } from './app.ts';
import { openBrowser, openWatchedPage, type PageLook, type WatchedPage } from './browser.ts';
import { signIn, type TestOperator } from './console.ts';

export interface ConsoleBrowser {
  ownUrl: string;
  /** A page at this path below `/console`, signed in as one of the test operators; null: as nobody. */
  open(who: TestOperator | null, path: string, look?: PageLook): Promise<WatchedPage>;
}

/** A browser for the pages of an app, which listens from now on. To be called at the top of a test file. */
export async function startConsoleBrowser(app: TestApp): Promise<ConsoleBrowser> {
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  const ownUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const browser: Browser = await openBrowser();
  after(() => browser.close());
  return {
    ownUrl,
    async open(who, path, look) {
      const watched = await openWatchedPage(browser, look);
      if (who !== null) {
        const [name, value] = (await signIn(app, who)).cookie.split('=', 2) as [string, string];
        await watched.page.context().addCookies([{ name, value, url: ownUrl, httpOnly: true, sameSite: 'Strict' }]);
      }
      await watched.page.goto(`${ownUrl}/console${path}`);
      return watched;
    },
  };
}

/** Nothing was asked of other hosts, nothing was stopped by the policy, and no script failed. */
export function assertNoComplaints({ foreignRequests, complaints, violations }: WatchedPage): void {
  assert.deepEqual({ foreignRequests, complaints, violations }, { foreignRequests: [], complaints: [], violations: [] });
}

/** Waits until this is shown: once, or several times. What is done is often told in a message, and for as long in the page as well. */
export async function shown(what: Locator): Promise<void> {
  await what.filter({ visible: true }).first().waitFor();
}
