import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import { LotUnits, Reason, type RefusedStockChange, type StockType } from './stock-values.ts';

/** Moves free units of a lot to the other side: good ones to bad, bad ones to good. Each call counts: there are no repeats. */
export const stockRegrade = consoleCall<{ kind: 'regraded'; to: StockType; free_good: number; free_bad: number } | RefusedStockChange>()(
  '/stock/regrade',
  record({ lot_id: RowId, units: LotUnits, reason: Reason }),
);
