import { chownSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncFolder, writeDurably } from '../../secret-file.ts';
import type { Connection } from '../connection.ts';
import { passwordFile } from '../embedded/cluster.ts';
import { runsAsRoot } from '../embedded/database-user.ts';
import { BackupError } from './backup-error.ts';
import {
  checksumOfFile,
  copyDurably,
  countBytes,
  type FileOwner,
  forEachFile,
  listTree,
  type Progress,
  refuseWithoutSpace,
  syncFolders,
} from './copy-files.ts';
import { type BackupFile, type Manifest, writeManifest } from './manifest.ts';
import { segmentsOf } from './wal-segment.ts';

export interface BackupRequest {
  /** The data folder of the embedded PostgreSQL, which is running. */
  dataDir: string;
  /** The folder in which the backup becomes a new folder. */
  parent: string;
  ladingVersion: string;
  masterKey: Manifest['master_key'];
  onProgress: Progress;
  stopping?: AbortSignal | undefined;
}

/** A complete backup in its folder. */
export interface Backup {
  folder: string;
  manifest: Manifest;
}

/** PostgreSQL makes the content of these folders itself when it starts. */
const foldersWithoutContent = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'log',
]);
const filesLeftOut =
  /^(postmaster\.(pid|opts)|\.s\.PGSQL\..*|current_logfiles(\.tmp)?|(backup_label|tablespace_map)(\.old)?|(recovery|standby)\.signal)$/;
const temporaryFiles = /(^|\/)(pgsql_tmp|pg_internal\.init)/;
const controlFile = join('global', 'pg_control');
const controlReadsMax = 100;

/**
 * Copies the files of the running cluster, between pg_backup_start and pg_backup_stop of one session, with the part of
 * the write-ahead log that makes the copy consistent. The copy gets its name when it is complete.
 */
