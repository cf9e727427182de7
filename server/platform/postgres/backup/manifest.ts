import { createHash } from 'node:crypto';
import { chownSync, existsSync, readdirSync, readFileSync, renameSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../../secret-file.ts';
import { BackupError } from './backup-error.ts';
import type { FileOwner } from './copy-files.ts';
import type { SealedKeys } from './sealed-keys.ts';

/** A backup, except for the list of its files. */
export interface Manifest {
  format: typeof format;
  name: string;
  lading_version: string;
  /** `18.4` */
  postgres_version: string;
  system_identifier: string;
  timeline: number;
  segment_bytes: number;
  /** Positions in the write-ahead log, such as `0/2000028`. */
  start_position: string;
  end_position: string;
  /** The oldest file of the write-ahead log that the backup needs. */
  first_segment: string;
  /** By the clock of the database, in UTC. */
  started_at: string;
  /** A restore to an earlier moment needs an older backup. */
  ended_at: string;
  files: number;
  bytes: number;
  /** The checksum of `files.sha256`, which has those of all files. */
  file_list_sha256: string;
  master_key: { kind: 'sealed'; key_id: string; keys: SealedKeys } | { kind: 'excluded'; key_id: string };
}

/** The result of starting a copy of the backup and auditing it. */
export interface Verification {
  state: 'verified' | 'failed' | 'skipped';
  at: string;
  details: string;
  /** That of the manifest, so that the result cannot belong to another backup. */
  manifest_sha256: string;
}

export interface BackupSummary {
  folder: string;
  manifest: Manifest;
  isVerified: boolean;
  verification: Verification | null;
}

export interface BackupFile {
  /** Relative to the folder of the backup. */
  path: string;
  sha256: string;
}

const format = 1;
const manifestFile = 'manifest.json';
const fileListFile = 'files.sha256';
const verificationFile = 'verification.json';
/** Temporary folders begin with a dot, so that nothing takes them for a backup. */
export const backupName = /^\d{8}T\d{6}Z(-\d+)?$/;

/** Writes the list and then the manifest: a backup without a manifest is not complete. */
export function writeManifest(
  folder: string,
  facts: Omit<Manifest, 'format' | 'files' | 'file_list_sha256'>,
  files: BackupFile[],
  owner: FileOwner | null,
): Manifest {
  const list = files.map(({ path, sha256 }) => `${sha256}  ${path}\n`).join('');
  writeFor(owner, join(folder, fileListFile), list);
  const manifest: Manifest = { format, ...facts, files: files.length, file_list_sha256: sha256Of(list) };
  writeFor(owner, join(folder, manifestFile), withChecksum(manifest));
  syncFolder(folder);
  return manifest;
}

export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new BackupError(
      error.code === 'ENOENT'
        ? `${folder} is not a complete backup: it has no ${manifestFile}`
        : `${join(folder, manifestFile)} cannot be read (${error.code})`,
    );
  });
  const manifest = parseChecked<Manifest>(text);
  if (!manifest) throw new BackupError(`${join(folder, manifestFile)} is damaged: its checksum is wrong`);
  if (manifest.format !== format)
    throw new BackupError(
      `${folder} has format ${manifest.format}, which this version (format ${format}) does not know`,
    );
  return manifest;
}

export function readFileList(folder: string, manifest: Manifest): BackupFile[] {
  const path = join(folder, fileListFile);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new BackupError(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (sha256Of(text) !== manifest.file_list_sha256)
    throw new BackupError(`${path} is damaged: its checksum is not the one in ${manifestFile}`);
  const files = text
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ sha256: line.slice(0, 64), path: line.slice(66) }));
  const outside = files.find((file) => file.path.split('/').includes('..') || file.path.startsWith('/'));
  if (outside) throw new BackupError(`${path} names a file outside of the backup: ${outside.path}`);
  return files;
}

export function writeVerification(
  folder: string,
  manifest: Manifest,
  result: Omit<Verification, 'manifest_sha256'>,
  owner: FileOwner | null,
): void {
  const path = join(folder, verificationFile);
  const unfinished = `${path}.new-${process.pid}`;
  writeFor(owner, unfinished, withChecksum({ ...result, manifest_sha256: checksumOf(manifest) }));
  renameSync(unfinished, path);
  syncFolder(folder);
}

/** The complete backups in a folder, the newest first. A damaged one is left out. */
export async function listBackups(parent: string): Promise<BackupSummary[]> {
  const names = await readdir(parent).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const found = await Promise.all(
    names.filter((name) => backupName.test(name)).map((name) => read(join(parent, name))),
  );
  return found
    .filter((one) => one !== null)
    .toSorted((one, other) => (one.manifest.ended_at < other.manifest.ended_at ? 1 : -1));
}

/** Also of those whose manifest cannot be read. */
export function countBackups(parent: string): number {
  return readdirSync(parent).filter((name) => backupName.test(name) && existsSync(join(parent, name, manifestFile)))
    .length;
}

async function read(folder: string): Promise<BackupSummary | null> {
  const manifest = await readManifest(folder).catch(() => null);
  if (!manifest) return null;
  const text = await readFile(join(folder, verificationFile), 'utf8').catch(() => '');
  const stored = parseChecked<Verification>(text);
  const verification = stored?.manifest_sha256 === checksumOf(manifest) ? stored : null;
  return { folder, manifest, verification, isVerified: verification?.state === 'verified' };
}

function writeFor(owner: FileOwner | null, path: string, text: string): void {
  writeDurably(path, text);
  if (owner) chownSync(path, owner.uid, owner.gid);
}

function withChecksum(value: object): string {
  return `${JSON.stringify({ ...value, sha256: checksumOf(value) }, null, 2)}\n`;
}

function checksumOf(value: object): string {
  return sha256Of(JSON.stringify(value));
}

/** null if the text is not what was written. */
function parseChecked<T extends object>(text: string): T | null {
  try {
    const { sha256, ...value } = JSON.parse(text) as T & { sha256?: string };
    return sha256 === checksumOf(value) ? (value as unknown as T) : null;
  } catch {
    return null;
  }
}

function sha256Of(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
