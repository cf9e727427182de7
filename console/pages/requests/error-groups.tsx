import { Alert, Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { RequestGroup, requestGrouped } from '../../../contract/console/requests.ts';
import { column, numberColumn, timeColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { ServerText } from '../../kit/server-text.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { formatInstant } from '../../kit/time-text.ts';
import { choicesFilter, pickFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { answerTone, callerBody, requestContracts, unknownAccount, useCallerOptions } from './request-list.tsx';
import { endpointName, formatAnswer } from './request-words.ts';
import classes from './requests.module.css';
import { type RangeValues, rangeBody, rangeDescription } from './time-range.ts';
import { TimeRangeField } from './time-range-field.tsx';
import { words } from './words.ts';

const description = { account: pickFilter, contract: choicesFilter(requestContracts) } as const;

/** Rejected and failed requests in groups, the most frequent first. Each group links to the list of its requests. */
export function ErrorGroups() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const range = useUrlFilters(rangeDescription);
  const filters = useUrlFilters(description);
  const { account, contract } = filters.values;
  const body = { ...rangeBody(range.values), ...callerBody(account, contract) };
  const asked = useAsk<typeof requestGrouped>('/requests/grouped', body);
  const groups = asked.answer?.groups ?? [];
  return (
    <FilteredList
      filters={filters}
      labels={{ account: shared.noun.account, contract: say.field.contract }}
      options={{
        account: useCallerOptions(),
        contract: requestContracts.map((value) => ({ value, label: say.contract[value] })),
      }}
      lead={<TimeRangeField range={range} />}
      notice={
        <>
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
        </>
      }
      name="request-errors"
      label={say.tab.errors}
      columns={useGroupColumns()}
      list={{
        ...plainRows(groups, keyOf),
        question: { path: '/requests/grouped', body },
        isFirst: asked.isFirst,
        error: asked.error,
        askAgain: asked.askAgain,
      }}
      rowName={(row) => `${formatAnswer(row)} ${row.endpoint}`}
      rowLink={(row) => `/requests?${listOf(row, range.values)}`}
      empty={say.noErrors}
    />
  );
}

function useGroupColumns(): Column<RequestGroup>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    column(
      'answer',
      say.field.answer,
      (row) => <StatusBadge tone={answerTone(row.status)}>{formatAnswer(row)}</StatusBadge>,
      { alwaysShown: true },
    ),
    numberColumn('count', say.field.count, (row) => row.count),
    column('endpoint', say.field.endpoint, (row) => (
      <span className={classes.path} title={row.endpoint}>
        {endpointName(row.endpoint, shared.unknownEndpoint)}
      </span>
    )),
    column('account', shared.noun.account, (row) => (
      <span className={classes.caller}>{row.account_no ?? say.unknownAccount}</span>
    )),
    timeColumn('last', say.field.last, (row) => row.last_at),
    column('why', say.field.why, (row) =>
      row.reason === null ? null : <ServerText text={row.reason} className={classes.reason} isCut />,
    ),
    column('example', say.field.example, (row) => (
      <Anchor component={Link} to={`/requests/${row.trace_id}`} inherit aria-label={say.showExample(row.trace_id)}>
        {shared.verb.open}
      </Anchor>
    )),
  ];
}

function keyOf({ contract, endpoint, status, code, account_no }: RequestGroup): string {
  return JSON.stringify([contract, endpoint, status, code, account_no]);
}

/** The query of the list that shows these requests. */
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
