import { useSearchParams } from 'react-router';

/** One filter of a list and how it stands in the address. */
export type Filter =
  | { kind: 'text' }
  /** One or more of a fixed list. */
  | { kind: 'choices'; choices: readonly string[] }
  /** One of a list that is only known at run time: an account, a warehouse. */
  | { kind: 'pick' }
  /** One or more of a list that is only known at run time. */
  | { kind: 'picks' }
  | { kind: 'dates' }
  | { kind: 'flag' };

export const textFilter = { kind: 'text' } as const;
export const pickFilter = { kind: 'pick' } as const;
export const picksFilter = { kind: 'picks' } as const;
export const datesFilter = { kind: 'dates' } as const;
export const flagFilter = { kind: 'flag' } as const;
export const choicesFilter = <const Choice extends string>(choices: readonly Choice[]) => ({ kind: 'choices', choices }) as const;

export interface Dates {
  /** As 2026-11-16, in Taipei; null: open. */
  from: string | null;
  to: string | null;
}

type ValueOf<F extends Filter> = F extends { kind: 'choices'; choices: readonly (infer Choice)[] }
  ? Choice[]
  : F extends { kind: 'picks' }
    ? string[]
    : F extends { kind: 'dates' }
      ? Dates
      : F extends { kind: 'flag' }
        ? boolean
        : string;

export type FilterDescription = Record<string, Filter>;
export type FilterValues<Description extends FilterDescription> = { -readonly [Name in keyof Description]: ValueOf<Description[Name]> };

export interface UrlFilters<Description extends FilterDescription> {
  description: Description;
  values: FilterValues<Description>;
  set(change: Partial<FilterValues<Description>>): void;
  clear(): void;
  isEmpty: boolean;
}

/** Filters that live in the address: `const filters = useUrlFilters(orderFilters)`; describe them once, outside of the component. */
export function useUrlFilters<Description extends FilterDescription>(description: Description): UrlFilters<Description> {
  const [parameters, setParameters] = useSearchParams();
  const values = readFilters(description, parameters);
  const write = (next: Record<string, unknown>, replace: boolean) =>
    setParameters((before) => writeFilters(description, next, before), { replace, preventScrollReset: true });
  return {
    description,
    values,
    set: (change) => {
      // Going on typing in a field is one step back in the history, not one per letter.
      const isTyping = Object.entries(change).every(
        ([name, value]) => description[name]?.kind === 'text' && value !== '' && values[name] !== '',
      );
      write({ ...values, ...change }, isTyping);
    },
    clear: () => write(emptyFilters(description), false),
    isEmpty: Object.entries(description).every(([name, filter]) => isUnset(filter, values[name])),
  };
}

export function readFilters<Description extends FilterDescription>(
  description: Description,
  parameters: URLSearchParams,
): FilterValues<Description> {
  const entries = Object.entries(description).map(([name, filter]) => [name, readFilter(name, filter, parameters)]);
  return Object.fromEntries(entries) as FilterValues<Description>;
}

/** In the order of the description, so that the same filters always have the same address; parameters of others stay. */
export function writeFilters(description: FilterDescription, values: Record<string, unknown>, before: URLSearchParams): URLSearchParams {
  const names = new Set(Object.keys(description).flatMap((name) => [name, `${name}_from`, `${name}_to`]));
  const after = new URLSearchParams();
  for (const [name, filter] of Object.entries(description)) {
    if (!isUnset(filter, values[name])) appendFilter(after, name, filter, values[name]);
  }
  for (const [name, value] of before) {
    if (!names.has(name)) after.append(name, value);
  }
  return after;
}

export function isUnset(filter: Filter, value: unknown): boolean {
  switch (filter.kind) {
    case 'text':
    case 'pick':
      return value === '';
    case 'choices':
    case 'picks':
      return (value as string[]).length === 0;
    case 'dates':
      return (value as Dates).from === null && (value as Dates).to === null;
    case 'flag':
      return value === false;
    default:
      return filter satisfies never;
  }
}

function readFilter(name: string, filter: Filter, parameters: URLSearchParams): unknown {
  switch (filter.kind) {
    case 'text':
    case 'pick':
      return parameters.get(name)?.trim() ?? '';
    case 'choices':
      return listIn(parameters, name).filter((choice) => filter.choices.includes(choice));
    case 'picks':
      return listIn(parameters, name);
    case 'dates':
      return { from: dateIn(parameters, `${name}_from`), to: dateIn(parameters, `${name}_to`) };
    case 'flag':
      return parameters.get(name) === '1';
    default:
      return filter satisfies never;
  }
}

function appendFilter(parameters: URLSearchParams, name: string, filter: Filter, value: unknown): void {
  switch (filter.kind) {
    case 'text':
    case 'pick':
      parameters.set(name, value as string);
      break;
    case 'choices':
    case 'picks':
      parameters.set(name, (value as string[]).join(','));
      break;
    case 'dates': {
      const { from, to } = value as Dates;
      if (from !== null) parameters.set(`${name}_from`, from);
      if (to !== null) parameters.set(`${name}_to`, to);
      break;
    }
    case 'flag':
      parameters.set(name, '1');
      break;
    default:
      filter satisfies never;
  }
}

function emptyFilters(description: FilterDescription): Record<string, unknown> {
  return readFilters(description, new URLSearchParams());
}

function listIn(parameters: URLSearchParams, name: string): string[] {
  return [...new Set((parameters.get(name) ?? '').split(',').filter((part) => part !== ''))];
}

function dateIn(parameters: URLSearchParams, name: string): string | null {
  const given = parameters.get(name);
  return given !== null && /^\d{4}-\d\d-\d\d$/.test(given) ? given : null;
}
