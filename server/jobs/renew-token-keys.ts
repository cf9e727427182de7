import { outcome } from '../../messages/outcome-texts.ts';
import { renewTokenKeys } from '../domain/partners/rotate-token-key.ts';
import type { Job } from './job.ts';

export const renewTokenKeysJob: Job = {
  name: 'renew_token_keys',
  everySeconds: 3600,
  async run({ database, keyring, clock }) {
    const { rotation, forgotten } = await renewTokenKeys(database, keyring, clock, 'renew_token_keys');
    return rotation
      ? outcome('token_key_made', { kid: rotation.kid, count: forgotten })
      : outcome('token_key_kept', { count: forgotten });
  },
};
