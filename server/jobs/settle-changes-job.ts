import { outcome } from '../../messages/outcome-texts.ts';
import { settleReplacedRequests } from '../domain/transfers/settle-replaced.ts';
import type { Job } from './job.ts';

/** Ends requests to change orders that no system of a warehouse will answer. */
export const settleChangesJob: Job = {
  name: 'settle_changes',
  everySeconds: 60,
  async run({ database, stopping }) {
    return outcome('changes_settled', { count: await settleReplacedRequests(database, stopping) });
  },
};
