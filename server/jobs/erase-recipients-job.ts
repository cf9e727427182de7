import { outcome } from '../../messages/outcome-texts.ts';
import { eraseRecipients } from '../domain/recipients/erase-recipients.ts';
import { describeErasure, endedBeforeOf } from '../domain/recipients/erasure-report.ts';
import type { Job } from './job.ts';

export const eraseRecipientsJob: Job = {
  name: 'erase_recipients',
  everySeconds: 3600,
  async run({ database, keyring, clock, config, metrics, stopping }) {
    const { recipientRetentionDays } = config;
    if (recipientRetentionDays === null) return outcome('recipients_kept');
    const report = await eraseRecipients(database, keyring, {
      endedBefore: endedBeforeOf(clock.now(), recipientRetentionDays),
      actor: 'erase_recipients',
      stopping,
      onBatch: ({ orders }) => metrics.recipientsErased.inc(orders),
    });
    if (report === null) return outcome('nothing_erased');
    const counts = describeErasure(report);
    return outcome(report.finishedAt === null ? 'erasure_stopped' : 'recipients_erased', { counts });
  },
};
