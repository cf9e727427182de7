import { cpSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Other people's products, each installed in a folder of its own below the folder that the user names. */
export const others = { vendure: '@vendure/core', medusa: '@medusajs/medusa' } as const;
export type OtherName = keyof typeof others;
export const otherNames = Object.keys(others) as OtherName[];

export const howToInstall = 'bin/node bench/side-by-side/install.ts --into FOLDER';

/** The files with which we run a product: the versions of its packages, and its settings. */
export function programsOf(name: OtherName): string {
  return fileURLToPath(new URL(`./programs/${name}`, import.meta.url));
}

/** Copies the files of this version; the packages are already in the folder. */
export function placePrograms(name: OtherName, folder: string): string {
  const place = join(folder, name);
  cpSync(programsOf(name), place, { recursive: true });
  return place;
}

export function wantedVersion(name: OtherName): string {
  return readPackage(programsOf(name)).dependencies[others[name]]!;
}

/** The installed version; null if there is none. */
export function installedVersion(name: OtherName, folder: string): string | null {
  const packageFolder = join(folder, name, 'node_modules', others[name]);
  return existsSync(join(packageFolder, 'package.json')) ? readPackage(packageFolder).version : null;
}

interface Package {
  version: string;
  dependencies: Record<string, string>;
}

function readPackage(folder: string): Package {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** Why the products in a folder cannot be measured; null if they can. */
export function whatIsMissing(folder: string | null): string | null {
  if (folder === null) return `install the other products with \`${howToInstall}\`, then add \`--others FOLDER\``;
  for (const name of otherNames) {
    const [installed, wanted] = [installedVersion(name, folder), wantedVersion(name)];
    if (installed !== wanted)
      return `${others[name]} ${wanted} is not in ${folder}, but ${installed ?? 'nothing'}: run \`${howToInstall}\``;
  }
  return null;
}
