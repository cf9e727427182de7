import { Anchor, Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type {
  PackingUndoResult,
  PlannedShipmentRow,
  packingPlanned,
  packingUndo,
} from '../../../contract/console/packing.ts';
import { useWords } from '../../kit/language.tsx';
import { useNotices } from '../../kit/notices.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { useMay } from '../../kit/session.tsx';
import { StatusBadge } from '../../kit/status-badge.tsx';
import { useAsk } from '../../kit/use-ask.ts';
import { useChange } from '../../kit/use-change.tsx';
import classes from './shipping.module.css';
import { words } from './words.ts';

/** Each request asks all accounts, and every open page sends it, so the page counts the seconds in between. */
const soonMs = 5000;
const seldomMs = 15_000;

/** Orders that can still be undone, and those that could not leave. */
export function usePlanned(): PlannedShipmentRow[] {
  const [isSoon, setSoon] = useState(false);
  const { answer } = useAsk<typeof packingPlanned>(
    '/packing/planned',
    {},
    { enabled: useMay('staff'), everyMs: isSoon ? soonMs : seldomMs },
  );
  const rows = answer?.rows ?? [];
  const isAnyLeaving = rows.some(isLeaving);
  if (isAnyLeaving !== isSoon) setSoon(isAnyLeaving);
  return rows;
}

/** After a shipment was planned, its seconds are shown at once. */
export function useRefreshPlanned(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: ['ask', '/packing/planned'] });
}

export function isLeaving({ refusal }: PlannedShipmentRow): boolean {
  return refusal === null;
}

/** For a status in a list or a header: the order is about to leave. */
export function LeavingBadge() {
  const say = useWords(words);
  return <StatusBadge tone="waiting">{say.leaving}</StatusBadge>;
}

export interface PlannedShipmentsProps {
  rows: PlannedShipmentRow[];
  /** Replaces the notice about the result of an undo. */
  onResult?(isUndone: boolean, text: string): void;
}

const shownMax = 10;
/** The server undoes so many at once. */
const undoneMax = 100;

/** Undoes one order after the other, or all that the operator has just shipped. */
export function PlannedShipments({ rows, onResult }: PlannedShipmentsProps) {
  const say = useWords(words);
  const notices = useNotices();
  const undo = useChange<typeof packingUndo>('/packing/undo', {
    onAnswer: ({ results }) => {
      const show = onResult ?? ((isUndone, text) => (isUndone ? notices.done(text) : notices.refused(text)));
      const late = results.filter(({ kind }) => kind === 'too_late');
      if (late.length > 0) show(false, late.map((one) => say.tooLate(numberOf(one))).join(' · '));
      else if (results.length > 1) show(true, say.undoneAll(formatNumber(results.length)));
      else show(true, say.undone(numberOf(results[0]!)));
    },
  });
  if (rows.length === 0) return null;
  const own = rows.filter((row) => row.is_own && isLeaving(row)).slice(0, undoneMax);
  const run = (undone: PlannedShipmentRow[]) => void undo.run({ order_ids: undone.map(({ order_id }) => order_id) });
  return (
    <Section
      title={say.leaving}
      actions={
        own.length > 1 && (
          <Button size="md" variant="default" onClick={() => run(own)}>
            {say.undoAll(formatNumber(own.length))}
          </Button>
        )
      }
    >
      <ul className={classes.planned}>
        {refusedFirst(rows).map((row) => (
          <Planned key={row.order_id} row={row} onUndo={() => run([row])} />
        ))}
        {rows.length > shownMax && <li>{say.more(formatNumber(rows.length - shownMax))}</li>}
      </ul>
    </Section>
  );
}

/** A long list must not hide an order that could not leave. */
function refusedFirst(rows: PlannedShipmentRow[]): PlannedShipmentRow[] {
  return rows.toSorted((one, other) => Number(isLeaving(one)) - Number(isLeaving(other))).slice(0, shownMax);
}

function numberOf({ partner_number, order_id }: PackingUndoResult): string {
  return partner_number ?? String(order_id);
}

function Planned({ row, onUndo }: { row: PlannedShipmentRow; onUndo(): void }) {
  const say = useWords(words);
  const { order_id, partner_number, shipment_nos, undo_seconds, refusal } = row;
  const reasons: Record<string, string> = { ...say.planRefusal, ...say.notWorkable };
  return (
    <li>
      <div className={classes.what}>
        <Anchor component={Link} to={`/orders/${order_id}`} className={classes.number ?? ''}>
          {partner_number}
        </Anchor>
        <div className={classes.dimmed}>{shipment_nos.join(', ')}</div>
        {refusal !== null && <StatusBadge tone="failed">{reasons[refusal] ?? say.planRefusal.other}</StatusBadge>}
      </div>
      {refusal === null && <SecondsLeft key={undo_seconds} from={undo_seconds} />}
      <Button
        className={classes.undo ?? ''}
        size="md"
        variant="default"
        aria-label={refusal === null ? say.undoOf(partner_number) : say.dismissOf(partner_number)}
        onClick={onUndo}
      >
        {refusal === null ? say.undo : say.dismiss}
      </Button>
    </li>
  );
}

/** Counts down from the seconds that the server has said. The key of the element begins it again. */
function SecondsLeft({ from }: { from: number }) {
  const say = useWords(words);
  const [left, setLeft] = useState(from);
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000);
    return () => clearInterval(timer);
  }, []);
  return <span className={classes.seconds}>{left > 0 ? say.leavesIn(formatNumber(left)) : say.leavesNow}</span>;
}
