import { Readable } from 'node:stream';
import { exportEnd } from '../../../contract/console/exports.ts';

/** How often the page learns the number of rows while the file does not grow. It also keeps the connection open. */
const progressEveryMs = 1000;

/** The file in frames that say how many rows it has so far (see `exportFile`). */
export function framed(file: Readable, progress: { rows: number }): Readable {
  async function* frames(): AsyncGenerator<Buffer> {
    const chunks = file[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    try {
      let next = chunks.next();
      for (;;) {
        const result = await withinTime(next);
        if (result === null) {
          yield head(0, progress.rows);
          continue;
        }
        if (result.done) break;
        yield Buffer.concat([head(result.value.length, progress.rows), result.value]);
        next = chunks.next();
      }
      yield head(exportEnd, progress.rows);
    } finally {
      file.destroy();
    }
  }
  const frameStream = Readable.from(frames(), { objectMode: false });
  // A generator that waits for the next chunk does not notice that its reader has left.
  frameStream.once('close', () => file.destroy());
  return frameStream;
}

async function withinTime<T>(promise: Promise<T>): Promise<T | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>();
  const timer = setTimeout(resolve, progressEveryMs, null);
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function head(bytes: number, rows: number): Buffer {
  const buffer = Buffer.alloc(8);
  buffer.writeUInt32BE(bytes, 0);
  buffer.writeUInt32BE(rows, 4);
  return buffer;
}
