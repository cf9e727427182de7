import { consoleCall } from './console-call.ts';
import { record } from './console-values.ts';
import { requestFilters } from './request-search.ts';

export interface RequestGroup {
  contract: string;
  endpoint: string;
  status: number;
  code: string | null;
  account_no: string | null;
  count: number;
  last_at: string;
  /** The last one. */
  trace_id: string;
  reason: string | null;
}

export const requestGroupsMax = 200;

const { account_no, contract, minutes, from, to } = requestFilters;

/** Refusals and failures of a time, the most frequent first. */
export const requestGrouped = consoleCall<{
  groups: RequestGroup[];
  has_more: boolean;
  from: string;
  to: string;
  /** Back to here only: the rest would have taken too long. null: all of it. */
  searched_to: string | null;
}>()('/requests/grouped', record({ minutes, from, to, account_no, contract }));
