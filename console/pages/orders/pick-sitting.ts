import type { OrderStep } from '../../../contract/console/order-advance.ts';
import type { ScannedOrder } from '../../../contract/console/order-scan.ts';

/** Something that was done, or not, at the desk. */
export interface SittingEntry {
  key: string;
  at: string;
  number: string;
  accountNo: string | null;
  orderId: number | null;
  step: OrderStep;
  ok: boolean;
  text: string;
}

/** What a desk has done and collected. */
export interface Sitting {
  entries: SittingEntry[];
  collected: ScannedOrder[];
}

const storedName = 'lading.sitting';
export const entriesMax = 300;

/** It outlasts a reload of the page, and ends with its tab. */
export function readSitting(): Sitting {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storedName) ?? '') as Sitting;
    return Array.isArray(stored.entries) && Array.isArray(stored.collected) ? stored : nothing;
  } catch {
    return nothing;
  }
}

export function writeSitting(sitting: Sitting): void {
  try {
    sessionStorage.setItem(storedName, JSON.stringify(sitting));
  } catch {
    // It then lasts as long as the page.
  }
}

const nothing: Sitting = { entries: [], collected: [] };