export async function takeBackup(session: Connection, request: BackupRequest): Promise<Backup> {
  const server = await describeServer(session);
  const unfinished = join(request.parent, temporaryName('unfinished', server.systemIdentifier));
  const writer = new BackupWriter(request, unfinished);
  try {
    const startedAt = await startBackup(session);
    await writer.copyCluster();
    const end = await stopBackup(session);
    const range = { timeline: end.timeline, start: end.start, end: end.end, segmentBytes: server.segmentBytes };
    await writer.copyWal(segmentsOf(range));
    await session.sql`select pg_drop_replication_slot(${slotName})`;
    await writer.write('pg/backup_label', end.label);
    await writer.syncFolders();
    const name = freeName(request.parent, startedAt);
    const manifest = writer.finish({
      name,
      lading_version: request.ladingVersion,
      postgres_version: server.version,
      system_identifier: server.systemIdentifier,
      timeline: end.timeline,
      segment_bytes: server.segmentBytes,
      start_position: end.start,
      end_position: end.end,
      first_segment: segmentsOf(range)[0]!,
      started_at: startedAt,
      ended_at: end.endedAt,
      bytes: writer.bytes,
      master_key: request.masterKey,
    });
    const folder = join(request.parent, name);
    renameSync(unfinished, folder);
    syncFolder(request.parent);
    return { folder, manifest };
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

/** Folders whose names begin like this are not, or no longer, backups. */
export function temporaryName(purpose: 'unfinished' | 'removed' | 'verify', systemIdentifier: string): string {
  return `.${purpose}-${systemIdentifier}-${process.pid}-${Date.now()}`;
}

function freeName(parent: string, startedAt: string): string {
  const name = `${startedAt.slice(0, 19).replace(/[-:]/g, '')}Z`;
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    if (!existsSync(join(parent, candidate))) return candidate;
  }
}

/** Root's backups belong to the owner of the folder: a service that has given up root must be able to remove them. */
export function ownerFor(folder: string): FileOwner | null {
  if (!runsAsRoot()) return null;
  const { uid, gid } = statSync(folder);
  return { uid, gid };
}

async function describeServer({ sql }: Connection) {
  const [row] = await sql<{ systemIdentifier: string; version: string; segmentBytes: number }[]>`
    select (select system_identifier::text from pg_control_system()) as "systemIdentifier",
      split_part(current_setting('server_version'), ' ', 1) as version,
      (select bytes_per_wal_segment from pg_control_init()) as "segmentBytes"`;
  return row!;
}

const slotName = `lading_backup_${process.pid}`;
const inUtc = `YYYY-MM-DD"T"HH24:MI:SS.US"Z"`;

/** The slot keeps the files of the write-ahead log until this session ends. */
async function startBackup({ sql }: Connection): Promise<string> {
  await sql`select pg_create_physical_replication_slot(${slotName}, true, true)`;
  const [row] = await sql<{ at: string }[]>`select to_char(clock_timestamp() at time zone 'UTC', ${inUtc}) as at`;
  await sql`select pg_backup_start('lading', true)`;
  return row!.at;
}

async function stopBackup({ sql }: Connection) {
  // The backup has its own copy of the log, so it does not wait for the archive.
  const [row] = await sql<{ end: string; label: string; spaces: string }[]>`
    select lsn::text as "end", labelfile as label, spcmapfile as spaces from pg_backup_stop(false)`;
  const [now] = await sql<{ at: string }[]>`select to_char(clock_timestamp() at time zone 'UTC', ${inUtc}) as at`;
  const { end, label, spaces } = row!;
  if (spaces !== '') throw new BackupError('the cluster has tablespaces outside of its folder, which cannot be copied');
  const start = /^START WAL LOCATION: ([0-9A-F]+\/[0-9A-F]+)/m.exec(label)![1]!;
  const timeline = Number(/^START TIMELINE: (\d+)/m.exec(label)![1]);
  return { start, end, timeline, label, endedAt: now!.at };
}

/** Writes the files of one backup and remembers their checksums. */
class BackupWriter {
  bytes = 0;
  private readonly files: BackupFile[] = [];
  private readonly folders: string[];
  private readonly request: BackupRequest;
  private readonly folder: string;
  private readonly owner: FileOwner | null;

  constructor(request: BackupRequest, folder: string) {
    this.request = request;
    this.folder = folder;
    this.owner = ownerFor(request.parent);
    this.folders = [];
    this.makeFolder('.');
    this.makeFolder('pg');
  }

  async copyCluster(): Promise<void> {
    const { dataDir, parent, onProgress } = this.request;
    const cluster = join(dataDir, 'pg');
    const { folders, files, bytes } = await listTree(cluster, isLeftOut);
    await refuseWithoutSpace(parent, bytes, 'the backup');
    for (const path of folders) this.makeFolder(join('pg', path));
    const onBytes = countBytes('copying the database', bytes, onProgress);
    const ordinary = files.filter((path) => path !== controlFile);
    await forEachFile(ordinary, async (path) => void (await this.copy(join(cluster, path), join('pg', path), onBytes)));
    await this.copy(join(dataDir, passwordFile), passwordFile, onBytes);
    // Last, as pg_basebackup does it.
    await this.write(join('pg', controlFile), await readControlFile(join(cluster, controlFile)));
  }

  async copyWal(segments: string[]): Promise<void> {
    const { dataDir, onProgress } = this.request;
    onProgress(`copying ${segments.length} files of the write-ahead log`);
    // A timeline that was made by a restore is not usable without its history.
    const histories = readdirSync(join(dataDir, 'pg', 'pg_wal')).filter((name) => name.endsWith('.history'));
    await forEachFile([...segments, ...histories], async (name) => {
      const path = join('pg', 'pg_wal', name);
      if (!(await this.copy(join(dataDir, path), path)))
        throw new BackupError(`${join(dataDir, path)} is missing, and the backup needs it`);
    });
  }

  async write(path: string, content: string | Buffer): Promise<void> {
    writeDurably(join(this.folder, path), content);
    this.give(path);
    this.files.push({ path, sha256: (await checksumOfFile(join(this.folder, path)))! });
    this.bytes += content.length;
  }

  finish(facts: Parameters<typeof writeManifest>[1]): Manifest {
    const sorted = this.files.toSorted((one, other) => (one.path < other.path ? -1 : 1));
    return writeManifest(this.folder, facts, sorted, this.owner);
  }

  async syncFolders(): Promise<void> {
    await syncFolders(this.folders.map((path) => join(this.folder, path)));
  }

  /** Returns false if the file is gone: PostgreSQL has dropped a table, and the log says so. */
  private async copy(from: string, to: string, onBytes: (bytes: number) => void = () => {}): Promise<boolean> {
    const { owner } = this;
    const count = (bytes: number) => {
      this.bytes += bytes;
      onBytes(bytes);
    };
    const sha256 = await copyDurably(from, join(this.folder, to), {
      onBytes: count,
      stopping: this.request.stopping,
      owner,
    });
    if (sha256 !== null) this.files.push({ path: to, sha256 });
    return sha256 !== null;
  }

  private makeFolder(path: string): void {
    mkdirSync(join(this.folder, path), { mode: 0o700 });
    this.folders.push(path);
    this.give(path);
  }

  private give(path: string): void {
    if (this.owner) chownSync(join(this.folder, path), this.owner.uid, this.owner.gid);
  }
}

function isLeftOut(path: string): boolean {
  const [first = '', ...rest] = path.split('/');
  return (rest.length > 0 && foldersWithoutContent.has(first)) || filesLeftOut.test(path) || temporaryFiles.test(path);
}

/** PostgreSQL may write the file at the same moment; two equal reads are a whole one. */
async function readControlFile(path: string): Promise<Buffer> {
  let last = await readFile(path);
  for (let reads = 1; reads < controlReadsMax; reads++) {
    const next = await readFile(path);
    if (next.equals(last)) return next;
    last = next;
  }
  throw new BackupError(`${path} changes too often to be copied`);
}
