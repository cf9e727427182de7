import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { checkVersion, compareVersions, releaseChangelog, withLockVersion } from '../../tools/release/version-texts.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'lading-release-test-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const changelog = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- Tea.\n\n## [0.9.0] - 2026-01-01\n\n- Coffee.\n';

/** A repository with the release command and the files that it needs. The console takes too long to build. */
function makeRepository(): string {
  const repository = mkdtempSync(join(folder, 'repository-'));
  const parts = [
    '.gitignore',
    'LICENSE',
    'bin',
    'package-lock.json',
    'package.json',
    'sdk/package.json',
    'sdk/version.ts',
    'tools',
  ];
  const deployed = ['deploy/helm/lading/Chart.yaml', 'deploy/compose.yaml', 'deploy/compose-patroni.yaml'];
  for (const part of [...parts, 'clients', 'console/main.tsx', ...deployed]) {
    mkdirSync(join(repository, part, '..'), { recursive: true });
    cpSync(join(root, part), join(repository, part), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(repository, 'node_modules'));
  const description = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const scripts = {
    ...description.scripts,
    sdk: 'echo client > sdk/lading-client.tgz',
    console: 'mkdir -p console/dist && echo page > console/dist/index.html',
  };
  writeFileSync(join(repository, 'package.json'), `${JSON.stringify({ ...description, scripts }, null, 2)}\n`);
  writeFileSync(join(repository, 'CHANGELOG.md'), changelog);
  const git = gitIn(repository);
  git('init', '--quiet', '--initial-branch', 'main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@example.org');
  git('add', '.');
  git('commit', '--quiet', '--message', 'first');
  return repository;
}

function gitIn(repository: string) {
  return (...words: string[]) => execFileSync('git', words, { cwd: repository, encoding: 'utf8' }).trim();
}

function release(repository: string, ...words: string[]) {
  const program = [join(repository, 'tools/release/run.ts'), ...words, '--no-image'];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { cwd: repository, encoding: 'utf8' });
  return { status, stdout, stderr };
}

test('a dry run writes tarball, SBOM and checksums, the same bytes each time, and changes nothing in git', () => {
  const repository = makeRepository();
  const git = gitIn(repository);
  const before = git('log', '--all', '--format=%H');
  const outs = ['one', 'other'].map((name) => join(folder, name));
  const runs = outs.map((out) => release(repository, '1.0.0', '--dry-run', '--date', '2026-02-03', '--out', out));
  assert.deepEqual(
    runs.map(({ status }) => status),
    [0, 0],
    runs[0]!.stderr,
  );
  assert.equal(runs[0]!.stdout, runs[1]!.stdout);
  assert.deepEqual(readdirSync(outs[0]!).sort(), ['SHA256SUMS', 'lading-1.0.0.cdx.json', 'lading-1.0.0.tar.gz']);
  execFileSync('sha256sum', ['--check', '--status', 'SHA256SUMS'], { cwd: outs[0]! });

  const list = ['--list', '--verbose', '--full-time', '--utc', '--file', join(outs[0]!, 'lading-1.0.0.tar.gz')];
  const listed = execFileSync('tar', list, { encoding: 'utf8' });
  assert.match(listed, /-rw-r--r-- 0\/0 +5 2026-02-03 00:00:00 lading-1\.0\.0\/console\/dist\/index\.html\n/);
  assert.match(listed, /-rwxr-xr-x 0\/0 .* lading-1\.0\.0\/bin\/lading\n/);
  assert.doesNotMatch(listed, /lading-1\.0\.0\/(tools|node_modules|\.gitignore)|\.test\.ts/);
  assert.deepEqual([git('status', '--porcelain'), git('tag'), git('log', '--all', '--format=%H')], ['', '', before]);
});

