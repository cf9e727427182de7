import type { RefusedStockChange } from '../../../contract/console/stock.ts';
import { formatNumber } from '../../kit/number.ts';
import type { words } from './words.ts';

type Say = (typeof words)['en'];

/** The reason why a lot was not changed. */
export function formatRefused(say: Pick<Say, 'refused'>, refused: RefusedStockChange): string {
  switch (refused.kind) {
    case 'too_few_free':
      return say.refused.too_few_free(formatNumber(refused.free), formatNumber(refused.locked));
    case 'too_many_units':
      return say.refused.too_many_units(formatNumber(refused.units_max));
    case 'not_kept_there':
      return say.refused.not_kept_there;
    case 'same_warehouse':
      return say.refused.same_warehouse;
    case 'not_found':
      return say.refused.not_found;
    default:
      return refused satisfies never;
  }
}
