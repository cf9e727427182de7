import { hash } from 'node:crypto';
import type { BundledComponent } from './bundled-components.ts';
import type { LockedPackage } from './lock-packages.ts';

export interface BillOfMaterials {
  name: string;
  version: string;
  licence: string;
  /** Folders of the direct dependencies. */
  dependsOn: string[];
  packages: LockedPackage[];
  bundled: BundledComponent[];
}

/** A CycloneDX 1.5 document. It has no time and no random number, so the same lock file gives the same bytes. */
export function renderCycloneDx(bill: BillOfMaterials): string {
  const { name, version, packages, bundled } = bill;
  const own = `pkg:npm/${name}@${version}`;
  const component = {
    'bom-ref': own,
    type: 'application',
    name,
    version,
    purl: own,
    licenses: licensesOf(bill.licence),
  };
  const content = {
    metadata: { lifecycles: [{ phase: 'build' }], component },
    components: [...packages.map(packageComponent), ...bundled.map(bundledComponent)],
    dependencies: [
      { ref: own, dependsOn: refsOf(bill.dependsOn, packages) },
      ...packages.map((one) => ({
        ref: refOf(one),
        dependsOn: [...refsOf(one.dependsOn, packages), ...carriedBy(one, bundled)],
      })),
      ...bundled.map((one) => ({ ref: bundledRef(one) })),
    ],
  };
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuidFrom(JSON.stringify(content))}`,
    version: 1,
    ...content,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function packageComponent(one: LockedPackage) {
  const [scope, bare] = one.name.startsWith('@') ? one.name.split('/') : [null, one.name];
  return {
    'bom-ref': refOf(one),
    type: 'library',
    ...(scope ? { group: scope } : {}),
    name: bare,
    version: one.version,
    // What only builds and tests is not delivered.
    scope: one.use === 'development' ? 'excluded' : one.isOptional ? 'optional' : 'required',
    ...(one.licence === null ? {} : { licenses: licensesOf(one.licence) }),
    ...(one.sha512 === null ? {} : { hashes: [{ alg: 'SHA-512', content: one.sha512 }] }),
    purl: purlOf(one),
    properties: [{ name: 'lading:use', value: one.use }],
  };
}

function bundledComponent(one: BundledComponent) {
  return {
    'bom-ref': bundledRef(one),
    type: one.description.includes('library') ? 'library' : one.licence === 'OFL-1.1' ? 'data' : 'application',
    name: one.name,
    version: one.version,
    description: one.description,
    licenses: licensesOf(one.licence),
    cpe: one.cpe,
    purl: bundledRef(one),
  };
}

/** The folder tells two copies of the same version apart. */
function refOf({ path, ...one }: LockedPackage): string {
  return `${purlOf(one)}#${path}`;
}

function purlOf({ name, version }: Pick<LockedPackage, 'name' | 'version'>): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function bundledRef({ name, version }: BundledComponent): string {
  return `pkg:generic/${encodeURIComponent(name.toLowerCase())}@${version}`;
}

function refsOf(paths: string[], packages: LockedPackage[]): string[] {
  const wanted = new Set(paths);
  return packages.filter(({ path }) => wanted.has(path)).map(refOf);
}

function carriedBy({ name }: LockedPackage, bundled: BundledComponent[]): string[] {
  return bundled.filter(({ carriers }) => carriers.test(name)).map(bundledRef);
}

function licensesOf(licence: string) {
  if (/[\s()]/.test(licence)) return [{ expression: licence }];
  return [{ license: licence.startsWith('LicenseRef-') ? { name: licence } : { id: licence } }];
}

/** A version 8 UUID, whose content is up to us. */
function uuidFrom(text: string): string {
  const digits = hash('sha256', text);
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join('-');
}
