import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import writeExcelFile from 'write-excel-file/node';
import { ZipFile } from 'yazl';
import { readCells, readText } from '../../console/pages/import/read-text.ts';
import { readWorkbook } from '../../console/pages/import/read-workbook.ts';
import { fileLimits, ReadError } from '../../console/pages/import/table.ts';
import { writeWorkbook } from '../../server/platform/xlsx.ts';
import { convert, withoutLibreOffice } from '../support/libre-office.ts';

// Files of other programs, and files that want to do harm.

/** The cells of the rows, with the numbers of the rows. */
function cellsOf(bytes: Buffer): string[] {
  const { titles, titleRow, rows } = readWorkbook(bytes);
  return [`${titleRow}: ${titles.join('|')}`, ...rows.map(({ row, cells }) => `${row}: ${cells.join('|')}`)];
}

function problemOf(work: () => unknown): string {
  try {
    work();
    return 'no problem';
  } catch (error) {
    assert.ok(error instanceof ReadError, String(error));
    return error.row === null ? error.problem : `${error.problem} ${error.row}`;
  }
}

async function zipOf(parts: Record<string, string | Buffer>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), path);
  zip.end();
  return await buffer(zip.outputStream);
}

interface Book {
  sheet: string;
  strings?: string;
  styles?: string;
  workbook?: string;
}

const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** A spreadsheet with one sheet of these rows. */
async function bookOf({ sheet, strings, styles, workbook }: Book): Promise<Buffer> {
  const relation = (id: string, type: string, target: string) =>
    `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`;
  return await zipOf({
    'xl/workbook.xml':
      workbook ?? `<workbook xmlns:r="${office}"><sheets><sheet name="One" sheetId="1" r:id="r1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${relation('r1', 'worksheet', '/xl/worksheets/one.xml')}${relation(
      'r2',
      'sharedStrings',
      'sharedStrings.xml',
    )}${relation('r3', 'styles', 'styles.xml')}</Relationships>`,
    'xl/worksheets/one.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
    ...(strings === undefined ? {} : { 'xl/sharedStrings.xml': `<sst>${strings}</sst>` }),
    ...(styles === undefined ? {} : { 'xl/styles.xml': `<styleSheet>${styles}</styleSheet>` }),
  });
}

test('a spreadsheet of another library: texts keep their zeros, long codes are whole, dates are yyyy-mm-dd', async () => {
  const bytes = await writeExcelFile([
    [{ value: 'Number' }, { value: 'Code' }, { value: '效期' }, { value: 'Quantity' }, { value: 'Weight' }],
    [
      { value: '00017', type: String },
      { value: 4710088412345, type: Number },
      { value: new Date(Date.UTC(2027, 5, 30)), type: Date, format: 'yyyy/mm/dd' },
      { value: 12, type: Number },
      { value: 0.1 + 0.2, type: Number },
    ],
    [{ value: '茶 & <b>' }, null, { value: new Date(Date.UTC(2027, 5, 30, 14, 5)), type: Date, format: 'mm/dd hh:mm' }],
  ]).toBuffer();
  assert.deepEqual(cellsOf(bytes), [
    '1: Number|Code|效期|Quantity|Weight',
    '2: 00017|4710088412345|2027-06-30|12|0.3',
    '3: 茶 & <b>||2027-06-30 14:05',
  ]);
});

test('what the service writes is read back, and the rows keep their numbers when some are empty', async () => {
  async function* pages() {
    yield [
      ['00017', 5],
      [null, null],
      ['=1+1 _x0041_', -2.5],
    ];
  }
  const columns = [
    { title: 'Number', kind: 'text' as const },
    { title: 'Units', kind: 'number' as const },
  ];
  const file = writeWorkbook({ name: 'Orders', columns, pages: pages(), at: new Date() });
  assert.deepEqual(cellsOf(await buffer(file)), ['1: Number|Units', '2: 00017|5', '4: =1+1 _x0041_|-2.5']);
});

