import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type InterpreterName, provideInterpreter } from '../../tools/install-interpreters.ts';

const run = promisify(execFile);
/** `npm run check:clients` sets it, and provides all languages. */
export const allLanguagesVariable = 'LADING_TEST_ALL_LANGUAGES';
/** Small enough to be downloaded for the tests. */
const provided: Record<string, InterpreterName> = { php: 'php', py: 'python3' };

/** How to run a file, by its extension, and the commands that succeed if its programs are installed. */
const runners: Record<string, { needs: string[]; commands(file: string): [string, ...string[]][] }> = {
  sh: { needs: ['curl --version', 'openssl version'], commands: (file) => [['sh', file]] },
  mts: { needs: [], commands: (file) => [[process.execPath, file]] },
  py: { needs: ['python3 --version'], commands: (file) => [['python3', file]] },
  php: { needs: ['php --version'], commands: (file) => [['php', file]] },
  java: {
    needs: ['java --version'],
    // One compiler less and a smaller heap: it runs once.
    commands: (file) => [['java', '-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC', file]],
  },
  cs: {
    needs: ['mcs --version', 'mono --version'],
    commands: (file) => [
      ['mcs', '-r:System.Net.Http.dll', '-out:program.exe', file],
      ['mono', 'program.exe'],
    ],
  },
  go: { needs: ['go version'], commands: (file) => [['go', 'run', file]] },
};

/** Which program is not on this machine, if one is missing and cannot be provided. */
export async function missingFor(file: string): Promise<string | null> {
  const name = provided[extensionOf(file)];
  if (name) await provideInterpreter(name).catch(() => {});
  for (const command of runnerOf(file).needs) {
    const [program, ...args] = command.split(' ') as [string, ...string[]];
    const version = await run(program, args).catch(() => null);
    if (version !== null) continue;
    if (process.env[allLanguagesVariable]) throw new Error(`${program} is missing`);
    return program;
  }
  return null;
}

/** Runs a sample as a reader would: alone in a folder, under the name that the page gives it. */
export async function runProgram(file: string, source: string, env: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'lading-sample-'));
  try {
    writeFileSync(join(folder, file), source);
    let output = '';
    for (const [program, ...args] of runnerOf(file).commands(file)) {
      output = (await run(program, args, { cwd: folder, env: { ...process.env, ...env } })).stdout;
    }
    return output;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function runnerOf(file: string) {
  return runners[extensionOf(file)]!;
}

function extensionOf(file: string): string {
  return file.split('.').at(-1)!;
}
