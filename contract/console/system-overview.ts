import { consoleCall } from './console-call.ts';
import { Nothing } from './console-values.ts';

export interface SystemNode {
  node_id: string;
  host: string;
  pid: number;
  role: 'api' | 'worker' | 'both';
  version: string;
  started_at: string;
  seen_at: string;
  /** No sign of life for a while. */
  is_silent: boolean;
}

export interface SystemDatabase {
  version: string;
  size_bytes: number;
  migrations: { count: number; last_name: string; last_at: string };
  connections: { state: string; count: number }[];
  connections_max: number;
  /** When the oldest transaction that is still open began; null: none is. */
  oldest_transaction_at: string | null;
}

export interface SystemQueue {
  queue: 'callbacks' | 'orders_awaiting_stock' | 'transfers_sending' | 'transfers_rejected';
  count: number;
  is_more: boolean;
  oldest_at: string | null;
  path: string;
}

export interface SystemJob {
  name: string;
  last_run_at: string | null;
  last_outcome: string | null;
  next_run_at: string;
  is_failed: boolean;
}

export interface SystemWave {
  warehouse_no: number;
  name: string;
  connector: 'http' | 'manual' | 'simulator';
  every_s: number;
  last_wave_at: string | null;
  last_outcome: string | null;
  failures: number;
  /** null: it has no waves, orders are handed over by a person. */
  next_wave_at: string | null;
}

export interface SystemTransfer {
  order_id: number;
  order_no: string;
  account_no: string;
  partner_number: string;
  warehouse_no: number;
  status: string;
  tries: number;
  reason: string | null;
  last_try_at: string;
}

export interface SystemPurge {
  purge_id: number;
  started_at: string;
  /** null: it was cut off, or is still at it. */
  finished_at: string | null;
  actor: string;
  made_before: string;
  orders: number;
  inbounds: number;
  movements: number;
  callbacks: number;
  units_kept: number;
}

export interface SystemOverview {
  /** Of the node that answers. */
  version: string;
  nodes: SystemNode[];
  database: SystemDatabase;
  queues: SystemQueue[];
  jobs: SystemJob[];
  waves: SystemWave[];
  /** Being sent, or put aside; the oldest first, and not more than so many. */
  transfers: SystemTransfer[];
  purges: SystemPurge[];
  at: string;
}

export const systemOverview = consoleCall<SystemOverview>()('/system/overview', Nothing);
