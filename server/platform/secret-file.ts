import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Reads a file that is created once and never replaced. It is written under a temporary name and then linked, so that
 * if two processes start at the same time, one creates it and both read it, and a crash leaves either the complete file
 * or none.
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

/** Writes a file that only its owner can read; it is on disk when this returns. */
export function writeDurably(path: string, content: string | Buffer): void {
  const descriptor = openSync(path, 'wx', 0o600);
  try {
    writeFileSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** A new or renamed file is durable only after its folder is synced. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
