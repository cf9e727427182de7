import { consoleCall } from './console-call.ts';
import { Nothing } from './console-values.ts';

export interface FlowHour {
  /** When it began. */
  from: string;
  /** Orders that were created in it, by channel. */
  warehouse: number;
  main: number;
  logistics: number;
  /** Orders that left in it. */
  shipped: number;
  /** From when a callback was owed until it had arrived, of those of this hour that have; null: none has. Of a sample where there are many. */
  callback_median_s: number | null;
  callback_worst_s: number | null;
}

export interface FlowState {
  status: string;
  count: number;
  /** There are more than were counted. */
  is_more: boolean;
}

export interface FlowMinute {
  from: string;
  /** API calls, without those of the console. */
  calls: number;
  /** So many that they were not all counted: reckoned from the first of them. */
  is_estimate: boolean;
}

export interface HomeFlow {
  /** The business day in Taipei: `2026-11-16`. */
  day: string;
  /** Those that have begun, the first first. */
  hours: FlowHour[];
  /** Where the orders of today are now; states that none is in are left out. */
  states: FlowState[];
  /** The last hour, minute by minute, without the present one. */
  minutes: FlowMinute[];
  /** What is on its way or waits, and since when the oldest does. */
  callbacks_waiting: { count: number; is_more: boolean; oldest_at: string | null };
  at: string;
}

export const homeFlow = consoleCall<HomeFlow>()('/home/flow', Nothing);
