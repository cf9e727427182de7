import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsoleIfOld } from './console-build.ts';
import type { SharedFiles } from './run-together.ts';

const rootUrl = new URL('../../', import.meta.url);
const root = fileURLToPath(rootUrl);

/** Files with their own process, because they would affect others, or because they mostly wait and so start early. */
const alone = [
  'test/api/deadlines.test.ts',
  'test/api/main/search-lists.test.ts',
  'test/api/reference-page.test.ts',
  'test/architecture.test.ts',
  'test/callbacks/outages.test.ts',
  'test/callbacks/workers.test.ts',
  'test/cli/backup.test.ts',
  'test/cli/demo.test.ts',
  'test/cli/leave-root.test.ts',
  'test/cli/processes.test.ts',
  'test/cli/serve.test.ts',
  'test/journeys/planted-secrets.test.ts',
  'test/platform/database.test.ts',
  'test/platform/embedded-postgres.test.ts',
  'test/platform/outgoing-http.test.ts',
];
/** Files with a browser also start early. Each list shares a process, and so runs one Chromium at a time. */
const inBrowser = [['test/console/browser-documents.test.ts'], ['test/console/browser-administration.test.ts']];
const filesPerProcessMax = 20;
const processesAtOnce = 4;
/** Processes that work on the queue from the start, beside those above, which mostly wait. */
const queueProcessesFirst = 2;

/**
 * Runs all tests. Loading the service takes longer than most files need for their tests, so most files share a few
 * processes, which take them from one queue.
 */
function runAll(nodeOptions: string[]): void {
  const folder = mkdtempSync(join(tmpdir(), 'lading-test-groups-'));
  const scripts = scriptsOf(folder).map((script, index) => writeScript(folder, index, script));
  const reporters = ['spec', './test/support/closing-line.ts'].flatMap((reporter) => [
    `--test-reporter=${reporter}`,
    '--test-reporter-destination=stdout',
  ]);
  const options = [
    '--test-global-setup=test/support/global-setup.ts',
    `--test-concurrency=${processesAtOnce}`,
    ...reporters,
  ];
  const child = spawn(process.execPath, ['--test', ...options, ...nodeOptions, ...scripts], {
    cwd: root,
    stdio: 'inherit',
  });
  // The child stops its PostgreSQL before it exits. A terminal sends SIGINT to both processes.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => child.kill());
  child.on('exit', (code) => {
    rmSync(folder, { recursive: true, force: true });
    process.exitCode = code ?? 1;
  });
}

interface Script {
  name: string;
  content: string;
}

/** The scripts in the order of their start: the queue is worked on from the beginning to the end. */
function scriptsOf(folder: string): Script[] {
  const all = globSync(['server/**/*.test.ts', 'test/**/*.test.ts'], { cwd: root }).sort();
  const listed = [...inBrowser.flat(), ...alone];
  const missing = listed.filter((file) => !all.includes(file));
  if (missing.length > 0) throw new Error(`no such test file: ${missing.join(', ')}`);
  const queued = longestFirst(all.filter((file) => !listed.includes(file)));
  const ofQueue = Array.from({ length: queueProcessesFirst + Math.ceil(queued.length / filesPerProcessMax) }, () =>
    sharing(folder, 'queue', queued),
  );
  return [
    ...ofQueue.splice(0, queueProcessesFirst),
    ...inBrowser.map((files, index) => sharing(folder, `browser-${index}`, files)),
    ...alone.map((file) => ({ name: file.replaceAll('/', '-'), content: `await import(${urlOf(file)});\n` })),
    ...ofQueue,
  ];
}

/** The size of a file is a good estimate of its time. */
function longestFirst(files: string[]): string[] {
  const size = (file: string) => statSync(new URL(file, rootUrl)).size;
  return files.toSorted((a, b) => size(b) - size(a));
}

function sharing(folder: string, queue: string, names: string[]): Script {
  const files = names.map((name) => ({ name, url: new URL(name, rootUrl).href }));
  const marks = join(folder, `of-${queue}`);
  mkdirSync(marks, { recursive: true });
  const shared: SharedFiles = { files, folder: marks, filesMax: filesPerProcessMax };
  const content = `import { runTogether } from ${urlOf('test/support/run-together.ts')};\nrunTogether(${JSON.stringify(shared)});\n`;
  return { name: queue, content };
}

function urlOf(file: string): string {
  return JSON.stringify(new URL(file, rootUrl).href);
}

/** Node starts scripts by their names. */
function writeScript(folder: string, index: number, { name, content }: Script): string {
  const path = join(folder, `${String(index).padStart(3, '0')}-${name}.mjs`);
  writeFileSync(path, content);
  return path;
}

buildConsoleIfOld();
runAll(process.argv.slice(2));
