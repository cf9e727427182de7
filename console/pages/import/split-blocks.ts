import type { ImportTable } from './table.ts';

type FileRow = ImportTable['rows'][number];

/** The rows of one document or product. */
export interface RowGroup {
  /** Its number or sku; '' if the cell is empty. */
  key: string;
  rows: FileRow[];
}

/** Gathers the rows by number or sku, in the order of the file. A row without one stands alone. */
export function groupRows(rows: FileRow[], keyColumn: number): RowGroup[] {
  const groups: RowGroup[] = [];
  const byKey = new Map<string, RowGroup>();
  for (const row of rows) {
    const key = row.cells[keyColumn] ?? '';
    const known = key === '' ? undefined : byKey.get(key);
    if (known) {
      known.rows.push(row);
      continue;
    }
    const group = { key, rows: [row] };
    groups.push(group);
    if (key !== '') byKey.set(key, group);
  }
  return groups;
}

/** The most rows of one group: the server takes no more in one request. */
export const groupRowsMax = 500;
const blockRowsMax = 400;
/** The server serves other requests between bodies of this size. */
const blockBytesMax = 80_000;
const utf8 = new TextEncoder();

/** Splits a file into requests. No group is split. */
export function splitBlocks(groups: RowGroup[]): RowGroup[][] {
  const blocks: RowGroup[][] = [];
  let [rows, bytes] = [0, 0];
  for (const group of groups) {
    const size = utf8.encode(JSON.stringify(group.rows)).length;
    const fits = rows + group.rows.length <= blockRowsMax && bytes + size <= blockBytesMax;
    if (blocks.length === 0 || !fits) {
      blocks.push([]);
      [rows, bytes] = [0, 0];
    }
    blocks.at(-1)!.push(group);
    rows += group.rows.length;
    bytes += size;
  }
  return blocks;
}
