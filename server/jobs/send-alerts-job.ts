import { outcome } from '../../messages/outcome-texts.ts';
import { forgetOldMessages } from '../domain/alerts/alert-message-queries.ts';
import { deliverAlerts } from '../domain/alerts/deliver-alerts.ts';
import { evaluateAlerts } from '../domain/alerts/evaluate-alerts.ts';
import { makeAlertSender } from '../domain/alerts/make-alert-sender.ts';
import { readBackupState } from '../domain/backup/backup-state.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import type { Job } from './job.ts';

/** Looks for conditions that need attention, and sends the messages of the rules about them. */
export const sendAlertsJob: Job = {
  name: 'send_alerts',
  everySeconds: 60,
  async run({ database, keyring, clock, config, metrics, stopping }) {
    const { backupDir, backupEveryHours } = config;
    const backup = backupDir === null ? null : await readBackupState(backupDir, backupEveryHours);
    // Messages that are due do not wait for a look that fails.
    const [looked] = await Promise.allSettled([evaluateAlerts(database, { now: () => clock.now(), backup, stopping })]);
    await database.transaction(noAccounts, (tx) => forgetOldMessages(tx, clock.now()));
    const { sender, close } = makeAlertSender({ keyring, clock, config });
    try {
      const { sent, unsent } = await deliverAlerts(database, {
        sender,
        stopping,
        onAttempt: (channel, outcome) => metrics.alertAttempts.inc({ channel, outcome }),
      });
      if (looked.status === 'rejected') throw looked.reason;
      return outcome('alerts_done', { ...looked.value, sent, unsent });
    } finally {
      await close();
    }
  },
};
