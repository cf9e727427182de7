import { Button } from '@mantine/core';
import type { RequestContract, RequestRow, requestSearch } from '../../../contract/console/request-search.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type Option } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { choicesFilter, type FilterValues, pickFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { wordAnswer, wordDuration } from './request-words.ts';
import classes from './requests.module.css';
import { rangeBody, rangeDescription } from './time-range.ts';
import { TimeRangeField } from './time-range-field.tsx';
import { words } from './words.ts';

export const requestContracts = ['warehouse', 'main', 'logistics', 'console'] as const satisfies readonly RequestContract[];
/** The console's own calls are only shown to who asks for them. */
export const partnerContracts = requestContracts.filter((one) => one !== 'console');
const statusClasses = ['2xx', '4xx', '5xx'] as const;
/** In the address: callers who are not known. */
export const unknownAccount = '-';

const description = {
  account: pickFilter,
  contract: choicesFilter(requestContracts),
  status: pickFilter,
  endpoint: textFilter,
  document: pickFilter,
  code: pickFilter,
} as const;

export function RequestList() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const range = useUrlFilters(rangeDescription);
  const filters = useUrlFilters(description);
  const { status } = filters.values;
  const list = useLiveList<typeof requestSearch>({
    path: '/requests/search',
    body: { ...rangeBody(range.values), ...filterBody(filters.values) },
    keyOf: (row) => row.trace_id,
    topics: [],
  });
  const columns: Column<RequestRow>[] = [
    { key: 'time', title: say.field.time, cell: (row) => <Time at={row.at} absolute />, alwaysShown: true },
    {
      key: 'answer',
      title: say.field.answer,
      cell: (row) => <StatusBadge tone={answerTone(row.status)}>{wordAnswer(row)}</StatusBadge>,
    },
    {
      key: 'endpoint',
      title: say.field.endpoint,
      cell: (row) => (
        <span className={classes.path} title={`${row.method} ${row.endpoint}`}>
          {row.endpoint}
        </span>
      ),
    },
    {
      key: 'account',
      title: shared.noun.account,
      cell: (row) => <span className={classes.caller}>{row.account_no ?? say.unknownAccount}</span>,
    },
    {
      key: 'document',
      title: say.field.document,
      cell: (row) => <IdText value={row.document_no} label={say.field.document} copy={false} />,
    },
    {
      key: 'why',
      title: say.field.why,
      cell: (row) => (row.reason === null ? null : <ServerText text={row.reason} className={classes.reason} isCut />),
    },
    { key: 'duration', title: say.field.duration, align: 'right', cell: (row) => wordDuration(row.duration_ms, say.milliseconds) },
    {
      key: 'contract',
      title: say.field.contract,
      cell: (row) => say.contract[row.contract as RequestContract] ?? row.contract,
      hiddenAtFirst: true,
    },
    {
      key: 'traceId',
      title: shared.noun.traceId,
      cell: (row) => <IdText value={row.trace_id} label={shared.noun.traceId} copy={false} />,
      hiddenAtFirst: true,
    },
  ];
  const refresh = (
    <Button variant="default" loading={list.isStale} onClick={list.askAgain}>
      {shared.verb.refresh}
    </Button>
  );
  return (
    <>
      <FilterBar
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
      />
      <DataTable
        name="requests"
        label={say.title}
        columns={columns}
        list={list}
        rowName={(row) => row.trace_id}
        rowLink={(row) => `/requests/${row.trace_id}`}
        toolbar={refresh}
        empty={filters.isEmpty ? <EmptyState {...say.empty} /> : <NothingFits {...say.empty} onClear={filters.clear} />}
      />
    </>
  );
}

function filterBody({ account, contract, status, endpoint, document, code }: FilterValues<typeof description>) {
  return {
    contract: contract.length > 0 ? contract : [...partnerContracts],
    ...(account !== '' && { account_no: account === unknownAccount ? null : account }),
    ...(/^[1-5](xx|\d\d)$/.test(status) && { status: [status] }),
    ...(endpoint !== '' && { endpoint }),
    ...(document !== '' && { document_no: document }),
    ...(code !== '' && { code }),
  };
}

/** A single status comes from the grouped errors, and must be among what can be picked. */
function statusOptions(classWords: Record<(typeof statusClasses)[number], string>, chosen: string): Option[] {
  const known = statusClasses.map((value): Option => ({ value, label: classWords[value] }));
  return chosen === '' || known.some(({ value }) => value === chosen) ? known : [...known, { value: chosen, label: chosen }];
}

export function useCallerOptions(): Option[] {
  const say = useWords(words);
  return [...(useAccountOptions() ?? []), { value: unknownAccount, label: say.unknownAccount }];
}

export function answerTone(status: number) {
  if (status >= 500) return 'failed';
  return status >= 400 ? 'stopped' : 'done';
}
