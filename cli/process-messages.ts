import type { Config } from '../server/config.ts';
import type { NodeRole } from '../server/domain/overview/node-queries.ts';
import type { RetiredKey } from '../server/platform/keyring.ts';
import type { CountsMessage } from '../server/platform/limits/shared-counts.ts';
import type { ConnectionTarget } from '../server/platform/postgres/connection-target.ts';
import type { DatabaseUser } from '../server/platform/postgres/embedded/database-user.ts';
import type { Question } from '../server/platform/siblings.ts';

/** Everything that a process needs to run: it reads neither settings nor files with secrets. */
export interface ProcessStart {
  config: Config & { masterKey: Buffer };
  retiredKeys: RetiredKey[];
  role: NodeRole;
  target: ConnectionTarget;
  /** The data folder of the embedded PostgreSQL; null if another one is used. */
  dataDir: string | null;
  /** The user that the process switches to if it runs as root; null if it does not run as root. */
  user: DatabaseUser | null;
  counts: CountsMessage;
}

export type ToProcess =
  | ({ kind: 'start' } & ProcessStart)
  /** `alone`: the other processes of the node serve on. */
  | { kind: 'stop'; alone: boolean }
  | ({ kind: 'counts' } & CountsMessage)
  | { kind: 'asked'; id: number; question: Question }
  | { kind: 'answers'; id: number; answers: unknown[] };

export type FromProcess =
  /** The program is loaded. */
  | { kind: 'loaded' }
  | { kind: 'serving'; port: number }
  /** It cannot start; the message is for the operator. */
  | { kind: 'failed'; message: string; exitCode: number }
  | ({ kind: 'counts' } & CountsMessage)
  | { kind: 'ask'; id: number; question: Question; own: unknown }
  | { kind: 'answer'; id: number; answer: unknown }
  /** The last metrics before the end. */
  | { kind: 'ending'; metrics: unknown };
