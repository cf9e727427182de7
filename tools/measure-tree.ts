import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MeasuredFunction, measureSource } from './measure-functions.ts';

export const functionLinesMax = 60;

export interface TreeFile {
  path: string;
  lines: number;
  functions: MeasuredFunction[];
  /** Paths of our own files. */
  imports: string[];
}

export interface LongFunction {
  path: string;
  name: string;
  lines: number;
}

const notOurs = /(^|\/)(node_modules|dist|\.git|data)(\/|$)/;

/** Measures all TypeScript files below a folder. */
export function readTree(root: string): TreeFile[] {
  const paths = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !notOurs.test(entry.name))
    .flatMap(({ name }) =>
      readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((path) => join(name, path)),
    )
    .filter((path) => /\.tsx?$/.test(path) && !notOurs.test(path));
  const known = new Set(paths);
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(root, path), 'utf8');
    const { functions, imports } = measureSource(path, text);
    const targets = imports
      .filter((specifier) => specifier.startsWith('.'))
      .map((specifier) => normalize(join(dirname(path), specifier)));
    return { path, lines: countLines(text), functions, imports: targets.filter((target) => known.has(target)) };
  });
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

/** Functions over the limit. Functions of the same name in a file are one entry with the length of the longest. */
export function longFunctionsOf(files: TreeFile[]): LongFunction[] {
  const long = files.flatMap(({ path, functions }) =>
    functions.filter(({ lines }) => lines > functionLinesMax).map(({ name, lines }) => ({ path, name, lines })),
  );
  const byName = Map.groupBy(long, ({ path, name }) => `${path} ${name}`);
  return [...byName.values()].map((same) => same.toSorted((one, other) => other.lines - one.lines)[0]!);
}

/** Groups of files that import each other, directly or through others (Tarjan's strongly connected components). */
export function importCyclesOf(files: TreeFile[]): string[][] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const indexOf = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const cycles: string[][] = [];

  for (const { path } of files) if (!indexOf.has(path)) visit(path);
  return cycles;

  function visit(path: string): void {
    indexOf.set(path, indexOf.size);
    lowest.set(path, indexOf.get(path)!);
    open.push(path);
    for (const next of importsOf.get(path) ?? []) {
      if (!indexOf.has(next)) visit(next);
      if (open.includes(next)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(next)!));
    }
    if (lowest.get(path) !== indexOf.get(path)) return;
    const group = open.splice(open.indexOf(path));
    if (group.length > 1 || importsOf.get(path)?.includes(path)) cycles.push(group.toSorted());
  }
}

/** The file and all of our files that it imports, directly or through others. */
export function importClosureOf(files: TreeFile[], start: string): string[] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const reached = new Set(importsOf.has(start) ? [start] : []);
  for (const path of reached) for (const next of importsOf.get(path)!) reached.add(next);
  return [...reached];
}

/** `bin/node tools/measure-tree.ts [REVISION]`, or with `--long-functions` for the content of test/long-functions.json. */
if (import.meta.main) {
  const [argument] = process.argv.slice(2);
  if (argument === '--long-functions') {
    const entries = longFunctionsOf(readTree(ownRoot())).map((entry) => `  ${JSON.stringify(entry)}`);
    process.stdout.write(`[\n${entries.join(',\n')}\n]\n`);
  } else {
    const files = argument === undefined ? readTree(ownRoot()) : readRevision(argument);
    process.stdout.write(`${report(files).join('\n')}\n`);
  }
}

function ownRoot(): string {
  return fileURLToPath(new URL('..', import.meta.url));
}

function readRevision(revision: string): TreeFile[] {
  const folder = mkdtempSync(join(tmpdir(), 'lading-tree-'));
  try {
    const archive = join(folder, 'tree.tar');
    execFileSync('git', ['archive', '--output', archive, '--end-of-options', revision], { cwd: ownRoot() });
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    return readTree(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function report(files: TreeFile[]): string[] {
  const tests = files.filter(({ path }) => isTest(path));
  const sources = files.filter(({ path }) => !isTest(path));
  const long = longFunctionsOf(files);
  return [
    'TypeScript files and lines per folder (tests not included):',
    ...foldersOf(sources),
    row('all sources', sources),
    row('all tests (test/ and *.test.ts)', tests),
    '',
    `import cycles, type imports included: ${importCyclesOf(files).length}`,
    ...importCyclesOf(files).map((cycle) => `  ${cycle.length} files: ${cycle.join(' ')}`),
    '',
    'length in lines of functions that have a block:',
    `  sources: ${spreadOf(sources)}`,
    `  tests:   ${spreadOf(tests)}`,
    `functions over ${functionLinesMax} lines: ${long.length}`,
    ...long.map(({ path, name, lines }) => `  ${String(lines).padStart(4)}  ${path}  ${name}`),
    '',
    ...outboundCreateReport(files),
  ];
}

function isTest(path: string): boolean {
  return path.startsWith('test/') || /\.test\.tsx?$/.test(path);
}

/** Reports on the top-level folders, and on those of `server` one level deeper. */
function foldersOf(files: TreeFile[]): string[] {
  const folderOf = (path: string) => /^server\/[^/]+\/|^[^/]+\//.exec(path)![0];
  const byFolder = Map.groupBy(files, ({ path }) => folderOf(path));
  return [...byFolder]
    .toSorted()
    .map(([folder, inFolder]) => row(folder === 'server/' ? 'server/*.ts' : folder, inFolder));
}

function row(name: string, files: TreeFile[]): string {
  const lines = files.reduce((sum, file) => sum + file.lines, 0);
  return `  ${name.padEnd(32)} ${String(files.length).padStart(5)} files ${String(lines).padStart(7)} lines`;
}

function spreadOf(files: TreeFile[]): string {
  const functions = files.flatMap((file) => file.functions).filter(({ hasBlock }) => hasBlock);
  const lengths = functions.map(({ lines }) => lines).toSorted((one, other) => one - other);
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
  return `median ${at(0.5)}, p90 ${at(0.9)}, max ${at(1)} (${lengths.length} functions)`;
}

/** The import closure counts every file that is loaded for the endpoint, even if a request does not run its code. */
function outboundCreateReport(files: TreeFile[]): string[] {
  const start = 'server/api/warehouse/outbound-create.ts';
  const closure = importClosureOf(files, start);
  const closureFiles = files.filter(({ path }) => closure.includes(path));
  return [
    `outbound/create: ${start} and all of our files that it imports, directly or through others, type imports included:`,
    ...foldersOf(closureFiles),
    row('together', closureFiles),
  ];
}
