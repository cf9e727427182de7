/** The version is wrong, or the changelog does not allow the release. The message is for the person who releases. */
export class CannotRelease extends Error {}

const versionPattern = /^(\d+)\.(\d+)\.(\d+)(?:-([0-9a-z]+(?:\.[0-9a-z]+)*))?$/;

/** Refuses what is no version, and a version below the current one. */
export function checkVersion(wanted: string, current: string): void {
  if (!versionPattern.test(wanted))
    throw new CannotRelease(`"${wanted}" is no version; write it like 1.2.3 or 1.2.3-rc.1`);
  if (compareVersions(wanted, current) < 0)
    throw new CannotRelease(`version ${wanted} is below the current version ${current}`);
}

/** By the rules of semantic versioning, without build metadata. */
export function compareVersions(one: string, other: string): number {
  const [left, right] = [partsOf(one), partsOf(other)];
  for (const index of [0, 1, 2]) {
    const difference = Number(left.numbers[index]) - Number(right.numbers[index]);
    if (difference !== 0) return difference;
  }
  if (left.suffix.length === 0 || right.suffix.length === 0) return right.suffix.length - left.suffix.length;
  for (let index = 0; index < Math.max(left.suffix.length, right.suffix.length); index++) {
    const difference = compareWords(left.suffix[index], right.suffix[index]);
    if (difference !== 0) return difference;
  }
  return 0;
}

function partsOf(version: string): { numbers: string[]; suffix: string[] } {
  const [, major, minor, patch, suffix] = versionPattern.exec(version)!;
  return { numbers: [major!, minor!, patch!], suffix: suffix?.split('.') ?? [] };
}

/** A missing word is below every other one, and a number below a name. */
function compareWords(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? -1 : 1;
  const [left, right] = [Number(one), Number(other)];
  if (!Number.isNaN(left) && !Number.isNaN(right)) return left - right;
  if (Number.isNaN(left) && Number.isNaN(right)) return one < other ? -1 : 1;
  return Number.isNaN(left) ? 1 : -1;
}

/** For package.json: its first `version` is its own. */
export function withVersion(packageText: string, version: string): string {
  return packageText.replace(/"version": "[^"]*"/, `"version": "${version}"`);
}

/** For the clients in PHP and Python, which send their version to the service. */
export function withClientVersion(sourceText: string, version: string): string {
  return sourceText.replace(/^((?:const )?VERSION = )(["'])[^"']*\2/m, `$1$2${version}$2`);
}

/** For sdk/version.ts, because a package for browsers cannot read its package.json. */
export function sdkVersionText(version: string): string {
  return `// Generated from package.json by npm run generate.\nexport const version = '${version}';\n`;
}

/** For package-lock.json, which has the version of its project twice. */
export function withLockVersion(lockText: string, version: string): string {
  const lock = JSON.parse(lockText) as { version: string; packages: Record<string, { version: string }> };
  lock.version = version;
  lock.packages['']!.version = version;
  return `${JSON.stringify(lock, null, 2)}\n`;
}

/** For Chart.yaml, whose appVersion is the tag of the image. */
export function withChartVersion(chartText: string, version: string): string {
  return chartText
    .replace(/^version: .*/m, `version: ${version}`)
    .replace(/^appVersion: .*/m, `appVersion: "${version}"`);
}

/** For compose files, which name the image of this version. */
export function withImageVersion(composeText: string, version: string): string {
  return composeText.replaceAll(/(localhost\/lading:)[^}\s]+/g, `$1${version}`);
}

const unreleased = '## [Unreleased]';

/**
 * Turns the section Unreleased into the section of the version. A changelog that already has that section stays as it is,
 * so that a release can be built again from its tag; the date is then the one in the changelog.
 */
export function releaseChangelog(text: string, version: string, today: string): { text: string; date: string } {
  const start = text.indexOf(`${unreleased}\n`);
  if (start < 0) throw new CannotRelease(`CHANGELOG.md has no section "${unreleased}"`);
  const bodyStart = start + unreleased.length;
  const nextSection = text.indexOf('\n## [', bodyStart);
  const body = text.slice(bodyStart, nextSection < 0 ? undefined : nextSection).trim();
  const date = releaseDate(text, version);
  if (date !== null) {
    if (body !== '') throw new CannotRelease(`CHANGELOG.md has ${version} and, after it, unreleased changes`);
    return { text, date };
  }
  if (body === '') throw new CannotRelease('CHANGELOG.md has no unreleased changes');
  const rest = nextSection < 0 ? '' : text.slice(nextSection);
  const released = `${unreleased}\n\n## [${version}] - ${today}\n\n${body}\n${rest}`;
  return { text: text.slice(0, start) + released, date: today };
}

function releaseDate(changelog: string, version: string): string | null {
  const line = changelog.split('\n').find((candidate) => candidate.startsWith(`## [${version}] - `));
  return line?.slice(-'2000-01-01'.length) ?? null;
}
