import type { Message } from '../../messages/message.ts';
import { consoleCall } from './console-call.ts';
import { Nothing } from './console-values.ts';

/** The conditions that the home page reports, including those that are fine. */
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
  | 'backup_late'
  | 'alerts_failing'
  | 'nodes_silent';

export type AttentionSeverity = 'critical' | 'warning' | 'fine';

export interface AttentionExample {
  /** The affected receiver, warehouse, account, job or host. */
  name: string;
  /** The recorded problem; null if nothing more is known. */
  detail: Message | string | null;
  /** The number of occurrences; null if they are not counted. */
  count: number | null;
}

export interface AttentionItem {
  kind: AttentionKind;
  severity: AttentionSeverity;
  count: number;
  /** Counting stopped at a limit; there are more. */
  is_more: boolean;
  /**
   * Time of the oldest occurrence; for lots, the first expiry date; for backups, the time of the last verified one, even
   * if it is fine. null if unknown or if nothing is wrong.
   */
  since: string | null;
  /** Path and query of the console's list that shows the occurrences. */
  path: string;
  examples: AttentionExample[];
}

export interface HomeAttention {
  /** The most urgent first. */
  items: AttentionItem[];
  /** Shows whether the service is new: the page then lists first steps. */
  first_steps: { has_accounts: boolean; has_products: boolean; has_orders: boolean };
  /** The time of this report. */
  at: string;
}

export const homeAttention = consoleCall<HomeAttention>()('/home/attention', Nothing);

export interface FlowHour {
  /** The start of the hour. */
  from: string;
  /** Orders created in this hour, by channel. */
  warehouse: number;
  main: number;
  logistics: number;
  /** Orders shipped in this hour. */
  shipped: number;
  /**
   * Time from the event to the delivery of its callback, for callbacks of this hour that have been delivered; null if
   * there are none. Sampled when there are many.
   */
  callback_median_s: number | null;
  callback_worst_s: number | null;
}

export interface FlowState {
  status: string;
  count: number;
  /** Counting stopped at a limit; there are more. */
  is_more: boolean;
}

export interface FlowMinute {
  from: string;
  /** API calls, without those of the console. */
  calls: number;
  /** There were too many calls to count, so the number is extrapolated from the first ones. */
  is_estimate: boolean;
}

export interface HomeFlow {
  /** The business day in Taipei: `2026-11-16`. */
  day: string;
  /** The hours of the day that have started, in order. */
  hours: FlowHour[];
  /** Today's orders by their current status; statuses without orders are left out. */
  states: FlowState[];
  /** The last 60 minutes, without the current one. */
  minutes: FlowMinute[];
  /** Callbacks that are being sent or waiting, with the time of the oldest. */
  callbacks_waiting: { count: number; is_more: boolean; oldest_at: string | null };
  at: string;
}

export const homeFlow = consoleCall<HomeFlow>()('/home/flow', Nothing);
