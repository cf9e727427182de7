import { Button } from '@mantine/core';
import { useState } from 'react';
import type { SystemPurge } from '../../../contract/console/system.ts';
import { column, numberColumn } from '../../kit/columns.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { Time } from '../../kit/time.tsx';
import { formatDate } from '../../kit/time-text.ts';
import { useActorName } from '../../kit/use-actor-name.ts';
import { PurgePreview } from './purge-preview.tsx';
import { words } from './words.ts';

export function PurgesTable({ purges }: { purges: SystemPurge[] }) {
  const say = useWords(words);
  const nameOf = useActorName();
  const mayPreview = useMay('staff');
  const [isPreviewing, setPreviewing] = useState(false);
  const number = (key: 'orders' | 'inbounds' | 'movements' | 'callbacks', title: string): Column<SystemPurge> => ({
    key,
    title,
    align: 'right',
    cell: (purge) => formatNumber(purge[key]),
  });
  const columns: Column<SystemPurge>[] = [
    column('started', say.started, (purge) => <Time at={purge.started_at} absolute />, { alwaysShown: true }),
    column('by', say.by, (purge) =>
      purge.finished_at === null ? `${nameOf(purge.actor)} (${say.unfinished})` : nameOf(purge.actor),
    ),
    column('made_before', say.madeBefore, (purge) => formatDate(purge.made_before)),
    number('orders', say.orders),
    number('inbounds', say.inbounds),
    number('movements', say.movements),
    number('callbacks', say.callbacks),
    numberColumn('units_kept', say.unitsKept, (purge) => purge.units_kept),
  ];
  return (
    <Section
      title={say.purges}
      flush
      actions={
        mayPreview && (
          <Button variant="default" onClick={() => setPreviewing(true)}>
            {say.preview}
          </Button>
        )
      }
    >
      <DataTable
        bare
        name="system-purges"
        label={say.purges}
        columns={columns}
        list={plainRows(purges, (purge) => String(purge.purge_id))}
        rowName={(purge) => purge.started_at}
        empty={<EmptyState title={say.purgesNone} hint={say.purgesNoneHint} />}
      />
      <PurgePreview opened={isPreviewing} onClose={() => setPreviewing(false)} />
    </Section>
  );
}
