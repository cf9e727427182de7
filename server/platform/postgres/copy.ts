import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { type Connection as PgConnection, Query } from 'pg';
import type { Connection } from './connection.ts';

/** Rows that leave the database together: large enough for files, small enough for memory. */
const batchBytes = 256 * 1024;
const batchRowsMax = 1000;

/** Rows in the text format of COPY. Each row ends with a line feed, and no other line feed is among them. */
export interface CopiedRows {
  bytes: Buffer;
  rows: number;
}

/**
 * Runs `copy ... to stdout` and hands the rows over in batches. While `write` is busy, nothing more is read from the
 * database. Returns the number of rows. If `write` fails, the connection is closed, because COPY has no other end.
 */
export async function copyOut(
  connection: Connection,
  statement: string,
  write: (batch: CopiedRows) => Promise<void>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const query = new CopyOutQuery(statement, write, (error) => {
    reject(error);
    connection.destroy();
  });
  query.callback = (error, result) => {
    if (error) reject(connection.explain(error));
    else query.end().then(() => resolve(result!.rowCount ?? 0), reject);
  };
  connection.submit(query);
  const rows = await promise;
  if (rows !== query.rowsRead) throw new Error(`COPY sent ${query.rowsRead} rows and says that it sent ${rows}`);
  return rows;
}

/** Runs `copy ... from stdin` with the text of `source`. Returns the number of rows. If `source` fails, so does COPY. */
export async function copyIn(
  connection: Connection,
  statement: string,
  source: AsyncIterable<Uint8Array>,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const query = new CopyInQuery(statement, source);
  query.callback = (error, result) => {
    query.hasEnded = true;
    if (error) reject(query.sourceFailure ?? connection.explain(error));
    else resolve(result!.rowCount ?? 0);
  };
  connection.submit(query);
  return await promise;
}

type QueryEnd = (error: Error | null, result?: { rowCount: number | null }) => void;

/** The messages of COPY, which the types of pg leave out. */
interface CopyConnection extends PgConnection {
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

class CopyOutQuery extends Query {
  declare callback: QueryEnd;
  rowsRead: number;
  private readonly write: (batch: CopiedRows) => Promise<void>;
  private readonly fail: (error: Error) => void;
  private gathered: Buffer[];
  private gatheredBytes: number;
  private writing: Promise<void>;
  private isWriting: boolean;

  constructor(statement: string, write: (batch: CopiedRows) => Promise<void>, fail: (error: Error) => void) {
    super(statement);
    this.write = write;
    this.fail = fail;
    this.rowsRead = 0;
    this.gathered = [];
    this.gatheredBytes = 0;
    this.writing = Promise.resolve();
    this.isWriting = false;
  }

  /** PostgreSQL sends a message for each row. pg uses its memory for the next message, so the bytes are copied. */
  handleCopyData({ chunk }: { chunk: Buffer }, connection: PgConnection): void {
    this.rowsRead++;
    this.gathered.push(Buffer.from(chunk));
    this.gatheredBytes += chunk.length;
    const isFull = this.gatheredBytes >= batchBytes || this.gathered.length >= batchRowsMax;
    // Rows that have already arrived when the stream is paused wait for the next batch.
    if (isFull && !this.isWriting) this.writeBatch(connection);
  }

  async end(): Promise<void> {
    await this.writing;
    while (this.gathered.length > 0) await this.write(this.takeBatch());
  }

  private writeBatch(connection: PgConnection): void {
    this.isWriting = true;
    connection.stream.pause();
    this.writing = this.write(this.takeBatch()).then(
      () => {
        this.isWriting = false;
        connection.stream.resume();
      },
      (error: Error) => this.fail(error),
    );
  }

  private takeBatch(): CopiedRows {
    const taken = this.gathered.splice(0, batchRowsMax);
    const bytes = Buffer.concat(taken);
    this.gatheredBytes -= bytes.length;
    return { bytes, rows: taken.length };
  }
}

class CopyInQuery extends Query {
  declare callback: QueryEnd;
  /** The server ignores what is sent after the end of COPY. */
  hasEnded: boolean;
  sourceFailure: Error | null;
  private readonly source: AsyncIterable<Uint8Array>;

  constructor(statement: string, source: AsyncIterable<Uint8Array>) {
    super(statement);
    this.source = source;
    this.hasEnded = false;
    this.sourceFailure = null;
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.send(connection).catch((error: Error) => {
      this.sourceFailure = error;
      connection.sendCopyFail('the source of the rows failed');
    });
  }

  private async send(connection: CopyConnection): Promise<void> {
    const { stream } = connection;
    for await (const chunk of this.source) {
      if (this.hasEnded) return;
      connection.sendCopyFromChunk(chunk);
      if (stream.writableNeedDrain) await drained(stream);
    }
    if (!this.hasEnded) connection.endCopyFrom();
  }
}

/** A lost connection ends the wait, too. */
async function drained(stream: Duplex): Promise<void> {
  const done = new AbortController();
  const { signal } = done;
  try {
    await Promise.race([once(stream, 'drain', { signal }), once(stream, 'close', { signal })]);
  } finally {
    done.abort();
  }
}
