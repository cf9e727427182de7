import { NumberInput, Select, type SelectProps, Stack, Text, TextInput } from '@mantine/core';
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
export function MoveLot({ opened, onClose, ...props }: ChangeLotProps & Pick<LotDetail, 'destinations'>) {
  const { lot, destinations } = props;
  const say = useWords(words);
  const draft = useDraft(lot);
  const { isRunning, run } = useMove(() => {
    draft.forget();
    props.onDone();
  });
  return (
    <ConfirmDialog
      opened={opened}
      onClose={() => {
        draft.forget();
        onClose();
      }}
      title={say.moveQuestion(lot.sku_id, String(lot.lot_id))}
      confirmLabel={say.move}
      reason="required"
      isRunning={isRunning}
      onConfirm={(reason) => {
        const move = draft.check();
        if (move !== null) void run({ lot_id: lot.lot_id, ...move, reason });
      }}
    >
      <Stack gap="sm">
        <Destination destinations={destinations} {...draft.to} />
        <NumberInput
          label={say.moveUnits}
          description={say.moveUnitsHint(formatNumber(lot.free))}
          allowNegative={false}
          {...draft.units.field}
        />
        <TextInput
          label={say.moveReference}
          description={say.moveReferenceHint}
          maxLength={125}
          value={draft.reference}
          onChange={(event) => draft.setReference(event.currentTarget.value)}
        />
        <Text size="sm" className={classes.change ?? ''}>
          {say.changeOf(say.column.onHand, formatNumber(lot.on_hand), formatNumber(lot.on_hand - draft.units.units))}
        </Text>
      </Stack>
    </ConfirmDialog>
  );
}

/** The input of the operator so far. */
function useDraft(lot: LotDetail['lot']) {
  const say = useWords(words);
  const [to, setTo] = useState<string | null>(null);
  const [showsMissing, setShowsMissing] = useState(false);
  const [reference, setReference] = useState('');
  const units = useUnits((given) =>
    given <= 0 ? say.unitsMissing : given > lot.free ? say.unitsTooMany(formatNumber(lot.free)) : null,
  );
  return {
    units,
    reference,
    setReference,
    to: { value: to, onChange: setTo, error: showsMissing && to === null ? say.moveToMissing : null },
    /** null: something is missing, and the fields now say so. */
    check() {
      setShowsMissing(to === null);
      if (!units.check() || to === null) return null;
      const reference_no = reference.trim();
      return {
        ...{ to_warehouse_no: Number(to), units: units.units },
        ...(reference_no === '' ? {} : { reference_no }),
      };
    },
    forget() {
      units.forget();
      setTo(null);
      setReference('');
      setShowsMissing(false);
    },
  };
}

function Destination({
  destinations,
  ...field
}: Pick<LotDetail, 'destinations'> & Pick<SelectProps, 'value' | 'onChange' | 'error'>) {
  const say = useWords(words);
  const data = destinations.map(({ warehouse_no, name }) => ({
    value: String(warehouse_no),
    label: `${warehouse_no} ${name}`.trim(),
  }));
  return <Select data-autofocus required label={say.moveTo} data={data} {...field} />;
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
