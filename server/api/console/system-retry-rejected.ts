import { type RetriedRejected, systemRetryRejected } from '../../../contract/console/system-retry-rejected.ts';
import { retryRejected } from '../../domain/orders/transfer-orders.ts';
import { listTransfers } from '../../domain/orders/transfer-queries.ts';
import { type ConsoleEndpoint, consoleEndpoint } from './console-contract.ts';
import type { ConsoleParts } from './console-parts.ts';

/** At once; whoever has more asks again. */
const retriedMax = 2000;

export function systemRetryRejectedCall({ database }: Pick<ConsoleParts, 'database'>): ConsoleEndpoint {
  return consoleEndpoint(systemRetryRejected, {
    role: 'admin',
    audit: ({ warehouse_no }) => ({ subject: `warehouse ${warehouse_no}` }),
    outcome: ({ kind, count }) => `${kind} ${count}`,
    async handle(_caller, { warehouse_no }): Promise<RetriedRejected> {
      const selection = { warehouseNo: warehouse_no, status: 'rejected', numbers: null } as const;
      const rejected = await database.read((sql) => listTransfers(sql, selection, retriedMax + 1));
      const orderIds = rejected.slice(0, retriedMax).map(({ order_id }) => order_id);
      return { kind: 'retried', count: await retryRejected(database, orderIds), is_more: rejected.length > retriedMax };
    },
  });
}
