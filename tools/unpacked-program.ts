import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isAlive } from '../test/support/process-alive.ts';
import { fetchPackages } from './fetch-packages.ts';

/** A program from Debian packages, unpacked below node_modules, so that neither root nor an installation is needed. */
export interface UnpackedProgram {
  /** For messages, such as `Debian's Chromium for the browser tests`. */
  title: string;
  packages: string[];
  /** Installed packages that are unpacked as well, because the program would not find them. */
  absent: RegExp;
  folderName: string;
  /** The file that starts it, in that folder, and the arguments with which it prints its version. */
  launcher: string;
  versionArguments: string[];
  unpack(packages: string[], folder: string): Promise<void>;
}

const startSecondsMax = 60;
/** Ignored by git, and removed by npm ci. */
const cacheFolder = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));

export function findInPath(names: string[]): string | null {
  const candidates = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Returns the path of the unpacked program; downloads it if there is none. */
export async function provideUnpacked(program: UnpackedProgram): Promise<string> {
  return (await findUnpacked(program)) ?? (await install(program));
}

/** Returns the unpacked program if it still starts: it shares libraries with the machine, which may have changed. */
async function findUnpacked(program: UnpackedProgram): Promise<string | null> {
  const path = join(cacheFolder, program.folderName, program.launcher);
  return isExecutable(path) && (await starts(path, program)) ? path : null;
}

async function starts(path: string, program: UnpackedProgram): Promise<boolean> {
  return await versionOf(path, program).then(
    () => true,
    () => false,
  );
}

async function versionOf(path: string, { versionArguments }: UnpackedProgram): Promise<string> {
  const { stdout } = await promisify(execFile)(path, versionArguments, { timeout: startSecondsMax * 1000 });
  if (!/\d+\.\d+/.test(stdout)) throw new Error(`${path} does not print its version`);
  return stdout.trim().split('\n')[0]!;
}

/**
 * Uses a name with the process id until the folder is complete, so that interrupted or concurrent runs find either all
 * of it or nothing.
 */
async function install(program: UnpackedProgram): Promise<string> {
  const { title, packages: wanted, absent, folderName, launcher } = program;
  await mkdir(cacheFolder, { recursive: true });
  await sweepLeftovers(folderName);
  const folder = await mkdtemp(join(cacheFolder, `${folderName}-${process.pid}-`));
  try {
    const began = Date.now();
    const announce = (megabytes: number) => console.log(`downloading ${title} (only once): ${megabytes} MB`);
    const packages = await fetchPackages(wanted, join(folder, 'apt'), announce, absent);
    const unpacked = join(folder, 'unpacked');
    await program.unpack(packages, unpacked);
    const version = await versionOf(join(unpacked, launcher), program);
    await takePlace(program, unpacked, join(folder, 'aside'));
    console.log(
      `${version} is in node_modules/.cache/${folderName} after ${Math.round((Date.now() - began) / 1000)} s`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return join(cacheFolder, folderName, launcher);
}

/** Keeps the folder of a concurrent run, and replaces one that no longer starts. */
async function takePlace(program: UnpackedProgram, unpacked: string, aside: string): Promise<void> {
  const place = join(cacheFolder, program.folderName);
  const isPlaced = await rename(unpacked, place).then(
    () => true,
    () => false,
  );
  if (isPlaced || (await findUnpacked(program))) return;
  await rename(place, aside);
  await rename(unpacked, place);
}

async function sweepLeftovers(folderName: string): Promise<void> {
  const leftoverName = new RegExp(`^${folderName}-(\\d+)-`);
  for (const name of await readdir(cacheFolder)) {
    const pid = Number(leftoverName.exec(name)?.[1] ?? 0);
    if (pid !== 0 && !isAlive(pid)) await rm(join(cacheFolder, name), { recursive: true, force: true }).catch(() => {});
  }
}
