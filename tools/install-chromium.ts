import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isAlive } from '../test/support/process-alive.ts';
import { fetchPackages } from './fetch-packages.ts';
import { chromiumPackage, launcher, unpack } from './install-chromium-unpack.ts';

export const chromiumVariable = 'LADING_TEST_CHROMIUM';
/** The reason why there is no Chromium, passed on so that not every test tries to download it again. */
export const chromiumMissingVariable = 'LADING_TEST_CHROMIUM_MISSING';
const namesInPath = [chromiumPackage, 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const startSecondsMax = 60;
/** Ignored by git, and removed by npm ci. */
const cacheFolder = fileURLToPath(new URL('../node_modules/.cache/', import.meta.url));
const folderName = 'lading-chromium';
const leftoverName = /^lading-chromium-(\d+)-/;

/**
 * Returns the path of a Chromium: the configured one, one in the PATH, or Debian's, which is downloaded once and
 * unpacked below node_modules, so that neither root nor an installation is needed.
 */
export async function provideChromium(): Promise<string> {
  const missing = process.env[chromiumMissingVariable];
  if (missing) throw new Error(missing);
  const found = findNamed() ?? findInPath() ?? (await findUnpacked());
  if (found !== null) return found;
  try {
    return await install();
  } catch (error) {
    throw new Error(
      `no Chromium for the tests in a browser. Install one (as root: apt-get install chromium), or name one by ${chromiumVariable}. ` +
        `There is none in the PATH, and Debian's could not be fetched: ${(error as Error).message}`,
    );
  }
}

function findNamed(): string | null {
  const named = process.env[chromiumVariable];
  if (!named) return null;
  if (!isExecutable(named)) throw new Error(`${chromiumVariable} is ${named}, which cannot be executed`);
  return named;
}

function findInPath(): string | null {
  const candidates = (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => namesInPath.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

/** Returns the unpacked Chromium if it still starts: it shares libraries with the machine, which may have changed. */
async function findUnpacked(): Promise<string | null> {
  const path = join(cacheFolder, folderName, launcher);
  return isExecutable(path) && (await starts(path)) ? path : null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function starts(path: string): Promise<boolean> {
  return await versionOf(path).then(
    () => true,
    () => false,
  );
}

async function versionOf(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['--version'], { timeout: startSecondsMax * 1000 });
  if (!/\d+\.\d+/.test(stdout)) throw new Error(`${path} does not print its version`);
  return stdout.trim();
}

/**
 * Uses a name with the process id until the folder is complete, so that interrupted or concurrent runs find either all
 * of it or nothing.
 */
async function install(): Promise<string> {
  await mkdir(cacheFolder, { recursive: true });
  await sweepLeftovers();
  const folder = await mkdtemp(join(cacheFolder, `${folderName}-${process.pid}-`));
  try {
    const began = Date.now();
    const packages = await fetchPackages(chromiumPackage, join(folder, 'apt'), (megabytes) => {
      console.log(`downloading Debian's Chromium for the browser tests (only once): ${megabytes} MB`);
    });
    const unpacked = join(folder, 'unpacked');
    await unpack(packages, unpacked);
    const version = await versionOf(join(unpacked, launcher));
    await takePlace(unpacked, join(folder, 'aside'));
    console.log(
      `${version} is in node_modules/.cache/${folderName} after ${Math.round((Date.now() - began) / 1000)} s`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return join(cacheFolder, folderName, launcher);
}

/** Keeps the folder of a concurrent run, and replaces one that no longer starts. */
async function takePlace(unpacked: string, aside: string): Promise<void> {
  const place = join(cacheFolder, folderName);
  const isPlaced = await rename(unpacked, place).then(
    () => true,
    () => false,
  );
  if (isPlaced || (await findUnpacked())) return;
  await rename(place, aside);
  await rename(unpacked, place);
}

async function sweepLeftovers(): Promise<void> {
  for (const name of await readdir(cacheFolder)) {
    const pid = Number(leftoverName.exec(name)?.[1] ?? 0);
    if (pid !== 0 && !isAlive(pid)) await rm(join(cacheFolder, name), { recursive: true, force: true }).catch(() => {});
  }
}
