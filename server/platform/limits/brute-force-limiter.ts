import { isIPv6 } from 'node:net';
import { makeDecayingCounts } from './decaying-counts.ts';
import { makeLruCache } from './lru-cache.ts';
import { type SharedCounts, unshared } from './shared-counts.ts';

export interface Throttled {
  kind: 'throttled';
  retryAfterSeconds: number;
}

/** An attempt to authenticate as a name with a secret. */
export interface Guess {
  name: string;
  address: string;
  /**
   * A device that the owner of the name has proven to use, such as a browser with a signed cookie. It counts instead of
   * the address.
   */
  device?: string | null;
}

/**
 * The guess is already counted as a failure, because parallel guesses could otherwise all be evaluated before the first
 * one is counted.
 */
export interface BegunGuess {
  kind: 'begun';
  /** The secret was right: the guess does not count, and its source is trusted from now on. */
  succeeded(): void;
  /** The secret was not evaluated. */
  takeBack(): void;
}

/**
 * Limits guesses at secrets. A caller that has given the right secret before, from this address or with this device,
 * has a budget of its own, so an attack cannot lock it out. All other callers share a budget per address and one per
 * name.
 */
export interface BruteForceLimiter {
  /** A cheap first check that counts nothing. null: the guess may be evaluated now. */
  judge(guess: Guess, nowMs: number): Promise<Throttled | null>;
  /** Counts a guess that is about to be evaluated, if there is budget left for it. */
  begin(guess: Guess, nowMs: number): BegunGuess | Throttled;
}

/** Failures in a row from one source, before it has to wait for each further guess. */
export const failuresMax = 10;
export const failureForgottenAfterMs = 6000;
/**
 * Failures at one name from all unknown sources together. This allows 2,500 on the first day, however many addresses
 * attack.
 */
export const nameFailuresMax = 100;
export const nameFailureForgottenAfterMs = 36_000;
/** Longer than the lifetime of a token: a client that requests its next token is still trusted at its address. */
export const trustedForMs = 2 * 86_400_000;
const rememberedMax = 20_000;
/** How long the networks of a name under attack are cached. */
const networksKeptMs = 5000;

/**
 * `networksOf` finds the networks from which the owner of a name has succeeded on any node, including before a restart.
 * The processes of a node share the counts of the limiters with the same name.
 */
export function makeBruteForceLimiter(
  networksOf: (name: string) => Promise<Set<string>>,
  name = 'guesses',
  counts: SharedCounts = unshared,
): BruteForceLimiter {
  return new FailureLimiter(networksOf, name, counts);
}

class FailureLimiter implements BruteForceLimiter {
  private readonly networksOf: (name: string) => Promise<Set<string>>;
  private readonly ofSource: FailureCounts;
  private readonly ofAddress: FailureCounts;
  private readonly ofName: FailureCounts;
  private readonly trustedSinceMs = makeLruCache<number>(rememberedMax);
  private readonly networks = makeLruCache<{ atMs: number; found: Promise<Set<string>> }>(rememberedMax);

  constructor(networksOf: (name: string) => Promise<Set<string>>, name: string, counts: SharedCounts) {
    this.networksOf = networksOf;
    this.ofSource = makeFailureCounts(failuresMax, failureForgottenAfterMs, `${name} of source`, counts);
    this.ofAddress = makeFailureCounts(failuresMax, failureForgottenAfterMs, `${name} of address`, counts);
    this.ofName = makeFailureCounts(nameFailuresMax, nameFailureForgottenAfterMs, `${name} of name`, counts);
  }

  async judge(guess: Guess, nowMs: number): Promise<Throttled | null> {
    const verdict = this.throttled(guess, nowMs);
    // The owner of a name under attack may have succeeded at another node. Only that case justifies a database query.
    const isAttacked = this.ofName.waitMs(guess.name, nowMs) > 0;
    if (verdict === null || !isAttacked || this.knownSource(guess, nowMs) !== null) return verdict;
    if (!(await this.isKnownElsewhere(guess, nowMs))) return verdict;
    this.trustedSinceMs.set(pairOf(guess.name, guess.address), nowMs);
    return this.throttled(guess, nowMs);
  }

