import { execFile } from 'node:child_process';
import { globSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { fetchPackages } from '../test/support/fetch-packages.ts';
import { FaultSkipped } from './fault.ts';

/** A program of Debian's, and what must be in the environment of its processes. */
export interface DebianProgram {
  path: string;
  env: Record<string, string>;
}

/** `file` as the package has it, such as `usr/sbin/pgbouncer`: the machine's own, or fetched and unpacked into `folder`, without root. */
export async function provideDebianProgram(packageName: string, file: string, folder: string): Promise<DebianProgram> {
  const [own] = globSync(`/${file}`);
  if (own !== undefined) return { path: own, env: {} };
  const unpacked = join(folder, packageName);
  try {
    const packages = await fetchPackages(packageName, join(folder, `${packageName}-apt`), () => {});
    await mkdir(unpacked);
    for (const path of packages) await promisify(execFile)('dpkg-deb', ['--extract', path, unpacked]);
  } catch (error) {
    throw new FaultSkipped(`Debian's ${packageName} is not here and could not be fetched: ${(error as Error).message}`);
  }
  const libraries = new Set(globSync('{usr/,}lib/**/*.so{,.*}', { cwd: unpacked }).map((path) => join(unpacked, dirname(path))));
  return { path: join(unpacked, globSync(file, { cwd: unpacked })[0]!), env: { LD_LIBRARY_PATH: [...libraries].join(':') } };
}
