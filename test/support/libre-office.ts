import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Why a test with LibreOffice is skipped; false: it is not. */
export const withoutLibreOffice =
  spawnSync('soffice', ['--version']).status === 0
    ? false
    : 'LibreOffice is not installed: apt-get install libreoffice-calc-nogui';

/** Opens files with one start of LibreOffice and saves them in another format; the results have the names of the files. */
export async function convert(
  files: Record<string, Buffer | string>,
  format: string,
  options: string[] = [],
): Promise<Record<string, Buffer>> {
  const folder = mkdtempSync(join(tmpdir(), 'lading-office-'));
  try {
    for (const [name, bytes] of Object.entries(files)) writeFileSync(join(folder, name), bytes);
    const names = Object.keys(files);
    await promisify(execFile)('soffice', [
      `-env:UserInstallation=file://${join(folder, 'profile')}`,
      '--headless',
      ...options,
      '--convert-to',
      format,
      '--outdir',
      join(folder, 'out'),
      ...names.map((name) => join(folder, name)),
    ]);
    const ending = format.split(':')[0]!;
    const written = (name: string) => join(folder, 'out', name.replace(/\.\w+$/, `.${ending}`));
    return Object.fromEntries(names.map((name) => [name, readFileSync(written(name))]));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
