import { errorMessage } from '../../../messages/errors.ts';
import type { Message } from '../../../messages/message.ts';
import { atField, listProblems } from '../../../messages/rejection-texts.ts';
import type { LotName, RefusedChange } from '../../domain/stock/stock-change.ts';
import { notDone } from '../../http/done-envelope.ts';
import { mistakesIn } from '../../http/error-list.ts';

/** The fields of a line that name a lot besides its warehouse. */
interface LotFields {
  sku_id: string;
  stock_type: LotName['stockType'];
  batch_id?: string | null;
  expire_date?: string | null;
}

export function lotNamed(warehouseNo: number, { sku_id, stock_type, batch_id, expire_date }: LotFields): LotName {
  return {
    warehouseNo,
    skuId: sku_id,
    stockType: stock_type,
    batchId: batch_id ?? '',
    expireDate: expire_date || null,
  };
}

export function lotOfResult({ sku_id, stock_type, batch_id, expire_date }: LotFields) {
  return { sku_id, stock_type, batch_id: batch_id ?? '', expire_date: expire_date || null };
}

/** The fields of a line that a rejection may be about, and the units that it would remove. */
export interface RefusedLine {
  /** Such as `lines[2]`. */
  path: string;
  warehouseField: string;
  unitsField: string;
  removed: number;
}

export function describeRefused(
  refused: RefusedChange,
  { path, warehouseField, unitsField, removed }: RefusedLine,
): Message {
  switch (refused.kind) {
    case 'not_found':
      if (refused.what === 'lot') return atField(path, errorMessage('lot_unknown'));
      return refused.what === 'product'
        ? atField(`${path}.sku_id`, errorMessage('product_unknown'))
        : atField(`${path}.${warehouseField}`, errorMessage('warehouse_unknown'));
    case 'not_kept_there':
      // An account does not learn which other warehouses there are.
      return atField(`${path}.${warehouseField}`, errorMessage('warehouse_unknown'));
    case 'too_few_free': {
      const { free, locked } = refused;
      return unitsField === 'counted'
        ? atField(`${path}.counted`, errorMessage('counted_below_locked', { locked }))
        : atField(`${path}.${unitsField}`, errorMessage('units_not_free', { units: removed, free, locked }));
    }
    case 'too_many_units':
      return atField(`${path}.${unitsField}`, errorMessage('lot_would_overflow', { max: refused.unitsMax }));
    default:
      return refused satisfies never;
  }
}

/** Keeps the message readable; `errors` lists the other mistakes, too. */
const mistakesListedMax = 20;

export function refuseLines(mistakes: Message[]) {
  const listed = mistakes.slice(0, mistakesListedMax);
  return notDone(listProblems(listed, mistakes.length - listed.length), 400, mistakes.flatMap(mistakesIn));
}
