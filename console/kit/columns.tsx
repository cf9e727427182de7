import classes from './data-table.module.css';
import type { Column } from './data-table.tsx';
import { IdText } from './id-text.tsx';
import { formatNumber } from './number.ts';
import { StatusBadge, type Tone } from './status-badge.tsx';
import { Time } from './time.tsx';

type More<Row> = Omit<Column<Row>, 'key' | 'title' | 'cell'>;
type Cell<Row> = Column<Row>['cell'];

export function column<Row>(key: string, title: string, cell: Cell<Row>, more: More<Row> = {}): Column<Row> {
  return { key, title, cell, ...more };
}

/** A number or id; without a copy button, which would be noise on every row. */
export function idColumn<Row>(
  key: string,
  title: string,
  read: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { key, title, cell: (row) => <IdText value={read(row)} label={title} copy={false} />, ...more };
}

export function numberColumn<Row>(
  key: string,
  title: string,
  read: (row: Row) => number,
  more: More<Row> = {},
): Column<Row> {
  return { key, title, align: 'right', cell: (row) => formatNumber(read(row)), ...more };
}

/** A day or a word: Chinese words could be divided anywhere. */
export function wordColumn<Row>(key: string, title: string, read: (row: Row) => string): Column<Row> {
  return { key, title, cell: (row) => <span className={classes.word}>{read(row)}</span> };
}

export function timeColumn<Row>(
  key: string,
  title: string,
  read: (row: Row) => string | null,
  more: More<Row> = {},
): Column<Row> {
  return { key, title, cell: (row) => <Time at={read(row)} />, ...more };
}

export function statusColumn<Row extends { status: Status }, Status extends string>(
  title: string,
  tones: Record<Status, Tone>,
  names: Record<Status, string>,
): Column<Row> {
  return {
    key: 'status',
    title,
    cell: ({ status }) => <StatusBadge tone={tones[status]}>{names[status]}</StatusBadge>,
  };
}
