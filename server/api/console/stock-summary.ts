import { stockCountMax, stockSummary } from '../../../contract/console/stock-summary.ts';
import { countLots } from '../../domain/stock/stock-search-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import { accountIdsOf } from './console-list.ts';
import type { ConsoleParts } from './console-parts.ts';
import { judgingOf } from './stock-lots.ts';

export function stockSummaryCall(parts: ConsoleParts): ConsoleEndpoint {
  return consoleEndpoint(stockSummary, {
    role: 'read-only',
    audit: null,
    async handle(_caller, { accounts }) {
      const { rules, days } = await judgingOf(parts, accounts);
      const accountIds = await accountIdsOf(parts.directory, accounts);
      const { bad, ...bands } = await parts.database.read((sql) => countLots(sql, { accountIds, rules, days, limit: stockCountMax }));
      return { bands, bad };
    },
  });
}
