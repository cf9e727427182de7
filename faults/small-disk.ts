import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmdirSync, rmSync, statfsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onInterrupt } from './child-process.ts';
import { FaultSkipped } from './fault.ts';

/** A separate disk in memory that can be filled without affecting other programs. */
export interface SmallDisk {
  folder: string;
  /** Fills the disk completely, or leaves this many bytes free. */
  fill(bytesLeft?: number): Promise<void>;
  /** Removes the files that fill the disk. */
  free(): void;
  remove(): void;
}

const blockBytes = 4096;
/** Large pieces first, then single blocks. */
const pieceBytes = 1024 * 1024;

export function mountSmallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'lading-disk-'));
  // The user of PostgreSQL needs access.
  chmodSync(folder, 0o711);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=711`, 'lading-faults', folder], {
      stdio: 'pipe',
    });
  } catch (error) {
    rmdirSync(folder);
    throw new FaultSkipped(
      `no tmpfs can be mounted here (${String((error as { stderr?: Buffer }).stderr ?? error).split('\n', 1)[0]})`,
    );
  }
  const unmount = () => {
    // A lazy unmount, because a process that is ending may still use the disk.
    execFileSync('umount', ['--lazy', folder]);
    rmdirSync(folder);
  };
  const forget = onInterrupt(unmount);
  const ballast = join(folder, 'ballast');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    async fill(bytesLeft = 0) {
      const file = await open(ballast, 'a');
      const piece = Buffer.alloc(pieceBytes, 1);
      try {
        for (let tooMuch = freeBytes() - bytesLeft; tooMuch > 0; tooMuch = freeBytes() - bytesLeft) {
          await file.write(piece, 0, tooMuch >= pieceBytes ? pieceBytes : blockBytes);
        }
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    free: () => rmSync(ballast, { force: true }),
    remove() {
      unmount();
      forget();
    },
  };
}
