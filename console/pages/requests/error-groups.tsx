import { Alert, Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { RequestGroup, requestGrouped } from '../../../contract/console/request-grouped.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { formatInstant } from '../../kit/time-text.ts';
import { choicesFilter, pickFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { answerTone, partnerContracts, requestContracts, unknownAccount, useCallerOptions } from './request-list.tsx';
import { wordAnswer } from './request-words.ts';
import classes from './requests.module.css';
import { type RangeValues, rangeBody, rangeDescription } from './time-range.ts';
import { TimeRangeField } from './time-range-field.tsx';
import { words } from './words.ts';

const description = { account: pickFilter, contract: choicesFilter(requestContracts) } as const;

/** Refusals and failures that are alike, the most frequent first; each opens the list of its requests. */
export function ErrorGroups() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const range = useUrlFilters(rangeDescription);
  const filters = useUrlFilters(description);
  const { account, contract } = filters.values;
  const asked = useAsk<typeof requestGrouped>('/requests/grouped', {
    ...rangeBody(range.values),
    contract: contract.length > 0 ? contract : [...partnerContracts],
    ...(account !== '' && { account_no: account === unknownAccount ? null : account }),
  });
  const groups = asked.answer?.groups ?? [];
  const columns: Column<RequestGroup>[] = [
    {
      key: 'answer',
      title: say.field.answer,
      cell: (row) => <StatusBadge tone={answerTone(row.status)}>{wordAnswer(row)}</StatusBadge>,
      alwaysShown: true,
    },
    { key: 'count', title: say.field.count, align: 'right', cell: (row) => formatNumber(row.count) },
    {
      key: 'endpoint',
      title: say.field.endpoint,
      cell: (row) => (
        <span className={classes.path} title={row.endpoint}>
          {row.endpoint}
        </span>
      ),
    },
    {
      key: 'account',
      title: shared.noun.account,
      cell: (row) => <span className={classes.caller}>{row.account_no ?? say.unknownAccount}</span>,
    },
    { key: 'last', title: say.field.last, cell: (row) => <Time at={row.last_at} /> },
    {
      key: 'why',
      title: say.field.why,
      cell: (row) => (row.reason === null ? null : <ServerText text={row.reason} className={classes.reason} isCut />),
    },
    {
      key: 'example',
      title: say.field.example,
      cell: (row) => (
        <Anchor component={Link} to={`/requests/${row.trace_id}`} inherit aria-label={say.showExample(row.trace_id)}>
          {shared.verb.open}
        </Anchor>
      ),
    },
  ];
  return (
    <>
      <FilterBar
        filters={filters}
        labels={{ account: shared.noun.account, contract: say.field.contract }}
        options={{ account: useCallerOptions(), contract: requestContracts.map((value) => ({ value, label: say.contract[value] })) }}
        lead={<TimeRangeField range={range} />}
      />
      {asked.answer?.searched_to && (
        <Alert mb="sm" variant="light">
          {say.errorsSince(formatInstant(asked.answer.searched_to))}
        </Alert>
      )}
      {asked.answer?.has_more && (
        <Alert mb="sm" variant="light">
          {say.moreGroups(formatNumber(groups.length))}
        </Alert>
      )}
      <DataTable
        name="request-errors"
        label={say.tab.errors}
        columns={columns}
        list={{
          ...plainRows(groups, keyOf),
          isFirst: asked.isFirst,
          error: asked.error,
          askAgain: asked.askAgain,
        }}
        rowName={(row) => `${wordAnswer(row)} ${row.endpoint}`}
        rowLink={(row) => `/requests?${listOf(row, range.values)}`}
        empty={<EmptyState {...say.noErrors} />}
      />
    </>
  );
}

function keyOf({ contract, endpoint, status, code, account_no }: RequestGroup): string {
  return JSON.stringify([contract, endpoint, status, code, account_no]);
}

/** The address of the list that shows these requests. */
function listOf({ contract, endpoint, status, code, account_no }: RequestGroup, range: RangeValues): URLSearchParams {
  return new URLSearchParams({
    ...Object.fromEntries(Object.entries(range).filter(([, value]) => value !== '')),
    account: account_no ?? unknownAccount,
    contract,
    status: String(status),
    endpoint,
    ...(code !== null && { code }),
  });
}
