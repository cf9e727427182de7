import { type Static, Type } from 'typebox';
import { locationMax, ProductCodeUnits } from '../../contract/main/products-update.ts';
import { CallerIdentifier, Identifier, PlaceNumber } from '../../contract/values.ts';
import { importMistake } from '../../messages/import-texts.ts';
import type { Message } from '../../messages/message.ts';
import { atField } from '../../messages/rejection-texts.ts';
import type { ProductChange } from '../domain/products/change-products.ts';
import { type CsvRow, readCsv } from '../platform/csv.ts';
import { formatPath, type Mistake, makeChecker } from '../platform/json/schema.ts';

/** The most rows of one file: 5,000 rows of 50 characters fit into a request. */
export const productFileRowsMax = 5000;

/** A line of a file, from 1, and what is wrong with it. */
export interface LineMistake {
  line: number;
  problem: Message;
}

/** The changes of a product that a file asks for, with the lines that they come from. */
export interface PlacedChange {
  line: number;
  skuId: string;
  codes: { line: number; code: string; units: number }[];
  locations: { line: number; warehouseNo: number; location: string }[];
}

export interface ProductFile {
  rows: number;
  changes: PlacedChange[];
  mistakes: LineMistake[];
}

export function toProductChange({ skuId, codes, locations }: PlacedChange): ProductChange {
  return {
    skuId,
    codes: codes.length === 0 ? null : codes.map(({ code, units }) => ({ code, units })),
    locations: locations.map(({ warehouseNo, location }) => ({ warehouseNo, location })),
  };
}

const Line = Type.Object({
  sku_id: CallerIdentifier,
  code: Type.Optional(CallerIdentifier),
  units: Type.Optional(ProductCodeUnits),
  warehouse_no: Type.Optional(PlaceNumber),
  location: Type.Optional(Identifier(locationMax)),
});
type Line = Static<typeof Line>;
type Column = keyof Line;

export const productFileColumns: Column[] = ['sku_id', 'code', 'units', 'warehouse_no', 'location'];
/** Also the words of spreadsheets in Chinese. */
const otherNames: [string, Column][] = [
  ['sku', 'sku_id'],
  ['條碼', 'code'],
  ['件數', 'units'],
  ['箱入數', 'units'],
  ['倉庫', 'warehouse_no'],
  ['儲位', 'location'],
];
const columnNames = new Map([...productFileColumns.map((name): [string, Column] => [name, name]), ...otherNames]);

/**
 * Reads codes and locations of products. The first line names the columns; each other one has a code, a location or
 * both. All mistakes are listed.
 */
export function readProductFile(text: string): ProductFile {
  const nothing = { rows: 0, changes: [] };
  const reading = readCsv(text);
  if (reading.kind === 'open_quote')
    return { ...nothing, mistakes: [{ line: reading.line, problem: importMistake('import_open_quote') }] };
  const [first, ...rows] = reading.rows;
  const columns = (first?.fields ?? []).map((name) => columnNames.get(name.toLowerCase()) ?? null);
  const problem = problemOfFile(first, columns, rows.length);
  if (problem !== null) return { ...nothing, mistakes: [{ line: first?.line ?? 1, problem }] };

  const collected = makeCollected();
  for (const row of rows) collected.add(row.line, readLine(row, columns as Column[]));
  return { rows: rows.length, ...collected.all() };
}

function problemOfFile(first: CsvRow | undefined, columns: (Column | null)[], rows: number): Message | null {
  const twice = columns.find((name, index) => name !== null && columns.indexOf(name) !== index);
  const unknown = columns.indexOf(null);
  if (!columns.includes('sku_id')) return importMistake('import_column_missing');
  if (unknown !== -1)
    return importMistake('import_column_unknown', {
      column: first!.fields[unknown]!,
      columns: productFileColumns.join(', '),
    });
  if (twice) return importMistake('import_column_twice', { column: twice });
  if (rows === 0) return importMistake('import_empty');
  return rows > productFileRowsMax ? importMistake('import_too_many', { max: productFileRowsMax }) : null;
}

const checkLine = makeChecker(Line);
const numbers: Column[] = ['units', 'warehouse_no'];
/** A spreadsheet shows long numbers as 4.71E+12, and saves them so. */
const shortened = /^\d(\.\d+)?e\+?\d+$/i;

/** The line, or its problems. */
function readLine({ fields }: CsvRow, columns: Column[]): Line | Message[] {
  if (fields.slice(columns.length).some((field) => field !== '')) return [importMistake('import_more_fields')];
  const given = columns.flatMap((name, index): [Column, string | number][] => {
    const field = fields[index] ?? '';
    if (field === '') return [];
    return [[name, numbers.includes(name) && /^\d{1,15}$/.test(field) ? Number(field) : field]];
  });
  const checked = checkLine(Object.fromEntries(given));
  if (checked.kind === 'mistakes') return checked.mistakes.map(describeMistake);
  const { code, units, warehouse_no, location } = checked.value;
  if (code !== undefined && shortened.test(code)) return [importMistake('import_shortened', { code })];
  if (units !== undefined && code === undefined) return [importMistake('import_units_alone')];
  if ((warehouse_no === undefined) !== (location === undefined)) return [importMistake('import_half_location')];
  return code === undefined && location === undefined ? [importMistake('import_nothing')] : checked.value;
}

function describeMistake({ path, message }: Mistake): Message {
  switch (path[0]) {
    case undefined:
      return importMistake('import_sku_missing');
    case 'units':
      return importMistake('import_units');
    case 'warehouse_no':
      return importMistake('import_warehouse_no');
    default:
      return atField(formatPath(path), message);
  }
}

/** Gathers the lines by product. A line may repeat what another one says, but not contradict it. */
function makeCollected() {
  const changes = new Map<string, PlacedChange>();
  const codes = new Map<string, { line: number; skuId: string; units: number }>();
  const mistakes: LineMistake[] = [];

  function addCode(change: PlacedChange, line: number, code: string, units: number): void {
    const { skuId } = change;
    const other = codes.get(code);
    if (!other) {
      codes.set(code, { line, skuId, units });
      change.codes.push({ line, code, units });
    } else if (other.skuId !== skuId || other.units !== units)
      mistakes.push({ line, problem: importMistake('import_code_twice', { code, line: other.line }) });
  }

  function addLocation(change: PlacedChange, line: number, warehouseNo: number, location: string): void {
    const other = change.locations.find((one) => one.warehouseNo === warehouseNo);
    if (!other) change.locations.push({ line, warehouseNo, location });
    else if (other.location !== location) {
      const params = { line: other.line, sku: change.skuId, warehouse: warehouseNo };
      mistakes.push({ line, problem: importMistake('import_location_twice', params) });
    }
  }

  return {
    add(line: number, read: Line | Message[]): void {
      if (Array.isArray(read)) {
        mistakes.push(...read.map((problem) => ({ line, problem })));
        return;
      }
      const { sku_id: skuId, code, units = 1, warehouse_no, location } = read;
      const change = changes.get(skuId) ?? { line, skuId, codes: [], locations: [] };
      changes.set(skuId, change);
      if (code !== undefined) addCode(change, line, code, units);
      if (warehouse_no !== undefined && location !== undefined) addLocation(change, line, warehouse_no, location);
    },
    all: () => ({ changes: [...changes.values()], mistakes }),
  };
}
