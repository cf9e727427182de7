import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';
import { provideChromium } from './install-chromium.ts';

const pagePatienceSeconds = 120;
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];
const violationMark = 'stopped by its content security policy: ';
const tellViolations = `addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile, lineNumber }) => {
  console.debug('${violationMark}' + effectiveDirective + ' ' + blockedURI + ' at ' + sourceFile + ':' + lineNumber);
})`;

/** Without its sandbox, which root may not have; it is shown nothing but our own pages, and finds no other host. */
export async function openBrowser(): Promise<Browser> {
  const hosts = ['MAP * ~NOTFOUND', ...loopbackHosts.map((host) => `EXCLUDE ${host}`)].join(', ');
  return await chromium.launch({ executablePath: await provideChromium(), args: ['--no-sandbox', `--host-resolver-rules=${hosts}`] });
}

export interface PageLook {
  locale?: 'en-US' | 'zh-TW';
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
}

export interface WatchedPage {
  page: Page;
  /** To this machine, in the order in which they were sent. */
  requests: Request[];
  /** Addresses elsewhere that the page asked for; it got nothing. */
  foreignRequests: string[];
  /** Errors that nobody caught, and errors in the browser's console. */
  complaints: string[];
  /** Also the attempts that are no complaint: an eval that is stopped is an exception, which the page may catch. */
  violations: string[];
}

/** An empty page of a session of its own, which reaches this machine and no other. */
export async function openWatchedPage(browser: Browser, look: PageLook = {}): Promise<WatchedPage> {
  const options: BrowserContextOptions = { locale: 'en-US', serviceWorkers: 'block', reducedMotion: 'reduce', ...look };
  const page = await browser.newPage(options);
  const watched: WatchedPage = { page, requests: [], foreignRequests: [], complaints: [], violations: [] };
  page.setDefaultTimeout(pagePatienceSeconds * 1000);
  page.on('pageerror', (error) => watched.complaints.push(error.message));
  page.on('console', (line) => {
    if (line.type() === 'error') watched.complaints.push(line.text());
    if (line.text().startsWith(violationMark)) watched.violations.push(line.text().slice(violationMark.length));
  });
  await page.addInitScript(tellViolations);
  // Watched, not held up: what is held up is not kept by the browser either, and every page would load everything anew.
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
