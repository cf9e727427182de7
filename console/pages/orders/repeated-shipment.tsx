import { Alert } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { OrderOfShipment } from '../../../contract/console/orders.ts';
import { useWords } from '../../kit/language.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { words } from './words.ts';

export interface RepeatedShipment {
  shipmentNo: string;
  /** The orders that have this number. */
  others: OrderOfShipment[];
}

/** Names the orders with the same shipment number, so that the operator can decide. */
export function RepeatedShipments({ repeats, children }: { repeats: RepeatedShipment[]; children?: ReactNode }) {
  const { repeat: say } = useWords(words);
  const shared = useWords(sharedWords);
  const nameOf = ({ partner_number, account_no, status }: OrderOfShipment) =>
    say.other(partner_number, account_no, shared.orderStatus[status]);
  return (
    <Alert role="alert" variant="default" icon={<IconAlertTriangle aria-hidden />} title={say.title}>
      {repeats.map(({ shipmentNo, others }) => (
        <div key={`${shipmentNo}/${others[0]!.order_id}`}>{say.is(shipmentNo, others.map(nameOf).join(say.and))}</div>
      ))}
      <div>{say.hint}</div>
      {children}
    </Alert>
  );
}