test('shared texts, formulas, errors, prefixes and dates since 1904 are read as a spreadsheet shows them', async () => {
  const strings = '<si><t>Number</t></si><si><r><t>Or</t></r><r><t>der</t></r><rPh><t>X</t></rPh></si>';
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="[$-404]e/m/d"/><numFmt numFmtId="165" formatCode="0.00&quot;d&quot;"/></numFmts>' +
    '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/></cellXfs>';
  const sheet =
    '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row><row r="2"/>' +
    '<row r="4"><c r="A4" t="str"><f>A1&amp;"1"</f><v>N1</v></c><c r="B4" t="e"><v>#N/A</v></c><c r="C4" t="b"><v>1</v></c>' +
    '<c r="D4" s="1"><v>46568</v></c><c r="E4" s="2"><v>46568.5</v></c><c r="F4" s="3"><v>46568</v></c>' +
    '<c r="G4"><v>4.710088412345E12</v></c><c r="H4"><v>12345678901234567890</v></c><c r="J4" t="inlineStr"><is><t>last</t></is></c></row>';
  assert.deepEqual(cellsOf(await bookOf({ sheet, strings, styles })), [
    '1: Number|Order',
    '4: N1|#N/A|TRUE|2027-06-30|2027-06-30 12:00|46568|4710088412345|1.2345678901234567e+19||last',
  ]);
  const prefixed = await bookOf({
    sheet:
      '<x:row r="1"><x:c r="A1" t="str"><x:v>Day</x:v></x:c></x:row><x:row r="2"><x:c r="A2" s="1"><x:v>45106</x:v></x:c></x:row>',
    styles,
    workbook: `<x:workbook><x:workbookPr date1904="1"/><x:sheets><x:sheet name="Hidden" state="hidden" rel:id="r9"/><x:sheet name="Day" rel:id="r1"/></x:sheets></x:workbook>`,
  });
  assert.deepEqual(cellsOf(prefixed), ['1: Day', '2: 2027-06-30']);
  assert.equal(readWorkbook(prefixed).sheet, 'Day');
});

/** PK, 1, 2: an entry in the list at the end of a ZIP file. */
const entryMark = 0x504b0102;

test('a file that wants to become huge is refused before it is unpacked, and so is one that lies about its size', async () => {
  const row = (number: number, column = 'A') => `<row r="${number}"><c r="${column}${number}"><v>1</v></c></row>`;
  const bomb = await bookOf({ sheet: ' '.repeat(fileLimits.unpackedBytesMax + 1) });
  assert.ok(bomb.length < 1_000_000);
  assert.equal(
    problemOf(() => readWorkbook(bomb)),
    'too_large',
  );
  // The size in the list of entries becomes 100 bytes.
  const lying = Buffer.from(bomb);
  for (let place = 0; place < lying.length - 28; place += 1)
    if (lying.readUInt32BE(place) === entryMark && lying.readUInt32LE(place + 24) > 1_000_000)
      lying.writeUInt32LE(100, place + 24);
  assert.notEqual(
    problemOf(() => readWorkbook(lying)),
    'no problem',
  );
  const far = await bookOf({ sheet: row(1) + row(1_048_576) });
  assert.deepEqual(cellsOf(far), ['1: 1', '1048576: 1']);
  assert.equal(
    problemOf(() => readWorkbook(Buffer.from('PK\x03\x04 no zip'))),
    'not_a_spreadsheet',
  );
  const wide = await bookOf({ sheet: row(1) + row(2, 'XFD') });
  assert.equal(
    problemOf(() => readWorkbook(wide)),
    'too_many_columns',
  );
  const styled = await bookOf({ sheet: `${row(1)}${row(2)}<row r="3"><c r="XFD3" s="1"/></row>` });
  assert.deepEqual(cellsOf(styled), ['1: 1', '2: 1']);
  const many = Array.from({ length: fileLimits.rowsMax + 2 }, (_, index) => row(index + 1)).join('');
  assert.equal(
    problemOf(() => readWorkbook(Buffer.alloc(0))),
    'not_a_spreadsheet',
  );
  assert.equal(await bookOf({ sheet: many }).then((bytes) => problemOf(() => readWorkbook(bytes))), 'too_many_rows');
  const entities = '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>';
  const laughing = await bookOf({
    sheet: `${entities}<row r="1"><c r="A1" t="str"><v>&b;</v></c></row>${row(2)}`,
  });
  assert.deepEqual(cellsOf(laughing), ['1: &b;', '2: 1']);
  assert.equal(
    problemOf(() => readWorkbook(readFileSync(new URL(import.meta.url)))),
    'not_a_spreadsheet',
  );
});

