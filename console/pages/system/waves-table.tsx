import { Button } from '@mantine/core';
import { useState } from 'react';
import type { PushedNow, SystemWave, systemPushNow } from '../../../contract/console/system.ts';
import { column } from '../../kit/columns.tsx';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { type Column, DataTable } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { plainRows } from '../../kit/plain-rows.ts';
import { Section } from '../../kit/section.tsx';
import { ServerText } from '../../kit/server-text.tsx';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { Time, UpcomingTime } from '../../kit/time.tsx';
import { useChange } from '../../kit/use-change.tsx';
import { words } from './words.ts';

/** The waves of each warehouse, with a button that starts the next one now. */
export function WavesTable({ waves }: { waves: SystemWave[] }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const mayPush = useMay('staff');
  const [pushed, setPushed] = useState<SystemWave | null>(null);
  const columns: Column<SystemWave>[] = [
    column('warehouse', shared.noun.warehouse, nameOf, { alwaysShown: true }),
    column('connection', say.connection, (wave) => say.connector[wave.connector]),
    column('every', say.every, (wave) => (wave.next_wave_at === null ? '–' : say.seconds(formatNumber(wave.every_s))), {
      align: 'right',
    }),
    column('last', say.lastWave, (wave) => (wave.last_wave_at === null ? '–' : <Time at={wave.last_wave_at} />)),
    column('outcome', say.outcome, (wave) => (
      <>
        {wave.failures > 0 && <StatusBadge tone="failed">{say.failures(formatNumber(wave.failures))}</StatusBadge>}{' '}
        {wave.last_outcome === null ? '–' : <ServerText text={wave.last_outcome} />}
      </>
    )),
    column('next', say.nextWave, (wave) =>
      wave.next_wave_at === null ? '–' : <UpcomingTime at={wave.next_wave_at} />,
    ),
    ...(mayPush
      ? [
          column(
            'push',
            shared.noun.actions,
            (wave: SystemWave) => (
              <Button
                variant="default"
                size="compact-xs"
                aria-label={say.pushNowOf(nameOf(wave))}
                onClick={() => setPushed(wave)}
              >
                {say.pushNow}
              </Button>
            ),
            { align: 'right' as const, alwaysShown: true },
          ),
        ]
      : []),
  ];
  return (
    <Section title={say.waves} flush>
      <DataTable
        bare
        name="system-waves"
        label={say.waves}
        columns={columns}
        list={plainRows(waves, (wave) => String(wave.warehouse_no))}
        rowName={nameOf}
        empty={<EmptyState title={say.wavesNone} hint={say.wavesNoneHint} />}
      />
      <PushNow wave={pushed} onClose={() => setPushed(null)} />
    </Section>
  );
}

function nameOf({ warehouse_no, name }: SystemWave): string {
  return `${warehouse_no} ${name}`;
}

function PushNow({ wave, onClose }: { wave: SystemWave | null; onClose(): void }) {
  const say = useWords(words);
  const notices = useNotices();
  const push = useChange<typeof systemPushNow>('/system/push-now');
  /** The number of orders transferred so far; null when no transfer is in progress. */
  const [pushedCount, setPushedCount] = useState<number | null>(null);
  const pushAll = async (warehouse_no: number) => {
    let count = 0;
    let answer: PushedNow | undefined;
    do {
      setPushedCount(count);
      answer = await push.run({ warehouse_no });
      if (answer?.kind === 'transferred') count += answer.count;
    } while (answer?.kind === 'transferred' && answer.has_more);
    setPushedCount(null);
    if (answer === undefined) return;
    onClose();
    if (answer.kind === 'transferred') notices.done(say.pushed(formatNumber(count)));
    else if (answer.kind === 'hastened') notices.done(say.hastened);
    else notices.refused(say.noWarehouse);
  };
  const name = wave === null ? '' : nameOf(wave);
  return (
    <ConfirmDialog
      opened={wave !== null}
      onClose={onClose}
      title={say.pushTitle(name)}
      confirmLabel={say.pushNow}
      isRunning={pushedCount !== null}
      onConfirm={() => wave && void pushAll(wave.warehouse_no)}
    >
      {wave?.connector === 'manual' ? say.pushByHand(name) : say.pushWave(name)}
      <div role="status">{pushedCount !== null && pushedCount > 0 && say.pushed(formatNumber(pushedCount))}</div>
    </ConfirmDialog>
  );
}
