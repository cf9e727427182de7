import { stockRegrade } from '../../../contract/console/stock-regrade.ts';
import { findLotName } from '../../domain/stock/ledger-queries.ts';
import { regradeStock } from '../../domain/stock/regrade-stock.ts';
import type { Database } from '../../platform/database.ts';
import { type ConsoleEndpoint, causeOf, consoleEndpoint } from './console-contract.ts';
import { wordRefusedChange } from './stock-lots.ts';

export function stockRegradeCall(database: Database): ConsoleEndpoint {
  return consoleEndpoint(stockRegrade, {
    role: 'staff',
    audit: ({ lot_id, units, reason }) => ({ subject: `lot ${lot_id}`, details: { units, reason } }),
    async handle(caller, { lot_id, units, reason }, request) {
      const lot = await database.read((sql) => findLotName(sql, lot_id));
      if (lot === null) return wordRefusedChange({ kind: 'not_found', what: 'lot' });
      const to = lot.stockType === 'good' ? ('bad' as const) : ('good' as const);
      const outcome = await regradeStock(database, { lot, to, units, reason }, causeOf(caller, request));
      if (outcome.kind !== 'regraded') return wordRefusedChange(outcome);
      return { kind: 'regraded' as const, to, free_good: outcome.freeGood, free_bad: outcome.freeBad };
    },
  });
}
