import { NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { LotDetail, stockMove } from '../../../contract/console/stock.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatRefused } from './change-words.ts';
import type { ChangeLotProps } from './correct-lot.tsx';
import classes from './stock.module.css';
import { useUnits } from './use-units.ts';
import { words } from './words.ts';

/** Moves available units to another warehouse of the account. The dialog stays open if the server rejects the move. */
export function MoveLot({
  lot,
  destinations,
  opened,
  onClose,
  onDone,
}: ChangeLotProps & Pick<LotDetail, 'destinations'>) {
  const say = useWords(words);
  const [to, setTo] = useState<string | null>(null);
  const [showsMissing, setShowsMissing] = useState(false);
  const [reference, setReference] = useState('');
  const { units, ...typed } = useUnits((given) =>
    given <= 0 ? say.unitsMissing : given > lot.free ? say.unitsTooMany(formatNumber(lot.free)) : null,
  );
  const forget = () => {
    typed.forget();
    setTo(null);
    setReference('');
    setShowsMissing(false);
  };
  const { isRunning, run } = useMove(() => {
    forget();
    onDone();
  });

  function confirm(reason: string): void {
    setShowsMissing(to === null);
    if (!typed.check() || to === null) return;
    const reference_no = reference.trim();
    const own = reference_no === '' ? {} : { reference_no };
    void run({ lot_id: lot.lot_id, to_warehouse_no: Number(to), units, reason, ...own });
  }

  return (
    <ConfirmDialog
      opened={opened}
      onClose={() => {
        forget();
        onClose();
      }}
      title={say.moveQuestion(lot.sku_id, String(lot.lot_id))}
      confirmLabel={say.move}
      reason="required"
      isRunning={isRunning}
      onConfirm={confirm}
    >
      <Stack gap="sm">
        <Select
          data-autofocus
          required
          label={say.moveTo}
          data={destinations.map(({ warehouse_no, name }) => ({
            value: String(warehouse_no),
            label: `${warehouse_no} ${name}`.trim(),
          }))}
          value={to}
          onChange={setTo}
          error={showsMissing && to === null ? say.moveToMissing : null}
        />
        <NumberInput
          label={say.moveUnits}
          description={say.regradeUnitsHint(formatNumber(lot.free))}
          allowNegative={false}
          {...typed.field}
        />
        <TextInput
          label={say.moveReference}
          description={say.moveReferenceHint}
          maxLength={125}
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        <Text size="sm" className={classes.change ?? ''}>
          {say.changeOf(say.column.onHand, formatNumber(lot.on_hand), formatNumber(lot.on_hand - units))}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}

/** Sends the move and reports its result. */
function useMove(onMoved: () => void) {
  const say = useWords(words);
  const notices = useNotices();
  return useChange<typeof stockMove>('/stock/move', {
    onAnswer(answer, body) {
      switch (answer.kind) {
        case 'moved':
          notices.done(say.moved(formatNumber(body.units), String(body.to_warehouse_no)));
          break;
        case 'repeated':
          notices.done(say.moveRepeated);
          break;
        case 'conflict':
          return notices.refused(say.moveConflict);
        default:
          return notices.refused(formatRefused(say, answer));
      }
      onMoved();
    },
  });
}
