import { Type } from 'typebox';
import type { ImportKind } from '../../messages/import-columns.ts';
import type { Message } from '../../messages/message.ts';
import { CallerIdentifier, qtyMax } from '../values.ts';
import { consoleCall } from './console-call.ts';
import { AccountNo, record, Uuid } from './console-values.ts';
import { exportFormats, exportLanguages } from './exports.ts';

export type { ImportKind };
export const importKinds = ['products', 'inbound', 'orders'] as const satisfies readonly ImportKind[];

/** The most rows of a file. */
export const importRowsMax = 20_000;
/** The most rows of one request. All rows of a document or product are in the same one. */
export const importBlockRowsMax = 500;
const columnsMax = 200;
const cellCharactersMax = 2000;
const sheetRowsMax = 1_048_576;

const Kind = Type.Enum([...importKinds]);
const Cells = (lengthMax: number) =>
  Type.Array(Type.String({ maxLength: lengthMax }), { minItems: 1, maxItems: columnsMax });

export type ImportColumnsAnswer =
  | { kind: 'refused'; mistakes: Message[] }
  | {
      kind: 'read';
      /** The column that has the number of the document, or the sku of the product. */
      key_column: number;
      sku_column: number;
      /** Titles of columns that are not imported. */
      ignored: string[];
    };

/** Finds the columns by their titles. */
export const importsColumns = consoleCall<ImportColumnsAnswer>()(
  '/imports/columns',
  record({ kind: Kind, titles: Cells(cellCharactersMax) }),
);

const blockFields = {
  kind: Kind,
  account_no: AccountNo,
  /** Orders and inbound documents only. */
  warehouse_tpw_id: Type.Optional(CallerIdentifier),
  titles: Cells(cellCharactersMax),
  rows: Type.Array(
    record({
      /** The number of the row in the file, from 1. */
      row: Type.Integer({ minimum: 1, maximum: sheetRowsMax }),
      cells: Cells(cellCharactersMax),
    }),
    { minItems: 1, maxItems: importBlockRowsMax },
  ),
};

export interface ImportMistake {
  row: number;
  /** The title of the column in the file; null: the mistake is about the whole row. */
  column: string | null;
  problem: Message;
}

/** A change of a product; `before` is null for something new. */
export interface ImportedProductChange {
  facts: { name: string; before: string | null; after: string | null }[];
  codes: { code: string; units: number; before: number | null }[];
  locations: { warehouse_no: number; location: string; before: string | null }[];
}

export interface ImportedDocument {
  /** The partner's number, or the sku. */
  name: string;
  /** Its rows in the file. */
  rows: number[];
  /** Units of an order or inbound document. */
  units: number;
  /**
   * `known`: it is there already, with the same content. `differs`: it is there with other content, which stays.
   * `refused`: it has mistakes.
   */
  outcome: 'created' | 'changed' | 'known' | 'differs' | 'refused';
  mistakes: ImportMistake[];
  /** Products only. */
  change: ImportedProductChange | null;
}

export interface ImportAnswer {
  kind: 'checked' | 'imported';
  /** In the order of the file. */
  documents: ImportedDocument[];
  /** Units that the new orders take. */
  taken: { sku_id: string; qty: number }[];
}

/** Says what an import would do, and changes nothing. */
export const importsCheck = consoleCall<ImportAnswer>()(
  '/imports/check',
  record({
    ...blockFields,
    /** Units that orders in earlier blocks of the file take: a shortage is found as if all were created. */
    taken: Type.Optional(
      Type.Array(record({ sku_id: CallerIdentifier, qty: Type.Integer({ minimum: 1, maximum: qtyMax * 1000 }) }), {
        maxItems: importBlockRowsMax,
      }),
    ),
  }),
);

/** Imports the documents of a block. A document with a mistake is left out. Sent twice, it changes nothing more. */
export const importsRun = consoleCall<ImportAnswer>()(
  '/imports/run',
  record({
    ...blockFields,
    /** The same for all blocks of a file. */
    import_id: Uuid,
    file_name: Type.String({ minLength: 1, maxLength: 255, pattern: '^[^\\p{Cc}]*$', description: '1-255 characters' }),
    /** The place of the block in the file, from 1. */
    part: Type.Integer({ minimum: 1, maximum: importRowsMax }),
    parts: Type.Integer({ minimum: 1, maximum: importRowsMax }),
  }),
);

/** An empty file with the titles of all columns, examples and an explanation. The response is the file. */
export const importsTemplate = consoleCall<never>()(
  '/imports/template',
  record({ kind: Kind, format: Type.Enum([...exportFormats]), language: Type.Enum([...exportLanguages]) }),
);
