import { outcome } from '../../messages/outcome-texts.ts';
import { forgetEndedSecrets } from '../domain/partners/secret-queries.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import type { Job } from './job.ts';

export const forgetEndedSecretsJob: Job = {
  name: 'forget_ended_secrets',
  everySeconds: 3600,
  async run({ database }) {
    const count = await database.transaction(noAccounts, forgetEndedSecrets);
    return outcome('secrets_forgotten', { count });
  },
};
