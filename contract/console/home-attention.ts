import { consoleCall } from './console-call.ts';
import { Nothing } from './console-values.ts';

/** What may need somebody, each always told: also that it is fine. */
export type AttentionKind =
  | 'callbacks_failed'
  | 'receivers_down'
  | 'receivers_paused'
  | 'orders_awaiting_stock'
  | 'transfers_rejected'
  | 'waves_failing'
  | 'lots_expired'
  | 'lots_expiring'
  | 'stock_audit'
  | 'signatures_failing'
  | 'tokens_failing'
  | 'jobs_failed'
  | 'nodes_silent';

export type AttentionSeverity = 'critical' | 'warning' | 'fine';

export interface AttentionExample {
  /** A receiver's address, a warehouse, an account, a job, a host. */
  name: string;
  /** What is the matter with it, as it was recorded; null: nothing more is known. */
  detail: string | null;
  /** How often; null: that is not counted. */
  count: number | null;
}

export interface AttentionItem {
  kind: AttentionKind;
  severity: AttentionSeverity;
  count: number;
  /** There are more than were counted. */
  is_more: boolean;
  /** The oldest of it: since when something is wrong, or (lots) which day comes first; null: not known, or nothing is wrong. */
  since: string | null;
  /** The list behind it: a path of the console, with its query. */
  path: string;
  examples: AttentionExample[];
}

export interface HomeAttention {
  /** The most urgent first, what is fine last. */
  items: AttentionItem[];
  /** What there is at all: a service that is new needs other words. */
  first_steps: { has_accounts: boolean; has_products: boolean; has_orders: boolean };
  /** When it was looked at. */
  at: string;
}

export const homeAttention = consoleCall<HomeAttention>()('/home/attention', Nothing);
