import type { FilterField } from '../../../contract/main/search-list.ts';
import { InstantOrDay, readSpan, type Span } from '../../../contract/main/times.ts';
import type { Condition } from '../../platform/postgres/keyset-search.ts';

/** The filters of a request, with instants where the request has times or dates. */
export function toConditions(
  fields: Record<string, FilterField>,
  filters: Record<string, Condition>,
): Record<string, Condition> {
  return Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      name,
      fields[name]!.value === InstantOrDay ? toInstants(filter) : filter,
    ]),
  );
}

/**
 * A date is a whole day: from it on (gte), after it (gt), before it (lt), until its end (lte), on it, or on another day
 * (ne).
 */
function toInstants({ anyOf, ne, gte, gt, lte, lt }: Condition): Condition {
  const spanOf = (time: string | number) => readSpan(String(time))!;
  return {
    ...(anyOf && onAny(anyOf.map(spanOf))),
    ...(ne !== undefined && notOn(spanOf(ne))),
    ...(gte !== undefined && { gte: spanOf(gte).from }),
    ...(gt !== undefined && { gt: spanOf(gt).to }),
    ...(lte !== undefined && { lte: spanOf(lte).to }),
    ...(lt !== undefined && { lt: spanOf(lt).from }),
  };
}

/** Several days are found between the first and the last of them. All instants have the same form, so text compares. */
function onAny(spans: Span[]): Condition {
  if (spans.every(({ from, to }) => from === to)) return { anyOf: spans.map(({ from }) => from) };
  const gte = spans.map(({ from }) => from).reduce((one, other) => (isBefore(one, other) ? one : other));
  const lte = spans.map(({ to }) => to).reduce((one, other) => (isBefore(one, other) ? other : one));
  const range = { gte, lte };
  return spans.length === 1 ? range : { ...range, within: spans.map(({ from, to }) => [from, to]) };
}

const [earliest, latest] = ['-infinity', 'infinity'];

function isBefore(one: string, other: string): boolean {
  return one === earliest || other === latest || (one !== latest && other !== earliest && one < other);
}

function notOn({ from, to }: Span): Condition {
  return from === to ? { ne: from } : { outside: [from, to] };
}
