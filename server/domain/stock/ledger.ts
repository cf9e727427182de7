/** What a lot holds at some point of its history. */
export interface Balance {
  onHand: number;
  locked: number;
}

interface Deltas {
  on_hand_delta: number;
  locked_delta: number;
}

/** Movements, the newest first, each with what the lot held after it, reckoned back from the balance after the newest one; and what it held before them all. */
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
