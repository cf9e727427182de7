import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

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

/** Which program is not on this machine, if one is missing. */
export async function missingFor(file: string): Promise<string | null> {
  for (const command of runnerOf(file).needs) {
    const [program, ...args] = command.split(' ') as [string, ...string[]];
    const version = await run(program, args).catch(() => null);
    if (version === null) return program;
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
  return runners[file.split('.').at(-1)!]!;
}
