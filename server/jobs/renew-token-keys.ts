import { renewTokenKeys } from '../domain/partners/rotate-token-key.ts';
import type { Job } from './job.ts';

export const renewTokenKeysJob: Job = {
  name: 'renew_token_keys',
  everySeconds: 3600,
  async run({ database, keyring, clock }) {
    const { rotation, forgotten } = await renewTokenKeys(database, keyring, clock, 'renew_token_keys');
    return `${rotation ? `made token key ${rotation.kid}` : 'the token key in use is young enough'}; forgot ${forgotten} that had ended`;
  },
};
