import type { PackageUse } from './lock-packages.ts';

/** Licences that only ask for notices. */
const permissive = new Set([
  ...['0BSD', 'Apache-2.0', 'BlueOak-1.0.0', 'BSD-2-Clause', 'BSD-3-Clause', 'CC-BY-4.0', 'CC0-1.0', 'ICU', 'ISC'],
  'LicenseRef-public-domain',
  ...['MIT', 'MIT-0', 'OFL-1.1', 'OpenSSL', 'PostgreSQL', 'PSF-2.0', 'Python-2.0', 'Unlicense', 'Zlib'],
]);

/** Tools that build and test Lading and are not delivered with it. They may have a weak copyleft. */
const allowedInDevelopment: { names: RegExp; licence: string; reason: string }[] = [
  { names: /^lightningcss(-.+)?$/, licence: 'MPL-2.0', reason: 'Vite minifies style sheets with it' },
  { names: /^axe-core$/, licence: 'MPL-2.0', reason: 'tests check the accessibility of the console with it' },
];

export interface Licensed {
  name: string;
  version: string;
  licence: string | null;
  use: PackageUse;
}

export interface LicenceReport {
  /** How many packages have each licence, by use. */
  counts: Record<PackageUse, Record<string, number>>;
  /** Development tools with a licence that is allowed only there. */
  exceptions: string[];
  /** Packages that must not be used. */
  refused: string[];
}

export function checkLicences(packages: Licensed[]): LicenceReport {
  const report: LicenceReport = { counts: { service: {}, console: {}, development: {} }, exceptions: [], refused: [] };
  for (const one of packages) {
    const counts = report.counts[one.use];
    const licence = one.licence ?? 'none stated';
    counts[licence] = (counts[licence] ?? 0) + 1;
    const title = `${one.name} ${one.version} (${one.use}): ${licence}`;
    if (isPermissive(one.licence)) continue;
    const exception = one.use === 'development' ? exceptionFor(one) : undefined;
    if (exception) report.exceptions.push(`${title}, because ${exception.reason}`);
    else report.refused.push(title);
  }
  return report;
}

function exceptionFor({ name, licence }: Licensed) {
  return allowedInDevelopment.find((allowed) => allowed.names.test(name) && allowed.licence === licence);
}

/** Whether an SPDX expression allows use under permissive terms: OR offers a choice, AND asks for both. */
export function isPermissive(expression: string | null): boolean {
  const words = expression?.match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const isNext = (word: string) => words[at]?.toUpperCase() === word;

  function choice(): boolean {
    let isAllowed = all();
    for (; isNext('OR'); ) {
      at++;
      isAllowed = all() || isAllowed;
    }
    return isAllowed;
  }
  function all(): boolean {
    let isAllowed = one();
    for (; isNext('AND'); ) {
      at++;
      isAllowed = one() && isAllowed;
    }
    return isAllowed;
  }
  function one(): boolean {
    const word = words[at++];
    if (word !== '(') return permissive.has(word ?? '');
    const isAllowed = choice();
    return words[at++] === ')' && isAllowed;
  }

  const isAllowed = choice();
  // Anything that is left, such as WITH and an exception, is not understood and therefore not allowed.
  return isAllowed && at === words.length;
}
