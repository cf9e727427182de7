import { Button } from '@mantine/core';
import type { RequestContract, RequestRow, requestSearch } from '../../../contract/console/requests.ts';
import { column, idColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { bodyOf, choicesFilter, pickFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { CallsOverTime } from './calls-over-time.tsx';
import { endpointName, formatAnswer, formatDuration } from './request-words.ts';
import classes from './requests.module.css';
import { rangeBody, rangeDescription } from './time-range.ts';
import { TimeRangeField } from './time-range-field.tsx';
import { words } from './words.ts';

export const requestContracts = [
  'warehouse',
  'main',
  'logistics',
  'console',
] as const satisfies readonly RequestContract[];
const partnerContracts = requestContracts.filter((one) => one !== 'console');
const statusClasses = ['2xx', '4xx', '5xx'] as const;
/** The value of the account filter for unknown callers. */
export const unknownAccount = '-';

const description = {
  account: { ...pickFilter, field: null },
  contract: { ...choicesFilter(requestContracts), field: null },
  status: { ...pickFilter, field: null },
  endpoint: textFilter,
  document: { ...pickFilter, field: 'document_no' },
  code: pickFilter,
} as const;

export function RequestList() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const range = useUrlFilters(rangeDescription);
  const filters = useUrlFilters(description);
  const { account, contract, status } = filters.values;
  const list = useLiveList<typeof requestSearch>({
    path: '/requests/search',
    body: {
      ...rangeBody(range.values),
      ...callerBody(account, contract),
      ...(/^[1-5](xx|\d\d)$/.test(status) && { status: [status] }),
      ...bodyOf<typeof requestSearch>(filters),
    },
    keyOf: (row) => row.trace_id,
    topics: [],
  });
  const refresh = (
    <Button variant="default" loading={list.isStale} onClick={list.askAgain}>
      {shared.verb.refresh}
    </Button>
  );
  const { account_no } = callerBody(account, contract) as { account_no?: string | null };
  return (
    <>
      <CallsOverTime range={rangeBody(range.values)} accountNo={account_no} />
      <FilteredList
        filters={filters}
        labels={{
          account: shared.noun.account,
          contract: say.field.contract,
          status: say.field.answer,
          endpoint: say.field.endpoint,
          document: say.field.document,
          code: say.field.code,
        }}
        options={{
          account: useCallerOptions(),
          contract: requestContracts.map((value) => ({ value, label: say.contract[value] })),
          status: statusOptions(say.statusClass, status),
        }}
        placeholders={{ endpoint: say.endpointPlaceholder }}
        lead={<TimeRangeField range={range} />}
        name="requests"
        label={say.title}
        columns={useRequestColumns()}
        list={list}
        rowName={(row) => row.trace_id}
        rowLink={(row) => `/requests/${row.trace_id}`}
        toolbar={refresh}
        empty={say.empty}
        noMatches={say.empty}
      />
    </>
  );
}

function useRequestColumns(): Column<RequestRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    column('time', say.field.time, (row) => <Time at={row.at} absolute />, { alwaysShown: true }),
    column('answer', say.field.answer, (row) => (
      <StatusBadge tone={answerTone(row.status)}>{formatAnswer(row)}</StatusBadge>
    )),
    column('endpoint', say.field.endpoint, (row) => (
      <span className={classes.path} title={`${row.method} ${row.endpoint}`}>
        {endpointName(row.endpoint, shared.unknownEndpoint)}
      </span>
    )),
    column('account', shared.noun.account, (row) => (
      <span className={classes.caller}>{row.account_no ?? say.unknownAccount}</span>
    )),
    idColumn('document', say.field.document, (row) => row.document_no),
    column('why', say.field.why, (row) =>
      row.reason === null ? null : <ServerText text={row.reason} className={classes.reason} isCut />,
    ),
    column('duration', say.field.duration, (row) => formatDuration(row.duration_ms, say.milliseconds), {
      align: 'right',
    }),
    column('contract', say.field.contract, (row) => say.contract[row.contract as RequestContract] ?? row.contract, {
      hiddenAtFirst: true,
    }),
    idColumn('traceId', shared.noun.traceId, (row) => row.trace_id, { hiddenAtFirst: true }),
  ];
}

/** Without a choice, the console's own requests are left out. */
export function callerBody(account: string, contract: RequestContract[]) {
  return {
    contract: contract.length > 0 ? contract : [...partnerContracts],
    ...(account !== '' && { account_no: account === unknownAccount ? null : account }),
  };
}

/** The list of grouped errors links here with a single status, which must be one of the options. */
function statusOptions(classWords: Record<(typeof statusClasses)[number], string>, chosen: string): Option[] {
  const known = statusClasses.map((value): Option => ({ value, label: classWords[value] }));
  return chosen === '' || known.some(({ value }) => value === chosen)
    ? known
    : [...known, { value: chosen, label: chosen }];
}

export function useCallerOptions(): Option[] {
  const say = useWords(words);
  return [...(useAccountOptions() ?? []), { value: unknownAccount, label: say.unknownAccount }];
}

export function answerTone(status: number) {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'stopped' : 'done';
}
