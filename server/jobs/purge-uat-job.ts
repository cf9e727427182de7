import { outcome } from '../../messages/outcome-texts.ts';
import { describeCounts, madeBeforeOf } from '../domain/purge/purge-report.ts';
import { purgeUat } from '../domain/purge/purge-uat.ts';
import type { Job } from './job.ts';

export const purgeUatJob: Job = {
  name: 'purge_uat',
  everySeconds: 3600,
  async run({ database, clock, config, metrics, stopping }) {
    const report = await purgeUat(database, {
      madeBefore: madeBeforeOf(clock.now(), config.uatRetentionDays),
      actor: 'purge_uat',
      stopping,
      onBatch({ orders, inbounds }) {
        metrics.documentsPurged.inc({ type: 'order' }, orders);
        metrics.documentsPurged.inc({ type: 'inbound' }, inbounds);
      },
    });
    if (report === null) return outcome('nothing_purged');
    return outcome(report.finishedAt === null ? 'purge_stopped' : 'purged', { counts: describeCounts(report) });
  },
};
