import type { WorkbookAnswer } from './read-file.ts';
import { readWorkbook } from './read-workbook.ts';
import { ReadError } from './table.ts';

// Runs in a worker of its own for each file.
self.onmessage = ({ data }: MessageEvent<Uint8Array>) => {
  self.postMessage(read(data));
};

function read(bytes: Uint8Array): WorkbookAnswer {
  try {
    return { table: readWorkbook(bytes) };
  } catch (error) {
    return error instanceof ReadError
      ? { problem: error.problem, row: error.row }
      : { problem: 'not_a_spreadsheet', row: null };
  }
}
