import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsoleIfOld } from './console-build.ts';

const rootUrl = new URL('../../', import.meta.url);
const root = fileURLToPath(rootUrl);

/** These have a process of their own: what they do to it would be felt by others, or they wait more than they work and should begin first. */
const alone = [
  'test/api/deadlines.test.ts',
  'test/api/main/search-lists.test.ts',
  'test/api/reference-page.test.ts',
  'test/architecture.test.ts',
  'test/callbacks/outages.test.ts',
  'test/callbacks/receivers.test.ts',
  'test/callbacks/workers.test.ts',
  'test/cli/commands.test.ts',
  'test/cli/demo.test.ts',
  'test/cli/leave-root.test.ts',
  'test/cli/serve.test.ts',
  'test/journeys/planted-secrets.test.ts',
  'test/platform/database.test.ts',
  'test/platform/embedded-postgres.test.ts',
  'test/platform/outgoing-http.test.ts',
];
/** Those with a browser begin early too, a few one after the other: each has a Chromium beside it. */
const inBrowser = [
  ['test/console/inbound-page.test.ts', 'test/console/home-page.test.ts', 'test/console/sign-in-page.test.ts'],
  ['test/console/orders-page.test.ts', 'test/console/partners-page.test.ts'],
  ['test/console/callbacks-page.test.ts', 'test/console/every-page.test.ts', 'test/console/stock-page.test.ts'],
];
const filesPerProcessMax = 12;
const processesAtOnce = 4;

/**
 * All tests. To load the service takes longer than most files need for their tests, so several files share a process, one after the other; each is
 * a test there, and cleans up after itself as it would alone.
 */
function runAll(nodeOptions: string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'lading-test-groups-'));
  const files = groupFiles().map((group, index) => writeGroup(folder, index, group));
  const reporters = ['spec', './test/support/closing-line.ts'].flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
  ]);
  const options = ['--test-global-setup=test/support/global-setup.ts', `--test-concurrency=${processesAtOnce}`, ...reporters];
  const child = spawn(process.execPath, ['--test', ...options, ...nodeOptions, ...files], { cwd: root, stdio: 'inherit' });
  // Who runs the tests has to stop its PostgreSQL first; a terminal interrupts both of us by itself.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill());
  child.on('exit', (code) => {
    rmSync(folder, { recursive: true, force: true });
    process.exitCode = code ?? 1;
  });
}

/** Files of one folder stay together, as far as possible. */
function groupFiles(): string[][] {
  const all = globSync(['server/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort();
  const first = [...inBrowser, ...alone.map((file) => [file])];
  const missing = first.flat().filter((file) => !all.includes(file));
  if (missing.length > 0) throw new Error(`no such test file: ${missing.join(', ')}`);
  const others = all.filter((file) => !first.flat().includes(file));
  const groups = Math.ceil(others.length / filesPerProcessMax);
  const sizes = Array.from({ length: groups }, (_, index) => Math.floor((others.length + index) / groups));
  return [...first, ...sizes.map((size) => others.splice(0, size))];
}

/** Names are in the order in which they are run. */
function writeGroup(folder: string, index: number, group: string[]): string {
  const path = join(folder, `${String(index).padStart(3, '0')}-${group[0]!.replaceAll('/', '-')}.mjs`);
  const files = group.map((name) => ({ name, url: new URL(name, rootUrl).href }));
  const alone = `await import(${JSON.stringify(files[0]!.url)});\n`;
  const together = `import { runTogether } from '${new URL('run-together.ts', import.meta.url).href}';\nrunTogether(${JSON.stringify(files)});\n`;
  writeFileSync(path, files.length === 1 ? alone : together);
  return path;
}

buildConsoleIfOld();
runAll(process.argv.slice(2));
