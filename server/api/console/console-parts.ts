import type { Message } from '../../../messages/message.ts';
import type { AlertSettings } from '../../domain/alerts/make-alert-sender.ts';
import type { BackupState } from '../../domain/backup/backup-state.ts';
import type { DomainOperations } from '../../domain/operations.ts';
import type { SecondFactor } from '../../domain/operators/second-factor.ts';
import type { SessionRules, Sessions } from '../../domain/operators/sessions.ts';
import type { AccountDirectory } from '../../domain/partners/account-directory.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { BruteForceLimiter } from '../../platform/limits/brute-force-limiter.ts';
import type { PerKeyLimiter } from '../../platform/limits/per-key-limiter.ts';
import type { RateLimit } from '../../platform/limits/rate-limit.ts';
import type { AddressGuard } from '../../platform/outgoing/address-guard.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Reads } from '../../platform/postgres/reads.ts';
import type { ListParts } from './console-list.ts';

/** The dependencies of the console's endpoints. */
export interface ConsoleParts extends ListParts {
  database: Database;
  reads: Reads;
  /** Null if there is no folder for backups. */
  backups: (() => Promise<BackupState>) | null;
  keyring: Keyring;
  directory: AccountDirectory;
  /** Judges the addresses of callbacks. */
  guard: AddressGuard;
  clock: Clock;
  sessions: Sessions;
  secondFactor: SecondFactor;
  signIn: SessionRules;
  /** Limits guesses at the passwords of operators. */
  bruteForceLimiter: BruteForceLimiter;
  /** Limits concurrent password checks. */
  checkInTurn: PerKeyLimiter;
  operations: DomainOperations;
  /** How alerts are sent. */
  alerts: AlertSettings;
  /** Limits the tests of alerts, by operator. */
  alertTestLimit: RateLimit;
  version: string;
  /** Weaknesses of this installation, for the system page. */
  weaknesses(): Promise<Message[]>;
  /** null: recipients are kept until somebody erases them. */
  recipientRetentionDays: number | null;
  /** Where partners reach the APIs. */
  addresses: { serverUrl: string; warehouseBasePath: string; logisticsSegment: string };
}
