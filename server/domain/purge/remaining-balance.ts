export interface Balance {
  onHand: number;
  locked: number;
}

export interface Remaining extends Balance {
  /** Units that stay although what brought them is gone. */
  kept: number;
}

/**
 * What is left of a lot's balance without some of its movements. Younger orders keep what they hold, and younger corrections what they took
 * away, also where the units came with what is gone. (A balance that was wrong before cannot go below zero, and is still wrong afterwards.)
 */
export function remainingBalance(balance: Balance, gone: Balance): Remaining {
  const locked = Math.max(0, balance.locked - gone.locked);
  const withoutThem = balance.onHand - gone.onHand;
  const onHand = Math.max(locked, withoutThem);
  return { onHand, locked, kept: onHand - withoutThem };
}
