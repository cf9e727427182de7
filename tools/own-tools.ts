import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Programs of other people that only a check needs. Their folder has a package.json and a lock file of its own. */

export interface Ended {
  code: number | null;
  output: string;
}

export async function run(
  program: string,
  args: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<Ended> {
  const child = spawn(program, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

/** Installs the tools of a folder from its lock file, unless that has been done already. */
export async function installTools(folder: string): Promise<void> {
  const installedLock = join(folder, 'node_modules', '.installed-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(installedLock) && readFileSync(installedLock, 'utf8') === lock) return;
  process.stdout.write('installing the tools (about a minute)\n');
  const { code, output } = await run('npm', ['ci'], folder);
  if (code !== 0) throw new Error(`npm ci failed in ${folder}:\n${output}`);
  writeFileSync(installedLock, lock);
}
