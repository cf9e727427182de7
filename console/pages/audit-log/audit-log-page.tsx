import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { AuditRow, auditLogSearch } from '../../../contract/console/audit-log.ts';
import { column, timeColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { PageHeader } from '../../kit/page-header.tsx';
import { bodyOf, type Dates, datesFilter, pickFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useActorName } from '../../kit/use-actor-name.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { AccountLink } from '../partners/client-table.tsx';
import { DifferenceList } from '../partners/difference-list.tsx';
import { Outcome } from './outcome.tsx';
import { Subject } from './subject.tsx';
import { words } from './words.ts';

const description = {
  who: textFilter,
  action: pickFilter,
  subject: textFilter,
  account: pickFilter,
  at: { ...datesFilter, field: null },
} as const;

export function Component() {
  const say = useWords(words);
  const filters = useUrlFilters(description);
  const accounts = useAccountOptions();
  const names: Record<string, string> = say.name;
  const nameOf = (row: AuditRow) => names[row.action] ?? row.action;
  const list = useLiveList<typeof auditLogSearch>({
    path: '/audit-log/search',
    body: { ...bodyOf<typeof auditLogSearch>(filters), ...instantsOf(filters.values.at) },
    keyOf: (row) => row.row_key,
    topics: ['audit', 'partners'],
  });
  return (
    <>
      <PageHeader title={say.title} subtitle={say.subtitle} />
      <FilteredList
        filters={filters}
        labels={{ who: say.who, action: say.action, subject: say.subject, account: say.account, at: say.at }}
        options={{ action: Object.entries(names).map(([value, label]) => ({ value, label })), account: accounts ?? [] }}
        placeholders={{ who: say.whoPlaceholder, subject: say.subjectPlaceholder }}
        name="audit-log"
        label={say.title}
        columns={useColumns(nameOf)}
        list={list}
        rowName={(row) => `${row.who} ${nameOf(row)}`}
        empty={{ title: say.emptyTitle, hint: say.emptyHint }}
        noMatches={{ title: say.noMatches, hint: say.nothingFitsHint }}
      />
    </>
  );
}

function useColumns(nameOf: (row: AuditRow) => string): Column<AuditRow>[] {
  const say = useWords(words);
  const actorName = useActorName();
  return [
    timeColumn('at', say.at, (row) => row.at, { alwaysShown: true }),
    column('who', say.who, (row) => actorName(row.who)),
    column('action', say.action, nameOf),
    column('subject', say.subject, (row) => <Subject subject={row.subject} />),
    column('account', say.account, (row) =>
      row.account_no === null ? '–' : <AccountLink accountNo={row.account_no} />,
    ),
    column('outcome', say.outcome, (row) => <Outcome row={row} />),
    column('details', say.details, (row) =>
      row.details.length === 0 ? '–' : <DifferenceList differences={row.details} />,
    ),
    column('address', say.address, (row) => row.address ?? '–', { hiddenAtFirst: true }),
    column('trace', say.trace, (row) =>
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
    ),
  ];
}

const dayMs = 86_400_000;

/** Converts days in Taipei to instants: from the start of the first day to the end of the last. */
function instantsOf({ from, to }: Dates): { from?: string; until?: string } {
  return {
    ...(from !== null && { from: `${from}T00:00:00+08:00` }),
    ...(to !== null && { until: new Date(Date.parse(`${to}T00:00:00+08:00`) + dayMs).toISOString() }),
  };
}
