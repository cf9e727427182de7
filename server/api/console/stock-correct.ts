import { stockCorrect } from '../../../contract/console/stock-correct.ts';
import { correctStock } from '../../domain/stock/correct-stock.ts';
import { findLotName } from '../../domain/stock/ledger-queries.ts';
import type { Database } from '../../platform/database.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { wordRefusedChange } from './stock-lots.ts';

export function stockCorrectCall(database: Database): ConsoleEndpoint {
  return consoleEndpoint(stockCorrect, {
    role: 'staff',
    audit: ({ lot_id, units, reason }) => ({ subject: `lot ${lot_id}`, details: { units, reason } }),
    async handle(caller, { lot_id, units, reason }, request) {
      const lot = await database.read((sql) => findLotName(sql, lot_id));
      if (lot === null) return wordRefusedChange({ kind: 'not_found', what: 'lot' });
      const outcome = await correctStock(database, { lot, units, reason }, causeOf(caller, request));
      if (outcome.kind !== 'corrected') return wordRefusedChange(outcome);
      return { kind: 'corrected' as const, on_hand_before: outcome.onHandBefore, on_hand: outcome.onHand, locked: outcome.locked };
    },
  });
}
