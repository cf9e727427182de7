import type { ColumnType } from './position-order.ts';

export type Value = string | number;

/** Adds a value as a parameter of the statement and returns its text, such as `$1::text`. */
export type Bind = (value: unknown, type: ColumnType | `${ColumnType}[]`) => string;

export interface Binds {
  bind: Bind;
  /**
   * If the planner knows that most rows have this value, it would walk another index and filter, which is slow in ranges
   * without such rows. It does not look into a subquery, so it uses the index that leads to the value.
   */
  unseen: Bind;
}
