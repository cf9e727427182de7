import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

/**
 * The Chromium of this machine, or null. The one that npm could bring along exists for x64 only, so none is among our packages: name one by
 * LADING_TEST_CHROMIUM, or have it in the PATH.
 */
export function findChromium(): string | null {
  const named = process.env.LADING_TEST_CHROMIUM;
  if (named) return named;
  const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
  const candidates = (process.env.PATH ?? '').split(delimiter).flatMap((folder) => names.map((name) => join(folder, name)));
  return candidates.find(isExecutable) ?? null;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Without its sandbox, which root may not have; it is shown nothing but our own pages. */
export function openBrowser(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox'] });
}
