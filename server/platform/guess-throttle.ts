import { isIPv6 } from 'node:net';
import { makeRecentMap } from './recent-map.ts';

export interface Throttled {
  kind: 'throttled';
  retryAfterSeconds: number;
}

/** Somebody gives a secret for a name. */
export interface Guess {
  name: string;
  address: string;
  /** Proven to be in use by the owner of the name, such as a browser with a signed cookie; it then counts instead of the address. */
  device?: string | null;
}

/** Already counted as a failure, so that parallel guesses cannot all be evaluated before the first one is counted. */
export interface BegunGuess {
  kind: 'begun';
  /** The secret was right: nothing was guessed, and the owner is known here from now on. */
  succeeded(): void;
  /** The secret was not evaluated. */
  takeBack(): void;
}

/**
 * Limits guesses at secrets. Whoever has given the right secret before, from this address or with this device, has a budget of its own, so that
 * no attack locks it out. All others share a budget for each address and one for each name.
 */
export interface GuessThrottle {
  /** Whether a guess may be evaluated now; null where it may. Counts nothing, so it is a cheap first check. */
  judge(guess: Guess, nowMs: number): Promise<Throttled | null>;
  /** Counts a guess that is about to be evaluated, unless there is no budget left for it. */
  begin(guess: Guess, nowMs: number): BegunGuess | Throttled;
}

/** So many failures in a row from one source, then one more every so often. */
export const failuresMax = 10;
export const failureForgottenAfterMs = 6000;
/** So many failures at one name from all unknown sources together: 2,500 in the first day, whatever the number of addresses. */
export const nameFailuresMax = 100;
export const nameFailureForgottenAfterMs = 36_000;
/** Longer than a token lives, so that a client which comes back for its next one is still known at its address. */
export const trustedForMs = 2 * 86_400_000;
const rememberedMax = 20_000;
/** How long the networks of a name that is under attack are kept in memory. */
const networksKeptMs = 5000;

/** `networksOf`: the networks from which the owner of a name has succeeded on any node, also before a restart. */
export function makeGuessThrottle(networksOf: (name: string) => Promise<Set<string>>): GuessThrottle {
  const ofSource = makeFailureCounts(failuresMax, failureForgottenAfterMs);
  const ofAddress = makeFailureCounts(failuresMax, failureForgottenAfterMs);
  const ofName = makeFailureCounts(nameFailuresMax, nameFailureForgottenAfterMs);
  const trustedSinceMs = makeRecentMap<number>(rememberedMax);
  const networks = makeRecentMap<{ atMs: number; found: Promise<Set<string>> }>(rememberedMax);

  /** null: not known. */
  function knownSource({ name, address, device }: Guess, nowMs: number): string | null {
    if (device) return `device ${device} ${name}`;
    const pair = pairOf(name, address);
    const sinceMs = trustedSinceMs.get(pair);
    return sinceMs !== undefined && nowMs - sinceMs < trustedForMs ? pair : null;
  }

  function countsOf(guess: Guess, nowMs: number): { counts: FailureCounts; key: string }[] {
    const source = knownSource(guess, nowMs);
    if (source !== null) return [{ counts: ofSource, key: source }];
    return [
      { counts: ofAddress, key: networkOf(guess.address) },
      { counts: ofName, key: guess.name },
    ];
  }

  function throttled(guess: Guess, nowMs: number): Throttled | null {
    const waitMs = Math.max(...countsOf(guess, nowMs).map(({ counts, key }) => counts.waitMs(key, nowMs)));
    return waitMs <= 0 ? null : { kind: 'throttled', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
  }

  async function isKnownElsewhere({ name, address }: Guess, nowMs: number): Promise<boolean> {
    let kept = networks.get(name);
    if (kept === undefined || nowMs - kept.atMs > networksKeptMs) {
      kept = { atMs: nowMs, found: networksOf(name) };
      networks.set(name, kept);
      kept.found.catch(() => networks.delete(name));
    }
    return (await kept.found).has(networkOf(address));
  }

  return {
    async judge(guess, nowMs) {
      const verdict = throttled(guess, nowMs);
      // Only a name under attack is worth a look into the database: its owner may have succeeded at another node.
      const isAttacked = ofName.waitMs(guess.name, nowMs) > 0;
      if (verdict === null || !isAttacked || knownSource(guess, nowMs) !== null || !(await isKnownElsewhere(guess, nowMs))) return verdict;
      trustedSinceMs.set(pairOf(guess.name, guess.address), nowMs);
      return throttled(guess, nowMs);
    },
    begin(guess, nowMs) {
      const verdict = throttled(guess, nowMs);
      if (verdict !== null) return verdict;
      const counted = countsOf(guess, nowMs);
      for (const { counts, key } of counted) counts.add(key, nowMs);
      const takeBack = () => counted.forEach(({ counts, key }) => void counts.takeBack(key, nowMs));
      return {
        kind: 'begun',
        takeBack,
        succeeded() {
          takeBack();
          const pair = pairOf(guess.name, guess.address);
          ofSource.forget(knownSource(guess, nowMs) ?? pair);
          trustedSinceMs.set(pair, nowMs);
        },
      };
    },
  };
}

type FailureCounts = ReturnType<typeof makeFailureCounts>;

/** Each failure takes its time to be forgotten, one after the other. */
function makeFailureCounts(max: number, forgottenAfterMs: number) {
  const allForgottenAtMs = makeRecentMap<number>(rememberedMax);
  const forgottenInMs = (key: string, nowMs: number) => Math.max(0, (allForgottenAtMs.get(key) ?? 0) - nowMs);
  return {
    /** Until there is room for one more. */
    waitMs: (key: string, nowMs: number) => Math.max(0, forgottenInMs(key, nowMs) - (max - 1) * forgottenAfterMs),
    add: (key: string, nowMs: number) => allForgottenAtMs.set(key, nowMs + forgottenInMs(key, nowMs) + forgottenAfterMs),
    takeBack: (key: string, nowMs: number) => allForgottenAtMs.set(key, nowMs + forgottenInMs(key, nowMs) - forgottenAfterMs),
    forget: (key: string) => allForgottenAtMs.delete(key),
  };
}

function pairOf(name: string, address: string): string {
  return `${networkOf(address)} ${name}`;
}

/** An IPv6 address as its /64, because whoever has one address there has them all; an IPv4 address as it is. */
export function networkOf(address: string): string {
  // Some proxies forward the port as well, and each connection has another one.
  const [, v4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/%.*$/, '');
  if (!isIPv6(bare)) return address;
  const [head, tail] = bare.split('::') as [string, string?];
  const first = head === '' ? [] : head.split(':');
  // An IPv4 address at the end stands for two groups.
  const last = tail ? tail.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split(':') : [];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = tail === undefined ? first : [...first, ...zeros, ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
