import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const inMemory = '/dev/shm';
/** A whole run needs about 1 GB. */
const freeMinBytes = 4 * 1024 ** 3;

/**
 * The folder for databases that need not survive the machine: in memory where that has room, otherwise on disk. Each
 * test file creates and deletes a database of 700 files. On ext4 that takes 0.3 s of CPU, because the file system looks
 * for inodes that were not used in the last five seconds; in memory it takes a fifth of that.
 */
export function volatileFolder(): string {
  return freeBytes(inMemory) >= freeMinBytes ? inMemory : tmpdir();
}

/** The folders in which an earlier run may have left its databases. */
export const volatileFolders = [tmpdir(), inMemory];

function freeBytes(folder: string): number {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  } catch {
    return 0;
  }
}
