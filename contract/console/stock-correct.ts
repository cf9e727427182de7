import { consoleCall } from './console-call.ts';
import { RowId, record } from './console-values.ts';
import { Reason, type RefusedStockChange, UnitsDelta } from './stock-values.ts';

/** Sets a lot right by what was counted. Each call counts: there are no repeats. */
export const stockCorrect = consoleCall<
  { kind: 'corrected'; on_hand_before: number; on_hand: number; locked: number } | RefusedStockChange
>()('/stock/correct', record({ lot_id: RowId, units: UnitsDelta, reason: Reason }));
