import { outcome } from '../../messages/outcome-texts.ts';
import { shipPlanned } from '../domain/packing/ship-planned.ts';
import type { Job } from './job.ts';

/** Ships orders whose shipment was entered on the floor, when it can no longer be undone. */
export const shipPlannedJob: Job = {
  name: 'ship_planned',
  everySeconds: 5,
  async run({ stopping, ...context }) {
    const { shipped, refused } = await shipPlanned(context, stopping);
    return outcome('planned_shipped', { count: shipped, refused });
  },
};
