import { ActionIcon, TextInput } from '@mantine/core';
import { IconUserSearch, IconX } from '@tabler/icons-react';
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react';
import type { OrderOfRecipient, orderSearchByRecipient } from '../../../contract/console/orders.ts';
import filterClasses from '../../kit/filter-bar.module.css';
import { useWords } from '../../kit/language.tsx';
import { plainRows } from '../../kit/plain-rows.ts';
import { useChange } from '../../kit/use-change.tsx';
import type { LiveList } from '../../kit/use-live-list.ts';
import type { OrderQuestion } from './order-filters.ts';
import { words } from './words.ts';

interface Found {
  rows: OrderOfRecipient[];
  cursor: string | null;
}

export interface RecipientFilter {
  /** The orders of the person, with the other filters of the list; null: nobody was searched for. */
  list: LiveList<OrderOfRecipient> | null;
  text: string;
  isRunning: boolean;
  search(text: string): void;
  end(): void;
}

/**
 * Each search is in the audit log. The text is not in the address, which browsers, saved views and proxies keep, and the
 * list does not refresh itself, which would be a search each time.
 */
export function useRecipientFilter(question: OrderQuestion): RecipientFilter {
  const [text, setText] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const { run, isRunning } = useChange<typeof orderSearchByRecipient>('/orders/search-by-recipient');
  const read = async (wanted: string, before: Found | null) => {
    const by = /^[\d\s()+-]+$/.test(wanted) ? ('phone' as const) : ('name' as const);
    const cursor = before?.cursor ?? null;
    const page = await run({ ...question, by, text: wanted, ...(cursor !== null && { cursor }) });
    if (page) setFound({ rows: [...(before?.rows ?? []), ...page.rows], cursor: page.next_cursor });
  };
  const repeat = useEffectEvent(() => {
    if (text !== '') void read(text, null);
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters are another search for the same person.
  useEffect(() => repeat(), [JSON.stringify(question)]);
  const list = found && {
    ...plainRows(found.rows, ({ order_id }) => String(order_id)),
    hasMore: found.cursor !== null,
    isLoadingMore: isRunning,
    loadMore: () => void read(text, found),
  };
  return {
    list: text === '' ? null : list,
    text,
    isRunning,
    search(wanted) {
      setText(wanted);
      setFound(null);
      void read(wanted, null);
    },
    end() {
      setText('');
      setFound(null);
    },
  };
}

/** A filter among the others that is applied on Enter only. */
export function RecipientField({ filter }: { filter: RecipientFilter }) {
  const { byRecipient: say } = useWords(words);
  const [typed, setTyped] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== '' && !filter.isRunning) filter.search(typed.trim());
  };
  const clear = () => {
    setTyped('');
    filter.end();
  };
  return (
    <form className={filterClasses.text} onSubmit={submit}>
      <TextInput
        label={say.label}
        title={say.hint}
        placeholder={say.placeholder}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        leftSection={<IconUserSearch size={14} aria-hidden />}
        rightSection={
          filter.text === '' ? null : (
            <ActionIcon size="sm" aria-label={say.end} onClick={clear}>
              <IconX size={14} />
            </ActionIcon>
          )
        }
      />
    </form>
  );
}
