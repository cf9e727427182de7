import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { CopiedRows } from '../platform/postgres/copy.ts';
import { CannotMove, type Part } from './manifest.ts';

/** The database is slower than this level, and higher ones are slower than the database. */
const compressionLevel = 1;
const readAtOnceBytes = 256 * 1024;

/** A compressed file with rows of one table. */
export interface PartWriter {
  rows: number;
  write(batch: CopiedRows): Promise<void>;
  /** The file is on disk when this returns. */
  end(): Promise<Part>;
  abandon(): Promise<void>;
}

export function writePart(folder: string, file: string, partition: string | null): PartWriter {
  const gzip = createGzip({ level: compressionLevel });
  const hash = createHash('sha256');
  let bytes = 0;
  async function* measured(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  }
  const target = createWriteStream(join(folder, file), { flags: 'wx', mode: 0o600, flush: true });
  const written = pipeline(gzip, measured, target);
  // The next write reports the error.
  written.catch(() => {});

  const part: PartWriter = {
    rows: 0,
    async write(batch) {
      part.rows += batch.rows;
      if (!gzip.write(batch.bytes)) await Promise.race([once(gzip, 'drain'), written]);
    },
    async end() {
      gzip.end();
      await written;
      return { file, partition, rows: part.rows, bytes, sha256: hash.digest('hex') };
    },
    async abandon() {
      gzip.destroy();
      await written.catch(() => {});
    },
  };
  return part;
}

/** The rows of a part, as they were copied, and how many were read so far. */
export async function* readPart(
  folder: string,
  { file }: Part,
  onRows: (rows: number) => void,
): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: readAtOnceBytes });
  // An error of the file is an error of what is read.
  pipeline(createReadStream(join(folder, file)), gunzip).catch((error: Error) => gunzip.destroy(error));
  let rows = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    yield chunk;
    rows += lineFeedsIn(chunk);
    onRows(rows);
  }
}

function lineFeedsIn(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(lineFeed); at >= 0; at = chunk.indexOf(lineFeed, at + 1)) count++;
  return count;
}

const lineFeed = 10;

/** Fails if the file is missing, or is not the one that the manifest describes. */
export async function verifyPart(folder: string, { file, bytes, sha256 }: Part): Promise<void> {
  const path = join(folder, file);
  try {
    const { size } = await stat(path);
    if (size !== bytes) throw new CannotMove(`${path} has ${size} bytes instead of ${bytes}: the file is damaged`);
    const hash = createHash('sha256');
    for await (const chunk of createReadStream(path)) hash.update(chunk);
    if (hash.digest('hex') !== sha256)
      throw new CannotMove(`${path} does not have the checksum of the manifest: the file is damaged`);
  } catch (error) {
    if (error instanceof CannotMove) throw error;
    throw new CannotMove(`${path} cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
}
