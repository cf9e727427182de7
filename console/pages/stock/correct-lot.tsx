import { NumberInput, Stack, Text } from '@mantine/core';
import type { LotDetail, stockCorrect } from '../../../contract/console/stock.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatRefused } from './change-words.ts';
import classes from './stock.module.css';
import { useUnits } from './use-units.ts';
import { words } from './words.ts';

export interface ChangeLotProps {
  lot: LotDetail['lot'];
  opened: boolean;
  onClose(): void;
  onDone(): void;
}

/** Corrects a lot after a count. The dialog stays open if the server rejects the correction. */
export function CorrectLot({ lot, opened, onClose, onDone }: ChangeLotProps) {
  const say = useWords(words);
  const notices = useNotices();
  const { units, ...typed } = useUnits((given) =>
    given === 0 ? say.unitsMissing : lot.free + given < 0 ? say.unitsTooMany(formatNumber(lot.free)) : null,
  );
  const change = useChange<typeof stockCorrect>('/stock/correct', {
    onAnswer(answer) {
      if (answer.kind !== 'corrected') return notices.refused(formatRefused(say, answer));
      notices.done(say.corrected(formatNumber(answer.on_hand_before), formatNumber(answer.on_hand)));
      typed.forget();
      onDone();
    },
  });
  const leave = () => {
    typed.forget();
    onClose();
  };

  return (
    <ConfirmDialog
      opened={opened}
      onClose={leave}
      title={say.correctQuestion(lot.sku_id, String(lot.lot_id))}
      confirmLabel={say.correctConfirm}
      reason="required"
      isRunning={change.isRunning}
      onConfirm={(reason) => {
        if (typed.check()) void change.run({ lot_id: lot.lot_id, units, reason });
      }}
    >
      <Stack gap="sm">
        <NumberInput data-autofocus label={say.correctUnits} description={say.correctUnitsHint} {...typed.field} />
        <Text size="sm" className={classes.change ?? ''}>
          {say.changeOf(say.column.onHand, formatNumber(lot.on_hand), formatNumber(lot.on_hand + units))}
          <br />
          {say.changeOf(say.column.free, formatNumber(lot.free), formatNumber(lot.free + units))}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}
