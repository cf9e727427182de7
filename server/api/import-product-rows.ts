import { type Static, Type } from 'typebox';
import { codesMax, locationMax, ProductCodeUnits } from '../../contract/main/products-update.ts';
import { CallerIdentifier, Identifier, Measure, PlaceNumber, Title } from '../../contract/values.ts';
import { importColumns } from '../../messages/import-columns.ts';
import { importMistake } from '../../messages/import-texts.ts';
import type { Message } from '../../messages/message.ts';
import { atField } from '../../messages/rejection-texts.ts';
import { valueNames } from '../../messages/value-names.ts';
import type { ProductChange } from '../domain/products/change-products.ts';
import { type KnownFacts, storageTypes } from '../domain/products/product.ts';
import { readCsv } from '../platform/csv.ts';
import { makeNormalizer } from '../platform/json/normalize.ts';
import { formatPath, type Mistake, makeChecker } from '../platform/json/schema.ts';
import { type ImportRow, makeNameReader, type RowMistake, readCells, readTitles } from './import-rows.ts';

/** The most rows of a file that is imported as a whole: 5,000 rows of 50 characters fit into a request. */
export const productFileRowsMax = 5000;

/** A fact about a product, with the row that it comes from. */
interface PlacedFact {
  line: number;
  field: string;
  value: string;
}

/** The changes of a product that a file asks for, with the lines that they come from. */
export interface PlacedChange {
  line: number;
  skuId: string;
  facts: Map<keyof KnownFacts, PlacedFact>;
  codes: { line: number; code: string; units: number }[];
  locations: { line: number; warehouseNo: number; location: string }[];
}

export interface ProductFile {
  rows: number;
  changes: PlacedChange[];
  mistakes: RowMistake[];
}

export function toProductChange({ skuId, facts, codes, locations }: PlacedChange): ProductChange {
  return {
    skuId,
    ...(facts.size === 0 ? {} : { facts: factsOf({ facts }) }),
    codes: codes.length === 0 ? null : codes.map(({ code, units }) => ({ code, units })),
    locations: locations.map(({ warehouseNo, location }) => ({ warehouseNo, location })),
  };
}

export function factsOf({ facts }: Pick<PlacedChange, 'facts'>): KnownFacts {
  return Object.fromEntries([...facts].map(([name, { value }]) => [name, value]));
}

const Code = Type.Object({ code: CallerIdentifier, units: ProductCodeUnits });
const Line = Type.Object({
  sku_id: CallerIdentifier,
  name: Type.Optional(Title(255)),
  storage_type: Type.Optional(Type.Enum([...storageTypes])),
  length: Type.Optional(Measure),
  width: Type.Optional(Measure),
  height: Type.Optional(Measure),
  weight: Type.Optional(Measure),
  units: Type.Optional(ProductCodeUnits),
  codes: Type.Array(Code, { maxItems: codesMax }),
  locations: Type.Array(Type.Object({ warehouse_no: PlaceNumber, location: Identifier(locationMax) }), {
    maxItems: codesMax,
  }),
});
type Line = Static<typeof Line>;

const factNames = {
  name: 'name',
  storage_type: 'storageType',
  length: 'lengthCm',
  width: 'widthCm',
  height: 'heightCm',
  weight: 'weightKg',
} as const satisfies Record<string, keyof KnownFacts>;
const measures = ['length', 'width', 'height', 'weight'];

/**
 * Reads products from a CSV file. The first line names the columns; each other one has a code, a location or a fact. All
 * mistakes are listed.
 */
export function readProductFile(text: string): ProductFile {
  const nothing = { rows: 0, changes: [] };
  const atFile = (line: number, problem: Message) => ({
    ...nothing,
    mistakes: [{ row: line, field: null, problem }],
  });
  const reading = readCsv(text);
  if (reading.kind === 'open_quote') return atFile(reading.line, importMistake('import_open_quote'));
  const [first, ...rows] = reading.rows;
  const { columns, ignored, mistakes } = readTitles('products', first?.fields ?? []);
  const problem = mistakes[0] ?? problemOfFile(ignored, rows.length);
  if (problem !== null) return atFile(first?.line ?? 1, problem);
  const cells = readCells(
    columns,
    rows.map(({ line, fields }) => ({ row: line, cells: fields })),
  );
  return readProductRows(cells.rows, cells.mistakes);
}

