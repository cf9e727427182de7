import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PartnerList as Listed } from '../../../contract/console/partners.ts';
import { AskedContent } from '../../kit/asked-content.tsx';
import { useWords } from '../../kit/language.tsx';
import { useMay } from '../../kit/session.tsx';
import type { Asked } from '../../kit/use-ask.ts';
import { PartnerEmpty } from './partner-empty.tsx';
import { words } from './words.ts';

export interface PartnerListProps<Row> {
  asked: Asked<Listed<Row>>;
  filters: { isEmpty: boolean; clear(): void };
  /** The button that creates a partner. It is above the table, or in its place if there are no partners yet. */
  create: ReactNode;
  empty: { title: string; hint: string };
  /** Renders the table. */
  children(rows: Row[], around: { toolbar: ReactNode; empty: ReactNode }): ReactNode;
}

/** All partners of a kind, below their filters. */
export function PartnerList<Row>({ asked, filters, create, empty, children }: PartnerListProps<Row>) {
  const say = useWords(words);
  const mayChange = useMay('admin');
  const onClear = filters.isEmpty ? undefined : filters.clear;
  return (
    <AskedContent asked={asked}>
      {({ rows, is_cut }) => (
        <>
          {children(rows, {
            toolbar: mayChange && (rows.length > 0 || !filters.isEmpty) ? create : null,
            empty: <PartnerEmpty {...empty} action={create} onClear={onClear} />,
          })}
          {is_cut && (
            <Text size="sm" c="dimmed" mt="xs">
              {say.isCut}
            </Text>
          )}
        </>
      )}
    </AskedContent>
  );
}
