import { outcome } from '../../messages/outcome-texts.ts';
import { forgetEndedLinks } from '../domain/onboarding/handover-link-queries.ts';
import { forgetEndedSecrets } from '../domain/partners/secret-queries.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import type { Job } from './job.ts';

/** For this time, an operator sees when a link was opened, and its page says why it does not open again. */
const endedLinksKeptDays = 90;

export const forgetEndedSecretsJob: Job = {
  name: 'forget_ended_secrets',
  everySeconds: 3600,
  async run({ database }) {
    const count = await database.transaction(noAccounts, forgetEndedSecrets);
    await database.transaction(noAccounts, (tx) => forgetEndedLinks(tx, endedLinksKeptDays));
    return outcome('secrets_forgotten', { count });
  },
};