function problemOfFile(ignored: string[], rows: number): Message | null {
  const names = importColumns.products.map(({ name }) => name).join(', ');
  if (ignored.length > 0) return importMistake('import_column_unknown', { column: ignored[0]!, columns: names });
  if (rows === 0) return importMistake('import_empty');
  return rows > productFileRowsMax ? importMistake('import_too_many', { max: productFileRowsMax }) : null;
}

/** Gathers the rows by product. A row with a mistake in one of its cells is not read further. */
export function readProductRows(rows: ImportRow[], cellMistakes: RowMistake[]): ProductFile {
  const wrong = new Set(cellMistakes.map(({ row }) => row));
  const collected = makeCollected();
  for (const one of rows) if (!wrong.has(one.row)) collected.add(one.row, readLine(one.values));
  const { changes, mistakes } = collected.all();
  return { rows: rows.length, changes, mistakes: [...cellMistakes, ...mistakes] };
}

const normalizeLine = makeNormalizer(Line);
const checkLine = makeChecker(Line);
const { en, 'zh-TW': zh } = valueNames;
const storages = makeNameReader(
  Object.fromEntries(
    storageTypes.map((one) => [
      one,
      [en.storageType[one as keyof typeof en.storageType], zh.storageType[one as keyof typeof en.storageType]],
    ]),
  ),
);
/** Exports write this for a product whose storage type nobody has given. */
const unspecified = ['未指定', 'not specified', 'unspecified'];

interface Problem {
  field: string | null;
  problem: Message;
}

/** The line, or its problems. */
function readLine(values: Record<string, string>): Line | Problem[] {
  const codes = codesIn(values);
  const locations = locationsIn(values);
  if (codes === null) return [{ field: 'carton_codes', problem: importMistake('import_carton_codes') }];
  const fields: [string, unknown][] = Object.entries(values).flatMap(([field, text]): [string, unknown][] => {
    if (measures.includes(field)) return [[field, /^\d{1,9}(\.\d+)?$/.test(text) ? Number(text) : text]];
    if (field === 'storage_type') {
      return unspecified.includes(text.toLowerCase()) ? [] : [[field, storages.read(text) ?? text]];
    }
    return ['sku_id', 'name', 'units'].includes(field) ? [[field, wholeNumber(text, field)]] : [];
  });
  const checked = checkLine(normalizeLine({ ...Object.fromEntries(fields), codes, locations }));
  if (checked.kind === 'mistakes') {
    const problems = checked.mistakes.map(describeMistake);
    return problems.filter(({ field }, index) => problems.findIndex((one) => one.field === field) === index);
  }
  return problemOfLine(values, checked.value) ?? checked.value;
}

function wholeNumber(text: string, field: string): string | number {
  return field === 'units' && /^\d{1,15}(\.0+)?$/.test(text) ? Number(text) : text;
}

function problemOfLine(values: Record<string, string>, line: Line): Problem[] | null {
  if (values.units !== undefined && values.code === undefined)
    return [{ field: 'units', problem: importMistake('import_units_alone') }];
  if ((values.warehouse_no === undefined) !== (values.location === undefined) && line.locations.length === 0)
    return [{ field: 'location', problem: importMistake('import_half_location') }];
  const hasFacts = Object.keys(factNames).some((field) => values[field] !== undefined);
  return hasFacts || line.codes.length > 0 || line.locations.length > 0
    ? null
    : [{ field: null, problem: importMistake('import_nothing') }];
}

/** The codes of a cell, as exports write them: those of units with a comma between, those of cartons with their units. */
function codesIn({ code, units, carton_codes }: Record<string, string>): { code: string; units: unknown }[] | null {
  const unitsOfCode = units === undefined ? 1 : wholeNumber(units, 'units');
  const own = (code?.split(', ') ?? []).map((one) => ({ code: one.trim(), units: unitsOfCode }));
  const cartons = (carton_codes?.split(', ') ?? []).map((one) => /^(.+) \((\d{1,7})\)$/.exec(one.trim()));
  if (cartons.includes(null)) return null;
  return [...own, ...cartons.map((found) => ({ code: found![1]!, units: Number(found![2]) }))];
}

