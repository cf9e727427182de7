export interface Balance {
  onHand: number;
  locked: number;
}

export interface Remaining extends Balance {
  /** Units that stay although the movements that brought them are deleted. */
  kept: number;
}

/**
 * The balance of a lot without some of its movements. Newer orders keep the units they hold, and newer corrections stay
 * effective, even if the units came with deleted movements. A balance that was wrong before does not go below zero and
 * is still wrong afterwards.
 */
export function remainingBalance(balance: Balance, gone: Balance): Remaining {
  const locked = Math.max(0, balance.locked - gone.locked);
  const withoutThem = balance.onHand - gone.onHand;
  const onHand = Math.max(locked, withoutThem);
  return { onHand, locked, kept: onHand - withoutThem };
}
