import { NumberInput, Stack, Text } from '@mantine/core';
import type { LotDetail, stockRegrade } from '../../../contract/console/stock.ts';
import { ConfirmDialog } from '../../kit/confirm-dialog.tsx';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { useChange } from '../../kit/use-change.tsx';
import { formatRefused } from './change-words.ts';
import type { ChangeLotProps } from './correct-lot.tsx';
import classes from './stock.module.css';
import { useUnits } from './use-units.ts';
import { words } from './words.ts';

/** Moves available units between good and defective. The dialog stays open if the server rejects the move. */
export function RegradeLot({
  lot,
  counterpart,
  opened,
  onClose,
  onDone,
}: ChangeLotProps & Pick<LotDetail, 'counterpart'>) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const notices = useNotices();
  const to = lot.stock_type === 'good' ? 'bad' : 'good';
  const { units, ...typed } = useUnits((given) =>
    given <= 0 ? say.unitsMissing : given > lot.free ? say.unitsTooMany(formatNumber(lot.free)) : null,
  );
  const change = useChange<typeof stockRegrade>('/stock/regrade', {
    onAnswer(answer, body) {
      if (answer.kind !== 'regraded') return notices.refused(formatRefused(say, answer));
      notices.done(say.regraded[answer.to](formatNumber(body.units)));
      typed.forget();
      onDone();
    },
  });
  const leave = () => {
    typed.forget();
    onClose();
  };
  const there = counterpart?.on_hand ?? 0;

  return (
    <ConfirmDialog
      opened={opened}
      onClose={leave}
      title={say.regradeQuestion[to](lot.sku_id, String(lot.lot_id))}
      confirmLabel={say.regradeTo[to]}
      reason="required"
      isRunning={change.isRunning}
      onConfirm={(reason) => {
        if (typed.check()) void change.run({ lot_id: lot.lot_id, units, reason });
      }}
    >
      <Stack gap="sm">
        <NumberInput
          data-autofocus
          label={say.regradeUnits}
          description={say.regradeUnitsHint(formatNumber(lot.free))}
          allowNegative={false}
          {...typed.field}
        />
        <Text size="sm" className={classes.change ?? ''}>
          {say.changeOf(shared.stockType[lot.stock_type], formatNumber(lot.on_hand), formatNumber(lot.on_hand - units))}
          <br />
          {say.changeOf(shared.stockType[to], formatNumber(there), formatNumber(there + units))}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}
