import { readCsv } from '../../../server/platform/csv.ts';
import { type ImportTable, ReadError, tableOf } from './table.ts';

/**
 * Excel in Taiwan saves CSV in Big5 unless told otherwise. Bytes that are neither UTF-8 nor Big5 are refused: reading
 * them as something else would change texts without notice.
 */
export function readText(bytes: Uint8Array): ImportTable {
  const encodings = startsWith(bytes, 0xff, 0xfe) ? ['utf-16le'] : ['utf-8', 'big5'];
  for (const encoding of encodings) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
      if (/[\0\ufffd]/.test(text)) continue;
      return { ...readCells(text), encoding: shownEncodings[encoding] ?? null };
    } catch (error) {
      if (error instanceof ReadError) throw error;
    }
  }
  throw new ReadError('not_text');
}

const shownEncodings: Record<string, ImportTable['encoding']> = { big5: 'Big5', 'utf-16le': 'UTF-16' };

/** Reads a text, or cells that were copied from a spreadsheet. */
export function readCells(text: string): ImportTable {
  const reading = readCsv(text);
  if (reading.kind === 'open_quote') throw new ReadError('open_quote', reading.line);
  const rows = reading.rows.map(({ line, fields }) => ({ row: line, cells: fields }));
  return { ...tableOf(rows), encoding: null, sheet: null };
}

export function startsWith(bytes: Uint8Array, ...first: number[]): boolean {
  return first.every((byte, index) => bytes[index] === byte);
}
