import assert from 'node:assert/strict';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import readExcelFile from 'read-excel-file/node';
import { type Cell, type SheetColumn, writeWorkbook } from './xlsx.ts';

const at = new Date('2026-11-18T01:30:00Z');
const columns: SheetColumn[] = [
  { title: 'Number', kind: 'text' },
  { title: 'Units', kind: 'number' },
  { title: 'Time', kind: 'time' },
  { title: 'Day', kind: 'date' },
];

async function* pagesOf(...pages: Cell[][][]) {
  yield* pages;
}

async function read(pages: AsyncIterable<Cell[][]>, rowsPerSheetMax?: number) {
  const file = writeWorkbook({ name: '訂單 & <co>', columns, pages, at, ...(rowsPerSheetMax && { rowsPerSheetMax }) });
  return await readExcelFile(await buffer(file), { trim: false });
}

test('another library reads texts, numbers and times as they were written, also texts that XML cannot hold', async () => {
  const texts = ['0012345678901234567', '=1+1', 'a\nb\tc', '<&>"\'', '茶 🍵', 'bell \u0007', '_x0041_', ' space '];
  const rows = texts.map((text, index): Cell[] => [text, index, '2026-11-18T09:30:01.999+08:00', '2026-02-28']);
  const [sheet, ...others] = await read(pagesOf(rows.slice(0, 3), [], rows.slice(3), [[null, '12.50', null, null]]));
  assert.deepEqual([sheet!.sheet, others], ['訂單 & <co>', []]);
  assert.deepEqual(sheet!.data, [
    ['Number', 'Units', 'Time', 'Day'],
    ...texts.map((text, index) => [text, index, new Date('2026-11-18T09:30:01Z'), new Date('2026-02-28T00:00:00Z')]),
    [null, 12.5, null, null],
  ]);
});

test('rows that do not fit go to further sheets, each with the titles; no sheet is empty', async () => {
  const numbers = Array.from({ length: 6 }, (_, index): Cell[] => [String(index), index, null, null]);
  const sheets = await read(pagesOf(numbers.slice(0, 1), numbers.slice(1)), 4);
  assert.deepEqual(
    sheets.map(({ sheet, data }) => [sheet, data.map(([first]) => first)]),
    [
      ['訂單 & <co>', ['Number', '0', '1', '2']],
      ['訂單 & <co> 2', ['Number', '3', '4', '5']],
    ],
  );
  assert.deepEqual((await read(pagesOf()))[0]!.data.length, 1);
});

test('an error while rows are read breaks the file off, and a reader that leaves ends the reading', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [['1', 1, null, null]];
    throw new Error('the database is gone');
  }
  const broken = writeWorkbook({ name: 'x', columns, pages: failing(), at });
  await assert.rejects(buffer(broken), /the database is gone/);

  const ended = Promise.withResolvers<void>();
  async function* endless(): AsyncGenerator<Cell[][]> {
    try {
      for (;;) yield Array.from({ length: 500 }, (): Cell[] => [crypto.randomUUID(), 1, null, null]);
    } finally {
      ended.resolve();
    }
  }
  const left = writeWorkbook({ name: 'x', columns, pages: endless(), at });
  for await (const _ of left) break;
  await ended.promise;
});
