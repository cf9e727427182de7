import { type ImportColumn, type ImportKind, importColumns } from '../../messages/import-columns.ts';
import { importMistake } from '../../messages/import-texts.ts';
import type { Message } from '../../messages/message.ts';
import type { Mistake } from '../platform/json/schema.ts';

/** A row of a file. `values` has the fields that are not empty, by the names of their columns. */
export interface ImportRow {
  row: number;
  values: Record<string, string>;
}

/** A mistake in a row; `field` is null if it is about the whole row. */
export interface RowMistake {
  row: number;
  field: string | null;
  problem: Message;
}

export interface ReadTitles {
  /** The name of each column of the file; null: it is not imported. */
  columns: (string | null)[];
  ignored: string[];
  mistakes: Message[];
}

const titlesOf = ({ name, title, others = [] }: ImportColumn) => [name, ...title, ...others].map(plainTitle);
const namesByTitle = Object.fromEntries(
  Object.entries(importColumns).map(([kind, columns]) => [
    kind,
    new Map(columns.flatMap((one) => titlesOf(one).map((title) => [title, one.name]))),
  ]),
) as Record<ImportKind, Map<string, string>>;

/** Spreadsheets and people write full-width letters, capitals and stars for required columns. */
function plainTitle(title: string): string {
  return title
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/\s*\*$/, '');
}

/** Finds the columns by their titles. Empty titles are left out. */
export function readTitles(kind: ImportKind, titles: string[]): ReadTitles {
  const columns = titles.map((title) => namesByTitle[kind].get(plainTitle(title)) ?? null);
  const ignored = titles.filter((title, index) => columns[index] === null && title.trim() !== '');
  const missing = importColumns[kind].filter(({ name, isRequired }) => isRequired && !columns.includes(name));
  const twice = columns.findIndex((name, index) => name !== null && columns.indexOf(name) !== index);
  return {
    columns,
    ignored,
    mistakes: [
      ...(missing.length === 0
        ? []
        : [importMistake('import_column_missing', { columns: missing.map(({ name }) => name).join(', ') })]),
      ...(twice === -1 ? [] : [importMistake('import_column_twice', { column: titles[twice]! })]),
    ],
  };
}

/** The title that the file has for a field; otherwise its name. */
export function titleIn(titles: string[], columns: (string | null)[], field: string | null): string | null {
  return field === null ? null : (titles[columns.indexOf(field)] ?? field);
}

/** Numbers that a spreadsheet may have shortened to `4.71E+12`. */
const numberFields = ['outbound_short_id', 'inbound_short_id', 'sku_id', 'code', 'batch', 'consignee_phone'];
const shortened = /^\d(\.\d+)?e\+?\d+$/i;
/** An error of a formula, as a spreadsheet writes it. */
const cellError = /^#(N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/;
/** Exports put an apostrophe before a text that could be a formula. */
const madeHarmless = /^'(?=\s*[=+\-@＝＋－＠])/;

