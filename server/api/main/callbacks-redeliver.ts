import { Type } from 'typebox';
import {
  CallbacksRedeliverBody,
  type CallbacksRedeliverRetval,
  eventIdsMax,
  redeliverMax,
} from '../../../contract/main/callbacks-redeliver.ts';
import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import { isGiven } from '../../../contract/values.ts';
import { errorMessage } from '../../../messages/errors.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import { done, notDone } from '../../http/done-envelope.ts';
import { ProblemError } from '../../http/problem.ts';
import { makeNormalizer } from '../../platform/json/normalize.ts';
import { type Mistake, makeChecker } from '../../platform/json/schema.ts';
import type { Condition } from '../../platform/postgres/keyset-search.ts';
import { operation } from './main-contract.ts';
import { toConditions } from './search-conditions.ts';
import { makeSearchReader, pagingKeys } from './search-request.ts';

type Body = Record<string, unknown>;

/** Redelivers callbacks: those with these event IDs, or all that match the filters. */
export function callbacksRedeliver({
  findCallbackKeys,
  redeliver,
}: Pick<DomainOperations, 'findCallbackKeys' | 'redeliver'>) {
  return operation('callbacks.write', {
    path: '/callbacks/redeliver',
    body: Type.Object({}),
    async handle({ account }, body) {
      const { filters, isDryRun } = readRedelivery(body as Body);
      const callbacks = await findCallbackKeys({ accountIds: [account.accountId], filters }, redeliverMax + 1);
      const erased = callbacks.filter(({ isErased }) => isErased).length;
      if (callbacks.length > redeliverMax) {
        return notDone(errorMessage('too_many_callbacks', { max: redeliverMax }), 400);
      }
      const counted = isDryRun ? { count: callbacks.length - erased, erased } : await redeliver(callbacks);
      const retval: CallbacksRedeliverRetval = { count: counted.count, erased: counted.erased };
      return done(retval);
    },
  });
}

const ownKeys = ['event_ids', 'dry_run'];
const normalize = makeNormalizer(CallbacksRedeliverBody);
const readFilters = makeSearchReader(callbacksSearch, [...ownKeys, ...pagingKeys]);
const checkEventIds = makeChecker(
  Type.Array(callbacksSearch.fields.event_id.value, { minItems: 1, maxItems: eventIdsMax }),
);

function readRedelivery(given: Body): { filters: Record<string, Condition>; isDryRun: boolean } {
  const emptied = operatorsWithoutValue(given);
  if (emptied.length > 0) throw new ProblemError({ kind: 'invalid', mistakes: emptied });
  const body = normalize(given) as Body;
  const { event_ids } = body;
  const dryRun = body.dry_run ?? false;
  const mistakes: Mistake[] = pagingKeys
    .filter((key) => Object.hasOwn(body, key))
    .map((key) => ({ path: [key], message: errorMessage('for_searching_only') }));
  const reading = readFilters(body);
  if (reading.kind === 'mistakes') mistakes.push(...reading.mistakes);
  if (typeof dryRun !== 'boolean') mistakes.push({ path: ['dry_run'], message: errorMessage('not_true_or_false') });
  // An empty filter must not redeliver all callbacks.
  const isFiltered = reading.kind === 'mistakes' || Object.keys(reading.search.filters).length > 0;
  if (!isGiven(event_ids) && !isFiltered)
    mistakes.push({ path: ['event_ids'], message: errorMessage('no_callbacks_named') });
  if (isGiven(event_ids) && isFiltered)
    mistakes.push({ path: ['event_ids'], message: errorMessage('callbacks_named_twice') });
  if (isGiven(event_ids)) mistakes.push(...mistakesOfEventIds(event_ids));
  if (mistakes.length > 0 || reading.kind === 'mistakes') throw new ProblemError({ kind: 'invalid', mistakes });
  return {
    filters: isGiven(event_ids)
      ? { event_id: { anyOf: event_ids as string[] } }
      : toConditions(callbacksSearch.fields, reading.search.filters),
    isDryRun: dryRun as boolean,
  };
}

/**
 * A search ignores an operator that is null or empty. Here, that would redeliver callbacks that the caller meant to
 * exclude, so it is an error. A filter that is null as a whole is a field that was not sent, as everywhere.
 */
function operatorsWithoutValue(given: Body): Mistake[] {
  return Object.entries(callbacksSearch.fields).flatMap(([name, { operators }]) => {
    const key = `${callbacksSearch.prefix}.${name}`;
    const filter = given[key];
    if (typeof filter !== 'object' || filter === null || Array.isArray(filter)) return [];
    return operators
      .filter((operator) => Object.hasOwn(filter, operator) && ['', null].includes((filter as Body)[operator] as null))
      .map((operator) => ({ path: [key, operator], message: errorMessage('no_operator_value') }));
  });
}

function mistakesOfEventIds(eventIds: unknown): Mistake[] {
  const checked = checkEventIds(eventIds);
  return checked.kind === 'valid'
    ? []
    : checked.mistakes.map(({ path, message }) => ({ path: ['event_ids', ...path], message }));
}
