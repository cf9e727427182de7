import { strFromU8, type Unzipped, unzipSync } from 'fflate';
import { readSheet, readStrings, readStyles, readTags } from './read-sheet.ts';
import { fileLimits, type ImportTable, ReadError, tableOf } from './table.ts';

/**
 * Reads the first sheet of a spreadsheet (XLSX). The parts that are not needed are not unpacked, and a part gets no more
 * memory than the file says and the limit allows, so a small file cannot become a huge one.
 */
export function readWorkbook(bytes: Uint8Array): ImportTable {
  const book = unpack(bytes, (path) => bookParts.includes(path));
  if (book['xl/workbook.xml'] === undefined) throw new ReadError('not_a_spreadsheet');
  const sheets = readTags(textOf(book, 'xl/workbook.xml'), 'sheet');
  const epoch1904 = readTags(textOf(book, 'xl/workbook.xml'), 'workbookPr').some(({ date1904 }) =>
    ['1', 'true'].includes(date1904 ?? ''),
  );
  const targets = new Map(
    readTags(textOf(book, 'xl/_rels/workbook.xml.rels'), 'Relationship').map(({ Id, Type = '', Target = '' }) => [
      Id,
      { type: Type.split('/').at(-1), path: pathOf(Target) },
    ]),
  );
  const sheet = sheets.find(({ state }) => state === undefined || state === 'visible');
  const path = sheet && targets.get(relationOf(sheet))?.path;
  if (sheet === undefined || path === undefined) throw new ReadError('not_a_spreadsheet');
  const strings = [...targets.values()].find(({ type }) => type === 'sharedStrings')?.path;
  const styles = [...targets.values()].find(({ type }) => type === 'styles')?.path;
  const parts = unpack(bytes, (name) => [path, strings, styles].includes(name));
  if (parts[path] === undefined) throw new ReadError('not_a_spreadsheet');
  const rows = readSheet(textOf(parts, path), {
    strings: strings === undefined ? [] : readStrings(textOf(parts, strings)),
    styles: readStyles(textOf(parts, styles)),
    epoch1904,
  });
  return { ...tableOf(rows), encoding: null, sheet: sheets.length > 1 ? (sheet.name ?? null) : null };
}

const bookParts = ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'];

/** The name of the attribute has a prefix that each program chooses. */
function relationOf(sheet: Record<string, string>): string | undefined {
  return Object.entries(sheet).find(([name]) => /(^|:)id$/.test(name))?.[1];
}

function pathOf(target: string): string {
  return target.startsWith('/') ? target.slice(1) : `xl/${target.replace(/^\.\//, '')}`;
}

function unpack(bytes: Uint8Array, isNeeded: (path: string) => boolean): Unzipped {
  let left = fileLimits.unpackedBytesMax;
  try {
    return unzipSync(bytes, {
      filter({ name, originalSize }) {
        if (!isNeeded(name)) return false;
        left -= originalSize;
        if (left < 0) throw new ReadError('too_large');
        return true;
      },
    });
  } catch (error) {
    throw error instanceof ReadError ? error : new ReadError('not_a_spreadsheet');
  }
}

function textOf(parts: Unzipped, path: string | undefined): string {
  const bytes = path === undefined ? undefined : parts[path];
  return bytes === undefined ? '' : strFromU8(bytes);
}
