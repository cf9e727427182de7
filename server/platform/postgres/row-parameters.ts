import type { Sql, Tx } from './database.ts';

/** The PostgreSQL type of a column and how to read its value from a row. */
type RowColumn<Row> = readonly [
  type: 'bigint' | 'boolean' | 'date' | 'integer' | 'numeric' | 'smallint' | 'text' | 'timestamptz' | 'uuid',
  read: (row: Row) => unknown,
];

export type RowColumns<Row> = Record<string, RowColumn<Row>>;

/**
 * Describes how rows are passed to a statement: as one array parameter per column. The SQL text is built once per
 * description, because groups of orders use it often and the driver caches every text by identity.
 */
export function rowParameters<Row>(columns: RowColumns<Row>) {
  const types = Object.values(columns).map(([type]) => type);
  const reads = Object.values(columns).map(([, read]) => read);
  const unnested = templateOf(types, ')');
  const named = templateOf(types, `) as given(${Object.keys(columns).join(', ')})`);

  function bind(sql: Sql | Tx, text: TemplateStringsArray, rows: readonly Row[]) {
    const arrays = reads.map((read) => rows.map((row) => read(row)));
    return (sql as Sql)(text, ...(arrays as string[][]));
  }

  return {
    /** `unnest($1::bigint[], $2::text[])` */
    unnest: (sql: Sql | Tx, rows: readonly Row[]) => bind(sql, unnested, rows),
    /** `unnest($1::bigint[], $2::text[]) as given(order_id, status)` */
    given: (sql: Sql | Tx, rows: readonly Row[]) => bind(sql, named, rows),
  };
}

/** The driver recognizes a template by its `raw` property. */
function templateOf(types: string[], end: string): TemplateStringsArray {
  const texts = types.map((type, index) => `::${type}[]${index < types.length - 1 ? ', ' : end}`);
  const strings = ['unnest(', ...texts];
  return Object.assign(strings, { raw: strings });
}
