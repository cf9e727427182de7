import { type DueLane, firstLane } from '../domain/callbacks/delivery-queries.ts';
import { type CallbackInHand, type CrowdedLane, lanesFoundMax, type TurnOutcome } from '../domain/callbacks/record-and-claim.ts';
import { type DeliveryRules, type FreeSlots, slotsFor } from '../domain/callbacks/retry-schedule.ts';

/** How soon those are looked at again that somebody else had locked. */
export const passedByMs = 5;
const lanesPerTurnMax = 200;
/** What is notified without names is looked for at most so often. */
const lookGapMs = 50;
/** The clocks of the database and of this process need not run alike. */
const dueMarginMs = 5;

/** What a turn looks at: these receivers, and beyond which one for others that have something due. */
type LookedAt = { lanes: { receiverId: string; mine: number }[]; lookAfter: string | null };

export const nothingToLookAt: LookedAt = { lanes: [], lookAfter: null };

/** Which receivers to look at, and when; and how many slots are taken. */
export function makeLanes(rules: DeliveryRules) {
  const toLookAt = new Set<string>();
  /** These could be sent more, once there is a slot for them; suspects by their hosts, which take turns. */
  const crowdedHealthy = new Set<string>();
  const crowdedSuspects = new Map<string, Set<string>>();
  const crowded = new Set<string>();
  /** These have something due before the next look. */
  const upcoming = new Map<string, number>();
  const inFlightOf = new Map<string, number>();
  let inFlight = 0;
  let suspectsInFlight = 0;
  const suspectsAt = new Map<string, number>();
  let lookAfter = firstLane;
  let lookAtMs = 0;
  let lookedAtMs = 0;
  /** A look is under way, and may not see what happens from now on. */
  let isLooking = false;
  let roundWanted = false;

  function add(receiverId: string): void {
    if (!crowded.has(receiverId)) toLookAt.add(receiverId);
  }

  function mineOf(receiverId: string): number {
    return inFlightOf.get(receiverId) ?? 0;
  }

  function free(): FreeSlots {
    const all = rules.slots - inFlight;
    return { all, suspect: Math.min(all, rules.suspectSlots - suspectsInFlight) };
  }

  /** Those that have waited longest, and no more than there are slots. */
  function letInHealthy(): void {
    const slots = free();
    for (const receiverId of firstOf(crowdedHealthy, slots.all)) {
      if (slotsFor({ wanted: 1, mine: mineOf(receiverId), suspect: false }, slots) > 0) letIn(receiverId, crowdedHealthy);
    }
  }

  function letInSuspects(): void {
    let left = free().suspect;
    for (const [host, waiting] of [...crowdedSuspects]) {
      const room = Math.min(left, rules.suspectSlotsPerHost - (suspectsAt.get(host) ?? 0));
      if (room <= 0) continue;
      for (const receiverId of firstOf(waiting, room)) letIn(receiverId, waiting);
      left -= room;
      crowdedSuspects.delete(host);
      if (waiting.size > 0) crowdedSuspects.set(host, waiting);
    }
  }

  function letIn(receiverId: string, waiting: Set<string>): void {
    waiting.delete(receiverId);
    crowded.delete(receiverId);
    toLookAt.add(receiverId);
  }

  function addCrowded({ receiverId, suspect, host }: CrowdedLane): void {
    const waiting = suspect ? (crowdedSuspects.get(host) ?? new Set()) : crowdedHealthy;
    if (suspect) crowdedSuspects.set(host, waiting);
    waiting.add(receiverId);
    crowded.add(receiverId);
  }

  function addUpcoming(): void {
    for (const [receiverId, atMs] of upcoming) {
      if (atMs > performance.now()) continue;
      upcoming.delete(receiverId);
      add(receiverId);
    }
  }

  function refresh(): void {
    addUpcoming();
    letInHealthy();
    letInSuspects();
  }

  function noteFound(found: DueLane[]): void {
    isLooking = false;
    for (const { receiverId, dueInSeconds } of found) {
      if (dueInSeconds <= 0) add(receiverId);
      else if (dueInSeconds <= rules.lookEverySeconds) upcoming.set(receiverId, performance.now() + dueInSeconds * 1000 + dueMarginMs);
    }
    if (found.length === lanesFoundMax) lookAfter = found.at(-1)!.receiverId;
    else beginRound();
  }

  function beginRound(): void {
    lookAfter = firstLane;
    lookedAtMs = performance.now();
    lookAtMs = lookedAtMs + (roundWanted ? lookGapMs : rules.lookEverySeconds * 1000);
    roundWanted = false;
  }

  return {
    add,
    free,
    suspectsAt: suspectsAt as ReadonlyMap<string, number>,
    inFlight: () => inFlight,
    lookEverywhere(): void {
      if (isLooking || lookAfter !== firstLane) roundWanted = true;
      else lookAtMs = Math.min(lookAtMs, lookedAtMs + lookGapMs);
    },
    haveWork(): boolean {
      refresh();
      return performance.now() >= lookAtMs || (toLookAt.size > 0 && inFlight < rules.slots);
    },
    idleForMs(): number {
      let untilMs = lookAtMs;
      for (const atMs of upcoming.values()) untilMs = Math.min(untilMs, atMs);
      return Math.max(1, untilMs - performance.now());
    },
    take(): LookedAt {
      refresh();
      const taken = firstOf(toLookAt, inFlight < rules.slots ? lanesPerTurnMax : 0);
      for (const receiverId of taken) toLookAt.delete(receiverId);
      isLooking = performance.now() >= lookAtMs;
      return {
        lanes: taken.map((receiverId) => ({ receiverId, mine: mineOf(receiverId) })),
        lookAfter: isLooking ? lookAfter : null,
      };
    },
    putBack({ lanes }: LookedAt): void {
      isLooking = false;
      for (const { receiverId } of lanes) add(receiverId);
    },
    learn(outcome: TurnOutcome, unblocked: string[], lookedAt: LookedAt): void {
      for (const lane of outcome.crowded) addCrowded(lane);
      for (const receiverId of outcome.passedBy) upcoming.set(receiverId, performance.now() + passedByMs);
      for (const receiverId of unblocked) add(receiverId);
      if (lookedAt.lookAfter !== null) noteFound(outcome.found);
    },
    begin({ receiverId, suspect, host }: CallbackInHand): void {
      inFlight++;
      if (suspect) {
        suspectsInFlight++;
        suspectsAt.set(host, (suspectsAt.get(host) ?? 0) + 1);
      }
      inFlightOf.set(receiverId, mineOf(receiverId) + 1);
    },
    end({ receiverId, suspect, host }: CallbackInHand): void {
      inFlight--;
      if (suspect) {
        suspectsInFlight--;
        const others = suspectsAt.get(host)! - 1;
        if (others > 0) suspectsAt.set(host, others);
        else suspectsAt.delete(host);
      }
      if (mineOf(receiverId) > 1) inFlightOf.set(receiverId, mineOf(receiverId) - 1);
      else inFlightOf.delete(receiverId);
      add(receiverId);
    },
  };
}

function firstOf<T>(values: Set<T>, countMax: number): T[] {
  const first: T[] = [];
  for (const value of values) {
    if (first.length >= countMax) break;
    first.push(value);
  }
  return first;
}
