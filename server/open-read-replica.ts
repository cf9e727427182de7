import type { Config } from './config.ts';
import { CannotRun } from './open-store.ts';
import type { Database } from './platform/postgres/database.ts';
import { identityOf } from './platform/postgres/log-position.ts';
import { ReadReplica, type ReplicaOptions } from './platform/postgres/read-replica.ts';
import { noAccounts } from './platform/postgres/sql.ts';
import { distributedReason } from './platform/postgres/standby-connector.ts';

/** The replica in DATABASE_READ_URL, if there is one. It need not be available now, but must not be a wrong one. */
export async function openReadReplica(
  { databaseReadUrl }: Pick<Config, 'databaseReadUrl'>,
  primary: Database,
  options: Pick<ReplicaOptions, 'max' | 'role' | 'purpose' | 'answerWithinMs'>,
  onTrouble: (line: string) => void,
): Promise<ReadReplica | null> {
  if (databaseReadUrl === null) return null;
  const identity = await primary.read(noAccounts, identityOf);
  if (identity.isDistributed) throw new CannotRun(`DATABASE_READ_URL cannot be used: ${distributedReason}`);
  const { deadlineSeconds } = primary;
  const replica = new ReadReplica(databaseReadUrl, { primary, identity, deadlineSeconds, ...options });
  const refusal = await replica.start();
  if (refusal === null) return replica;
  if (refusal.isFinal) {
    await replica.close();
    throw new CannotRun(`DATABASE_READ_URL cannot be used: ${refusal.reason}`);
  }
  onTrouble(describeTrouble(refusal.reason));
  return replica;
}

export function describeTrouble(reason: string): string {
  return `the read replica is not used, and the primary serves its reads: ${reason}`;
}
