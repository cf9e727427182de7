import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where a package is used. Packages of the service and of the console are delivered; the others only build and test. */
export type PackageUse = 'service' | 'console' | 'development';

/** A package of package-lock.json, whether or not it is installed on this machine. */
export interface LockedPackage {
  /** Its folder, which is unique: two versions of one package have two folders. */
  path: string;
  name: string;
  version: string;
  /** An SPDX expression; null if the package states none. */
  licence: string | null;
  /** SHA-512 in hexadecimal. */
  sha512: string | null;
  use: PackageUse;
  isOptional: boolean;
  /** The folders of the packages that it needs. */
  dependsOn: string[];
}

export interface LockFile {
  packages: Record<string, LockEntry>;
}

interface LockEntry {
  name?: string;
  version?: string;
  license?: string;
  integrity?: string;
  dev?: boolean;
  devOptional?: boolean;
  optional?: boolean;
  link?: boolean;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

/** `consoleNames`: the packages that the sources of the console import. */
export function packagesOf(lock: LockFile, consoleNames: Iterable<string>): LockedPackage[] {
  const ofConsole = reachableFrom(
    lock,
    [...consoleNames].flatMap((name) => findFolder(lock, '', name) ?? []),
  );
  return Object.entries(lock.packages)
    .filter(([path, { link }]) => path !== '' && !link)
    .map(([path, entry]) => ({
      path,
      name: entry.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version: entry.version ?? '',
      licence: entry.license ?? null,
      sha512: hexOf(entry.integrity),
      use: entry.dev || entry.devOptional ? (ofConsole.has(path) ? 'console' : 'development') : 'service',
      isOptional: entry.optional ?? false,
      dependsOn: foldersNeededBy(lock, path),
    }));
}

export function directDependencies(lock: LockFile): string[] {
  return foldersNeededBy(lock, '');
}

/** Names of the packages that files of the console import, without the tools that build it. */
export function packagesImportedBy(root: string): Set<string> {
  const files = globSync('console/{main,router,theme,kit/**/*,pages/**/*,shell/**/*}.{ts,tsx,css}', { cwd: root });
  const specifiers = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/(?:from |import |import\()'([^'.][^']*)'/g),
  ]);
  return new Set(specifiers.map(([, specifier]) => packageNameOf(specifier!)));
}

function packageNameOf(specifier: string): string {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

function reachableFrom(lock: LockFile, starts: string[]): Set<string> {
  const found = new Set<string>();
  const waiting = [...starts];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    waiting.push(...foldersNeededBy(lock, path));
  }
  return found;
}

function foldersNeededBy(lock: LockFile, path: string): string[] {
  const entry = lock.packages[path]!;
  const names = new Set([
    ...Object.keys(entry.dependencies ?? {}),
    ...Object.keys(entry.devDependencies ?? {}),
    ...Object.keys(entry.optionalDependencies ?? {}),
    ...Object.keys(entry.peerDependencies ?? {}),
  ]);
  return [...names].flatMap((name) => findFolder(lock, path, name) ?? []).sort();
}

/** As Node looks for packages: in the folder itself, then in the folders above it. */
function findFolder(lock: LockFile, from: string, name: string): string | null {
  const candidate = `${from === '' ? '' : `${from}/`}node_modules/${name}`;
  if (lock.packages[candidate]) return candidate;
  if (from === '') return null;
  return findFolder(lock, from.slice(0, Math.max(0, from.lastIndexOf('/node_modules/'))), name);
}

function hexOf(integrity: string | undefined): string | null {
  const [, digest] = /^sha512-(\S+)/.exec(integrity ?? '') ?? [];
  return digest === undefined ? null : Buffer.from(digest, 'base64').toString('hex');
}
