import { outcome } from '../../messages/outcome-texts.ts';
import { sessionsKeptDays } from '../domain/operators/operator.ts';
import { forgetOldSessions } from '../domain/operators/session-queries.ts';
import { noAccounts } from '../platform/postgres/sql.ts';
import type { Job } from './job.ts';

export const forgetOldSessionsJob: Job = {
  name: 'forget_old_sessions',
  everySeconds: 3600,
  async run({ database }) {
    const count = await database.transaction(noAccounts, (tx) => forgetOldSessions(tx, sessionsKeptDays));
    return outcome('sessions_forgotten', { count, days: sessionsKeptDays });
  },
};
