import { execFileSync } from 'node:child_process';
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, statfsSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { undoWhenBrokenOff } from './child-process.ts';
import { FaultSkipped } from './fault.ts';

/** A disk of its own, in memory, that can be filled without harm to others. */
export interface SmallDisk {
  folder: string;
  /** To the last block, or until so many bytes are left. */
  fill(bytesLeft?: number): void;
  /** What filled it is gone. */
  free(): void;
  freeBytes(): number;
  remove(): void;
}

const blockBytes = 4096;

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'lading-disk-'));
  // The user that PostgreSQL runs as must get through.
  chmodSync(folder, 0o711);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'lading-faults', folder], { stdio: 'pipe' });
  } catch (error) {
    rmdirSync(folder);
    throw new FaultSkipped(`no tmpfs can be mounted here (${String((error as { stderr?: Buffer }).stderr ?? error).split('\n', 1)[0]})`);
  }
  const unmount = () => {
    // Lazily: a process of ours that is just ending must not hold it up.
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
  const forget = undoWhenBrokenOff(unmount);
  const ballast = join(folder, 'ballast');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    fill(bytesLeft = 0) {
      const file = openSync(ballast, 'a');
      try {
        const block = Buffer.alloc(blockBytes, 1);
        while (freeBytes() > bytesLeft) writeSync(file, block);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        closeSync(file);
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      unmount();
      forget();
    },
  };
}
