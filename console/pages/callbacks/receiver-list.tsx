import { Alert } from '@mantine/core';
import type { ReceiverRow, ReceiverState, receiverList } from '../../../contract/console/receiver-list.ts';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { FilterBar } from '../../kit/filter-bar.tsx';
import { useWords } from '../../kit/language.tsx';
import { NothingFits } from '../../kit/nothing-fits.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useAccountOptions } from '../../kit/options.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import { Time, UpcomingTime } from '../../kit/time.tsx';
import { choicesFilter, picksFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { withoutScheme, wordCapped } from './callback-words.ts';
import classes from './callbacks.module.css';
import { PauseReceiver } from './pause-receiver.tsx';
import { words } from './words.ts';

export const receiverTone = {
  paused: 'stopped',
  left_alone: 'failed',
  failing: 'failed',
  unproven: 'todo',
  healthy: 'done',
} as const satisfies Record<ReceiverState, Tone>;
const receiverStates = Object.keys(receiverTone) as ReceiverState[];

const description = { address: textFilter, state: choicesFilter(receiverStates), accounts: picksFilter } as const;

/** Where callbacks go, and how each address does; those that need somebody first. */
export function ReceiverList() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayPause = useMay('admin');
  const filters = useUrlFilters(description);
  const { address, state, accounts } = filters.values;
  const asked = useAsk<typeof receiverList>(
    '/receivers/list',
    { ...(address !== '' && { address }), ...(state.length > 0 && { state }), ...(accounts.length > 0 && { accounts }) },
    { topics: ['callbacks'] },
  );
  const receivers = asked.answer?.receivers ?? [];
  const columns: Column<ReceiverRow>[] = [
    {
      key: 'address',
      title: say.field.address,
      cell: (row) => <span className={classes.whole}>{withoutScheme(row.address)}</span>,
      alwaysShown: true,
    },
    { key: 'account', title: shared.noun.account, cell: (row) => row.account_no },
    { key: 'state', title: shared.noun.status, cell: (row) => <State receiver={row} /> },
    { key: 'waiting', title: say.field.waiting, align: 'right', cell: (row) => wordCapped(row.waiting) },
    { key: 'oldest', title: say.field.oldest, cell: (row) => <Time at={row.oldest_waiting_at} /> },
    { key: 'failed', title: say.field.failed, align: 'right', cell: (row) => wordCapped(row.failed) },
    { key: 'failures', title: say.field.failures, align: 'right', cell: (row) => formatNumber(row.failures) },
    { key: 'lastSuccess', title: say.field.lastSuccess, cell: (row) => <Time at={row.last_success_at} /> },
    { key: 'lastFailure', title: say.field.lastFailure, cell: (row) => <Time at={row.last_failure_at} /> },
    ...(mayPause ? [{ key: 'action', title: say.field.action, cell: (row: ReceiverRow) => <PauseReceiver receiver={row} /> }] : []),
  ];
  return (
    <>
      <FilterBar
        filters={filters}
        labels={{ address: say.field.address, state: shared.noun.status, accounts: shared.noun.account }}
        options={{ state: receiverStates.map((value) => ({ value, label: say.state[value] })), accounts: useAccountOptions() ?? [] }}
        placeholders={{ address: say.addressPlaceholder }}
      />
      {asked.answer?.has_more && (
        <Alert mb="sm" variant="light">
          {say.moreReceivers(formatNumber(receivers.length))}
        </Alert>
      )}
      <DataTable
        name="receivers"
        label={say.tab.receivers}
        columns={columns}
        list={{
          ...plainRows(receivers, (row) => row.receiver_id),
          isFirst: asked.isFirst,
          error: asked.error,
          askAgain: asked.askAgain,
        }}
        rowName={(row) => row.address}
        rowLink={(row) => `/callbacks?receiver=${row.receiver_id}`}
        empty={filters.isEmpty ? <EmptyState {...say.noReceivers} /> : <NothingFits {...say.noReceiverFits} onClear={filters.clear} />}
      />
    </>
  );
}

function State({ receiver }: { receiver: ReceiverRow }) {
  const say = useWords(words);
  const { state, rejects, left_alone_until, paused_at, paused_by } = receiver;
  return (
    <span className={classes.notes}>
      <StatusBadge tone={receiverTone[state]}>{say.state[state]}</StatusBadge>
      {left_alone_until !== null && (
        <span className={classes.note}>
          {say.leftAloneUntil} <UpcomingTime at={left_alone_until} due={say.waitsFor.its_turn} />
        </span>
      )}
      {rejects && <span className={classes.note}>{say.rejects}</span>}
      {state === 'paused' && paused_by !== null && (
        <span className={classes.note}>
          <Time at={paused_at} /> {say.pausedBy(paused_by)}
        </span>
      )}
    </span>
  );
}
