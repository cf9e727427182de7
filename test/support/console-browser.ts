import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import type { TestApp } from './app.ts';
import { openBrowser, openWatchedPage, type PageLook, pageOptions, type WatchedPage, watchPage } from './browser.ts';
import { findAxeFindings } from './browser-axe.ts';
import { signIn, type TestOperator } from './console.ts';

export interface ConsoleBrowser {
  ownUrl: string;
  /**
   * Opens a page below `/console` in a new session of one of the test operators, or in a new browser profile without
   * a session if null. It closes earlier pages of the same look.
   */
  open(who: TestOperator | null, path: string, look?: PageLook, prepare?: Prepare): Promise<WatchedPage>;
}

/** Runs before the page is loaded, for example to intercept its requests. */
type Prepare = (page: Page) => Promise<void>;

export const phone = { width: 390, height: 844 };

/** Starts the app's server and a browser for its pages. Call it at the top of a test file. */
export async function startConsoleBrowser(app: TestApp, port = 0): Promise<ConsoleBrowser> {
  await app.http.listen({ host: '127.0.0.1', port });
  const ownUrl = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const browser = await openBrowser();
  after(() => browser.close());
  // A profile caches the scripts of the console, so pages of the same look share one.
  const profiles = new Map<string, BrowserContext>();

  async function openSignedIn(who: TestOperator, look: PageLook): Promise<WatchedPage> {
    const key = JSON.stringify(look);
    const profile = profiles.get(key) ?? (await browser.newContext(pageOptions(look)));
    profiles.set(key, profile);
    for (const page of profile.pages()) await page.close();
    const [name, value] = (await signIn(app, who)).cookie.split('=', 2) as [string, string];
    await profile.addCookies([{ name, value, url: ownUrl, httpOnly: true, sameSite: 'Strict' }]);
    return await watchPage(await profile.newPage());
  }

  return {
    ownUrl,
    async open(who, path, look = {}, prepare) {
      const watched = who === null ? await openWatchedPage(browser, look) : await openSignedIn(who, look);
      await prepare?.(watched.page);
      await watched.page.goto(`${ownUrl}/console${path}`);
      return watched;
    },
  };
}

/** Asserts that there were no requests to other hosts, no policy violations and no script errors. */
export function assertNoComplaints({ foreignRequests, complaints, violations }: WatchedPage): void {
  assert.deepEqual(
    { foreignRequests, complaints, violations },
    { foreignRequests: [], complaints: [], violations: [] },
  );
}

export async function assertAccessible(page: Page, message?: string): Promise<void> {
  assert.deepEqual(await findAxeFindings(page), [], message);
}

export async function assertFitsWidth(page: Page, message?: string): Promise<void> {
  const excess = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  assert.equal(await page.evaluate(excess), 0, message);
}

/** Waits until this is visible at least once: the result of an action is often both in a message and in the page. */
export async function shown(what: Locator): Promise<void> {
  await what.filter({ visible: true }).first().waitFor();
}

/** Waits until the text field of this name has the focus. */
export async function focused(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name }).and(page.locator(':focus')).waitFor();
}

/** Types a code like a scanner does. */
export async function scan(page: Page, code: string): Promise<void> {
  await page.keyboard.type(code);
  await page.keyboard.press('Enter');
}

/**
 * Types codes at the speed of a machine: one code every 50 ms, whether or not the page has handled the earlier ones.
 * A page that is slower finds the keys in its queue, as with a real scanner.
 */
export async function scanFast(page: Page, codes: string[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const press = (key: string, text: string, code: number) => {
    const event = { key, windowsVirtualKeyCode: code };
    return [
      session.send('Input.dispatchKeyEvent', { type: 'keyDown', ...event, text }),
      session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...event }),
    ];
  };
  const sent: Promise<unknown>[] = [];
  for (const code of codes) {
    for (const letter of code) sent.push(...press(letter, letter, 0));
    sent.push(...press('Enter', '\r', 13));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await Promise.all(sent);
  await session.detach();
}

/** Records the tones that the page plays, in addition to playing them. */
export async function recordTones(page: Page): Promise<void> {
  await page.addInitScript(`globalThis.tones = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (...at) {
      globalThis.tones.push(this.frequency.value);
      return start.apply(this, at);
    };`);
}

/** The tones since the last call. */
export async function playedTones(page: Page): Promise<number[]> {
  return await page.evaluate('globalThis.tones.splice(0)');
}
