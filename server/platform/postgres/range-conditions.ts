import type { ColumnType } from './position-order.ts';

type Bound = string | number;

interface Bounds {
  gte?: Bound;
  gt?: Bound;
  lte?: Bound;
  lt?: Bound;
  prefix?: string;
  within?: [Bound, Bound][];
  outside?: [Bound, Bound];
}

type BindBound = (value: unknown, type: ColumnType) => string;

/** Whether the matching rows are one range of an index. */
export function isRange({ gte, gt, lte, lt, prefix }: Bounds): boolean {
  return [gte, gt, lte, lt, prefix].some((bound) => bound !== undefined);
}

export function rangeConditions(
  column: string,
  type: ColumnType,
  { gte, gt, lte, lt, prefix }: Bounds,
  bind: BindBound,
): string[] {
  const beyond = prefix === undefined ? null : firstBeyond(prefix);
  return [
    ...(gte === undefined ? [] : [`${column} >= ${bind(gte, type)}`]),
    ...(gt === undefined ? [] : [`${column} > ${bind(gt, type)}`]),
    ...(lte === undefined ? [] : [`${column} <= ${bind(lte, type)}`]),
    ...(lt === undefined ? [] : [`${column} < ${bind(lt, type)}`]),
    ...(prefix === undefined ? [] : [`${column} >= ${bind(prefix, 'text')}`]),
    ...(beyond === null ? [] : [`${column} < ${bind(beyond, 'text')}`]),
  ];
}

/** Conditions about several ranges; no index leads to exactly their rows. */
export function scatteredConditions(
  column: string,
  type: ColumnType,
  { within, outside }: Bounds,
  bind: BindBound,
): string[] {
  const between = ([from, to]: [Bound, Bound]) => `${column} between ${bind(from, type)} and ${bind(to, type)}`;
  return [
    ...(within === undefined ? [] : [`(${within.map(between).join(' or ')})`]),
    ...(outside === undefined ? [] : [`not (${between(outside)})`]),
  ];
}

const lastCodePoint = 0x10ffff;

/** The smallest text greater than all texts with this prefix, compared byte by byte; null if there is none. */
export function firstBeyond(prefix: string): string | null {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return null;
  // The code points in between are surrogates, which are not characters.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1);
}
