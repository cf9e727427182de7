import { pageSizeDefault } from '../../../contract/console/console-values.ts';
import { type LedgerEntry, stockLot } from '../../../contract/console/stock-lot.ts';
import { type Balance, runningBalances } from '../../domain/stock/ledger.ts';
import { findCounterpart, findLedgerPage, type LedgerMovement } from '../../domain/stock/ledger-queries.ts';
import { availableOf } from '../../domain/stock/query-stock.ts';
import type { Cursors } from '../cursor.ts';
import { ProblemError } from '../problem.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { mistakeAt } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { judgingOfOne, wordLot } from './stock-lots.ts';

/** A lot, and its movements as a ledger: each with what the lot held after it. */
export function stockLotCall(parts: ConsoleParts): ConsoleEndpoint {
  const { database, cursors } = parts;
  return consoleEndpoint(stockLot, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { lot_id, page_size = pageSizeDefault, cursor }) {
      const place = cursor === undefined ? null : readPlace(cursors, lot_id, cursor);
      const page = await database.read((sql) =>
        findLedgerPage(sql, { lotId: lot_id, before: place?.before ?? null, limit: page_size + 1 }),
      );
      if (page === null) throw new ProblemError({ kind: 'not_found', message: 'there is no such lot' });
      const { lot, movements } = page;
      const judging = await judgingOfOne(parts, lot.account_id);
      const counterpart = await database.read((sql) => findCounterpart(sql, lot_id));

      const shown = movements.slice(0, page_size);
      const { entries, before } = runningBalances(shown, place?.after ?? { onHand: lot.on_hand, locked: lot.locked });
      const hasMore = movements.length > shown.length;
      const { warehouse_name, created_at } = lot;
      return {
        lot: { ...wordLot({ ...lot, available: availableOf(lot, judging.rules) }, judging), warehouse_name, created_at },
        counterpart,
        rows: entries.map(wordEntry),
        next_cursor: hasMore ? writePlace(cursors, lot_id, { before: shown.at(-1)!.movement_id, after: before }) : null,
        unexplained: hasMore ? null : { on_hand: before.onHand, locked: before.locked },
      };
    },
  });
}

function wordEntry({ after, ...movement }: LedgerMovement & { after: Balance }): LedgerEntry {
  return { ...movement, on_hand_after: after.onHand, locked_after: after.locked };
}

/** Where a page begins: before this movement, and with this balance after the first one on it. */
interface LedgerPlace {
  before: number;
  after: Balance;
}

const scopeOf = (lotId: number) => ({ list: `console/lot/${lotId}`, accountIds: [], search: { filters: {}, sort: null } });

function writePlace(cursors: Cursors, lotId: number, { before, after }: LedgerPlace): string {
  return cursors.write(scopeOf(lotId), [before, after.onHand, after.locked].map(String));
}

function readPlace(cursors: Cursors, lotId: number, cursor: string): LedgerPlace {
  const place = cursors.read(scopeOf(lotId), cursor)?.map(Number);
  if (!place) throw mistakeAt('cursor', 'is not of this lot');
  const [before, onHand, locked] = place as [number, number, number];
  return { before, after: { onHand, locked } };
}
