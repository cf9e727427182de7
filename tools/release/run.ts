import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  type ReleaseBuild,
  removeEarlierFiles,
  withSources,
  writeBill,
  writeChecksums,
  writeImage,
  writeTarball,
} from './build-release.ts';
import {
  CannotRelease,
  checkVersion,
  releaseChangelog,
  sdkVersionText,
  withChartVersion,
  withClientVersion,
  withImageVersion,
  withLockVersion,
  withVersion,
} from './version-texts.ts';

const usage =
  'usage: npm run release -- VERSION [--dry-run] [--out FOLDER] [--date YYYY-MM-DD] [--no-image | --local-base]\n';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface ReleaseOptions {
  version: string;
  isDryRun: boolean;
  out: string;
  date: string;
  image: 'none' | 'registry_base' | 'local_base';
}

/** `npm run release -- VERSION` builds all files of a release, commits the version and tags it. It publishes nothing. */
function release({ version, isDryRun, out, date: today, image }: ReleaseOptions): void {
  refuseOtherState();
  const tag = `v${version}`;
  if (!isDryRun && git('tag', '--list', tag) !== '') throw new CannotRelease(`the tag ${tag} exists already`);
  const { changes, date } = changesFor(version, today);

  mkdirSync(out, { recursive: true });
  const build: ReleaseBuild = { root, version, changes, date, out, say };
  withSources(build, (sources) => {
    removeEarlierFiles(build);
    writeBill(build, sources);
    writeTarball(build, sources);
    // The image names this commit.
    if (!isDryRun) commit(version, changes);
    if (image !== 'none') writeImage(build, sources, { localBase: image === 'local_base' });
  });
  process.stdout.write(writeChecksums(build));
  if (!isDryRun) git('tag', '--annotate', tag, '--message', `Lading ${version}`);
  say(
    isDryRun ? `dry run: ${out}, and no commit` : `${out}, with the commit and the tag ${tag}; nothing was published`,
  );
}

function refuseOtherState(): void {
  const changed = git('status', '--porcelain');
  if (changed !== '') throw new CannotRelease(`there are changes that are not committed:\n${changed}`);
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD');
  if (branch !== 'main') throw new CannotRelease(`a release is made on the branch main, and this is ${branch}`);
}

const chartFile = 'deploy/helm/lading/Chart.yaml';
const clientFiles = ['clients/php/lading.php', 'clients/python/lading.py'];
const composeFiles = ['deploy/compose.yaml', 'deploy/compose-patroni.yaml'];

/** All files that name the version. */
function changesFor(version: string, today: string): { changes: Record<string, string>; date: string } {
  const read = (file: string) => readFileSync(join(root, file), 'utf8');
  for (const file of ['package.json', 'sdk/package.json']) checkVersion(version, JSON.parse(read(file)).version);
  const { text, date } = releaseChangelog(read('CHANGELOG.md'), version, today);
  const changes = {
    'CHANGELOG.md': text,
    'package.json': withVersion(read('package.json'), version),
    'package-lock.json': withLockVersion(read('package-lock.json'), version),
    'sdk/package.json': withVersion(read('sdk/package.json'), version),
    'sdk/version.ts': sdkVersionText(version),
    [chartFile]: withChartVersion(read(chartFile), version),
    ...Object.fromEntries(clientFiles.map((file) => [file, withClientVersion(read(file), version)])),
    ...Object.fromEntries(composeFiles.map((file) => [file, withImageVersion(read(file), version)])),
  };
  return { changes, date };
}

function commit(version: string, changes: Record<string, string>): void {
  for (const [file, text] of Object.entries(changes)) writeFileSync(join(root, file), text);
  git('add', '--', ...Object.keys(changes));
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '--message', `release: ${version}`);
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

function readOptions(): ReleaseOptions | null {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        'dry-run': { type: 'boolean', default: false },
        out: { type: 'string' },
        date: { type: 'string', default: new Date().toISOString().slice(0, 10) },
        'no-image': { type: 'boolean', default: false },
        'local-base': { type: 'boolean', default: false },
      },
    });
    const [version] = positionals;
    if (version === undefined || positionals.length > 1 || !/^\d{4}-\d\d-\d\d$/.test(values.date)) return null;
    return {
      version,
      isDryRun: values['dry-run'],
      out: resolve(values.out ?? join(root, 'releases', version)),
      date: values.date,
      image: values['no-image'] ? 'none' : values['local-base'] ? 'local_base' : 'registry_base',
    };
  } catch {
    return null;
  }
}

const options = readOptions();
if (options === null) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  try {
    release(options);
  } catch (error) {
    if (!(error instanceof CannotRelease)) throw error;
    process.stderr.write(`no release: ${error.message}\n`);
    process.exitCode = 1;
  }
}
