import { consoleCall } from './console-call.ts';
import { listFields, record } from './console-values.ts';
import type { ExpiryBand } from './stock-values.ts';

/** Counted no further: one more stands for any number beyond it. */
export const stockCountMax = 1000;

export interface StockSummary {
  /** Lots with something on hand, each up to `stockCountMax + 1`. */
  bands: Record<Extract<ExpiryBand, 'expired' | 'unsellable' | 'within_30_days' | 'within_90_days'>, number>;
  bad: number;
}

export const stockSummary = consoleCall<StockSummary>()('/stock/summary', record({ accounts: listFields.accounts }));
