/** The kinds of items that may need attention and how urgent each is, most urgent first. */
export const attentionKinds = {
  stock_audit: 'critical',
  jobs_failed: 'critical',
  backup_late: 'critical',
  alerts_failing: 'critical',
  waves_failing: 'critical',
  transfers_rejected: 'critical',
  lots_expired: 'critical',
  nodes_silent: 'warning',
  receivers_down: 'warning',
  callbacks_failed: 'warning',
  receivers_paused: 'warning',
  orders_awaiting_stock: 'warning',
  signatures_failing: 'warning',
  tokens_failing: 'warning',
  lots_expiring: 'warning',
} as const;
export type AttentionKind = keyof typeof attentionKinds;

/** The kinds that can be counted for some accounts, or for some warehouses. All others are about the whole service. */
const kindsOfAccounts: readonly AttentionKind[] = [
  ...(['transfers_rejected', 'lots_expired', 'receivers_down', 'callbacks_failed', 'receivers_paused'] as const),
  ...(['orders_awaiting_stock', 'signatures_failing', 'tokens_failing', 'lots_expiring'] as const),
];
const kindsOfWarehouses: readonly AttentionKind[] = [
  ...(['waves_failing', 'transfers_rejected', 'lots_expired', 'orders_awaiting_stock', 'lots_expiring'] as const),
];

/** Which accounts and warehouses are looked at; null: all. */
export interface AttentionScope {
  accountNos: string[] | null;
  warehouseNos: number[] | null;
}

export const wholeService: AttentionScope = { accountNos: null, warehouseNos: null };

/** The kinds that can be counted within a scope. */
export function kindsWithin({ accountNos, warehouseNos }: AttentionScope): AttentionKind[] {
  const all = Object.keys(attentionKinds) as AttentionKind[];
  return all.filter(
    (kind) =>
      (accountNos === null || kindsOfAccounts.includes(kind)) &&
      (warehouseNos === null || kindsOfWarehouses.includes(kind)),
  );
}
