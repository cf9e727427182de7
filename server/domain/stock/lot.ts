export const stockTypes = ['good', 'bad'] as const;
export type StockType = (typeof stockTypes)[number];

export interface LotKey {
  accountId: number;
  productId: number;
  warehouseNo: number;
  stockType: StockType;
  batchId: string;
  /** null: the lot does not expire. */
  expireDate: string | null;
}

export interface Lot extends LotKey {
  lotId: number;
  onHand: number;
  locked: number;
}

/** Far above any warehouse, far below the largest exact number. */
export const lotUnitsMax = 1_000_000_000_000;

export function freeOf({ onHand, locked }: Pick<Lot, 'onHand' | 'locked'>): number {
  return onHand - locked;
}

export function lotKeyText({ productId, warehouseNo, stockType, batchId, expireDate }: LotKey): string {
  return `${productId}/${warehouseNo}/${stockType}/${expireDate ?? ''}/${batchId}`;
}

export function distinctLotKeys(keys: LotKey[]): LotKey[] {
  return [...new Map(keys.map((key) => [lotKeyText(key), key])).values()];
}

/** Earliest expiry first (lots without expiry last), then the oldest lot. */
export function compareForAllocation(a: Lot, b: Lot): number {
  if (a.expireDate === b.expireDate) return a.lotId - b.lotId;
  if (a.expireDate === null) return 1;
  if (b.expireDate === null) return -1;
  return a.expireDate < b.expireDate ? -1 : 1;
}
