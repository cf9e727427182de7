import type { CallbackListRow, callbackSearch } from '../../../contract/console/callback-search.ts';
import type { receiverList } from '../../../contract/console/receiver-list.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar, type Option } from '../../kit/filter-bar.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useAccountOptions } from '../../kit/options.ts';
import { useSelection } from '../../kit/row-keys.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone, StatusBadge } from '../../kit/status-badge.tsx';
import { callbackStatuses } from '../../kit/statuses.ts';
import { Time } from '../../kit/time.tsx';
import { useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { callbackEvents, callbackFilters, selectionOf } from './callback-filters.ts';
import { withoutScheme } from './callback-words.ts';
import classes from './callbacks.module.css';
import { LastResult, NextAttempt } from './delivery-cells.tsx';
import { RedeliverFiltered } from './redeliver-filtered.tsx';
import { RedeliverSelected } from './redeliver-selected.tsx';
import { words } from './words.ts';

/** What was told, or is still to be told; the newest first. */
export function CallbackList() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayRedeliver = useMay('staff');
  const filters = useUrlFilters(callbackFilters);
  const selection = useSelection();
  const selected = selectionOf(filters.values);
  const list = useLiveList<typeof callbackSearch>({
    path: '/callbacks/search',
    body: selected,
    keyOf: (row) => String(row.callback_id),
    topics: ['callbacks'],
  });
  const receivers = useReceiverOptions();
  const labels = {
    number: say.field.document,
    status: shared.noun.status,
    event: say.field.event,
    accounts: shared.noun.account,
    receiver: say.field.receiver,
    created: shared.noun.created,
  };
  const options = {
    status: callbackStatuses.map((value) => ({ value, label: shared.callbackStatus[value] })),
    event: callbackEvents.map((value) => ({ value, label: say.event[value] })),
    accounts: useAccountOptions() ?? [],
    receiver: receivers,
  };
  const columns: Column<CallbackListRow>[] = [
    {
      key: 'document',
      title: say.field.document,
      cell: (row) => <IdText value={row.document_no} label={say.field.document} copy={false} />,
      alwaysShown: true,
    },
    { key: 'event', title: say.field.event, cell: (row) => <span className={classes.event}>{say.event[row.event]}</span> },
    {
      key: 'status',
      title: shared.noun.status,
      cell: (row) => <StatusBadge tone={callbackTone[row.status]}>{shared.callbackStatus[row.status]}</StatusBadge>,
    },
    { key: 'attempts', title: say.field.attempts, align: 'right', cell: (row) => formatNumber(row.attempts) },
    { key: 'lastResult', title: say.field.lastResult, cell: (row) => <LastResult callback={row} /> },
    { key: 'nextAttempt', title: say.field.nextAttempt, cell: (row) => <NextAttempt callback={row} /> },
    {
      key: 'receiver',
      title: say.field.receiver,
      cell: (row) => (
        <span className={classes.address} title={row.url}>
          {withoutScheme(row.url)}
        </span>
      ),
    },
    { key: 'account', title: shared.noun.account, cell: (row) => row.account_no },
    { key: 'created', title: shared.noun.created, cell: (row) => <Time at={row.created_at} /> },
    {
      key: 'eventId',
      title: say.field.eventId,
      cell: (row) => <IdText value={row.event_id} label={say.field.eventId} copy={false} />,
      hiddenAtFirst: true,
    },
  ];

  const empty = filters.isEmpty ? <EmptyState {...say.empty} /> : <NothingFits {...say.nothingFits} onClear={filters.clear} />;
  return (
    <>
      <FilterBar filters={filters} labels={labels} options={options} placeholders={{ number: say.numberPlaceholder }} />
      <DataTable
        name="callbacks"
        label={say.title}
        columns={columns}
        list={list}
        rowName={(row) => `${row.document_no} ${say.event[row.event]}`}
        rowLink={(row) => `/callbacks/${row.callback_id}`}
        empty={empty}
        {...(mayRedeliver && {
          selection,
          bulkActions: <RedeliverSelected keys={selection.keys} onDone={selection.clear} />,
        })}
        {...(mayRedeliver &&
          !filters.isEmpty &&
          list.rows.length > 0 && {
            toolbar: <RedeliverFiltered selection={selected} filters={filters.values} labels={labels} options={options} />,
          })}
      />
    </>
  );
}

function useReceiverOptions(): Option[] {
  const { answer } = useAsk<typeof receiverList>('/receivers/list', {}, { topics: ['partners'] });
  return (
    answer?.receivers.map(({ receiver_id, account_no, address }) => ({
      value: receiver_id,
      label: `${withoutScheme(address)} (${account_no})`,
    })) ?? []
  );
}
