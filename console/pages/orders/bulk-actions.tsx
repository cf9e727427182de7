import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { OrderListRow, OrderRowAction } from '../../../contract/console/orders.ts';
import { DangerButton } from '../../kit/danger-button.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { useMay } from '../../kit/session.tsx';
import { useClaim } from '../picking/use-claim.ts';
import { PrintMenu } from '../print/print-menu.tsx';
import { changeWords } from './change-words.ts';
import { type OrderAction, OrderActionDialog } from './order-actions.tsx';
import { words } from './words.ts';

const actedOnMax = 100;
/** More slots do not fit on a cart. */
const pickedTogetherMax = 50;
const steps = ['pick', 'pack', 'ship', 'arrive', 'deliver', 'fail'] as const;

/** Actions that at least one of the orders can take, each with the number of those. The others are left as they are. */
export function BulkActions({ orders, onDone }: { orders: OrderListRow[]; onDone(): void }) {
  const say = useWords(words);
  const sayChange = useWords(changeWords);
  const mayResend = useMay('admin');
  const [action, setAction] = useState<OrderAction | null>(null);
  const able = (one: OrderRowAction) => orders.filter(({ can }) => can.includes(one));
  const tooMany = orders.length > actedOnMax;
  const titles = {
    ...say.step,
    hold: sayChange.hold,
    release: sayChange.release,
    resend: say.resend,
  };
  const offered = ([...steps, 'hold', 'release', ...(mayResend ? (['resend'] as const) : [])] as const).filter(
    (one) => able(one).length > 0,
  );
  const cancelled = able('cancel').length;
  return (
    <>
      <PickTogether orders={able('pick_together')} />
      <PrintMenu orderIds={orders.map(({ order_id }) => order_id)} disabled={tooMany || orders.length === 0} />
      {offered.map((one) => (
        <Button key={one} variant="default" disabled={tooMany} onClick={() => setAction(one)}>
          {say.actionOf(titles[one], formatNumber(able(one).length))}
        </Button>
      ))}
      {cancelled > 0 && (
        <DangerButton disabled={tooMany} onClick={() => setAction('cancel')}>
          {say.cancelButton(say.orders(formatNumber(cancelled)))}
        </DangerButton>
      )}
      {tooMany && <Text size="sm">{say.tooMany(formatNumber(actedOnMax))}</Text>}
      <OrderActionDialog
        action={action}
        orders={action === null ? orders : able(action)}
        onClose={() => setAction(null)}
        onDone={onDone}
      />
    </>
  );
}

/** Staff pick the orders of one warehouse as a batch. */
function PickTogether({ orders }: { orders: OrderListRow[] }) {
  const say = useWords(words);
  const { claim, isRunning } = useClaim();
  const warehouseNos = new Set(orders.map(({ warehouse_no }) => warehouse_no));
  const [warehouse_no] = warehouseNos;
  if (warehouse_no === undefined) return null;
  return (
    <Button
      variant="default"
      disabled={warehouseNos.size > 1 || orders.length > pickedTogetherMax}
      loading={isRunning}
      onClick={() => claim({ warehouse_no, order_ids: orders.map(({ order_id }) => order_id) })}
    >
      {say.actionOf(say.list.pickTogether, formatNumber(orders.length))}
    </Button>
  );
}
