/** bin/node bench/side-by-side/install.ts --into FOLDER: installs the products that `side-by-side` measures. */
import { mkdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../faults/child-process.ts';
import { run } from '../../tools/own-tools.ts';
import { howToInstall, installedVersion, otherNames, others, placePrograms, wantedVersion } from './other-products.ts';

const { into } = parseArgs({ options: { into: { type: 'string' } } }).values;
if (into === undefined || isInside(root, resolve(into))) {
  process.stderr.write(`usage: ${howToInstall}\nThe folder is outside of this one, and takes about 1 GB.\n`);
  process.exit(2);
}
const folder = resolve(into);
mkdirSync(folder, { recursive: true });
for (const name of otherNames) {
  const wanted = `${others[name]} ${wantedVersion(name)}`;
  if (installedVersion(name, folder) === wantedVersion(name)) {
    process.stdout.write(`${wanted} is there\n`);
    continue;
  }
  process.stdout.write(`installing ${wanted}, which takes minutes\n`);
  // The packages that we name have exact versions; those that they need are the newest that they allow.
  const args = ['install', '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock'];
  const { code, output } = await run('npm', args, placePrograms(name, folder));
  if (code !== 0) throw new Error(`npm install of ${wanted} failed:\n${output}`);
}
process.stdout.write(`\nnpm run bench -- side-by-side oversell --others ${folder}\n`);

function isInside(outer: string, inner: string): boolean {
  return !relative(outer, inner).startsWith('..');
}
