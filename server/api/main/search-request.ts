import type { TSchema } from 'typebox';
import {
  anyOfMax,
  cursorLengthMax,
  type FilterField,
  type Operator,
  pageSizeDefault,
  pageSizeMax,
  prefixText,
  SearchBody,
  type SearchList,
  sortKeysOf,
} from '../../../contract/main/search-list.ts';
import { isGiven } from '../../../contract/values.ts';
import type { Condition, Value } from '../../platform/keyset-search.ts';
import { makeNormalizer } from '../../platform/normalize.ts';
import { type Mistake, makeChecker } from '../../platform/schema.ts';

/** A search as it was sent, read; in the words of the wire. */
export interface SearchRequest {
  /** By field, in the order of the list's table, however they were sent: equal searches look equal. */
  filters: Record<string, Condition>;
  sort: { field: string; descending: boolean } | null;
  pageSize: number;
  cursor: string | null;
}

export type Reading = { kind: 'search'; search: SearchRequest } | { kind: 'mistakes'; mistakes: Mistake[] };

type Body = Record<string, unknown>;
/** What is wrong with a value. */
type Check = (value: unknown) => string[];

const checkPrefix = makeCheck(prefixText);
const namedMax = 60;
/** More are not told of; finding words for them would hold up everybody. */
const unknownKeysMax = 1000;

/**
 * Reads the body of a search by the table of its list. A filter that is null or an empty text asks nothing; an unknown key is a mistake, unless it
 * stands `apart` from the search.
 */
export function makeSearchReader(list: SearchList, apart: readonly string[] = []): (body: Body) => Reading {
  const keys = new Map(
    Object.entries(list.fields).map(([name, field]) => [`${list.prefix}.${name}`, { name, field, check: makeCheck(field.value) }]),
  );

  const normalize = makeNormalizer(SearchBody(list));
  const isPaged = !apart.includes('sort');
  const others = new Set([...pagingKeys, ...apart]);
  const noFilter = `is not a filter of this list; there are ${[...keys.keys()].join(', ')}`;

  return (given) => {
    const body = normalize(given) as Body;
    const mistakes: Mistake[] = Object.keys(body)
      .filter((key) => !keys.has(key) && !others.has(key))
      .slice(0, unknownKeysMax)
      .map((key) => ({ path: [named(key)], message: noFilter }));
    const filters: Record<string, Condition> = {};
    for (const [key, { name, field, check }] of keys) {
      if (isGiven(body[key])) filters[name] = readFilter(key, body[key], field, check, mistakes);
    }
    const paging = isPaged ? body : {};
    const search = {
      filters,
      sort: readSort(paging, list, mistakes),
      pageSize: readPageSize(paging, mistakes),
      cursor: readCursor(paging, mistakes),
    };
    return mistakes.length > 0 ? { kind: 'mistakes', mistakes } : { kind: 'search', search };
  };
}

export const pagingKeys = ['page_size', 'cursor', 'sort'];

function readFilter(key: string, given: unknown, field: FilterField, check: Check, mistakes: Mistake[]): Condition {
  if (Array.isArray(given)) {
    if (given.length < 1 || given.length > anyOfMax) mistakes.push({ path: [key], message: `must have 1 to ${anyOfMax} values` });
    else given.forEach((value, index) => void mistakes.push(...mistakesAt([key, index], value, check)));
    return { anyOf: given as Value[] };
  }
  if (typeof given === 'object' && given !== null && field.operators.length > 0)
    return readQuestions(key, given as Body, field, check, mistakes);
  if (typeof given === 'object' && given !== null) mistakes.push({ path: [key], message: 'must be a value, or a list of values' });
  else mistakes.push(...mistakesAt([key], given, check));
  return { anyOf: [given as Value] };
}

function readQuestions(key: string, given: Body, { operators }: FilterField, check: Check, mistakes: Mistake[]): Condition {
  const asked = Object.entries(given);
  if (asked.length === 0) mistakes.push({ path: [key], message: `must name an operator: ${operators.join(', ')}` });
  for (const [operator, value] of asked) {
    if (!operators.includes(operator as Operator)) {
      mistakes.push({ path: [key, named(operator)], message: `is not an operator of this filter; there are ${operators.join(', ')}` });
    } else mistakes.push(...mistakesAt([key, operator], value, operator === 'prefix' ? checkPrefix : check));
  }
  return given as Condition;
}

function mistakesAt(path: Mistake['path'], value: unknown, check: Check): Mistake[] {
  return check(value).map((message) => ({ path, message }));
}

/** A time that is no text at all is told what a time is, and not only that it is a text. */
function makeCheck(schema: TSchema): Check {
  const check = makeChecker(schema);
  const { format, description } = schema as { format?: string; description?: string };
  return (value) => {
    if (format !== undefined && typeof value !== 'string') return [`must be ${description}`];
    const checked = check(value);
    return checked.kind === 'valid' ? [] : checked.mistakes.map(({ message }) => message);
  };
}

function readSort({ sort }: Body, { prefix, fields }: SearchList, mistakes: Mistake[]): SearchRequest['sort'] {
  if (!isGiven(sort)) return null;
  const keys = sortKeysOf(fields);
  const there = `there are ${keys.join(', ')}`;
  if (typeof sort !== 'string') {
    mistakes.push({ path: ['sort'], message: `must be a field, or "-" and a field; ${there}` });
    return null;
  }
  const descending = sort.startsWith('-');
  const key = descending ? sort.slice(1) : sort;
  const field = key.startsWith(`${prefix}.`) ? key.slice(prefix.length + 1) : key;
  if (keys.includes(field)) return { field, descending };
  mistakes.push({ path: ['sort'], message: `${named(sort)} is not a sort key of this list; ${there}` });
  return null;
}

function readPageSize(body: Body, mistakes: Mistake[]): number {
  const page_size = body.page_size ?? pageSizeDefault;
  const valid = Number.isInteger(page_size) && (page_size as number) >= 1 && (page_size as number) <= pageSizeMax;
  if (!valid) mistakes.push({ path: ['page_size'], message: `must be a whole number from 1 to ${pageSizeMax}` });
  return page_size as number;
}

function readCursor({ cursor }: Body, mistakes: Mistake[]): string | null {
  if (!isGiven(cursor)) return null;
  if (typeof cursor === 'string' && cursor.length >= 1 && cursor.length <= cursorLengthMax) return cursor;
  mistakes.push({ path: ['cursor'], message: 'must be the next_cursor of an earlier answer; leave it out for the first page' });
  return null;
}

/** What a caller made up is repeated to them, but not at any length. */
function named(key: string): string {
  return key.length > namedMax ? `${key.slice(0, namedMax)}…` : key;
}
