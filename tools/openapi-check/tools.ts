import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const folder = fileURLToPath(new URL('.', import.meta.url));
export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The program file of each tool in this folder's own node_modules. */
const files = {
  spectral: '@stoplight/spectral-cli/dist/index.js',
  redocly: '@redocly/cli/bin/cli.js',
  'openapi-typescript': 'openapi-typescript/bin/cli.js',
  'hey-api': '@hey-api/openapi-ts/bin/run.js',
  orval: 'orval/dist/bin/orval.mjs',
  tsc: 'typescript/bin/tsc',
  prism: '@stoplight/prism-cli/dist/index.js',
} as const;
export type Tool = keyof typeof files;

export function fileOf(tool: Tool): string {
  return join(folder, 'node_modules', files[tool]);
}

/** Neither reports usage nor looks for new versions. */
const quietEnvironment = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  NO_COLOR: '1',
  CI: 'true',
};

export interface Ended {
  code: number | null;
  output: string;
}

export async function runTool(tool: Tool, args: string[], cwd: string): Promise<Ended> {
  return await run(process.execPath, [fileOf(tool), ...args], cwd, quietEnvironment);
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

/** Installs the tools from their own lock file, unless that has been done already. */
export async function installTools(): Promise<void> {
  const installedLock = join(folder, 'node_modules', '.installed-lock');
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  if (existsSync(installedLock) && readFileSync(installedLock, 'utf8') === lock) return;
  process.stdout.write('installing the tools (about a minute)\n');
  const { code, output } = await run('npm', ['ci'], folder);
  if (code !== 0) throw new Error(`npm ci failed in tools/openapi-check:\n${output}`);
  writeFileSync(installedLock, lock);
}
