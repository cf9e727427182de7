import { Type } from 'typebox';
import type { Message } from '../../messages/message.ts';
import { consoleCall } from './console-call.ts';
import { Nothing, record } from './console-values.ts';

export interface SystemNode {
  node_id: string;
  host: string;
  pid: number;
  role: 'api' | 'worker' | 'both';
  version: string;
  started_at: string;
  seen_at: string;
  /** Its heartbeat is overdue. */
  is_silent: boolean;
}

export interface SystemDatabase {
  version: string;
  size_bytes: number;
  migrations: { count: number; last_name: string; last_at: string };
  connections: { state: string; count: number }[];
  connections_max: number;
  /** The start of the oldest open transaction; null if there is none. */
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
  last_outcome: Message | string | null;
  next_run_at: string;
  is_failed: boolean;
}

export interface SystemWave {
  warehouse_no: number;
  name: string;
  connector: 'http' | 'manual' | 'simulator';
  every_s: number;
  last_wave_at: string | null;
  last_outcome: Message | string | null;
  failures: number;
  /** null: the warehouse has no waves, because its orders are transferred manually. */
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
  reason: Message | string | null;
  last_try_at: string;
}

export interface SystemPurge {
  purge_id: number;
  started_at: string;
  /** null: the purge is still running, or was interrupted. */
  finished_at: string | null;
  actor: string;
  made_before: string;
  orders: number;
  inbounds: number;
  movements: number;
  callbacks: number;
  units_kept: number;
}

/** A secret from before the present rules for new ones. */
export interface WeakSecret {
  kind:
    | 'account_secret'
    | 'check_value'
    | 'logistics_key'
    | 'callback_secret'
    | 'account_callback_secret'
    | 'tenant_callback_secret'
    | 'connector_secret'
    | 'operator_password';
  owner: string;
}

export interface SystemOverview {
  /** The version of the node that responds. */
  version: string;
  /** Weaknesses of the installation that its operators can remove. */
  weaknesses: Message[];
  /** Up to a limit. */
  weak_secrets: WeakSecret[];
  nodes: SystemNode[];
  database: SystemDatabase;
  queues: SystemQueue[];
  jobs: SystemJob[];
  waves: SystemWave[];
  /** Transfers that are being sent or were rejected, the oldest first, up to a limit. */
  transfers: SystemTransfer[];
  purges: SystemPurge[];
  at: string;
}

export const systemOverview = consoleCall<SystemOverview>()('/system/overview', Nothing);

/** Orders by the time since their end, from `from_days` to before `to_days`. */
export interface RecipientAge {
  from_days: number;
  /** null: no limit. */
  to_days: number | null;
  count: number;
  /** There are more than counted. */
  is_more: boolean;
}

export interface SystemErasure {
  recipient_erasure_id: number;
  started_at: string;
  /** null: it is still running, or was interrupted. */
  finished_at: string | null;
  actor: string;
  ended_before: string;
  orders: number;
  callbacks: number;
  notes: number;
}

/** Somebody looked at a recipient or erased one. */
export interface RecipientAction {
  row_key: string;
  at: string;
  who: string;
  action: string;
  /** `order 12`. */
  subject: string | null;
  outcome: string | null;
}

export interface PersonalData {
  /** null: recipients are kept until somebody erases them. */
  retention_days: number | null;
  /** Orders of production accounts that have ended and still have their recipient. */
  ages: RecipientAge[];
  /** Newest first. */
  erasures: SystemErasure[];
  /** Newest first, up to a limit; the audit log has all of them. */
  actions: RecipientAction[];
}

/** The state of personal data, for the data protection officer. */
export const systemPersonalData = consoleCall<PersonalData>()('/system/personal-data', Nothing);

export type PushedNow =
  | { kind: 'not_found' }
  /** The orders of a manual warehouse were transferred. With `has_more`, repeat the call. */
  | { kind: 'transferred'; count: number; has_more: boolean }
  /** The next wave is due; a worker will start it. */
  | { kind: 'hastened' };

/** Transfers the orders that wait for a warehouse now. */
export const systemPushNow = consoleCall<PushedNow>()(
  '/system/push-now',
  record({ warehouse_no: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
);

export interface RetriedRejected {
  kind: 'retried';
  count: number;
  /** Other orders are still rejected. */
  is_more: boolean;
}

/** Retries all rejected orders of a warehouse with its next wave, up to a limit. */
export const systemRetryRejected = consoleCall<RetriedRejected>()(
  '/system/retry-rejected',
  record({ warehouse_no: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) }),
);

export interface PurgePreviewRow {
  account_no: string;
  orders: number;
  inbounds: number;
  movements: number;
  callbacks: number;
}

export type PurgePreviewed =
  | { kind: 'counted'; made_before: string; accounts: PurgePreviewRow[] }
  /** There are too many documents to count within a request; `lading purge --dry-run` counts all of them. */
  | { kind: 'too_many'; made_before: string };

/** Counts what a purge of UAT documents would delete. Nothing is changed. */
export const systemPurgePreview = consoleCall<PurgePreviewed>()(
  '/system/purge-preview',
  record({ older_than_days: Type.Integer({ minimum: 0, maximum: 36_500 }) }),
);
