import { errorMessage } from '../../messages/errors.ts';
import type { DomainOperations } from '../domain/operations.ts';
import type { Mistake } from '../platform/json/schema.ts';
import {
  gatherDocuments,
  type ImportRow,
  placeMistake,
  quantitiesOf,
  type RowMistake,
  type RowsOfDocument,
} from './import-rows.ts';

/** A document of a file, as the operation takes it, or with its mistakes. */
export type Reading<Ready extends object> =
  | (Ready & { kind: 'ready'; document: RowsOfDocument })
  | { kind: 'wrong'; document: RowsOfDocument; mistakes: RowMistake[] };

/** A document of a file, and what happens or would happen to it. */
export interface ImportedRows {
  document: RowsOfDocument;
  units: number;
  outcome: 'created' | 'known' | 'differs' | 'refused';
  mistakes: RowMistake[];
}

/** Gathers the documents of a file, and reads each with the mistakes that its rows already have. */
export function readDocuments<Read>(
  rows: ImportRow[],
  cellMistakes: RowMistake[],
  fields: { number: string; head: string[] },
  read: (document: RowsOfDocument, known: RowMistake[]) => Read,
): Read[] {
  const { documents, mistakes } = gatherDocuments(rows, fields.number, fields.head);
  const mistakesOfRow = Map.groupBy([...cellMistakes, ...mistakes], ({ row }) => row);
  return documents.map((document) =>
    read(
      document,
      document.rows.flatMap(({ row }) => mistakesOfRow.get(row) ?? []),
    ),
  );
}

/** Adds the mistakes in the body. Of several about a cell the first one is kept; they are sorted by row. */
export function withBodyMistakes(document: RowsOfDocument, known: RowMistake[], body: Mistake[]): RowMistake[] {
  const all = [...known, ...body.map((mistake) => placeMistake(document, mistake))];
  const seen = new Set<string>();
  return all
    .filter(({ row, field }) => {
      const cell = `${row}/${field}`;
      const isFirst = field === null || !seen.has(cell);
      seen.add(cell);
      return isFirst;
    })
    .toSorted((one, other) => one.row - other.row);
}

/** Adds unknown products to documents that have other mistakes already: one look shows all. */
export async function withUnknownSkus<Ready extends object>(
  { findUnknownSkus }: Pick<DomainOperations, 'findUnknownSkus'>,
  accountId: number,
  readings: Reading<Ready>[],
): Promise<Reading<Ready>[]> {
  const rowsOfWrong = readings.filter(({ kind }) => kind === 'wrong').flatMap(({ document }) => document.rows);
  const unknown = await findUnknownSkus(
    accountId,
    rowsOfWrong.flatMap(({ values }) => values.sku_id ?? []),
  );
  return readings.map((reading) => {
    if (reading.kind === 'ready') return reading;
    const { rows } = reading.document;
    const found = rows
      .filter(({ values }) => unknown.has(values.sku_id ?? ''))
      .map(({ row }): RowMistake => ({ row, field: 'sku_id', problem: errorMessage('unknown_sku') }));
    return { ...reading, mistakes: withBodyMistakes(reading.document, [...reading.mistakes, ...found], []) };
  });
}

/** Leaves out absent fields, as in a body that a partner sends. */
export function givenFields(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

export function importedAs(outcome: 'created' | 'known' | 'differs', document: RowsOfDocument): ImportedRows {
  const units = quantitiesOf(document.rows).quantities.reduce((sum, qty) => sum + qty, 0);
  return { document, units, outcome, mistakes: [] };
}

export function refusedRows(document: RowsOfDocument, mistakes: RowMistake[]): ImportedRows {
  return { document, units: 0, outcome: 'refused', mistakes };
}

/** An expected failure of the operation, at the rows that it is about. */
export function refusedBody(document: RowsOfDocument, mistakes: Mistake[]): ImportedRows {
  return refusedRows(document, withBodyMistakes(document, [], mistakes));
}
