import { forgetOldRequests } from '../platform/request-log.ts';
import type { Job } from './job.ts';

export const forgetOldRequestsJob: Job = {
  name: 'forget_old_requests',
  everySeconds: 3600,
  async run({ database, clock, config }) {
    const dropped = await forgetOldRequests(database, config.requestLogDays, clock.now());
    return dropped.length > 0 ? `dropped ${dropped.join(', ')}` : 'nothing to drop';
  },
};
