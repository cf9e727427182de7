import { Alert } from '@mantine/core';
import type { ReceiverRow, ReceiverState, receiverList } from '../../../contract/console/callbacks.ts';
import { column, numberColumn, timeColumn } from '../../kit/columns.tsx';
import type { Column } from '../../kit/data-table.tsx';
import { FilteredList } from '../../kit/filtered-list.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useAccountOptions } from '../../kit/options.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge, type Tone } from '../../kit/status-badge.tsx';
import { Time, UpcomingTime } from '../../kit/time.tsx';
import { bodyOf, choicesFilter, picksFilter, textFilter, useUrlFilters } from '../../kit/url-filters.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { formatCapped, withoutScheme } from './callback-words.ts';
import classes from './callbacks.module.css';
import { PauseReceiver } from './pause-receiver.tsx';
import { words } from './words.ts';

export const receiverTone = {
  paused: 'stopped',
  on_hold: 'failed',
  failing: 'failed',
  unproven: 'todo',
  healthy: 'done',
} as const satisfies Record<ReceiverState, Tone>;
const receiverStates = Object.keys(receiverTone) as ReceiverState[];

const description = { address: textFilter, state: choicesFilter(receiverStates), accounts: picksFilter } as const;

/** The receivers of callbacks with their state. Those that need attention come first. */
export function ReceiverList() {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayPause = useMay('admin');
  const filters = useUrlFilters(description);
  const body = bodyOf<typeof receiverList>(filters);
  const asked = useAsk<typeof receiverList>('/receivers/list', body, {
    topics: ['callbacks'],
  });
  const receivers = asked.answer?.receivers ?? [];
  const columns: Column<ReceiverRow>[] = [
    column('address', say.field.address, (row) => <span className={classes.whole}>{withoutScheme(row.address)}</span>, {
      alwaysShown: true,
    }),
    column('account', shared.noun.account, (row) => row.account_no),
    column('state', shared.noun.status, (row) => <State receiver={row} />),
    column('waiting', say.field.waiting, (row) => formatCapped(row.waiting), { align: 'right' }),
    timeColumn('oldest', say.field.oldest, (row) => row.oldest_waiting_at),
    column('failed', say.field.failed, (row) => formatCapped(row.failed), { align: 'right' }),
    numberColumn('failures', say.field.failures, (row) => row.failures),
    timeColumn('lastSuccess', say.field.lastSuccess, (row) => row.last_success_at),
    timeColumn('lastFailure', say.field.lastFailure, (row) => row.last_failure_at),
    ...(mayPause ? [column('action', say.field.action, (row: ReceiverRow) => <PauseReceiver receiver={row} />)] : []),
  ];
  return (
    <FilteredList
      filters={filters}
      labels={{ address: say.field.address, state: shared.noun.status, accounts: shared.noun.account }}
      options={{
        state: receiverStates.map((value) => ({ value, label: say.state[value] })),
        accounts: useAccountOptions() ?? [],
      }}
      placeholders={{ address: say.addressPlaceholder }}
      notice={
        asked.answer?.has_more && (
          <Alert mb="sm" variant="light">
            {say.moreReceivers(formatNumber(receivers.length))}
          </Alert>
        )
      }
      name="receivers"
      label={say.tab.receivers}
      columns={columns}
      list={{
        ...plainRows(receivers, (row) => row.receiver_id),
        question: { path: '/receivers/list', body },
        isFirst: asked.isFirst,
        error: asked.error,
        askAgain: asked.askAgain,
      }}
      rowName={(row) => row.address}
      rowLink={(row) => `/callbacks?receiver=${row.receiver_id}`}
      empty={say.noReceivers}
      noMatches={say.noMatchingReceivers}
    />
  );
}

function State({ receiver }: { receiver: ReceiverRow }) {
  const say = useWords(words);
  const { state, rejects, on_hold_until, paused_at, paused_by } = receiver;
  return (
    <span className={classes.notes}>
      <StatusBadge tone={receiverTone[state]}>{say.state[state]}</StatusBadge>
      {on_hold_until !== null && (
        <span className={classes.note}>
          {say.onHoldUntil} <UpcomingTime at={on_hold_until} due={say.waitsFor.its_turn} />
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