/** A location with the warehouse beside it, or those of several warehouses as exports write them. */
function locationsIn({
  warehouse_no,
  location,
}: Record<string, string>): { warehouse_no: unknown; location: string }[] {
  const listed = location?.split(', ').map((one) => /^(\d{1,10}): (.+)$/.exec(one.trim())) ?? [];
  if (warehouse_no === undefined && listed.length > 0 && !listed.includes(null))
    return listed.map((found) => ({ warehouse_no: Number(found![1]), location: found![2]! }));
  if (warehouse_no === undefined || location === undefined) return [];
  return [{ warehouse_no: /^\d{1,10}(\.0+)?$/.test(warehouse_no) ? Number(warehouse_no) : warehouse_no, location }];
}

function describeMistake({ path, message }: Mistake): Problem {
  const field = path.findLast((step) => typeof step === 'string') ?? null;
  if (path[0] === 'sku_id' && message.code === 'field_missing')
    return { field: 'sku_id', problem: importMistake('import_sku_missing') };
  switch (field) {
    case 'units':
      return { field, problem: importMistake('import_units') };
    case 'warehouse_no':
      return { field, problem: importMistake('import_warehouse_no') };
    case 'storage_type':
      return { field, problem: importMistake('import_one_of', { values: storages.allowed }) };
    case 'codes':
      return { field: 'code', problem: message };
    case 'locations':
      return { field: 'location', problem: message };
    default:
      return {
        field,
        problem: atField(formatPath(path.filter((step) => typeof step === 'string').slice(-1)), message),
      };
  }
}

/** Gathers the lines by product. A line may repeat what another one says, but not contradict it. */
function makeCollected() {
  const changes = new Map<string, PlacedChange>();
  const codes = new Map<string, { line: number; skuId: string; units: number }>();
  const mistakes: RowMistake[] = [];

  function addFact(change: PlacedChange, line: number, field: keyof typeof factNames, value: string): void {
    const other = change.facts.get(factNames[field]);
    if (other === undefined) change.facts.set(factNames[field], { line, field, value });
    else if (other.value !== value)
      mistakes.push({ row: line, field, problem: importMistake('import_differs_from_row', { row: other.line }) });
  }

  function addCode(change: PlacedChange, line: number, code: string, units: number): void {
    const { skuId } = change;
    const other = codes.get(code);
    if (!other) {
      codes.set(code, { line, skuId, units });
      change.codes.push({ line, code, units });
    } else if (other.skuId !== skuId || other.units !== units)
      mistakes.push({
        row: line,
        field: 'code',
        problem: importMistake('import_code_twice', { code, line: other.line }),
      });
  }

  function addLocation(change: PlacedChange, line: number, warehouseNo: number, location: string): void {
    const other = change.locations.find((one) => one.warehouseNo === warehouseNo);
    if (!other) change.locations.push({ line, warehouseNo, location });
    else if (other.location !== location) {
      const params = { line: other.line, sku: change.skuId, warehouse: warehouseNo };
      mistakes.push({ row: line, field: 'location', problem: importMistake('import_location_twice', params) });
    }
  }

  return {
    add(line: number, read: Line | Problem[]): void {
      if (Array.isArray(read)) {
        mistakes.push(...read.map((one) => ({ row: line, ...one })));
        return;
      }
      const { sku_id: skuId } = read;
      const change = changes.get(skuId) ?? { line, skuId, facts: new Map(), codes: [], locations: [] };
      changes.set(skuId, change);
      for (const field of Object.keys(factNames) as (keyof typeof factNames)[]) {
        const value: unknown = read[field];
        if (value !== undefined) addFact(change, line, field, String(value));
      }
      for (const { code, units } of read.codes) addCode(change, line, code, units);
      for (const { warehouse_no, location } of read.locations) addLocation(change, line, warehouse_no, location);
    },
    all: () => ({ changes: [...changes.values()], mistakes }),
  };
}
