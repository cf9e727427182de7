import { NumberInput, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { stockCorrect } from '../../../contract/console/stock-correct.ts';
import type { LotDetail } from '../../../contract/console/stock-lot.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useChange } from '../../kit/use-change.tsx';
import { wordRefused } from './change-words.ts';
import classes from './stock.module.css';
import { words } from './words.ts';

export interface ChangeLotProps {
  lot: LotDetail['lot'];
  opened: boolean;
  onClose(): void;
  onDone(): void;
}

/** Sets a lot right by what was counted; a refusal leaves the dialogue open. */
export function CorrectLot({ lot, opened, onClose, onDone }: ChangeLotProps) {
  const say = useWords(words);
  const notices = useNotices();
  const [units, setUnits] = useState<number | string>('');
  const [mistake, setMistake] = useState<string | null>(null);
  const forget = () => {
    setUnits('');
    setMistake(null);
  };
  const leave = () => {
    forget();
    onClose();
  };
  const change = useChange<typeof stockCorrect>('/stock/correct', {
    onAnswer(answer) {
      if (answer.kind !== 'corrected') return notices.refused(wordRefused(say, answer));
      notices.done(say.corrected(formatNumber(answer.on_hand_before), formatNumber(answer.on_hand)));
      forget();
      onDone();
    },
  });
  const asked = typeof units === 'number' ? units : 0;
  const mistakeNow = asked === 0 ? say.unitsMissing : lot.free + asked < 0 ? say.unitsTooMany(formatNumber(lot.free)) : null;

  return (
    <ConfirmDialog
      opened={opened}
      onClose={leave}
      title={say.correctQuestion(lot.sku_id, String(lot.lot_id))}
      confirmLabel={say.correctConfirm}
      reason="required"
      isRunning={change.isRunning}
      onConfirm={(reason) => {
        setMistake(mistakeNow);
        if (mistakeNow === null) void change.run({ lot_id: lot.lot_id, units: asked, reason });
      }}
    >
      <Stack gap="sm">
        <NumberInput
          data-autofocus
          label={say.correctUnits}
          description={say.correctUnitsHint}
          required
          allowDecimal={false}
          value={units}
          error={mistake === null ? null : mistakeNow}
          onChange={setUnits}
        />
        <Text size="sm" className={classes.change ?? ''}>
          {say.changeOf(say.column.onHand, formatNumber(lot.on_hand), formatNumber(lot.on_hand + asked))}
          <br />
          {say.changeOf(say.column.free, formatNumber(lot.free), formatNumber(lot.free + asked))}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}
