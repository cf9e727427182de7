import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { LedgerEntry } from '../../../contract/console/stock-lot.ts';
import { type Column, DataTable, type TableRows } from '../../kit/data-table.tsx';
import { EmptyState } from '../../kit/empty-state.tsx';
import { IdText } from '../../kit/id-text.tsx';
import { useWords } from '../../kit/language.tsx';
import { formatNumber } from '../../kit/number.ts';
import { Section } from '../../kit/section.tsx';
import { sharedWords } from '../../kit/shared-words.ts';
import { Time } from '../../kit/time.tsx';
import classes from './stock.module.css';
import { words } from './words.ts';

/** The movements of a lot, the newest first, with what it held after each. */
export function Ledger({ list }: { list: TableRows<LedgerEntry> }) {
  const say = useWords(words);
  const shared = useWords(sharedWords);
  const columns: Column<LedgerEntry>[] = [
    { key: 'at', title: say.ledgerColumn.at, alwaysShown: true, cell: (row) => <Time at={row.at} absolute /> },
    { key: 'kind', title: say.ledgerColumn.kind, cell: (row) => shared.movementKind[row.kind] },
    { key: 'onHandDelta', title: say.ledgerColumn.onHandDelta, align: 'right', cell: (row) => <Delta units={row.on_hand_delta} /> },
    {
      key: 'onHandAfter',
      title: say.ledgerColumn.onHandAfter,
      align: 'right',
      cell: (row) => <span className={classes.strong}>{formatNumber(row.on_hand_after)}</span>,
    },
    { key: 'lockedDelta', title: say.ledgerColumn.lockedDelta, align: 'right', cell: (row) => <Delta units={row.locked_delta} /> },
    {
      key: 'lockedAfter',
      title: say.ledgerColumn.lockedAfter,
      align: 'right',
      cell: (row) => <span className={classes.strong}>{formatNumber(row.locked_after)}</span>,
    },
    { key: 'document', title: say.ledgerColumn.document, cell: (row) => <DocumentLink entry={row} /> },
    { key: 'by', title: say.ledgerColumn.by, cell: (row) => row.actor },
    { key: 'reason', title: say.ledgerColumn.reason, cell: (row) => row.reason },
    {
      key: 'request',
      title: say.ledgerColumn.request,
      cell: (row) =>
        row.trace_id && (
          <Anchor component={Link} to={`/requests/${row.trace_id}`} size="sm" title={row.trace_id}>
            {say.openRequest}
          </Anchor>
        ),
    },
  ];
  return (
    <Section title={say.ledger} flush>
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

/** With its sign; nothing where nothing changed. */
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
