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
import { InstantOrDay } from '../../../contract/main/times.ts';
import { isGiven } from '../../../contract/values.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { makeNormalizer } from '../../platform/json/normalize.ts';
import { formMistake, type Mistake, makeChecker } from '../../platform/json/schema.ts';
import type { Value } from '../../platform/postgres/bind-values.ts';
import type { Condition } from '../../platform/postgres/keyset-search.ts';

/** A parsed search, with the field names of the API. */
export interface SearchRequest {
  /** By field, in the order of the list's table rather than the order sent, so that equal searches compare as equal. */
  filters: Record<string, Condition>;
  sort: { field: string; descending: boolean } | null;
  pageSize: number;
  cursor: string | null;
  isCounted: boolean;
}

export type Reading = { kind: 'search'; search: SearchRequest } | { kind: 'mistakes'; mistakes: Mistake[] };

type Body = Record<string, unknown>;
/** The error of a value. */
type Check = (value: unknown) => Message[];

const checkPrefix = makeCheck(prefixText);
const namedMax = 60;
/** The maximum number of reported errors; formatting more would delay other requests. */
const unknownKeysMax = 1000;

/**
 * Parses the body of a search according to the fields of its list. A filter that is null or empty is ignored; an
 * unknown key is an error, unless it is listed in `apart`.
 */
export function makeSearchReader(list: SearchList, apart: readonly string[] = []): (body: Body) => Reading {
  const keys = new Map(
    Object.entries(list.fields).map(([name, field]) => [
      `${list.prefix}.${name}`,
      { name, field, check: makeCheck(field.value) },
    ]),
  );

  const normalize = makeNormalizer(SearchBody(list));
  const isPaged = !apart.includes('sort');
  const others = new Set([...pagingKeys, ...apart]);
  const noFilter = errorMessage('not_a_filter', { filters: [...keys.keys()].join(', ') });

  return (given) => {
    for (const [key, { field }] of keys) if (isAllNull(given[key], field)) given[key] = null;
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
      isCounted: readTotal(paging, mistakes),
    };
    return mistakes.length > 0 ? { kind: 'mistakes', mistakes } : { kind: 'search', search };
  };
}

export const pagingKeys = ['page_size', 'cursor', 'sort', 'total'];

/** A filter whose operators are all null is ignored, like one that is null itself. */
function isAllNull(given: unknown, { operators }: FilterField): boolean {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  const asked = Object.entries(given);
  return (
    asked.length > 0 && asked.every(([operator, value]) => value === null && operators.includes(operator as Operator))
  );
}

function readFilter(key: string, given: unknown, field: FilterField, check: Check, mistakes: Mistake[]): Condition {
  if (Array.isArray(given)) {
    if (given.length < 1 || given.length > anyOfMax)
      mistakes.push({ path: [key], message: errorMessage('too_many_filter_values', { limit: anyOfMax }) });
    else given.forEach((value, index) => void mistakes.push(...mistakesAt([key, index], value, check)));
    return { anyOf: given as Value[] };
  }
  if (typeof given === 'object' && given !== null && field.operators.length > 0)
    return readQuestions(key, given as Body, field, check, mistakes);
  if (typeof given === 'object' && given !== null)
    mistakes.push({ path: [key], message: errorMessage('not_filter_value') });
  else mistakes.push(...mistakesAt([key], given, check));
  return { anyOf: [given as Value] };
}

function readQuestions(
  key: string,
  given: Body,
  { operators }: FilterField,
  check: Check,
  mistakes: Mistake[],
): Condition {
  const asked = Object.entries(given);
  if (asked.length === 0)
    mistakes.push({ path: [key], message: errorMessage('no_operator', { operators: operators.join(', ') }) });
  for (const [operator, value] of asked) {
    if (!operators.includes(operator as Operator)) {
      mistakes.push({
        path: [key, named(operator)],
        message: errorMessage('not_an_operator', { operators: operators.join(', ') }),
      });
    } else mistakes.push(...mistakesAt([key, operator], value, operator === 'prefix' ? checkPrefix : check));
  }
  return given as Condition;
}

function mistakesAt(path: Mistake['path'], value: unknown, check: Check): Mistake[] {
  return check(value).map((message) => ({ path, message }));
}

/** For a time that is not a string, the message describes the time format instead of only requiring a string. */
function makeCheck(schema: TSchema): Check {
  const check = makeChecker(schema);
  const isTime = (schema as { format?: string }).format !== undefined || schema === InstantOrDay;
  return (value) => {
    if (isTime && typeof value !== 'string') return [formMistake(schema)];
    const checked = check(value);
    return checked.kind === 'valid' ? [] : checked.mistakes.map(({ message }) => message);
  };
}

function readSort({ sort }: Body, { prefix, fields }: SearchList, mistakes: Mistake[]): SearchRequest['sort'] {
  if (!isGiven(sort)) return null;
  const keys = sortKeysOf(fields);
  const sortKeys = keys.join(', ');
  if (typeof sort !== 'string') {
    mistakes.push({ path: ['sort'], message: errorMessage('not_sort', { fields: sortKeys }) });
    return null;
  }
  const descending = sort.startsWith('-');
  const key = descending ? sort.slice(1) : sort;
  const field = key.startsWith(`${prefix}.`) ? key.slice(prefix.length + 1) : key;
  if (keys.includes(field)) return { field, descending };
  mistakes.push({ path: ['sort'], message: errorMessage('not_a_sort_key', { key: named(sort), fields: sortKeys }) });
  return null;
}

function readPageSize(body: Body, mistakes: Mistake[]): number {
  const page_size = body.page_size ?? pageSizeDefault;
  const valid = Number.isInteger(page_size) && (page_size as number) >= 1 && (page_size as number) <= pageSizeMax;
  if (!valid) mistakes.push({ path: ['page_size'], message: errorMessage('not_page_size', { limit: pageSizeMax }) });
  return page_size as number;
}

function readCursor({ cursor }: Body, mistakes: Mistake[]): string | null {
  if (!isGiven(cursor)) return null;
  if (typeof cursor === 'string' && cursor.length >= 1 && cursor.length <= cursorLengthMax) return cursor;
  mistakes.push({
    path: ['cursor'],
    message: errorMessage('not_cursor'),
  });
  return null;
}

function readTotal({ total }: Body, mistakes: Mistake[]): boolean {
  if (!isGiven(total)) return false;
  if (typeof total !== 'boolean') mistakes.push({ path: ['total'], message: errorMessage('not_true_or_false') });
  return total === true;
}

/** Truncates text of the caller that is repeated in a message. */
function named(key: string): string {
  return key.length > namedMax ? `${key.slice(0, namedMax)}…` : key;
}
