import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchPackages } from '../tools/fetch-packages.ts';
import { FaultSkipped } from './fault.ts';

/** A program from a Debian package, and the environment that it needs. */
export interface DebianProgram {
  path: string;
  env: Record<string, string>;
}

/** Finds an installed program such as `usr/sbin/pgbouncer`, or downloads its package into `folder`, without root. */
export async function provideDebianProgram(packageName: string, file: string, folder: string): Promise<DebianProgram> {
  const [own] = globSync(`/${file}`);
  if (own !== undefined) return { path: own, env: {} };
  const unpacked = join(folder, packageName);
  try {
    const packages = await fetchPackages(packageName, join(folder, `${packageName}-apt`), () => {});
    await mkdir(unpacked);
    for (const path of packages) await promisify(execFile)('dpkg-deb', ['--extract', path, unpacked]);
  } catch (error) {
    throw new FaultSkipped(
      `the Debian package ${packageName} is not installed and could not be downloaded: ${(error as Error).message}`,
    );
  }
  const libraries = new Set(
    globSync('{usr/,}lib/**/*.so{,.*}', { cwd: unpacked }).map((path) => join(unpacked, dirname(path))),
  );
  return {
    path: join(unpacked, globSync(file, { cwd: unpacked })[0]!),
    env: { LD_LIBRARY_PATH: [...libraries].join(':') },
  };
}
