import { outcome } from '../../messages/outcome-texts.ts';
import { judgeSecrets } from '../domain/partners/judge-secrets.ts';
import type { Job } from './job.ts';

export const judgeSecretsJob: Job = {
  name: 'judge_secrets',
  everySeconds: 3600,
  async run({ database, keyring }) {
    const { weak } = await judgeSecrets(database, keyring);
    return outcome('secrets_judged', { count: weak });
  },
};
