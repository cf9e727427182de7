import type { CallbackListRow, callbackSearch, receiverList } from '../../../contract/console/callbacks.ts';
import { column, idColumn, numberColumn, statusColumn, timeColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import type { Option } from '../../kit/filter-bar.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { useAccountOptions } from '../../kit/options.ts';
import { useSelection } from '../../kit/row-keys.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { callbackTone } from '../../kit/status-badge.tsx';
import { callbackSorts, callbackStatuses } from '../../kit/statuses.ts';
import { bodyOf, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { useLiveList } from '../../kit/use-live-list.ts';
import { words as kitWords } from '../../kit/words.ts';
import { callbackEvents, callbackFilters, selectionOf } from './callback-filters.ts';
import { withoutScheme } from './callback-words.ts';
import classes from './callbacks.module.css';
import { LastResult, NextAttempt } from './delivery-cells.tsx';
import { RedeliverFiltered } from './redeliver-filtered.tsx';
import { RedeliverSelected } from './redeliver-selected.tsx';
import { words } from './words.ts';

/** All callbacks, newest first. */
export function CallbackList() {
  const say = useWords(words);
  const mayRedeliver = useMay('staff');
  const filters = useUrlFilters(callbackFilters);
  const selection = useSelection();
  const selected = selectionOf(filters.values);
  const list = useLiveList<typeof callbackSearch>({
    path: '/callbacks/search',
    body: bodyOf(filters),
    keyOf: (row) => String(row.callback_id),
    topics: ['callbacks'],
    counted: true,
  });
  const { labels, options } = useFilterTexts();

  return (
    <FilteredList
      filters={filters}
      labels={labels}
      options={options}
      placeholders={{ number: say.numberPlaceholder }}
      name="callbacks"
      tabs="status"
      rare={['sort', 'reversed']}
      label={say.title}
      columns={useCallbackColumns()}
      list={list}
      rowName={(row) => `${row.document_no} ${say.event[row.event]}`}
      rowLink={(row) => `/callbacks/${row.callback_id}`}
      empty={say.empty}
      noMatches={say.noMatches}
      {...(mayRedeliver && {
        selection,
        bulkActions: <RedeliverSelected keys={selection.keys} onDone={selection.clear} />,
      })}
      {...(mayRedeliver &&
        !filters.isEmpty &&
        list.rows.length > 0 && {
          toolbar: (
            <RedeliverFiltered selection={selected} filters={filters.values} labels={labels} options={options} />
          ),
        })}
    />
  );
}

function useFilterTexts() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const sayKit = useWords(kitWords);
  const labels = {
    number: say.field.document,
    status: shared.noun.status,
    event: say.field.event,
    accounts: shared.noun.account,
    receiver: say.field.receiver,
    created: shared.noun.created,
    sort: sayKit.sort,
    reversed: sayKit.reversed,
  };
  const options = {
    status: callbackStatuses.map((value) => ({ value, label: shared.callbackStatus[value] })),
    event: callbackEvents.map((value) => ({ value, label: say.event[value] })),
    accounts: useAccountOptions() ?? [],
    receiver: useReceiverOptions(),
    sort: callbackSorts.map((value) => ({ value, label: shared.noun[value] })),
  };
  return { labels, options };
}

function useCallbackColumns(): Column<CallbackListRow>[] {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  return [
    idColumn('document', say.field.document, (row) => row.document_no, { alwaysShown: true }),
    column('event', say.field.event, (row) => <span className={classes.event}>{say.event[row.event]}</span>),
    statusColumn(shared.noun.status, callbackTone, shared.callbackStatus),
    numberColumn('attempts', say.field.attempts, (row) => row.attempts),
    column('lastResult', say.field.lastResult, (row) => <LastResult callback={row} />),
    column('nextAttempt', say.field.nextAttempt, (row) => <NextAttempt callback={row} />),
    column('receiver', say.field.receiver, (row) => (
      <span className={classes.address} title={row.url}>
        {withoutScheme(row.url)}
      </span>
    )),
    column('account', shared.noun.account, (row) => row.account_no),
    timeColumn('created', shared.noun.created, (row) => row.created_at, {
      sort: { by: 'created', first: 'descending' },
    }),
    timeColumn('updated', shared.noun.updated, (row) => row.updated_at, {
      sort: { by: 'updated', first: 'descending' },
      hiddenAtFirst: true,
    }),
    idColumn('eventId', say.field.eventId, (row) => row.event_id, { hiddenAtFirst: true }),
  ];
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
