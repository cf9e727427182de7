import { Type } from 'typebox';
import { type CallbacksRedeliverRetval, eventIdsMax, redeliverMax } from '../../../contract/main/callbacks-redeliver.ts';
import { callbacksSearch } from '../../../contract/main/callbacks-search.ts';
import type { Condition, Search } from '../../platform/keyset-search.ts';
import { type Mistake, makeChecker } from '../../platform/schema.ts';
import { done, notDone } from '../done-envelope.ts';
import { ProblemError } from '../problem.ts';
import { operation } from './main-contract.ts';
import { makeSearchReader, pagingKeys } from './search-request.ts';

export interface RedeliverOperations {
  findCallbackIds(search: Pick<Search, 'accountIds' | 'filters'>, limit: number): Promise<number[]>;
  redeliver(callbackIds: number[]): Promise<number>;
}

type Body = Record<string, unknown>;

/** Sends callbacks again: those of these events, or all that a filter finds. */
export function callbacksRedeliver({ findCallbackIds, redeliver }: RedeliverOperations) {
  return operation('callbacks.write', {
    path: '/callbacks/redeliver',
    body: Type.Object({}),
    async handle({ account }, body) {
      const { filters, isDryRun } = readRedelivery(body as Body);
      const callbackIds = await findCallbackIds({ accountIds: [account.accountId], filters }, redeliverMax + 1);
      if (callbackIds.length > redeliverMax) {
        return notDone(`more than ${redeliverMax} callbacks fit; narrow it down, for example by callbacks.created_at`, 400);
      }
      const retval: CallbacksRedeliverRetval = { count: isDryRun ? callbackIds.length : await redeliver(callbackIds) };
      return done(retval);
    },
  });
}

const ownKeys = ['event_ids', 'dry_run'];
const readFilters = makeSearchReader(callbacksSearch, [...ownKeys, ...pagingKeys]);
const checkEventIds = makeChecker(Type.Array(callbacksSearch.fields.event_id.value, { minItems: 1, maxItems: eventIdsMax }));

function readRedelivery(body: Body): { filters: Record<string, Condition>; isDryRun: boolean } {
  const { event_ids, dry_run = false } = body;
  const mistakes: Mistake[] = pagingKeys
    .filter((key) => Object.hasOwn(body, key))
    .map((key) => ({ path: [key], message: 'is for searching only' }));
  const reading = readFilters(body);
  if (reading.kind === 'mistakes') mistakes.push(...reading.mistakes);
  if (typeof dry_run !== 'boolean') mistakes.push({ path: ['dry_run'], message: 'must be true or false' });
  const isFiltered = Object.keys(body).some((key) => !ownKeys.includes(key));
  if (event_ids === undefined && !isFiltered) mistakes.push({ path: ['event_ids'], message: 'is missing; or say by filters which' });
  if (event_ids !== undefined && isFiltered) mistakes.push({ path: ['event_ids'], message: 'must not be given together with filters' });
  const checked = checkEventIds(event_ids ?? ['00000000-0000-0000-0000-000000000000']);
  if (checked.kind === 'mistakes') {
    mistakes.push(...checked.mistakes.map(({ path, message }) => ({ path: ['event_ids', ...path], message })));
  }
  if (mistakes.length > 0) throw new ProblemError({ kind: 'invalid', mistakes });
  const chosen = event_ids === undefined ? (reading as { search: { filters: Record<string, Condition> } }).search.filters : null;
  return { filters: chosen ?? { event_id: { anyOf: event_ids as string[] } }, isDryRun: dry_run as boolean };
}
