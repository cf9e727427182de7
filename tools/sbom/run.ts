import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BundledComponent, bundledComponents } from './bundled-components.ts';
import { renderCycloneDx } from './cyclonedx.ts';
import { checkLicences, type LicenceReport, type Licensed } from './licences.ts';
import { directDependencies, type LockFile, packagesImportedBy, packagesOf } from './lock-packages.ts';

const defaultFile = 'lading.cdx.json';

/** The SBOM of the version in a folder, from its lock file, and the check of all licences. */
export function billOf(root: string): { document: string; report: LicenceReport } {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as LockFile;
  const packages = packagesOf(lock, packagesImportedBy(root));
  const bundled = bundledComponents((wanted) => packages.find((one) => one.name === wanted)!.version);
  const document = renderCycloneDx({
    name,
    version,
    licence: license,
    dependsOn: directDependencies(lock),
    packages,
    bundled,
  });
  return { document, report: checkLicences([...packages, ...bundled.map(asDelivered)]) };
}

function asDelivered({ name, version, licence }: BundledComponent): Licensed {
  return { name, version, licence, use: 'service' };
}

export function formatReport({ counts, exceptions, refused }: LicenceReport): string {
  const lines = Object.entries(counts).map(([use, licences]) => {
    const parts = Object.entries(licences).map(([licence, count]) => `${count} ${licence}`);
    return `${use}: ${parts.sort((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10)).join(', ')}`;
  });
  return [
    ...lines,
    ...exceptions.map((line) => `allowed in development only: ${line}`),
    ...refused.map((line) => `not allowed: ${line}`),
    '',
  ].join('\n');
}

/** `npm run sbom [-- FILE]`: writes the SBOM, prints the licences, and fails if one is not permissive. */
if (import.meta.main) {
  const file = process.argv[2] ?? defaultFile;
  const { document, report } = billOf(fileURLToPath(new URL('../../', import.meta.url)));
  writeFileSync(file, document);
  process.stdout.write(`${formatReport(report)}${file}: ${JSON.parse(document).components.length} components\n`);
  process.exitCode = report.refused.length > 0 ? 1 : 0;
}
