import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const postgresVariable = 'LADING_POSTGRES_BIN';

/**
 * Tests, faults and benchmarks run on the PostgreSQL whose programs are in the folder LADING_POSTGRES_BIN, if it is
 * set. The service itself has no such setting: its processes find these programs where they look for the npm package,
 * because NODE_OPTIONS loads redirect-postgres.ts into each of them.
 */
export async function chooseOtherPostgres(): Promise<void> {
  const programs = process.env[postgresVariable];
  if (!programs) return;
  // Processes started below have the redirection already.
  delete process.env[postgresVariable];
  const redirection = new URL('redirect-postgres.ts', import.meta.url);
  redirection.searchParams.set('package', makePackage(programs));
  await import(redirection.href);
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --import ${redirection}`.trim();
}

/** A folder with the layout of the npm package, with links to the programs; removed when this process ends. */
function makePackage(programs: string): string {
  const [version, libraries, shared] = execFileSync(
    join(programs, 'pg_config'),
    ['--version', '--pkglibdir', '--sharedir'],
    { encoding: 'utf8' },
  ).split('\n') as [string, string, string];
  const folder = mkdtempSync(join(tmpdir(), 'lading-postgres-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // PostgreSQL may run as another user.
  chmodSync(folder, 0o755);
  mkdirSync(join(folder, 'native', 'share'), { recursive: true });
  symlinkSync(programs, join(folder, 'native', 'bin'));
  symlinkSync(libraries, join(folder, 'native', 'lib'));
  symlinkSync(shared, join(folder, 'native', 'share', 'postgresql'));
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: version.split(' ')[1] }));
  return folder;
}
