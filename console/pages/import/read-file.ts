import { readText, startsWith } from './read-text.ts';
import { fileLimits, type ImportTable, ReadError, type ReadProblem } from './table.ts';

/** Reads the cells of a spreadsheet or of a text file. */
export async function readFile(file: File): Promise<ImportTable> {
  if (file.size > fileLimits.fileBytesMax) throw new ReadError('too_large');
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0)) throw new ReadError('old_spreadsheet');
  return startsWith(bytes, 0x50, 0x4b) ? await readInWorker(bytes) : readText(bytes);
}

/** A worker unpacks and reads a spreadsheet, so that the page goes on; one that takes too long is ended. */
async function readInWorker(bytes: Uint8Array): Promise<ImportTable> {
  const worker = new Worker(new URL('./workbook-worker.ts', import.meta.url), { type: 'module' });
  const { promise, resolve, reject } = Promise.withResolvers<ImportTable>();
  const tooLong = setTimeout(() => reject(new ReadError('took_too_long')), fileLimits.readSecondsMax * 1000);
  worker.onmessage = ({ data }: MessageEvent<WorkbookAnswer>) =>
    'table' in data ? resolve(data.table) : reject(new ReadError(data.problem, data.row));
  worker.onerror = () => reject(new ReadError('not_a_spreadsheet'));
  worker.postMessage(bytes);
  try {
    return await promise;
  } finally {
    clearTimeout(tooLong);
    worker.terminate();
  }
}

export type WorkbookAnswer = { table: ImportTable } | { problem: ReadProblem; row: number | null };
