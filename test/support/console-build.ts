import { spawnSync } from 'node:child_process';
import { globSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const sources = ['console/**/*.{ts,tsx,css,html,svg}', 'contract/console/*.ts', 'package-lock.json'];

/** The pages that browsers are shown must be those of the sources: built anew where they are older, or not there. */
export function buildConsoleIfOld(): void {
  const files = globSync(sources, { cwd: root, exclude: (name) => name.startsWith('console/dist') });
  const builtAtMs = modifiedAtMs('console/dist/index.html');
  if (files.every((file) => modifiedAtMs(file) <= builtAtMs)) return;
  const { status } = spawnSync('npm', ['run', '--silent', 'console'], {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) throw new Error('the console could not be built; see above');
}

function modifiedAtMs(file: string): number {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
