/** bin/node bench/side-by-side/install.ts --into FOLDER: installs the products that `side-by-side` measures. */
import { mkdirSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from '../../faults/child-process.ts';
import { run } from '../../tools/own-tools.ts';
import { howToInstall, installedVersion, otherNames, others, placePrograms, wantedVersion } from './other-products.ts';

/** Packages that these packages need are taken as they were at this time, so that every installation is the same. */
const packagesUntil = '2026-11-19T00:00:00Z';

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
  const { code, output } = await run('npm', installCommand(), placePrograms(name, folder));
  if (code !== 0) throw new Error(`npm install of ${wanted} failed:\n${output}`);
}
process.stdout.write(`\nnpm run bench -- side-by-side --others ${folder}\n`);

function isInside(outer: string, inner: string): boolean {
  return !relative(outer, inner).startsWith('..');
}

function installCommand(): string[] {
  return ['install', `--before=${packagesUntil}`, '--omit=dev', '--no-audit', '--no-fund', '--no-package-lock'];
}