test('CSV is read as UTF-8 with or without a mark, UTF-16, or Big5, which is named; other bytes are refused', () => {
  const text = '單號,SKU\r\n0017,茶\r\n';
  // 「單號」 and 「茶」 in Big5.
  const big5 = Buffer.concat([
    Buffer.from([0xb3, 0xe6, 0xb8, 0xb9]),
    Buffer.from(',SKU\r\n0017,'),
    Buffer.from([0xaf, 0xf9]),
    Buffer.from('\r\n'),
  ]);
  const cases: [Buffer, string | null][] = [
    [Buffer.from(text), null],
    [Buffer.from(`\uFEFF${text}`), null],
    [big5, 'Big5'],
    [Buffer.from(`\uFEFF${text.replaceAll(',', '\t')}`, 'utf16le'), 'UTF-16'],
  ];
  for (const [bytes, encoding] of cases) {
    const table = readText(bytes);
    assert.deepEqual(
      [table.titles, table.rows, table.encoding],
      [['單號', 'SKU'], [{ row: 2, cells: ['0017', '茶'] }], encoding],
    );
  }
  assert.equal(
    problemOf(() => readText(Buffer.from([0x4e, 0xff, 0xff, 0x00]))),
    'not_text',
  );
  assert.equal(
    problemOf(() => readCells('a,b\n1,"2')),
    'open_quote 2',
  );
  assert.equal(
    problemOf(() => readCells('')),
    'empty',
  );
  assert.equal(
    problemOf(() => readCells(`a\n${'x'.repeat(2001)}`)),
    'cell_too_long 2',
  );
  assert.equal(
    problemOf(() => readCells(`a\n${'1\n'.repeat(20_001)}`)),
    'too_many_rows',
  );
});

test('LibreOffice opens an export, and an import reads what LibreOffice writes', {
  skip: withoutLibreOffice,
}, async () => {
  async function* pages() {
    yield [
      ['0001234567890123456789', '=1+1', 12.5, '2027-06-30', '2027-06-30T14:05:07+08:00', '茶 "quoted"'],
      ['00017', null, 3, null, null, null],
    ];
  }
  const columns = (['text', 'text', 'number', 'date', 'time', 'text'] as const).map((kind, index) => ({
    title: `Column ${index + 1}`,
    kind,
  }));
  const explanation = { name: 'Columns', columns: columns.slice(0, 1), rows: [['Column 1']] };
  const file = writeWorkbook({ name: 'Orders', columns, pages: pages(), at: new Date(), explanation });
  // 44,34,76,1: comma, quotation mark, UTF-8, first line; cells as they are shown.
  const shown = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true';
  const { 'export.xlsx': csv } = await convert({ 'export.xlsx': await buffer(file) }, shown);
  assert.deepEqual(csv!.toString().trimEnd().split('\n'), [
    'Column 1,Column 2,Column 3,Column 4,Column 5,Column 6',
    '0001234567890123456789,=1+1,12.5,2027-06-30,2027-06-30 14:05:07,"茶 ""quoted"""',
    '00017,,3,,,',
  ]);

  const typed = 'Number,Code,效期,Sum\n00017,4710088412345,2027-06-30,=2+3\n';
  const { 'typed.csv': written } = await convert({ 'typed.csv': typed }, 'xlsx', ['--infilter=CSV:44,34,76']);
  // LibreOffice takes what looks like a number for one, as people see when they open a CSV file.
  assert.deepEqual(cellsOf(written!), ['1: Number|Code|效期|Sum', '2: 17|4710088412345|2027-06-30|5']);
});
