import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { IconBan } from '@tabler/icons-react';
import { useState } from 'react';
import type { ExpiredLotRow, ExpiredStock, stockBlockExpired, stockExpired } from '../../../contract/console/stock.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { newUuid } from '../../kit/new-uuid.ts';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useMay } from '../../kit/session.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import { blockExpiredWords } from './block-expired-words.ts';
import classes from './stock.module.css';

const lookedEveryMs = 30_000;
const namedMax = 8;

/** Blocks all expired stock in one step. It is shown only while there are expired good units that are free. */
export function BlockExpired({ accounts = [] }: { accounts?: string[] }) {
  const say = useWords(blockExpiredWords);
  const mayChange = useMay('staff');
  const which = accounts.length > 0 ? { accounts } : {};
  const { answer } = useAsk<typeof stockExpired>('/stock/expired', which, {
    enabled: mayChange,
    everyMs: lookedEveryMs,
  });
  // A repeat after a lost response has the same number.
  const [number, setNumber] = useState<string | null>(null);
  const [left, setLeft] = useState<ExpiredLotRow[] | null>(null);
  const notices = useNotices();
  const block = useChange<typeof stockBlockExpired>('/stock/block-expired', {
    onAnswer: (result) => {
      setNumber(null);
      if (result.kind === 'conflict') return notices.refused(say.conflict);
      const [lots, units] = [formatNumber(result.lots), formatNumber(result.units)];
      notices.done(result.is_more ? say.doneMore(lots, units) : say.done(lots, units));
      if (result.locked.length > 0) setLeft(result.locked);
    },
  });
  return (
    <>
      {mayChange && answer !== undefined && answer.lots > 0 && (
        <Button variant="default" leftSection={<IconBan size={15} aria-hidden />} onClick={() => setNumber(newUuid())}>
          {say.open}
        </Button>
      )}
      {answer && (
        <ConfirmDialog
          opened={number !== null}
          onClose={() => setNumber(null)}
          title={say.question}
          confirmLabel={say.confirm(formatNumber(answer.lots))}
          danger
          isRunning={block.isRunning}
          onConfirm={() => void block.run({ ...which, reason: say.reason, reference_no: number! })}
        >
          <Preview expired={answer} />
        </ConfirmDialog>
      )}
      <LeftLots lots={left} onClose={() => setLeft(null)} />
    </>
  );
}

function Preview({ expired: { lots, units, is_more, free, locked } }: { expired: ExpiredStock }) {
  const say = useWords(blockExpiredWords);
  return (
    <Stack gap="sm">
      <span>{say.effect(formatNumber(lots), formatNumber(units))}</span>
      {is_more && <span>{say.more}</span>}
      <LotNames lots={free} unitsOf={({ on_hand, locked: kept }) => on_hand - kept} total={lots} />
      {locked.length > 0 && (
        <>
          <span>{say.lockedStay}</span>
          <LotNames lots={locked} unitsOf={(lot) => lot.locked} total={locked.length} />
        </>
      )}
    </Stack>
  );
}

interface LotNamesProps {
  lots: ExpiredLotRow[];
  total: number;
  unitsOf(lot: ExpiredLotRow): number;
}

function LotNames({ lots, total, unitsOf }: LotNamesProps) {
  const say = useWords(blockExpiredWords);
  const shared = useWords(sharedWords);
  const named = lots.slice(0, namedMax);
  return (
    <ul className={classes.expired}>
      {named.map((lot) => (
        <li key={lot.lot_id}>
          <IdText value={lot.sku_id} label={shared.noun.sku} to={`/stock/${lot.lot_id}`} copy={false} />
          <Text span size="xs" c="dimmed">
            {[lot.account_no, lot.batch_id, lot.expire_date].filter((text) => text !== '').join(' · ')}
          </Text>
          <span>{say.units(formatNumber(unitsOf(lot)))}</span>
        </li>
      ))}
      {total > named.length && <li>{say.moreLots(formatNumber(total - named.length))}</li>}
    </ul>
  );
}

/** The lots of which some units stay good, because orders have locked them. */
function LeftLots({ lots, onClose }: { lots: ExpiredLotRow[] | null; onClose(): void }) {
  const say = useWords(blockExpiredWords);
  const shared = useWords(sharedWords);
  return (
    <Modal
      opened={lots !== null}
      onClose={onClose}
      title={say.leftTitle}
      closeButtonProps={{ 'aria-label': shared.verb.close }}
    >
      <Stack gap="sm">
        <Text size="sm">{say.leftHint}</Text>
        {lots && <LotNames lots={lots} unitsOf={(lot) => lot.locked} total={lots.length} />}
        <Group justify="flex-end">
          <Button onClick={onClose} data-autofocus>
            {shared.verb.close}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
