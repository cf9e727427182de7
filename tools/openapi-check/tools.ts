import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, run } from '../own-tools.ts';

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

export async function runTool(tool: Tool, args: string[], cwd: string): Promise<Ended> {
  return await run(process.execPath, [fileOf(tool), ...args], cwd, quietEnvironment);
}
