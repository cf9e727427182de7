/// <reference path="./saxen.d.ts" />
import { Parser } from 'saxen';
import { fileLimits, ReadError } from './table.ts';

type Attributes = Record<string, string>;

interface Handlers {
  open(tag: string, attributes: () => Attributes): void;
  text?(text: string): void;
  close?(tag: string): void;
}

/** Reads XML tag by tag. Some programs put a prefix before every tag. */
function parseXml(xml: string, { open, text, close }: Handlers): void {
  if (xml === '') return;
  const parser = new Parser();
  const plain = (name: string) => name.slice(name.indexOf(':') + 1);
  parser.on('openTag', (name, attributes, decode) =>
    open(plain(name), () =>
      Object.fromEntries(Object.entries(attributes()).map(([key, value]) => [key, decode(value)])),
    ),
  );
  if (text) {
    parser.on('text', (value, decode) => text(decode(value)));
    parser.on('cdata', (value) => text(value));
  }
  if (close) parser.on('closeTag', (name) => close(plain(name)));
  parser.on('error', () => {
    throw new ReadError('not_a_spreadsheet');
  });
  parser.parse(xml);
}

/** The attributes of all tags with this name. */
export function readTags(xml: string, name: string): Attributes[] {
  const found: Attributes[] = [];
  parseXml(xml, {
    open(tag, attributes) {
      if (tag === name) found.push(attributes());
    },
  });
  return found;
}

/** The texts that the cells share. The reading aid of a Japanese text (`rPh`) is not a part of it. */
export function readStrings(xml: string): string[] {
  const strings: string[] = [];
  let current: string | null = null;
  let isText = false;
  let isAid = false;
  parseXml(xml, {
    open(tag) {
      if (tag === 'si') current = '';
      if (tag === 'rPh') isAid = true;
      isText = tag === 't' && !isAid;
    },
    text(text) {
      if (current !== null && isText) current += text;
    },
    close(tag) {
      isText = false;
      if (tag === 'rPh') isAid = false;
      if (tag !== 'si') return;
      strings.push(decodeSigns(current ?? ''));
      current = null;
    },
  });
  return strings;
}

/** Signs that XML forbids are written as `_x0001_`. */
function decodeSigns(text: string): string {
  return text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

const builtInDates = [14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 45, 46, 47];
const moreBuiltInDates = [50, 51, 52, 53, 54, 55, 56, 57, 58];

/** For each style of cells, whether it shows a number as a date or time. */
export function readStyles(xml: string): boolean[] {
  const dates = new Set([...builtInDates, ...moreBuiltInDates]);
  const styles: boolean[] = [];
  let isCellStyle = false;
  parseXml(xml, {
    open(tag, attributes) {
      if (tag === 'cellXfs') isCellStyle = true;
      if (tag === 'numFmt') {
        const { numFmtId, formatCode = '' } = attributes();
        if (isDateFormat(formatCode)) dates.add(Number(numFmtId));
        else dates.delete(Number(numFmtId));
      }
      if (tag === 'xf' && isCellStyle) styles.push(dates.has(Number(attributes().numFmtId ?? 0)));
    },
    close(tag) {
      if (tag === 'cellXfs') isCellStyle = false;
    },
  });
  return styles;
}

/** Texts, colours and escaped signs of a format are not parts of a date. */
function isDateFormat(format: string): boolean {
  return /[ymdh]/i.test(format.replaceAll(/"[^"]*"|\[[^\]]*\]|\\.|_.|general/gi, ''));
}

interface Book {
  strings: string[];
  styles: boolean[];
  epoch1904: boolean;
}

interface OpenCell {
  column: number;
  type: string;
  style: number;
  text: string;
}

/** The rows that have cells. A formula counts with the value that was stored with it. */
export function readSheet(xml: string, book: Book): { row: number; cells: string[] }[] {
  const rows: { row: number; cells: string[] }[] = [];
  let row = 0;
  let cells: string[] = [];
  let cell: OpenCell | null = null;
  let column = 0;
  let isValue = false;
  parseXml(xml, {
    open(tag, attributes) {
      if (tag === 'row') {
        row = Number(attributes().r ?? row + 1);
        [cells, column] = [[], 0];
      } else if (tag === 'c') {
        const { r, t = 'n', s } = attributes();
        column = r === undefined ? column + 1 : columnOf(r);
        cell = { column, type: t, style: Number(s ?? 0), text: '' };
      } else isValue = tag === 'v' || tag === 't';
    },
    text(text) {
      if (cell !== null && isValue) cell.text += text;
    },
    close(tag) {
      isValue = false;
      if (tag === 'c' && cell !== null) {
        const text = cellText(cell, book).trim();
        if (text !== '') putCell(cells, cell.column, text);
        cell = null;
      }
      if (tag !== 'row' || cells.length === 0) return;
      rows.push({ row, cells });
      if (rows.length > fileLimits.rowsMax + 1) throw new ReadError('too_many_rows');
    },
  });
  return rows;
}

function putCell(cells: string[], column: number, text: string): void {
  if (column > fileLimits.columnsMax) throw new ReadError('too_many_columns');
  while (cells.length < column - 1) cells.push('');
  cells[column - 1] = text;
}

/** 28 for `AB12`. */
function columnOf(address: string): number {
  let column = 0;
  for (const letter of /^[A-Z]{1,3}/.exec(address)?.[0] ?? 'A') column = column * 26 + letter.charCodeAt(0) - 64;
  return column;
}

function cellText({ type, style, text }: OpenCell, { strings, styles, epoch1904 }: Book): string {
  switch (type) {
    case 's':
      return strings[Number(text)] ?? '';
    case 'inlineStr':
      return decodeSigns(text);
    case 'b':
      return text === '1' ? 'TRUE' : 'FALSE';
    case 'n':
      if (text.trim() === '') return '';
      return styles[style] ? (dateText(Number(text), epoch1904) ?? numberText(text)) : numberText(text);
    case 'd':
      return text.replace('T', ' ').replace(/( 00:00(:00)?)?(\.0+)?Z?$/, '');
    default:
      // Results of formulas, and errors such as #N/A.
      return text;
  }
}

const exactDigitsMax = 15;

/** Spreadsheets calculate with 15 digits. A longer number has lost its last ones, and stays shortened. */
function numberText(text: string): string {
  const number = Number(text);
  if (!Number.isFinite(number)) return text;
  if (Math.abs(number) >= 10 ** exactDigitsMax) return number.toExponential();
  return String(Number(number.toPrecision(exactDigitsMax)));
}

const dayMs = 86_400_000;
/** Day 25569 is 1 January 1970. Old spreadsheets of a Mac count from 1904. */
const firstDay = { from1900: 25_569, from1904: 24_107 };
const lastDay = 2_958_466;

/** `2027-06-30`, or `2027-06-30 14:00` if it has a time; null: no date. */
function dateText(serial: number, epoch1904: boolean): string | null {
  if (!(serial >= 1 && serial < lastDay)) return null;
  const ms = (serial - (epoch1904 ? firstDay.from1904 : firstDay.from1900)) * dayMs;
  const text = new Date(Math.round(ms / 1000) * 1000).toISOString().replace('T', ' ').slice(0, 19);
  return text.replace(/ 00:00:00$/, '').replace(/(:\d\d):00$/, '$1');
}
