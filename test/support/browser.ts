import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { provideChromium } from '../../tools/install-chromium.ts';

const pagePatienceSeconds = 120;
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];
const violationMark = 'stopped by its content security policy: ';
const reportViolations = `addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
  console.debug('${violationMark}' + effectiveDirective + ' ' + blockedURI + ' at ' + sourceFile + ':' + lineNumber);
})`;

/**
 * Runs without a sandbox, which root is not allowed to use; it only loads our own pages and cannot reach other hosts.
 */
export async function openBrowser(): Promise<Browser> {
  const hosts = ['MAP * ~NOTFOUND', ...loopbackHosts.map((host) => `EXCLUDE ${host}`)].join(', ');
  return await chromium.launch({
    executablePath: await provideChromium(),
    args: ['--no-sandbox', `--host-resolver-rules=${hosts}`],
  });
}

export interface PageLook {
  locale?: 'en-US' | 'zh-TW';
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

export interface WatchedPage {
  page: Page;
  /** Requests to this machine, in the order in which they were sent. */
  requests: Request[];
  /** URLs of other hosts that the page requested; these requests fail. */
  foreignRequests: string[];
  /** Uncaught errors and errors in the browser's console. */
  complaints: string[];
  /**
   * Includes blocked attempts that cause no console error: a blocked eval throws an exception, which the page may
   * catch.
   */
  violations: string[];
}

/** An empty page in its own session, which can only reach this machine. */
export async function openWatchedPage(browser: Browser, look: PageLook = {}): Promise<WatchedPage> {
  return await watchPage(await browser.newPage(pageOptions(look)));
}

export function pageOptions(look: PageLook): BrowserContextOptions {
  return { locale: 'en-US', serviceWorkers: 'block', reducedMotion: 'reduce', ...look };
}

export async function watchPage(page: Page): Promise<WatchedPage> {
  const watched: WatchedPage = { page, requests: [], foreignRequests: [], complaints: [], violations: [] };
  page.setDefaultTimeout(pagePatienceSeconds * 1000);
  page.on('pageerror', (error) => watched.complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') watched.complaints.push(`${line.text()} ${line.location().url}`);
    if (line.text().startsWith(violationMark)) watched.violations.push(line.text().slice(violationMark.length));
  });
  await page.addInitScript(reportViolations);
  // Observed instead of intercepted: the browser does not cache intercepted requests, so every page would load
  // everything again.
  page.on('request', (request) => {
    if (isOwn(request.url())) watched.requests.push(request);
    else watched.foreignRequests.push(request.url());
  });
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url())) watched.foreignRequests.push(socket.url());
  });
  return watched;
}

function isOwn(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'data:' || protocol === 'blob:' || loopbackHosts.includes(hostname);
}
