import { Button, Group, Loader, Text } from '@mantine/core';
import { useState } from 'react';
import type { ListPage } from '../../contract/console/console-values.ts';
import type {
  OrderOfRecipient,
  orderSearchByRecipient,
  orderViewRecipient,
  ViewedRecipient,
} from '../../contract/console/orders.ts';
import { useWords } from '../kit/language.tsx';
import { formatNumber } from '../kit/number.ts';
import { sharedWords } from '../kit/shared-words.ts';
import { orderTone, StatusBadge } from '../kit/status-badge.tsx';
import { Time } from '../kit/time.tsx';
import { useChange } from '../kit/use-change.tsx';
import { Option } from './hit-list.tsx';
import type { RecipientTerm } from './search-hits.ts';
import classes from './search-palette.module.css';
import { searchWords } from './search-words.ts';

const rowsMax = 20;

export interface RecipientSearch {
  /** Whether the results are shown in place of the others. */
  isOn: boolean;
  isRunning: boolean;
  page: ListPage<OrderOfRecipient> | null;
  run(term: RecipientTerm): void;
  end(): void;
}

/** The search and each "show" are in the audit log. */
export function useRecipientSearch(): RecipientSearch {
  const [isOn, setOn] = useState(false);
  const [page, setPage] = useState<RecipientSearch['page']>(null);
  const { run, isRunning } = useChange<typeof orderSearchByRecipient>('/orders/search-by-recipient', {
    onAnswer: setPage,
  });
  return {
    isOn,
    isRunning,
    page,
    run({ by, text }) {
      setOn(true);
      setPage(null);
      void run({ by, text, page_size: rowsMax });
    },
    end: () => setOn(false),
  };
}

export interface FoundRecipientsProps {
  listId: string;
  search: RecipientSearch;
  chosen: number;
  onChoose(place: number): void;
  onOpen(path: string): void;
}

/** The orders of a recipient, who is masked. */
export function FoundRecipients({ listId, search, chosen, onChoose, onOpen }: FoundRecipientsProps) {
  const say = useWords(searchWords);
  const { page, isRunning } = search;
  if (page === null) return isRunning ? <Loader m="md" size="sm" /> : null;
  const { rows, next_cursor } = page;
  const row = rows[chosen];
  return (
    <>
      <div id={listId} role="listbox" aria-label={say.kinds.recipient} className={classes.hits}>
        {rows.map((order, place) => (
          <Option
            key={order.order_id}
            id={`${listId}-${place}`}
            isChosen={place === chosen}
            onOpen={() => onOpen(`/orders/${order.order_id}`)}
            onChoose={() => onChoose(place)}
          >
            <RecipientOrder order={order} />
          </Option>
        ))}
      </div>
      {rows.length === 0 && <p className={classes.hint}>{say.noRecipient}</p>}
      {next_cursor !== null && <p className={classes.hint}>{say.moreRecipients(formatNumber(rows.length))}</p>}
      {row && <ShownRecipient key={row.order_id} order={row} />}
    </>
  );
}

function RecipientOrder({ order }: { order: OrderOfRecipient }) {
  const shared = useWords(sharedWords);
  const { recipient_name, recipient_phone, partner_number, account_no, shipment_no, status, created_at } = order;
  return (
    <>
      <span className={classes.title}>
        {recipient_name} {recipient_phone}
      </span>
      <StatusBadge tone={orderTone[status]}>{shared.orderStatus[status]}</StatusBadge>
      <span className={classes.subtitle}>
        {[account_no, partner_number, shipment_no].filter((part) => part !== null).join(' · ')}
      </span>
      <span className={classes.at}>
        <Time at={created_at} absolute />
      </span>
    </>
  );
}

/** The recipient of the chosen order, once the operator asks for it. */
function ShownRecipient({ order: { order_id, partner_number } }: { order: OrderOfRecipient }) {
  const say = useWords(searchWords);
  const [viewed, setViewed] = useState<ViewedRecipient | null>(null);
  const view = useChange<typeof orderViewRecipient>('/orders/view-recipient', { onAnswer: setViewed });
  const person = viewed?.recipient;
  return (
    <Group className={classes.person ?? ''} gap="sm">
      <Text size="sm" c="dimmed">
        {partner_number}
      </Text>
      {person && (
        <Text size="sm">
          {[person.name, person.phone, person.city, person.address].filter((part) => part).join(' · ')}
        </Text>
      )}
      <Button
        size="compact-sm"
        variant="default"
        loading={view.isRunning}
        onClick={() => (viewed === null ? void view.run({ order_id }) : setViewed(null))}
      >
        {viewed === null ? say.show : say.hide}
      </Button>
      {viewed === null && (
        <Text size="xs" c="dimmed">
          {say.logged}
        </Text>
      )}
    </Group>
  );
}