  begin(guess: Guess, nowMs: number): BegunGuess | Throttled {
    const verdict = this.throttled(guess, nowMs);
    if (verdict !== null) return verdict;
    const counted = this.countsOf(guess, nowMs);
    for (const { counts, key } of counted) counts.add(key, nowMs);
    let isCounted = true;
    const takeBack = () => {
      // Others share these counts, so a guess is taken back once.
      if (isCounted) for (const { counts, key } of counted) counts.takeBack(key, nowMs);
      isCounted = false;
    };
    const succeeded = () => {
      takeBack();
      const pair = pairOf(guess.name, guess.address);
      this.ofSource.forget(this.knownSource(guess, nowMs) ?? pair, nowMs);
      this.trustedSinceMs.set(pair, nowMs);
    };
    return { kind: 'begun', takeBack, succeeded };
  }

  /** null: the source is not trusted. */
  private knownSource({ name, address, device }: Guess, nowMs: number): string | null {
    if (device) return `device ${device} ${name}`;
    const pair = pairOf(name, address);
    const sinceMs = this.trustedSinceMs.get(pair);
    return sinceMs !== undefined && nowMs - sinceMs < trustedForMs ? pair : null;
  }

  private countsOf(guess: Guess, nowMs: number): { counts: FailureCounts; key: string }[] {
    const source = this.knownSource(guess, nowMs);
    if (source !== null) return [{ counts: this.ofSource, key: source }];
    return [
      { counts: this.ofAddress, key: networkOf(guess.address) },
      { counts: this.ofName, key: guess.name },
    ];
  }

  private throttled(guess: Guess, nowMs: number): Throttled | null {
    const waitMs = Math.max(...this.countsOf(guess, nowMs).map(({ counts, key }) => counts.waitMs(key, nowMs)));
    return waitMs <= 0 ? null : { kind: 'throttled', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
  }

  private async isKnownElsewhere({ name, address }: Guess, nowMs: number): Promise<boolean> {
    let kept = this.networks.get(name);
    if (kept === undefined || nowMs - kept.atMs > networksKeptMs) {
      kept = { atMs: nowMs, found: this.networksOf(name) };
      this.networks.set(name, kept);
      kept.found.catch(() => this.networks.delete(name));
    }
    return (await kept.found).has(networkOf(address));
  }
}

export type FailureCounts = ReturnType<typeof makeFailureCounts>;

/** Failures are forgotten one after the other, each after its own delay. */
export function makeFailureCounts(max: number, forgottenAfterMs: number, name: string, counts: SharedCounts) {
  const failures = makeDecayingCounts({ name, counts, zeroAtMs: makeLruCache<number>(rememberedMax) });
  return {
    /** Time until one more failure is allowed. */
    waitMs: (key: string, nowMs: number) => Math.max(0, failures.leftMs(key, nowMs) - (max - 1) * forgottenAfterMs),
    add: (key: string, nowMs: number) => failures.add(key, forgottenAfterMs, nowMs),
    takeBack: (key: string, nowMs: number) => failures.add(key, -forgottenAfterMs, nowMs),
    forget: (key: string, nowMs: number) => failures.add(key, -failures.leftMs(key, nowMs), nowMs),
  };
}

function pairOf(name: string, address: string): string {
  return `${networkOf(address)} ${name}`;
}

/** The /64 network of an IPv6 address, because its owner controls all addresses in it; an IPv4 address unchanged. */
export function networkOf(address: string): string {
  // Some proxies append the port, which differs for each connection.
  const [, v4] = /^(?:::ffff:)?(\d+\.\d+\.\d+\.\d+)(?::\d+)?$/i.exec(address) ?? [];
  if (v4 !== undefined) return v4;
  const bare = address.replace(/^\[(.*)\](:\d+)?$/, '$1').replace(/%.*$/, '');
  if (!isIPv6(bare)) return address;
  const [head, tail] = bare.split('::') as [string, string?];
  const first = head === '' ? [] : head.split(':');
  // An IPv4 address at the end counts as two groups.
  const last = tail ? tail.replace(/\d+\.\d+\.\d+\.\d+$/, '0:0').split(':') : [];
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => '0');
  const groups = tail === undefined ? first : [...first, ...zeros, ...last];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}
