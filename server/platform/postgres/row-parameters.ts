import { Fragment } from './sql.ts';
import type { Scalar } from './wire-types.ts';

/** The PostgreSQL type of a column and how to read its value from a row. */
type RowColumn<Row> = readonly [
  type: 'bigint' | 'boolean' | 'date' | 'integer' | 'numeric' | 'smallint' | 'text' | 'timestamptz' | 'uuid',
  read: (row: Row) => Scalar,
];

export type RowColumns<Row> = Record<string, RowColumn<Row>>;

/**
 * Describes how rows are passed to a statement: as one array parameter per column. The parts of the SQL text are built
 * once per description, because groups of orders use it often.
 */
export function rowParameters<Row>(columns: RowColumns<Row>) {
  const types = Object.values(columns).map(([type]) => type);
  const reads = Object.values(columns).map(([, read]) => read);
  const unnested = textsOf(types, ')');
  const named = textsOf(types, `) as given(${Object.keys(columns).join(', ')})`);

  function bind(texts: readonly string[], rows: readonly Row[]): Fragment {
    return new Fragment(
      texts,
      reads.map((read) => rows.map((row) => read(row))),
    );
  }

  return {
    /** `unnest($1::bigint[], $2::text[])` */
    unnest: (rows: readonly Row[]) => bind(unnested, rows),
    /** `unnest($1::bigint[], $2::text[]) as given(order_id, status)` */
    given: (rows: readonly Row[]) => bind(named, rows),
  };
}

function textsOf(types: string[], end: string): string[] {
  return ['unnest(', ...types.map((type, index) => `::${type}[]${index < types.length - 1 ? ', ' : end}`)];
}
