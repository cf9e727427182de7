import { Alert, Group } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ShipmentWarning } from '../../../contract/console/packing.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { sharedWords } from '../../kit/shared-words.ts';
import { words as orderWords } from '../orders/words.ts';
import classes from './shipping.module.css';
import { words } from './words.ts';

/** The kinds that the person confirms with the button. */
export function kindsOf(warnings: ShipmentWarning[]): ShipmentWarning['kind'][] {
  return [...new Set(warnings.map(({ kind }) => kind))];
}

export interface WarnedOrder {
  /** null: the page shows a single order. */
  name: string | null;
  warnings: ShipmentWarning[];
}

/** Asks before orders leave. Only a button of the page confirms; another number corrects. */
export function ShipmentWarnings({ orders, children }: { orders: WarnedOrder[]; children?: ReactNode }) {
  const say = useWords(words);
  const texts = useWarningTexts();
  return (
    <Alert variant="default" icon={<IconAlertTriangle aria-hidden />} title={say.confirmTitle} role="alert">
      <ul className={classes.warnings}>
        {orders.flatMap(({ name, warnings }) =>
          warnings.map((warning) => (
            <li key={`${name} ${JSON.stringify(warning)}`}>
              {name !== null && <strong>{name} </strong>}
              {texts(warning)}
            </li>
          )),
        )}
      </ul>
      {children && (
        <Group gap="sm" mt="sm">
          {children}
        </Group>
      )}
    </Alert>
  );
}

function useWarningTexts() {
  const { warning: say } = useWords(words);
  const shared = useWords(sharedWords);
  const carriers: Record<string, string> = useWords(orderWords).shipMethod;
  return (warning: ShipmentWarning): string => {
    switch (warning.kind) {
      case 'repeated': {
        const others = warning.others.map(({ partner_number, account_no, status }) =>
          say.other(partner_number, account_no, shared.orderStatus[status]),
        );
        return say.repeated(warning.shipment_no, others.join(say.comma) || say.elsewhere);
      }
      case 'format': {
        const carrier = carriers[warning.carrier] ?? warning.carrier;
        return say.format(warning.shipment_no, carrier, formatNumber(warning.digits));
      }
      case 'skipped':
        return say.skipped(shared.orderStatus[warning.status]);
      case 'short':
        return say.short(formatNumber(warning.units));
      default:
        return warning satisfies never;
    }
  };
}
