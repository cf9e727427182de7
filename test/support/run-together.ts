import { test } from 'node:test';

/** Of every file that shares its process: its tests begin when all of it has been read, as they would alone. */
export const loadedTest = 'is loaded';

/** Several files in one process, one after the other: each is a test, whose own end is the end of whatever the file has started. */
export function runTogether(files: { name: string; url: string }[]): void {
  for (const { name, url } of files) {
    test(name, async (file) => {
      const loading = Promise.withResolvers<void>();
      void file.test(loadedTest, () => loading.promise);
      await import(url).finally(loading.resolve);
    });
  }
}
