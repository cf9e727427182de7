import type { OrderStep, ScannedOrder } from '../../../contract/console/orders.ts';

/** The result of one scan. */
export interface PickEntry {
  key: string;
  at: string;
  number: string;
  accountNo: string | null;
  orderId: number | null;
  step: OrderStep;
  ok: boolean;
  text: string;
}

/** The entries and collected orders of a desk. */
export interface PickSession {
  entries: PickEntry[];
  collected: ScannedOrder[];
}

const storedName = 'lading.sitting';
export const entriesMax = 300;

/** The session survives a reload of the page and ends with its tab. */
export function readPickSession(): PickSession {
  try {
    const stored = JSON.parse(sessionStorage.getItem(storedName) ?? '') as PickSession;
    return Array.isArray(stored.entries) && Array.isArray(stored.collected) ? stored : nothing;
  } catch {
    return nothing;
  }
}

export function writePickSession(session: PickSession): void {
  try {
    sessionStorage.setItem(storedName, JSON.stringify(session));
  } catch {
    // The session then lasts until the page is closed.
  }
}

const nothing: PickSession = { entries: [], collected: [] };
