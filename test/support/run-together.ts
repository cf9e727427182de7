import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** Holds the tests of a file back until the whole file has been read, as if it ran alone. */
export const loadedTest = 'is loaded';
/** The test around all files of a process. */
export const sharedTest = 'test files that share a process';

export interface SharedFiles {
  /** In the order in which they start. */
  files: { name: string; url: string }[];
  /** Each process marks the files that it takes in this folder. */
  folder: string;
  /** The maximum number of files per process: memory that earlier files leave slows down later ones. */
  filesMax: number;
}

/**
 * Runs several files in one process, one after the other. Processes take the next file from one queue. Each file is a
 * test; whatever the file has started ends with that test.
 */
export function runTogether({ files, folder, filesMax }: SharedFiles): void {
  test(sharedTest, async (shared) => {
    let taken = 0;
    for (const [index, { name, url }] of files.entries()) {
      if (taken === filesMax) return;
      if (!take(join(folder, `taken-${index}`))) continue;
      taken++;
      await shared.test(name, async (file) => {
        const loading = Promise.withResolvers<void>();
        void file.test(loadedTest, () => loading.promise);
        await import(url).finally(loading.resolve);
      });
    }
  });
}

/** The creation of a folder is atomic: one process succeeds. */
function take(mark: string): boolean {
  try {
    mkdirSync(mark);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
