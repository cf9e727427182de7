import { outcome } from '../../messages/outcome-texts.ts';
import { dropDaysBeyond, forgetOldRequests } from '../domain/requests/request-log-queries.ts';
import type { Job } from './job.ts';

export const forgetOldRequestsJob: Job = {
  name: 'forget_old_requests',
  everySeconds: 3600,
  async run({ database, clock, config }) {
    const expired = await forgetOldRequests(database, config.requestLogDays, clock.now());
    const tooLarge = await dropDaysBeyond(database, config.requestLogMaxBytes);
    const dropped = [...expired, ...tooLarge.dropped];
    return dropped.length > 0
      ? outcome('partitions_dropped', { partitions: dropped.join(', ') })
      : outcome('nothing_dropped');
  },
};
