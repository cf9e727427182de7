import { RowArray, type TypedColumn } from './row-array.ts';
import { Fragment } from './sql.ts';
import type { Scalar } from './wire-types.ts';

/** The PostgreSQL type of a column and how to read its value from a row. */
type RowColumn<Row> = readonly [
  type: TypedColumn<Row>[0] | 'boolean' | 'smallint' | 'timestamptz',
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
  const named = textsOf(types, `) as given(${namesOf(columns)})`);

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

/**
 * The same as one array of a composite type, whose columns have these types in this order (migrations/0001_schema.sql).
 * PostgreSQL calls a function per array, so seventeen arrays with one row take three times as long.
 */
export function typedRowParameters<Row>(type: string, columns: Record<string, TypedColumn<Row>>) {
  const inOrder = Object.values(columns);
  const named = ['unnest(', `::${type}[]) as given(${namesOf(columns)})`];
  return {
    /** `unnest($1::new_order[]) as given(order_id, status)` */
    given: (rows: readonly Row[]) => new Fragment(named, [new RowArray(type, rows, inOrder)]),
  };
}

function namesOf(columns: object): string {
  return Object.keys(columns).join(', ');
}

function textsOf(types: string[], end: string): string[] {
  return ['unnest(', ...types.map((type, index) => `::${type}[]${index < types.length - 1 ? ', ' : end}`)];
}
