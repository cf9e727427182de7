import { styleText } from 'node:util';
import { currentLook, formatTime, isTime, type Look, paintState } from './look.ts';

/** Columns whose values are states. */
const stateColumns = new Set(['status', 'state', 'enabled', 'severity']);
const gap = 2;
const cutMin = 8;
/** Ids that are made at about the same time begin alike, so a shortened id shows its end. */
const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const shortIdWidth = 9;

/**
 * Formats rows as a table; an empty list prints `whenEmpty`, which says what to do next. On a terminal, the table fits
 * its width: times lose year and seconds, ids become their last digits, then the widest columns are cut. `indent` is the room that the caller needs.
 */
export function formatTable(
  rows: Record<string, unknown>[],
  whenEmpty: string,
  look: Look = currentLook(),
  indent = 0,
): string {
  const [first] = rows;
  if (!first) return whenEmpty;
  const columns = Object.keys(first);
  const table = (shortTimes: boolean) => [
    columns,
    ...rows.map((row) => columns.map((column) => formatCell(row[column], look, shortTimes))),
  ];
  const room = (look.width ?? Number.POSITIVE_INFINITY) - indent - gap * (columns.length - 1);
  const whole = table(false);
  const cells = sum(widthsOf(whole)) <= room ? whole : table(true);
  const natural = widthsOf(cells);
  const isId = columns.map((_, index) => cells.slice(1).every((line) => uuid.test(line[index]!)));
  const shortIds = natural.map((width, index) => (isId[index] ? shortIdWidth : width));
  const mayBeCut = columns.map((column) => !rows.some((row) => isTime(row[column])));
  const widths = sum(natural) <= room ? natural : fitted(shortIds, room, mayBeCut);
  const isCut = natural.some((width, index) => width > widths[index]!);
  const lines = cells.map((line, row) =>
    line
      .map((cell, index) => padded(row > 0 && isId[index] ? idOfWidth(cell, widths[index]!) : cell, widths[index]!))
      .map((cell, index) => (row > 0 && stateColumns.has(columns[index]!) ? paintState(cell) : cell))
      .join(' '.repeat(gap))
      .trimEnd(),
  );
  return [...lines, ...(isCut ? [quiet('Some values are cut: --wide shows them whole, --json everything.')] : [])].join(
    '\n',
  );
}

function quiet(text: string): string {
  return styleText('dim', text, { stream: process.stdout });
}

function formatCell(value: unknown, look: Look, shortTimes: boolean): string {
  if (value === null || value === undefined) return '-';
  if (isTime(value)) return shortTimes ? formatTime(value, look).slice(5, 16) : formatTime(value, look);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function widthsOf(cells: string[][]): number[] {
  return cells[0]!.map((_, index) => Math.max(...cells.map((line) => displayWidth(line[index]!))));
}

/** Narrows the widest columns until the line fits, or until none can be cut any more. A part of a time is worth nothing. */
function fitted(widths: number[], room: number, mayBeCut: boolean[]): number[] {
  const result = [...widths];
  for (let excess = sum(result) - room; excess > 0; excess--) {
    const widest = Math.max(cutMin, ...result.filter((_, index) => mayBeCut[index]));
    const cut = result.findIndex((width, index) => mayBeCut[index] && width === widest);
    if (widest === cutMin) break;
    result[cut]!--;
  }
  return result;
}

function padded(cell: string, width: number): string {
  if (displayWidth(cell) <= width) return cell + ' '.repeat(width - displayWidth(cell));
  let cut = '';
  for (const character of cell) {
    if (displayWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…${' '.repeat(width - 1 - displayWidth(cut))}`;
}

function idOfWidth(id: string, width: number): string {
  return id.length <= width ? id : `…${id.slice(1 - width)}`;
}

/** Chinese characters take two columns of a terminal. */
export function displayWidth(text: string): number {
  return text.length + (text.match(wideCharacters)?.length ?? 0);
}

const wideCharacters = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g;

function sum(numbers: number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
