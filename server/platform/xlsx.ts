import { PassThrough, Readable } from 'node:stream';
import { ZipFile } from 'yazl';

export type CellKind = 'text' | 'number' | 'time' | 'date';
export type Cell = string | number | null;

export interface SheetColumn {
  title: string;
  kind: CellKind;
}

export interface Workbook {
  /** The name of the sheets; the second one is called `name 2`. */
  name: string;
  columns: SheetColumn[];
  /** Pages of rows. A time is `2026-11-18T09:30:00…` as the clock on the wall shows it, a date `2026-11-18`. */
  pages: AsyncIterable<Cell[][]>;
  /** The time that the entries of the file have. */
  at: Date;
  rowsPerSheetMax?: number;
  /** A last sheet, about the others. */
  explanation?: { name: string; columns: SheetColumn[]; rows: Cell[][] };
}

/** The limit of the format. */
export const sheetRowsMax = 1_048_576;
const cellCharactersMax = 32_767;
/** Level 1 takes a third of the time of level 6, for files that are a quarter larger. */
const compressionLevel = 1;

/**
 * Writes a spreadsheet while its rows are read, so that its length does not matter: each sheet is compressed as it is
 * produced, and the list of sheets comes last.
 */
export function writeWorkbook({ name, columns, pages, at, explanation, ...limits }: Workbook): Readable {
  const { rowsPerSheetMax = sheetRowsMax } = limits;
  const zip = new ZipFile();
  const output = new PassThrough();
  const rows = makeRows(pages);
  const entry = { mtime: at, compressionLevel };
  let current: Readable | null = null;
  let sheets = 0;

  function addSheet(): void {
    addXml(sheetXml(columns, rows, rowsPerSheetMax, () => (rows.isEmpty() ? finish() : addSheet())));
  }

  function addXml(xml: AsyncIterable<string>): void {
    sheets += 1;
    current = Readable.from(xml, { objectMode: false });
    current.once('error', (error) => output.destroy(error));
    zip.addReadStream(current, `xl/worksheets/sheet${sheets}.xml`, entry);
  }

  function finish(): void {
    const names = Array.from({ length: sheets }, (_, index) => (index === 0 ? name : `${name} ${index + 1}`));
    if (explanation !== undefined) {
      names.push(explanation.name);
      addXml(sheetXml(explanation.columns, makeRows(asPage(explanation.rows)), sheetRowsMax, () => {}));
    }
    for (const [path, text] of Object.entries(workbookParts(names))) zip.addBuffer(Buffer.from(text), path, entry);
    zip.end();
  }

  zip.once('error', (error) => output.destroy(error));
  addSheet();
  zip.outputStream.pipe(output);
  // A reader that leaves ends the reading of rows.
  output.once('close', () => {
    current?.destroy();
    void rows.end();
  });
  return output;
}

async function* asPage(rows: Cell[][]): AsyncGenerator<Cell[][]> {
  yield rows;
}

interface Rows {
  next(): Promise<Cell[] | null>;
  isEmpty(): boolean;
  end(): Promise<void>;
}

function makeRows(pages: AsyncIterable<Cell[][]>): Rows {
  const iterator = pages[Symbol.asyncIterator]();
  let page: Cell[][] = [];
  let place = 0;
  let isOver = false;

  async function fill(): Promise<void> {
    while (!isOver && place >= page.length) {
      const { done, value } = await iterator.next();
      isOver = done === true;
      page = value ?? [];
      place = 0;
    }
  }

  return {
    async next() {
      if (place >= page.length) await fill();
      const row = page[place] ?? null;
      place += 1;
      if (place >= page.length) await fill();
      return row;
    },
    isEmpty: () => isOver && place >= page.length,
    async end() {
      await iterator.return?.().catch(() => {});
    },
  };
}

const textPieceCharacters = 60_000;