/** Reads the cells of the rows. Rows that begin with `# ` are remarks. */
export function readCells(
  columns: (string | null)[],
  rows: { row: number; cells: string[] }[],
): { rows: ImportRow[]; mistakes: RowMistake[] } {
  const mistakes: RowMistake[] = [];
  const read = rows
    .filter(({ cells }) => !/^#\s/.test(cells[0] ?? ''))
    .map(({ row, cells }): ImportRow => {
      if (cells.slice(columns.length).some((cell) => cell.trim() !== ''))
        mistakes.push({ row, field: null, problem: importMistake('import_more_fields') });
      const values: Record<string, string> = {};
      for (const [index, field] of columns.entries()) {
        const text = (cells[index] ?? '').trim().replace(madeHarmless, '');
        if (field === null || text === '') continue;
        values[field] = text;
        const problem = problemOfCell(field, text);
        if (problem !== null) mistakes.push({ row, field, problem });
      }
      return { row, values };
    });
  return { rows: read, mistakes };
}

function problemOfCell(field: string, text: string): Message | null {
  if (cellError.test(text)) return importMistake('import_cell_error', { error: text });
  return numberFields.includes(field) && shortened.test(text)
    ? importMistake('import_shortened', { code: text })
    : null;
}

/** The rows of one document. */
export interface RowsOfDocument {
  number: string;
  rows: ImportRow[];
  /** The fields of the document itself, with the rows that they come from. */
  head: Record<string, { text: string; row: number }>;
}

/** Gathers the rows of each document by its number. A row may leave fields of the document empty, but not contradict. */
export function gatherDocuments(
  rows: ImportRow[],
  numberField: string,
  headFields: string[],
): { documents: RowsOfDocument[]; mistakes: RowMistake[] } {
  const documents: RowsOfDocument[] = [];
  const mistakes: RowMistake[] = [];
  const byNumber = new Map<string, RowsOfDocument>();
  for (const one of rows) {
    const number = one.values[numberField] ?? '';
    if (number === '') mistakes.push({ row: one.row, field: numberField, problem: importMistake('import_missing') });
    const known = number === '' ? undefined : byNumber.get(number);
    const document = known ?? { number, rows: [], head: {} };
    if (known === undefined) {
      documents.push(document);
      if (number !== '') byNumber.set(number, document);
    }
    document.rows.push(one);
    for (const field of headFields) {
      const text = one.values[field];
      const before = document.head[field];
      if (text === undefined) continue;
      if (before === undefined) document.head[field] = { text, row: one.row };
      else if (before.text !== text)
        mistakes.push({ row: one.row, field, problem: importMistake('import_differs_from_row', { row: before.row }) });
    }
  }
  return { documents, mistakes };
}

/** Where in the file a mistake in the body of a document comes from: `details[2].qty` is in its third row. */
export function placeMistake({ rows, head }: RowsOfDocument, { path, message }: Mistake): RowMistake {
  const [first, index] = path;
  const field = path.findLast((step): step is string => typeof step === 'string') ?? null;
  if (first === 'details') {
    const row = typeof index === 'number' ? rows[index] : rows[0];
    return { row: row!.row, field: field === 'details' || field === 'expires' ? null : field, problem: message };
  }
  return { row: head[field ?? '']?.row ?? rows[0]!.row, field, problem: message };
}

/** A number of units as people type it; null: the text is none. */
export function readQuantity(text: string | undefined): number | null {
  return text !== undefined && /^0*[1-9]\d{0,14}(\.0+)?$/.test(text) ? Number(text) : null;
}

/** Puts the lines of a document into its body: a wrong quantity is reported, and 1 takes its place in further checks. */
export function quantitiesOf(rows: ImportRow[]): { quantities: number[]; mistakes: RowMistake[] } {
  const mistakes: RowMistake[] = [];
  const quantities = rows.map(({ row, values }) => {
    const qty = readQuantity(values.qty);
    if (qty === null) {
      const problem = importMistake(values.qty === undefined ? 'import_missing' : 'import_quantity');
      mistakes.push({ row, field: 'qty', problem });
    }
    return qty ?? 1;
  });
  return { quantities, mistakes };
}

/** A day as spreadsheets and people write it, as `2027-06-30`; any other text stays, and the schema refuses it. */
export function readDay(text: string): string {
  const found =
    /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[ T]00:00(?::00)?)?$/.exec(text) ?? /^(\d{4})(\d\d)(\d\d)$/.exec(text);
  return found === null ? text : `${found[1]}-${found[2]!.padStart(2, '0')}-${found[3]!.padStart(2, '0')}`;
}

/** Finds the value that a name means, in either language or as the API calls it; undefined: none. */
export function makeNameReader(names: Record<string, readonly string[]>) {
  const plain = (text: string) => text.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '');
  const values = new Map(
    Object.entries(names).flatMap(([value, texts]) => [value, ...texts].map((text) => [plain(text), value])),
  );
  return {
    read: (text: string): string | undefined => values.get(plain(text)),
    allowed: Object.values(names)
      .map(([english, chinese]) => (english === chinese ? english : `${english} (${chinese})`))
      .join(', '),
  };
}
