import { outcome } from '../../messages/outcome-texts.ts';
import { countCalls } from '../domain/trends/count-calls.ts';
import { countOrders } from '../domain/trends/count-orders.ts';
import { forgetOldTrends } from '../domain/trends/forget-old-trends.ts';
import type { Job } from './job.ts';

/** Calls of operators are not calls of a partner. */
const consoleContract = 'console';

export const countTrendsJob: Job = {
  name: 'count_trends',
  everySeconds: 300,
  async run({ database, clock, stopping }) {
    const now = clock.now();
    const orders = await countOrders(database, { now, stopping });
    const hours = await countCalls(database, { now, exceptContract: consoleContract, stopping });
    await forgetOldTrends(database, now, { stopping });
    return outcome('trends_counted', { count: hours, orders });
  },
};