async function* sheetXml(columns: SheetColumn[], rows: Rows, rowsMax: number, onEnd: () => void) {
  const widths = columns.map(({ kind }, index) => {
    // What people type into the cells of a column of texts stays text, with its leading zeros.
    const style = kind === 'text' ? ` style="${styles.text}"` : '';
    return `<col min="${index + 1}" max="${index + 1}" width="${widthOf[kind]}"${style} customWidth="1"/>`;
  });
  let text =
    `${xmlHead}<worksheet xmlns="${mainNamespace}"><sheetViews><sheetView workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>' +
    `<cols>${widths.join('')}</cols><sheetData>`;
  const letters = columns.map((_, index) => columnName(index + 1));
  const titles = columns.map(({ title }, index) => textCell(`${letters[index]}1`, title, styles.title));
  text += `<row r="1">${titles.join('')}</row>`;
  let count = 1;
  while (count < rowsMax) {
    const row = await rows.next();
    if (row === null) break;
    count += 1;
    text += `<row r="${count}">`;
    for (let index = 0; index < columns.length; index += 1)
      text += cellXml(letters[index]! + count, row[index]!, columns[index]!.kind);
    text += '</row>';
    if (text.length > textPieceCharacters) {
      yield text;
      text = '';
    }
  }
  onEnd();
  yield `${text}</sheetData><autoFilter ref="A1:${columnName(columns.length)}${count}"/></worksheet>`;
}

const widthOf: Record<CellKind, number> = { text: 20, number: 10, time: 19, date: 12 };
/** The places of the formats in `xl/styles.xml`. */
const styles = { plain: 0, title: 1, text: 2, time: 3, date: 4 } as const;

/** The format allows cells without addresses, but some programs cannot read them. Empty cells are left out. */
function cellXml(address: string, value: Cell, kind: CellKind): string {
  if (value === null || value === '') return '';
  if (typeof value === 'number') return `<c r="${address}"><v>${value}</v></c>`;
  if (kind === 'number')
    return decimal.test(value) ? `<c r="${address}"><v>${value}</v></c>` : textCell(address, value, styles.text);
  if (kind === 'time' || kind === 'date') {
    const serial = serialOf(value);
    if (serial !== null) return `<c r="${address}" s="${styles[kind]}"><v>${serial}</v></c>`;
  }
  return textCell(address, value, styles.text);
}

const decimal = /^-?\d{1,15}(\.\d{1,6})?$/;
const dayMs = 86_400_000;
/** Spreadsheets count days from 1899-12-30. */
const firstDay = 25_569;
/** Programs that cut a fraction of a day down to milliseconds then find the right one. */
const roundingMs = 0.4;

/** Whole seconds: nobody reads microseconds. */
function serialOf(text: string): number | null {
  const ms = Date.parse(`${text.slice(0, 19)}${text.length > 10 ? 'Z' : ''}`);
  return Number.isNaN(ms) ? null : (ms + roundingMs) / dayMs + firstDay;
}

function textCell(address: string, text: string, style: number): string {
  return `<c r="${address}" t="inlineStr" s="${style}"><is><t xml:space="preserve">${escapeXml(text.slice(0, cellCharactersMax))}</t></is></c>`;
}

const special = /[&<>"\p{Cc}\p{Cs}\ufffe\uffff]|_x[0-9A-Fa-f]{4}_/u;

/** The format writes characters that XML forbids as `_x0001_`, so a text of this form needs an escape too. */
function escapeXml(text: string): string {
  if (!special.test(text)) return text;
  return text
    .toWellFormed()
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (sign) => {
      if (sign === '\n' || sign === '\t') return sign;
      return `_x${sign.charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()}_`;
    });
}

function columnName(index: number): string {
  return index <= 26 ? letter(index) : letter(Math.floor((index - 1) / 26)) + letter(((index - 1) % 26) + 1);
}

function letter(index: number): string {
  return String.fromCharCode(64 + index);
}

const xmlHead = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const mainNamespace = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packageNamespace = 'http://schemas.openxmlformats.org/package/2006';
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Everything except the sheets. */
function workbookParts(names: string[]): Record<string, string> {
  const sheets = names.map((name, index) => {
    return `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`;
  });
  const relations = names.map((_, index) => {
    return `<Relationship Id="rId${index + 1}" Type="${officeNamespace}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`;
  });
  const parts = names.map((_, index) => {
    return `<Override PartName="/xl/worksheets/sheet${index + 1}.xml" ContentType="${sheetType}.worksheet+xml"/>`;
  });
  return {
    'xl/styles.xml': stylesXml,
    'xl/workbook.xml':
      `${xmlHead}<workbook xmlns="${mainNamespace}" xmlns:r="${officeNamespace}">` +
      `<sheets>${sheets.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      `${xmlHead}<Relationships xmlns="${packageNamespace}/relationships">${relations.join('')}` +
      `<Relationship Id="styles" Type="${officeNamespace}/styles" Target="styles.xml"/></Relationships>`,
    '_rels/.rels':
      `${xmlHead}<Relationships xmlns="${packageNamespace}/relationships">` +
      `<Relationship Id="rId1" Type="${officeNamespace}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    '[Content_Types].xml':
      `${xmlHead}<Types xmlns="${packageNamespace}/content-types">` +
      '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      `<Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>${parts.join('')}` +
      `<Override PartName="/xl/styles.xml" ContentType="${sheetType}.styles+xml"/></Types>`,
  };
}

/** In the order of `styles`. Format 49 is text: a spreadsheet then leaves long numbers alone. */
const stylesXml =
  `${xmlHead}<styleSheet xmlns="${mainNamespace}">` +
  '<numFmts count="2"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/>' +
  '<numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/></numFmts>' +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="5">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="165" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>';
