import type {
  ImportAnswer,
  ImportedDocument,
  ImportKind,
  importsCheck,
  importsColumns,
  importsRun,
} from '../../../contract/console/imports.ts';
import type { Message } from '../../../messages/message.ts';
import { ask } from '../../kit/ask.ts';
import { newUuid } from '../../kit/new-uuid.ts';
import { findCodeClashes } from './code-clashes.ts';
import { groupRows, groupRowsMax, type RowGroup, splitBlocks } from './split-blocks.ts';
import type { ImportTable } from './table.ts';

/** The kind of import and its account. */
export interface ImportTarget {
  kind: ImportKind;
  account: string;
  /** '' for products. */
  tenant: string;
}

export interface ImportProgress {
  done: number;
  of: number;
}

/** A file that was compared with the data. */
export interface CheckedFile {
  documents: ImportedDocument[];
  /** Titles of columns that are not imported. */
  ignored: string[];
  groups: RowGroup[];
}

export type Checking = { kind: 'checked'; file: CheckedFile } | { kind: 'refused'; mistakes: Message[] };

interface Watch {
  signal: AbortSignal;
  onProgress(progress: ImportProgress): void;
}

/** Asks what each document of the file would do, block by block. */
export async function checkFile(target: ImportTarget, table: ImportTable, watch: Watch): Promise<Checking> {
  const columns = await ask<typeof importsColumns>(
    '/imports/columns',
    { kind: target.kind, titles: table.titles },
    watch.signal,
  );
  if (columns.kind === 'refused') return columns;
  const groups = groupRows(table.rows, columns.key_column);
  const fitting = groups.filter(({ rows }) => rows.length <= groupRowsMax);
  const documents: ImportedDocument[] = groups.filter(({ rows }) => rows.length > groupRowsMax).map(tooManyRows);
  const taken = new Map<string, number>();
  let done = 0;
  for (const block of splitBlocks(fitting)) {
    watch.onProgress({ done, of: table.rows.length });
    const skus = new Set(block.flatMap(({ rows }) => rows.map(({ cells }) => cells[columns.sku_column] ?? '')));
    const answer = await ask<typeof importsCheck>(
      '/imports/check',
      {
        ...bodyOf(target, table, block),
        taken: [...taken].filter(([sku_id]) => skus.has(sku_id)).map(([sku_id, qty]) => ({ sku_id, qty })),
      },
      watch.signal,
    );
    documents.push(...answer.documents);
    for (const { sku_id, qty } of answer.taken) taken.set(sku_id, (taken.get(sku_id) ?? 0) + qty);
    done += rowsIn(block);
  }
  const file = { documents: findCodeClashes(documents), ignored: columns.ignored, groups: fitting };
  return { kind: 'checked', file };
}

/** Imports the documents that are new or different, block by block. Those that are there already are not sent. */
export async function importFile(
  target: ImportTarget,
  table: ImportTable,
  fileName: string,
  { documents, groups }: CheckedFile,
  watch: Watch & { onAnswer(answer: ImportAnswer): void },
): Promise<void> {
  const wanted = new Set(
    documents.filter(({ outcome }) => outcome === 'created' || outcome === 'changed').map(({ rows }) => rows[0]),
  );
  const sent = groups.filter(({ rows }) => wanted.has(rows[0]!.row));
  const blocks = splitBlocks(sent);
  const import_id = newUuid();
  let done = 0;
  for (const [index, block] of blocks.entries()) {
    watch.onProgress({ done, of: rowsIn(sent) });
    const part = { import_id, file_name: fileName, part: index + 1, parts: blocks.length };
    const body = { ...bodyOf(target, table, block), ...part };
    watch.onAnswer(await ask<typeof importsRun>('/imports/run', body, watch.signal));
    done += rowsIn(block);
  }
}

const rowsIn = (groups: RowGroup[]) => groups.reduce((sum, { rows }) => sum + rows.length, 0);

function bodyOf({ kind, account, tenant }: ImportTarget, { titles }: ImportTable, block: RowGroup[]) {
  const rows = block.flatMap((group) => group.rows).toSorted((one, other) => one.row - other.row);
  return { kind, account_no: account, ...(tenant !== '' && { warehouse_tpw_id: tenant }), titles, rows };
}

function tooManyRows({ key, rows }: RowGroup): ImportedDocument {
  const problem = { code: 'import_too_many_rows', params: { name: key, max: groupRowsMax } };
  return {
    name: key,
    rows: rows.map(({ row }) => row),
    units: 0,
    outcome: 'refused',
    mistakes: [{ row: rows[0]!.row, column: null, problem }],
    change: null,
  };
}
