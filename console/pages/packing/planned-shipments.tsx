import { Anchor, Button } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import type { PlannedShipmentRow, packingPlanned } from '../../../contract/console/packing.ts';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import classes from './packing.module.css';
import type { Packing } from './use-packing.ts';

const soonMs = 1000;
const seldomMs = 15_000;

/** Orders that can still be undone, and those that could not leave. The server counts the seconds. */
export function PlannedShipments({ packing }: { packing: Packing }) {
  const { say } = packing;
  const [isSoon, setSoon] = useState(false);
  const { answer } = useAsk<typeof packingPlanned>('/packing/planned', {}, { everyMs: isSoon ? soonMs : seldomMs });
  const rows = answer?.rows ?? [];
  const isAnyLeaving = rows.some(({ refusal }) => refusal === null);
  if (isAnyLeaving !== isSoon) setSoon(isAnyLeaving);
  if (rows.length === 0) return null;
  return (
    <Section title={say.leaving}>
      <ul className={classes.planned}>
        {rows.map((row) => (
          <Planned key={row.order_id} row={row} packing={packing} />
        ))}
      </ul>
    </Section>
  );
}

function Planned({ row, packing: { say, undo } }: { row: PlannedShipmentRow; packing: Packing }) {
  const { order_id, partner_number, shipment_nos, undo_seconds, refusal } = row;
  const reasons: Record<string, string> = { ...say.planRefusal, ...say.notWorkable };
  const leaves = undo_seconds > 0 ? say.leavesIn(formatNumber(undo_seconds)) : say.leavesNow;
  return (
    <li>
      <div className={classes.what}>
        <Anchor component={Link} to={`/orders/${order_id}`} className={classes.plannedNumber ?? ''}>
          {partner_number}
        </Anchor>
        <div className={classes.dimmed}>{shipment_nos.join(', ')}</div>
        {refusal !== null && <StatusBadge tone="failed">{reasons[refusal] ?? say.planRefusal.other}</StatusBadge>}
      </div>
      {refusal === null && <span className={classes.seconds}>{leaves}</span>}
      <Button
        className={classes.undo ?? ''}
        size="md"
        variant="default"
        aria-label={refusal === null ? say.undoOf(partner_number) : say.dismissOf(partner_number)}
        onClick={() => void undo(order_id, partner_number)}
      >
        {refusal === null ? say.undo : say.dismiss}
      </Button>
    </li>
  );
}
