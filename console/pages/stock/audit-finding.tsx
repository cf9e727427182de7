import { Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { AuditFinding } from '../../../contract/console/stock.ts';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import classes from './stock.module.css';
import { words } from './words.ts';

/** A discrepancy, with a link to its document or lot. */
export function FindingText({ finding }: { finding: AuditFinding }) {
  switch (finding.kind) {
    case 'balance':
      return <BalanceText finding={finding} />;
    case 'lock':
      return <LockText finding={finding} />;
    case 'parcel':
      return <ParcelText finding={finding} />;
    case 'delivery':
      return <DeliveryText finding={finding} />;
    case 'inbound':
      return <InboundText finding={finding} />;
    case 'move':
      return <MoveText finding={finding} />;
    case 'reference':
      return <ReferenceText finding={finding} />;
    default:
      return finding satisfies never;
  }
}

type PropsOf<Kind extends AuditFinding['kind']> = { finding: Extract<AuditFinding, { kind: Kind }> };

function BalanceText({ finding }: PropsOf<'balance'>) {
  const say = useWords(words).audit.finding;
  const { lot_id, sku_id, account_no, on_hand, on_hand_moved, locked, locked_moved } = finding;
  if (sku_id === null) return <span>{say.noLot(String(lot_id))}</span>;
  return (
    <Line to={`/stock/${lot_id}`} subject={say.lot(sku_id, String(lot_id))} accountNo={account_no}>
      {on_hand !== on_hand_moved && <span>{say.onHand(formatNumber(on_hand), formatNumber(on_hand_moved))}</span>}
      {locked !== locked_moved && <span>{say.locked(formatNumber(locked), formatNumber(locked_moved))}</span>}
    </Line>
  );
}

function LockText({ finding }: PropsOf<'lock'>) {
  const say = useWords(words).audit.finding;
  const { order_id, partner_number, account_no, sku_id, held, owed } = finding;
  if (order_id === null) return <span>{say.lockOfNobody(sku_id, formatNumber(held))}</span>;
  return (
    <Line to={`/orders/${order_id}`} subject={say.order(partner_number ?? String(order_id))} accountNo={account_no}>
      <span>{say.lock(sku_id, formatNumber(held), formatNumber(owed))}</span>
    </Line>
  );
}

function ParcelText({ finding }: PropsOf<'parcel'>) {
  const say = useWords(words).audit.finding;
  const { order_id, partner_number, account_no, sku_id, ordered, packed, shipped, short, unlocked } = finding;
  return (
    <Line to={`/orders/${order_id}`} subject={say.order(partner_number ?? String(order_id))} accountNo={account_no}>
      <span>{say.parcel(sku_id, formatNumber(ordered), formatNumber(packed), formatNumber(shipped))}</span>
      <span>{say.short(formatNumber(short), formatNumber(unlocked))}</span>
    </Line>
  );
}

function DeliveryText({ finding }: PropsOf<'delivery'>) {
  const say = useWords(words).audit.finding;
  const { order_id, partner_number, account_no, reason, returns } = finding;
  return (
    <Line to={`/orders/${order_id}`} subject={say.order(partner_number)} accountNo={account_no}>
      <span>{say.delivery(reason ?? say.noReason, formatNumber(returns))}</span>
    </Line>
  );
}

function InboundText({ finding }: PropsOf<'inbound'>) {
  const say = useWords(words).audit.finding;
  const { inbound_id, partner_number, account_no, sku_id, received, least, most } = finding;
  const right = least === most ? formatNumber(most) : say.range(formatNumber(least), formatNumber(most));
  return (
    <Line
      to={`/inbound/${inbound_id}`}
      subject={say.document(partner_number ?? String(inbound_id))}
      accountNo={account_no}
    >
      <span>{say.inbound(sku_id, formatNumber(received), right)}</span>
    </Line>
  );
}

function MoveText({ finding }: PropsOf<'move'>) {
  const say = useWords(words).audit.finding;
  const { reference_no, account_no, sku_id, departed, arrived } = finding;
  return (
    <>
      <span>{say.move(reference_no)}</span>
      <span className={classes.dimmed}>{account_no}</span>
      <span>{say.moved(sku_id, formatNumber(departed), formatNumber(arrived))}</span>
    </>
  );
}

function ReferenceText({ finding }: PropsOf<'reference'>) {
  const say = useWords(words).audit.finding;
  const { account_no, table, id_column, id, target, target_id } = finding;
  return (
    <>
      <span>{say.row(table, id_column, String(id))}</span>
      <span className={classes.dimmed}>{account_no}</span>
      <span>{say.reference(target, target_id)}</span>
    </>
  );
}

function Line({
  to,
  subject,
  accountNo,
  children,
}: {
  to: string;
  subject: string;
  accountNo: string | null;
  children: ReactNode;
}) {
  return (
    <>
      <Anchor component={Link} to={to} size="sm">
        {subject}
      </Anchor>
      <span className={classes.dimmed}>{accountNo}</span>
      {children}
    </>
  );
}
