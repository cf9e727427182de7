import { randomUUID } from 'node:crypto';
import { type ImportAnswer, type ImportKind, importsCheck, importsRun } from '../../contract/console/imports.ts';
import { formatMessage } from '../../messages/format-message.ts';
import { readCsv } from '../../server/platform/csv.ts';
import { alpha } from './app.ts';
import type { ConsoleUser } from './console.ts';

export interface ImportOptions {
  account?: string;
  tenant?: string;
  /** Units that earlier blocks of the file take. */
  taken?: Record<string, number>;
}

/** The body of a block, from CSV text whose first line has the titles. */
export function importBody(kind: ImportKind, text: string, options: ImportOptions = {}) {
  const { account = alpha.accountNo, tenant = alpha.warehouseTpwId } = options;
  const reading = readCsv(text);
  if (reading.kind !== 'rows') throw new Error('the text has an open quotation mark');
  const [first, ...rows] = reading.rows;
  return {
    kind,
    account_no: account,
    ...(kind !== 'products' && { warehouse_tpw_id: tenant }),
    titles: first!.fields,
    rows: rows.map(({ line, fields }) => ({ row: line, cells: fields })),
  };
}

export const importOfFile = () => ({ import_id: randomUUID(), file_name: 'test.csv', part: 1, parts: 1 });

/** Sends CSV text as one block, to the preview or to the import. */
export function importer(user: ConsoleUser) {
  return {
    check: (kind: ImportKind, text: string, { taken = {}, ...options }: ImportOptions = {}) =>
      user.ask(importsCheck, {
        ...importBody(kind, text, options),
        taken: Object.entries(taken).map(([sku_id, qty]) => ({ sku_id, qty })),
      }),
    run: (kind: ImportKind, text: string, options: ImportOptions = {}) =>
      user.ask(importsRun, { ...importBody(kind, text, options), ...importOfFile() }),
  };
}

/** `OUT-1 created 2-3` */
export function outcomesOf({ documents }: ImportAnswer): string[] {
  return documents.map(({ name, outcome, rows }) => `${name} ${outcome} ${rows.join(',')}`);
}

/** `3 Quantity: must be …` */
export function mistakesOf({ documents }: ImportAnswer): string[] {
  return documents
    .flatMap(({ mistakes }) => mistakes)
    .map(({ row, column, problem }) => `${row} ${column ?? '-'}: ${formatMessage(problem)}`);
}
