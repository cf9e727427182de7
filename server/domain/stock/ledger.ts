/** The balance of a lot at some point of its history. */
export interface Balance {
  onHand: number;
  locked: number;
}

interface Deltas {
  on_hand_delta: number;
  locked_delta: number;
}

/**
 * Movements, newest first, each with the balance after it, computed backwards from the current balance; and the balance
 * before all of them.
 */
export function runningBalances<Moved extends Deltas>(
  movements: Moved[],
  after: Balance,
): { entries: (Moved & { after: Balance })[]; before: Balance } {
  let balance = after;
  const entries = movements.map((movement) => {
    const entry = { ...movement, after: balance };
    balance = { onHand: balance.onHand - movement.on_hand_delta, locked: balance.locked - movement.locked_delta };
    return entry;
  });
  return { entries, before: balance };
}
