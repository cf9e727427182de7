import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditRow, auditLogSearch } from '../../../contract/console/audit-log-search.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { Time } from '../../kit/time.tsx';
import { type Dates, datesFilter, pickFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { AccountLink } from '../partners/client-table.tsx';
import { DifferenceList } from '../partners/difference-list.tsx';
import { Outcome } from './outcome.tsx';
import { Subject } from './subject.tsx';
import { words } from './words.ts';

const description = { who: textFilter, action: pickFilter, subject: textFilter, account: pickFilter, at: datesFilter } as const;

export function Component() {
  const say = useWords(words);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const { who, action, subject, account, at } = filters.values;
  const names: Record<string, string> = say.name;
  const nameOf = (row: AuditRow) => names[row.action] ?? row.action;
  const list = useLiveList<typeof auditLogSearch>({
    path: '/audit-log/search',
    body: {
      ...(who !== '' && { who }),
      ...(action !== '' && { action }),
      ...(subject !== '' && { subject }),
      ...(account !== '' && { account }),
      ...instantsOf(at),
    },
    keyOf: (row) => row.row_key,
    topics: ['audit', 'partners'],
  });
  const columns: Column<AuditRow>[] = [
    { key: 'at', title: say.at, cell: (row) => <Time at={row.at} />, alwaysShown: true },
    { key: 'who', title: say.who, cell: (row) => row.who },
    { key: 'action', title: say.action, cell: nameOf },
    { key: 'subject', title: say.subject, cell: (row) => <Subject subject={row.subject} /> },
    { key: 'account', title: say.account, cell: (row) => (row.account_no === null ? '–' : <AccountLink accountNo={row.account_no} />) },
    { key: 'outcome', title: say.outcome, cell: (row) => <Outcome row={row} /> },
    { key: 'details', title: say.details, cell: (row) => (row.details.length === 0 ? '–' : <DifferenceList differences={row.details} />) },
    { key: 'address', title: say.address, cell: (row) => row.address ?? '–', hiddenAtFirst: true },
    {
      key: 'trace',
      title: say.trace,
      cell: (row) =>
        row.trace_id === null ? (
          '–'
        ) : (
          <Anchor
            component={Link}
            to={`/requests/${row.trace_id}`}
            inherit
            style={{ whiteSpace: 'nowrap' }}
            aria-label={say.traceOf(nameOf(row))}
          >
            {say.open}
          </Anchor>
        ),
    },
  ];
  return (
    <>
      <PageHeader title={say.title} subtitle={say.subtitle} />
      <FilterBar
        filters={filters}
        labels={{ who: say.who, action: say.action, subject: say.subject, account: say.account, at: say.at }}
        options={{ action: Object.entries(names).map(([value, label]) => ({ value, label })), account: accounts ?? [] }}
        placeholders={{ who: say.whoPlaceholder, subject: say.subjectPlaceholder }}
      />
      <DataTable
        name="audit-log"
        label={say.title}
        columns={columns}
        list={list}
        rowName={(row) => `${row.who} ${nameOf(row)}`}
        empty={
          filters.isEmpty ? (
            <EmptyState title={say.emptyTitle} hint={say.emptyHint} />
          ) : (
            <NothingFits title={say.nothingFits} hint={say.nothingFitsHint} onClear={filters.clear} />
          )
        }
      />
    </>
  );
}

const dayMs = 86_400_000;

/** Days of Taipei as instants: from the beginning of the first to the end of the last. */
function instantsOf({ from, to }: Dates): { from?: string; until?: string } {
  return {
    ...(from !== null && { from: `${from}T00:00:00+08:00` }),
    ...(to !== null && { until: new Date(Date.parse(`${to}T00:00:00+08:00`) + dayMs).toISOString() }),
  };
}
