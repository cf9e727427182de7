import type { Database } from '../../platform/postgres/database.ts';
import { type AdjustmentLine, adjustmentName } from './adjust-stock.ts';
import { changeStock } from './change-stock.ts';
import type { Cause } from './movement.ts';
import type { ChangedLot, RefusedChange } from './stock-change.ts';

export interface Correction extends AdjustmentLine {
  accountId: number;
  /** null: each call counts. */
  referenceNo?: string | null;
}

export type CorrectionOutcome =
  | ({ kind: 'corrected' } & ChangedLot)
  | ({ kind: 'repeated' } & ChangedLot)
  | { kind: 'conflict' }
  | RefusedChange;

/** An adjustment of one lot by a person. */
export async function correctStock(
  database: Database,
  { accountId, referenceNo = null, ...line }: Correction,
  cause: Cause,
): Promise<CorrectionOutcome> {
  const name = referenceNo === null ? null : adjustmentName(referenceNo, [line]);
  const outcome = await changeStock(database, { accountId, changes: [line], name, cause });
  switch (outcome.kind) {
    case 'changed':
      return { kind: 'corrected', ...outcome.lots[0]! };
    case 'repeated':
      return { kind: 'repeated', ...outcome.lots[0]! };
    case 'refused':
      return outcome.mistakes[0]!.refused;
    default:
      return outcome;
  }
}