test('a release commits version and changelog, and tags them; the tag builds the same tarball again', () => {
  const repository = makeRepository();
  const git = gitIn(repository);
  const [out, again] = [join(folder, 'real'), join(folder, 'again')];
  assert.equal(release(repository, '1.0.0', '--date', '2026-02-03', '--out', out).status, 0);
  assert.deepEqual([git('tag'), git('status', '--porcelain')], ['v1.0.0', '']);
  assert.equal(git('log', '--format=%s', '--max-count=1'), 'release: 1.0.0');
  const read = (file: string) => readFileSync(join(repository, file), 'utf8');
  assert.equal(read('CHANGELOG.md'), changelog.replace('[Unreleased]\n', '[Unreleased]\n\n## [1.0.0] - 2026-02-03\n'));
  const versions = ['package.json', 'package-lock.json', 'sdk/package.json'].map(
    (file) => JSON.parse(read(file)).version,
  );
  assert.deepEqual(versions, ['1.0.0', '1.0.0', '1.0.0']);
  assert.match(read('deploy/helm/lading/Chart.yaml'), /^version: 1\.0\.0\nappVersion: "1\.0\.0"$/m);
  assert.match(read('clients/php/lading.php'), /^const VERSION = '1\.0\.0';$/m);
  assert.match(read('clients/python/lading.py'), /^VERSION = "1\.0\.0"$/m);
  assert.match(read('deploy/compose.yaml'), /localhost\/lading:1\.0\.0\}/);

  assert.equal(release(repository, '1.0.0', '--dry-run', '--date', '2026-09-09', '--out', again).status, 0);
  const sums = [out, again].map((place) => readFileSync(join(place, 'SHA256SUMS'), 'utf8'));
  assert.equal(sums[0], sums[1]);
  assert.deepEqual(release(repository, '1.0.0', '--out', out), {
    status: 1,
    stdout: '',
    stderr: 'no release: the tag v1.0.0 exists already\n',
  });
});

test('changes that are not committed, another branch, a lower version and wrong words are refused', () => {
  const repository = makeRepository();
  const git = gitIn(repository);
  const refused = (...words: string[]) => {
    const { status, stderr } = release(repository, ...words);
    return [status, stderr.split('\n', 1)[0]];
  };
  assert.deepEqual(refused('0.0.1'), [1, 'no release: version 0.0.1 is below the current version 0.1.0']);
  assert.deepEqual(refused('one'), [1, 'no release: "one" is no version; write it like 1.2.3 or 1.2.3-rc.1']);
  assert.equal(refused()[0], 2);
  writeFileSync(join(repository, 'stray.txt'), '');
  assert.deepEqual(refused('1.0.0'), [1, 'no release: there are changes that are not committed:']);
  rmSync(join(repository, 'stray.txt'));
  git('checkout', '--quiet', '-b', 'topic');
  assert.deepEqual(refused('1.0.0'), [1, 'no release: a release is made on the branch main, and this is topic']);
  assert.deepEqual(
    [git('status', '--porcelain'), git('tag'), readdirSync(repository).includes('releases')],
    ['', '', false],
  );
});

test('versions are ordered as semantic versioning orders them', () => {
  const ordered = [
    '0.9.9',
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-beta',
    '1.0.0-rc.2',
    '1.0.0-rc.10',
    '1.0.0',
    '1.0.1',
    '1.10.0',
  ];
  assert.deepEqual([...ordered].reverse().sort(compareVersions), ordered);
  checkVersion('1.0.0', '1.0.0');
  assert.throws(() => checkVersion('1.0.0-rc.1', '1.0.0'), /is below the current version/);
});

test('a changelog without unreleased changes, or with changes after the version, is refused', () => {
  assert.throws(
    () => releaseChangelog('## [Unreleased]\n\n## [1.0.0] - 2026-01-01\n', '1.1.0', '2026-02-03'),
    /no unreleased changes/,
  );
  assert.throws(() => releaseChangelog('## [1.0.0] - 2026-01-01\n', '1.1.0', '2026-02-03'), /has no section/);
  assert.throws(
    () => releaseChangelog(changelog, '0.9.0', '2026-02-03'),
    /has 0\.9\.0 and, after it, unreleased changes/,
  );
});

test('the lock file keeps its form when its version changes', () => {
  const text = readFileSync(join(root, 'package-lock.json'), 'utf8');
  const { version } = JSON.parse(text);
  assert.equal(withLockVersion(text, version), text);
});
