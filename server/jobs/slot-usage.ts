import { type Lane, type LaneName, laneName } from '../domain/callbacks/callback.ts';
import type { CallbackInHand } from '../domain/callbacks/record-and-claim.ts';
import type { DeliveryRules, FreeSlots } from '../domain/callbacks/retry-schedule.ts';

type Destination = Lane & Pick<CallbackInHand, 'suspect' | 'host'>;

/** How many callbacks this worker is sending: in total, to each receiver, and to suspect receivers at each host. */
export class SlotUsage {
  private readonly rules: DeliveryRules;
  private readonly perReceiver: Map<LaneName, number>;
  private readonly suspectsPerHost: Map<string, number>;
  private suspects: number;
  private total: number;

  constructor(rules: DeliveryRules) {
    this.rules = rules;
    this.perReceiver = new Map();
    this.suspectsPerHost = new Map();
    this.suspects = 0;
    this.total = 0;
  }

  inFlight(): number {
    return this.total;
  }

  hasFree(): boolean {
    return this.total < this.rules.slots;
  }

  free(): FreeSlots {
    const all = this.rules.slots - this.total;
    return { all, suspect: Math.min(all, this.rules.suspectSlots - this.suspects) };
  }

  freeForSuspectsAt(host: string): number {
    return this.rules.suspectSlotsPerHost - (this.suspectsPerHost.get(host) ?? 0);
  }

  usedBy(lane: Lane): number {
    return this.perReceiver.get(laneName(lane)) ?? 0;
  }

  suspectsAt(): ReadonlyMap<string, number> {
    return this.suspectsPerHost;
  }

  begin(to: Destination): void {
    this.total++;
    increment(this.perReceiver, laneName(to));
    if (!to.suspect) return;
    this.suspects++;
    increment(this.suspectsPerHost, to.host);
  }

  end(to: Destination): void {
    this.total--;
    decrement(this.perReceiver, laneName(to));
    if (!to.suspect) return;
    this.suspects--;
    decrement(this.suspectsPerHost, to.host);
  }
}

function increment<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}

/** Entries that reach 0 are removed: there are as many keys as partners have addresses. */
function decrement<Key>(counts: Map<Key, number>, key: Key): void {
  const count = counts.get(key) ?? 0;
  if (count > 1) counts.set(key, count - 1);
  else counts.delete(key);
}
