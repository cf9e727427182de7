import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from './child-process.ts';
import { FaultSkipped } from './fault.ts';

/** The programs of a replicated database with automatic failover. */
export interface PatroniPrograms {
  python: string;
  /** A folder with the Python package `patroni`. */
  patroni: string;
  patroniVersion: string;
  postgresBin: string;
  etcd: string;
  haproxy: string;
}

/** A tarball of Patroni, or a folder with the Python package `patroni`. */
const patroniVariable = 'LADING_PATRONI';
const patroniVersionMin = [3, 0, 3] as const;
const postgresVersionMin = 15;
/** Not the first `python3` in the PATH, because Debian's Python packages belong to Debian's Python. */
const python = '/usr/bin/python3';
const installedPatroni = '/usr/lib/python3/dist-packages';
const pythonModules = ['dateutil', 'etcd', 'psutil', 'psycopg2', 'urllib3', 'yaml'];

/** Debian packages, each with a program that shows whether it is installed. */
const debianPackages: Record<string, string> = {
  'etcd-server': '/usr/bin/etcd',
  haproxy: '/usr/sbin/haproxy',
  'postgresql-15': '/usr/lib/postgresql/*/bin/postgres',
  patroni: installedPatroni.concat('/etcd/__init__.py'),
};

/** Finds the programs and puts a copy of Patroni into `folder`. Downloads nothing. */
export function findPatroniPrograms(folder: string): PatroniPrograms {
  const missing = Object.entries(debianPackages).filter(([, file]) => globSync(file).length === 0);
  if (missing.length > 0)
    throw new FaultSkipped(
      `these Debian packages are not installed: ${missing.map(([name]) => name).join(', ')} ` +
        `(all of these are needed: ${Object.keys(debianPackages).join(', ')})`,
    );
  checkPythonModules();
  const patroni = copyPatroni(folder);
  return {
    python,
    patroni,
    patroniVersion: checkedVersion(patroni),
    postgresBin: newestPostgres(),
    etcd: debianPackages['etcd-server']!,
    haproxy: debianPackages.haproxy!,
  };
}

function checkPythonModules(): void {
  try {
    execFileSync(python, ['-c', `import ${pythonModules.join(', ')}`], { stdio: 'pipe', cwd: '/' });
  } catch (error) {
    const reason = String((error as { stderr?: Buffer }).stderr ?? error).trim();
    throw new FaultSkipped(
      `a Python package that Debian's package patroni brings is missing: ${reason.split('\n').at(-1)}`,
    );
  }
}

/** Copied, because the user of PostgreSQL may not be able to read the original. */
function copyPatroni(folder: string): string {
  const chosen = process.env[patroniVariable];
  if (chosen !== undefined && !existsSync(chosen)) throw new Error(`${patroniVariable}: there is no ${chosen}`);
  const [beside] = globSync(join(root, '../shared/third-party/patroni-*.tar.gz'));
  const source = chosen ?? beside ?? installedPatroni;
  const copy = join(folder, 'patroni');
  mkdirSync(copy);
  if (statSync(source).isDirectory()) cpSync(join(source, 'patroni'), join(copy, 'patroni'), { recursive: true });
  else execFileSync('tar', ['-xzf', source, '-C', copy, '--strip-components=1', '--no-same-owner'], { stdio: 'pipe' });
  return copy;
}

function checkedVersion(patroni: string): string {
  const text = readFileSync(join(patroni, 'patroni/version.py'), 'utf8');
  const version = /__version__ = '([^']+)'/.exec(text)?.[1] ?? 'unknown';
  if (isOlder(version.split('.').map(Number), patroniVersionMin))
    throw new FaultSkipped(
      `Patroni ${version} loses acknowledged commits with etcd3: a frozen leader that wakes up takes the leader key back. ` +
        `Version ${patroniVersionMin.join('.')} or newer is needed; ${patroniVariable} names its tarball or folder`,
    );
  return version;
}

function isOlder(version: number[], min: readonly number[]): boolean {
  const at = min.findIndex((part, index) => (version[index] ?? 0) !== part);
  return at >= 0 && (version[at] ?? 0) < min[at]!;
}

function newestPostgres(): string {
  const folders = globSync(debianPackages['postgresql-15']!).map((path) => dirname(path));
  const versionOf = (bin: string) => Number(bin.split('/').at(-2));
  const [newest] = folders.toSorted((one, other) => versionOf(other) - versionOf(one));
  if (versionOf(newest!) < postgresVersionMin)
    throw new FaultSkipped(`PostgreSQL ${versionOf(newest!)} is too old; ${postgresVersionMin} or newer is needed`);
  return newest!;
}
