import { Button, Group, Modal, SegmentedControl, Stack, Text, TextInput } from '@mantine/core';
import { IconUserSearch } from '@tabler/icons-react';
import { type FormEvent, useState } from 'react';
import type { ListPage } from '../../../contract/console/console-values.ts';
import type { OrderListRow, orderSearchByRecipient } from '../../../contract/console/orders.ts';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { orderTone, StatusBadge } from '../../kit/status-badge.tsx';
import { Time } from '../../kit/time.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { changeWords } from './change-words.ts';
import { words } from './words.ts';

/**
 * A dialog instead of filters of the list: those are part of the address, which browsers, saved views and proxies keep,
 * and the list refreshes itself, which would be a search each time.
 */
export function SearchByRecipient() {
  const { byRecipient: say } = useWords(words);
  const shared = useWords(sharedWords);
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" leftSection={<IconUserSearch size={15} />} onClick={() => setOpen(true)}>
        {say.open}
      </Button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={say.open}
        size="lg"
        closeButtonProps={{ 'aria-label': shared.verb.close }}
      >
        <RecipientSearch />
      </Modal>
    </>
  );
}

type By = 'phone' | 'name';

function RecipientSearch() {
  const { byRecipient: say } = useWords(words);
  const [by, setBy] = useState<By>('phone');
  const [text, setText] = useState('');
  const [found, setFound] = useState<ListPage<OrderListRow> | null>(null);
  const search = useChange<typeof orderSearchByRecipient>('/orders/search-by-recipient', { onAnswer: setFound });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text.trim() !== '' && !search.isRunning) void search.run({ by, text: text.trim() });
  };
  return (
    <Stack gap="sm">
      <form onSubmit={submit}>
        <SegmentedControl
          aria-label={say.by}
          value={by}
          onChange={(value) => setBy(value as By)}
          data={(['phone', 'name'] as const).map((value) => ({ value, label: say[value] }))}
        />
        <Group align="end" gap="sm" mt="xs">
          <TextInput
            data-autofocus
            autoComplete="off"
            label={say[by]}
            description={by === 'phone' ? say.phoneHint : say.nameHint}
            value={text}
            maxLength={255}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Button type="submit" loading={search.isRunning}>
            {say.search}
          </Button>
        </Group>
      </form>
      <Text size="sm" c="dimmed">
        {say.logged}
      </Text>
      {found && <FoundOrders page={found} />}
    </Stack>
  );
}

function FoundOrders({ page: { rows, next_cursor } }: { page: ListPage<OrderListRow> }) {
  const { byRecipient: say } = useWords(words);
  const { held: onHold } = useWords(changeWords);
  const shared = useWords(sharedWords);
  if (rows.length === 0) return <Text>{say.none}</Text>;
  return (
    <>
      {rows.map(({ order_id, partner_number, account_no, status, held, created_at }) => (
        <Group key={order_id} gap="xs">
          <IdText value={partner_number} label={shared.noun.number} to={`/orders/${order_id}`} copy={false} />
          <StatusBadge tone={orderTone[status]}>{shared.orderStatus[status]}</StatusBadge>
          {held && <StatusBadge tone="stopped">{onHold}</StatusBadge>}
          <Text size="sm" c="dimmed">
            {account_no} · <Time at={created_at} absolute />
          </Text>
        </Group>
      ))}
      {next_cursor !== null && <Text size="sm">{say.more(formatNumber(rows.length))}</Text>}
    </>
  );
}
