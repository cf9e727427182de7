import type { FormatChanges } from '../domain/transfers/requested-change.ts';
import type { FormatTransfer, PushRules } from '../domain/transfers/transfer.ts';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import type { OutgoingHttp } from '../platform/outgoing/http-client.ts';
import type { Database } from '../platform/postgres/database.ts';
import type { PushMetrics } from './push-metrics.ts';

export interface PushContext {
  database: Database;
  /** The operator chooses the addresses of warehouses, so this client may connect to any address. */
  http: OutgoingHttp;
  /** The secrets that sign posts to this warehouse. */
  secretsOf(warehouseNo: number): Promise<string[]>;
  formatTransfer: FormatTransfer;
  formatChanges: FormatChanges;
  clock: Clock;
  log: Log;
  metrics: PushMetrics;
  settings?: Partial<PushRules>;
}

export type WaveContext = Omit<PushContext, 'settings'> & {
  rules: PushRules;
  /** Aborted when the worker shuts down. */
  closing: AbortSignal;
};
