import { Alert, Button, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ShipmentWarning } from '../../../contract/console/packing.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { words as orderWords } from '../orders/words.ts';
import classes from './packing.module.css';
import type { Packing } from './use-packing.ts';

/** Asks before an order leaves. Only the button confirms; a scan of another number corrects. */
export function ShipmentWarnings({ warnings, packing }: { warnings: ShipmentWarning[]; packing: Packing }) {
  const { say } = packing;
  const texts = useWarningTexts(packing);
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title={say.confirmTitle} role="alert">
      <ul className={classes.warnings}>
        {warnings.map((warning) => (
          <li key={JSON.stringify(warning)}>{texts(warning)}</li>
        ))}
      </ul>
      <Group gap="sm" mt="sm">
        <Button size="md" color="red.8" onClick={() => void packing.shipAnyway()}>
          {say.shipAnyway}
        </Button>
        <Button
          size="md"
          variant="default"
          onClick={() => {
            packing.setWarnings(null);
            packing.setLabels({});
            packing.nextTurn();
          }}
        >
          {say.correct}
        </Button>
      </Group>
    </Alert>
  );
}

function useWarningTexts({ say, shared }: Packing) {
  const carriers: Record<string, string> = useWords(orderWords).shipMethod;
  return (warning: ShipmentWarning): string => {
    switch (warning.kind) {
      case 'repeated': {
        const others = warning.others.map(({ partner_number, account_no, status }) =>
          say.warning.other(partner_number, account_no, shared.orderStatus[status]),
        );
        return say.warning.repeated(warning.shipment_no, others.join(', '));
      }
      case 'format': {
        const carrier = carriers[warning.carrier] ?? warning.carrier;
        return say.warning.format(warning.shipment_no, carrier, formatNumber(warning.digits));
      }
      case 'skipped':
        return say.warning.skipped(shared.orderStatus[warning.status]);
      case 'short':
        return say.warning.short(formatNumber(warning.units));
      default:
        return warning satisfies never;
    }
  };
}
