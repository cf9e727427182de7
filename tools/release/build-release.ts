import { execFileSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LockFile } from '../sbom/lock-packages.ts';
import { billOf, formatReport } from '../sbom/run.ts';
import { CannotRelease } from './version-texts.ts';

export interface ReleaseBuild {
  root: string;
  version: string;
  /** Files of the repository that the release changes, with their new text. */
  changes: Record<string, string>;
  /** The day of the release; the time of every file in the tarball. */
  date: string;
  /** The folder that receives the files of the release. */
  out: string;
  say(line: string): void;
}

/** Parts of the repository that only development needs. */
const development = ['.ci', '.editorconfig', '.gitignore', 'bench', 'biome.json', 'faults', 'test', 'tools'];

/** The committed files with the new version, in a folder of their own, so that nothing else gets into the release. */
export function withSources<Result>(build: ReleaseBuild, work: (folder: string) => Result): Result {
  const temporary = mkdtempSync(join(tmpdir(), 'lading-release-'));
  const folder = join(temporary, `lading-${build.version}`);
  try {
    mkdirSync(folder);
    const archive = execFileSync('git', ['archive', '--format=tar', 'HEAD'], { cwd: build.root, maxBuffer: 2 ** 30 });
    execFileSync('tar', ['--extract', '--directory', folder], { input: archive });
    for (const [file, text] of Object.entries(build.changes)) writeFileSync(join(folder, file), text);
    return work(folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** The SBOM; refuses a licence that is not permissive. */
export function writeBill(build: ReleaseBuild, sources: string): void {
  const { document, report } = billOf(sources);
  if (report.refused.length > 0) throw new CannotRelease(formatReport(report));
  writeFileSync(join(build.out, `lading-${build.version}.cdx.json`), document);
}

/** The service with its built console and client library, ready for `npm ci --omit=dev && npm start`. */
export function writeTarball(build: ReleaseBuild, sources: string): void {
  refuseOtherPackages(build.root);
  const packages = join(sources, 'node_modules');
  symlinkSync(join(build.root, 'node_modules'), packages);
  for (const script of ['sdk', 'console']) {
    build.say(`building: npm run ${script}`);
    execFileSync('npm', ['run', '--silent', script], { cwd: sources, stdio: ['ignore', 'ignore', 'inherit'] });
  }
  rmSync(packages);
  const top = `lading-${build.version}`;
  const excluded = [...development, 'sdk/dist'].map((name) => `--exclude=${top}/${name}`);
  // The order, times, owners and modes are fixed, so that the same files give the same bytes.
  const stable = ['--sort=name', `--mtime=${build.date}T00:00:00Z`, '--owner=0', '--group=0', '--numeric-owner'];
  const form = [
    '--format=gnu',
    '--mode=u=rwX,go=rX',
    '--anchored',
    ...excluded,
    '--no-anchored',
    '--exclude=*.test.ts',
  ];
  const words = ['--create', ...stable, ...form, '--directory', join(sources, '..'), top];
  const tar = execFileSync('tar', words, { maxBuffer: 2 ** 30 });
  const packed = execFileSync('gzip', ['-9', '--no-name'], { input: tar, maxBuffer: 2 ** 30 });
  writeFileSync(join(build.out, `${top}.tar.gz`), packed);
}

/** The console is built with the installed packages, so they must be those of the lock file. */
function refuseOtherPackages(root: string): void {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const others = Object.entries(lock.packages).filter(([path, { version, optional }]) => {
    const file = join(root, path, 'package.json');
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version !== version : !optional;
  });
  if (others.length > 0) throw new CannotRelease(`${others[0]![0]} is not the one of package-lock.json; run npm ci`);
}

/** The image, if this version can build one here; otherwise says why there is none. */
export function writeImage(build: ReleaseBuild, sources: string, options: { localBase: boolean }): void {
  const script = join(sources, 'deploy/build-image');
  const missing = !existsSync(script) ? 'there is no deploy/build-image' : missingBuildah();
  if (missing !== null) {
    build.say(`the image is left out: ${missing}`);
    return;
  }
  const tag = `lading:${build.version}`;
  const words = ['--tag', tag, ...(options.localBase ? ['--local-base'] : [])];
  // The sources are a plain folder; the image still names the commit.
  const env = { ...process.env, GIT_DIR: join(build.root, '.git') };
  execFileSync(script, words, { cwd: sources, env, stdio: ['ignore', 'inherit', 'inherit'] });
  const file = join(build.out, `lading-${build.version}.image.tar`);
  rmSync(file, { force: true });
  execFileSync('buildah', ['push', '--quiet', tag, `oci-archive:${file}:${tag}`], { stdio: 'inherit' });
}

function missingBuildah(): string | null {
  try {
    execFileSync('buildah', ['--version'], { stdio: 'ignore' });
    return null;
  } catch {
    return 'buildah is not installed';
  }
}

/** Files of an earlier run; an image may have been left out this time. */
export function removeEarlierFiles(build: ReleaseBuild): void {
  for (const name of filesOf(build)) rmSync(join(build.out, name));
}

/** In the format of sha256sum: `sha256sum --check SHA256SUMS` verifies the files. */
export function writeChecksums(build: ReleaseBuild): string {
  const lines = filesOf(build).map((name) => `${hash('sha256', readFileSync(join(build.out, name)))}  ${name}\n`);
  writeFileSync(join(build.out, 'SHA256SUMS'), lines.join(''));
  return lines.join('');
}

function filesOf({ out, version }: ReleaseBuild): string[] {
  const names = ['cdx.json', 'image.tar', 'tar.gz'].map((kind) => `lading-${version}.${kind}`);
  return names.filter((name) => existsSync(join(out, name)));
}
