import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { LedgerEntry } from '../../../contract/console/stock.ts';
import { column } from '../../kit/columns.tsx';
import { type Column, DataTable, type TableRows } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { ExportMenu } from '../../kit/export-menu.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import { useActorName } from '../../kit/use-actor-name.ts';
import classes from './stock.module.css';
import { words } from './words.ts';

/** The movements of a lot, newest first, with the balances after each. */
export function Ledger({ list }: { list: TableRows<LedgerEntry> }) {
  const say = useWords(words);
  const nameOf = useActorName();
  const shared = useWords(sharedWords);
  const columns: Column<LedgerEntry>[] = [
    column('at', say.ledgerColumn.at, (row) => <Time at={row.at} absolute />, { alwaysShown: true }),
    column('kind', say.ledgerColumn.kind, (row) => formatKind(say, shared, row)),
    column('onHandDelta', say.ledgerColumn.onHandDelta, (row) => <Delta units={row.on_hand_delta} />, {
      align: 'right',
    }),
    column(
      'onHandAfter',
      say.ledgerColumn.onHandAfter,
      (row) => <span className={classes.strong}>{formatNumber(row.on_hand_after)}</span>,
      { align: 'right' },
    ),
    column('lockedDelta', say.ledgerColumn.lockedDelta, (row) => <Delta units={row.locked_delta} />, {
      align: 'right',
    }),
    column(
      'lockedAfter',
      say.ledgerColumn.lockedAfter,
      (row) => <span className={classes.strong}>{formatNumber(row.locked_after)}</span>,
      { align: 'right' },
    ),
    column('document', say.ledgerColumn.document, (row) => <DocumentLink entry={row} />),
    column('reference', say.ledgerColumn.reference, (row) => row.reference_no),
    column('by', say.ledgerColumn.by, (row) => row.actor && nameOf(row.actor)),
    column('reason', say.ledgerColumn.reason, (row) => row.reason),
    column(
      'request',
      say.ledgerColumn.request,
      (row) =>
        row.trace_id && (
          <Anchor component={Link} to={`/requests/${row.trace_id}`} size="sm" title={row.trace_id}>
            {say.openRequest}
          </Anchor>
        ),
    ),
  ];
  return (
    <Section title={say.ledger} flush actions={<ExportMenu question={list.question} />}>
      <DataTable
        name="ledger"
        bare
        label={say.ledger}
        columns={columns}
        list={list}
        rowName={(row) => String(row.movement_id)}
        empty={<EmptyState title={say.ledgerEmpty} hint={say.ledgerEmptyHint} />}
      />
    </Section>
  );
}

/** A move is two adjustments; each names the warehouse on the other side. */
function formatKind(
  say: (typeof words)['en'],
  shared: (typeof sharedWords)['en'],
  { kind, on_hand_delta, other_warehouse_no }: LedgerEntry,
): string {
  if (other_warehouse_no === null) return shared.movementKind[kind];
  return on_hand_delta < 0 ? say.movedTo(String(other_warehouse_no)) : say.movedFrom(String(other_warehouse_no));
}

/** A signed number of units, or nothing for zero. */
function Delta({ units }: { units: number }) {
  if (units === 0) return null;
  return (
    <span className={classes.delta} data-sign={units > 0 ? 'plus' : 'minus'}>
      {units > 0 ? `+${formatNumber(units)}` : formatNumber(units)}
    </span>
  );
}

function DocumentLink({ entry: { order_id, inbound_id, document_no } }: { entry: LedgerEntry }) {
  const shared = useWords(sharedWords);
  if (document_no === null) return null;
  const to = order_id === null ? `/inbound/${inbound_id}` : `/orders/${order_id}`;
  return <IdText value={document_no} label={shared.noun.number} to={to} copy={false} />;
}
