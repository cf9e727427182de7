import { useSearchParams } from 'react-router';
import type { BodyOf, ConsoleCall } from '../../contract/console/console-call.ts';
import { type DatePreset, datePresets, presetDays } from './date-presets.ts';

interface Sent {
  /** The field of the request, by default the filter's name. null: the page builds this part of the request itself. */
  field?: string | null;
}

/** A filter of a list. Its kind determines its form in the URL. */
export type Filter = Sent &
  (
    | { kind: 'text'; isNumber?: true }
    /** One or more values of a fixed list. */
    | { kind: 'choices'; choices: readonly string[] }
    /** One value of a list that is loaded at run time, such as accounts. With `choices`, other values are not sent. */
    | { kind: 'pick'; choices?: readonly string[] }
    /** One or more values of a list that is loaded at run time. */
    | { kind: 'picks'; isNumber?: true }
    | { kind: 'dates' }
    | { kind: 'flag' }
  );

export const textFilter = { kind: 'text' } as const;
export const pickFilter = { kind: 'pick' } as const;
export const picksFilter = { kind: 'picks' } as const;
export const warehousesFilter = { kind: 'picks', isNumber: true, field: 'warehouse_no' } as const;
export const datesFilter = { kind: 'dates' } as const;
export const flagFilter = { kind: 'flag' } as const;
export const choicesFilter = <const Choice extends string>(choices: readonly Choice[]) =>
  ({ kind: 'choices', choices }) as const;

export interface Dates {
  /** A date in Taipei such as 2026-11-16; null: no limit. */
  from: string | null;
  to: string | null;
  /** The period that these days are at present. */
  preset?: DatePreset;
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
export type FilterValues<Description extends FilterDescription> = {
  -readonly [Name in keyof Description]: ValueOf<Description[Name]>;
};

export interface UrlFilters<Description extends FilterDescription> {
  description: Description;
  values: FilterValues<Description>;
  set(change: Partial<FilterValues<Description>>): void;
  clear(): void;
  isEmpty: boolean;
}

/** Stores filters in the URL: `const filters = useUrlFilters(orderFilters)`, defined outside the component. */
export function useUrlFilters<Description extends FilterDescription>(
  description: Description,
): UrlFilters<Description> {
  const [parameters, setParameters] = useSearchParams();
  const values = readFilters(description, parameters);
  const write = (next: Record<string, unknown>, replace: boolean) =>
    setParameters((before) => writeFilters(description, next, before), { replace, preventScrollReset: true });
  return {
    description,
    values,
    set: (change) => {
      // Typing in a field adds one entry to the browser's history, not one per character.
      const isTyping = Object.entries(change).every(
        ([name, value]) => description[name]?.kind === 'text' && value !== '' && values[name] !== '',
      );
      write({ ...values, ...change }, isTyping);
    },
    clear: () => write(emptyFilters(description), false),
    isEmpty: Object.entries(description).every(([name, filter]) => isUnset(filter, values[name])),
  };
}

/** Builds the request body. Filters that are not set are left out, because the schemas are strict. */
export function bodyOf<Call extends ConsoleCall>({
  description,
  values,
}: {
  description: FilterDescription;
  values: Record<string, unknown>;
}): Omit<BodyOf<Call>, 'cursor' | 'page_size'> {
  const parts = Object.entries(description).map(([name, filter]) =>
    filter.field === null ? {} : partOf(filter.field ?? name, filter, values[name]),
  );
  return Object.assign({}, ...parts);
}

function partOf(field: string, filter: Filter, value: unknown): Record<string, unknown> {
  if (isUnset(filter, value)) return {};
  switch (filter.kind) {
    case 'text':
      if (!filter.isNumber) return { [field]: value };
      return isRowNumber(Number(value)) ? { [field]: Number(value) } : {};
    case 'pick':
      return filter.choices?.includes(value as string) === false ? {} : { [field]: value };
    case 'picks': {
      if (!filter.isNumber) return { [field]: value };
      const numbers = (value as string[]).map(Number).filter(isRowNumber);
      return numbers.length > 0 ? { [field]: numbers } : {};
    }
    case 'dates': {
      const { from, to } = value as Dates;
      return { ...(from !== null && { [`${field}_from`]: from }), ...(to !== null && { [`${field}_to`]: to }) };
    }
    case 'choices':
    case 'flag':
      return { [field]: value };
    default:
      return filter satisfies never;
  }
}

function isRowNumber(value: number): boolean {
  return Number.isInteger(value) && value > 0;
}

export function readFilters<Description extends FilterDescription>(
  description: Description,
  parameters: URLSearchParams,
): FilterValues<Description> {
  const entries = Object.entries(description).map(([name, filter]) => [name, readFilter(name, filter, parameters)]);
  return Object.fromEntries(entries) as FilterValues<Description>;
}

/** Writes filters in the order of the description, so that equal filters have equal URLs. Other parameters are kept. */
export function writeFilters(
  description: FilterDescription,
  values: Record<string, unknown>,
  before: URLSearchParams,
): URLSearchParams {
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
      return datesIn(parameters, name);
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
      const { from, to, preset } = value as Dates;
      if (preset !== undefined) {
        parameters.set(name, preset);
        break;
      }
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

function datesIn(parameters: URLSearchParams, name: string): Dates {
  const preset = datePresets.find((one) => one === parameters.get(name));
  if (preset !== undefined) return { ...presetDays(preset), preset };
  return { from: dateIn(parameters, `${name}_from`), to: dateIn(parameters, `${name}_to`) };
}

function dateIn(parameters: URLSearchParams, name: string): string | null {
  const given = parameters.get(name);
  return given !== null && /^\d{4}-\d\d-\d\d$/.test(given) ? given : null;
}
