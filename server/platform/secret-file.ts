import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The text of a file that is made once and never replaced. It is written whole under another name and then linked, so that of two
 * processes that start at once one makes it and both read it, and a crash leaves all of it or nothing.
 */
export function readOrMakeSecretFile(path: string, make: () => string): string {
  if (!existsSync(path)) {
    const unfinished = `${path}.new-${randomBytes(6).toString('hex')}`;
    writeDurably(unfinished, make());
    try {
      linkSync(unfinished, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(unfinished, { force: true });
    }
    syncFolder(dirname(path));
  }
  return readFileSync(path, 'utf8');
}

/** Readable for its owner only, and on the disk when this returns. */
export function writeDurably(path: string, text: string): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A new or renamed file is lasting only once its folder is. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
