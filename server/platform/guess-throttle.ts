import { isIPv6 } from 'node:net';
import { makeRecentMap } from './recent-map.ts';

export type ThrottleVerdict = { kind: 'allowed' } | { kind: 'throttled'; retryAfterSeconds: number };

/** Slows down those who guess secrets, and never locks the rightful owner out: a right secret from another address is always looked at. */
export interface GuessThrottle {
  /** Whether a secret that this address gives for this name may be looked at now. */
  judge(name: string, address: string, nowMs: number): ThrottleVerdict;
  failed(name: string, address: string, nowMs: number): void;
  succeeded(name: string, address: string, nowMs: number): void;
}

/** So many failures in a row, then one more every so often. */
export const failuresMax = 10;
export const failureForgottenAfterMs = 6000;
/** Longer than a token lives, so that a client which comes back for its next one is still known at its address. */
export const trustedForMs = 2 * 86_400_000;
const rememberedMax = 20_000;

const allowed = { kind: 'allowed' } as const;

export function makeGuessThrottle(): GuessThrottle {
  const ofAddress = makeFailureCounts();
  const ofName = makeFailureCounts();
  const ofPair = makeFailureCounts();
  const trustedSinceMs = makeRecentMap<number>(rememberedMax);

  function isTrusted(pair: string, nowMs: number): boolean {
    const sinceMs = trustedSinceMs.get(pair);
    return sinceMs !== undefined && nowMs - sinceMs < trustedForMs;
  }

  return {
    judge(name, address, nowMs) {
      const network = networkOf(address);
      const pair = pairOf(name, network);
      // Whoever has shown the secret from here is judged by its own failures: a neighbour behind the same proxy may be guessing.
      if (isTrusted(pair, nowMs)) return verdictOf(ofPair.waitMs(pair, nowMs));
      const addressWaitMs = ofAddress.waitMs(network, nowMs);
      if (addressWaitMs > 0) return verdictOf(addressWaitMs);
      // The owner is not to suffer from what others try with its name, so only those who have failed with it wait.
      return verdictOf(Math.min(ofName.waitMs(name, nowMs), ofPair.forgottenInMs(pair, nowMs)));
    },
    failed(name, address, nowMs) {
      const network = networkOf(address);
      const pair = pairOf(name, network);
      // A client with an old secret would otherwise lock out its neighbours behind the same proxy.
      if (!isTrusted(pair, nowMs)) ofAddress.add(network, nowMs);
      ofName.add(name, nowMs);
      ofPair.add(pair, nowMs);
    },
    succeeded(name, address, nowMs) {
      const pair = pairOf(name, networkOf(address));
      ofPair.forget(pair);
      trustedSinceMs.set(pair, nowMs);
    },
  };
}

function verdictOf(waitMs: number): ThrottleVerdict {
  return waitMs <= 0 ? allowed : { kind: 'throttled', retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) };
}

const allForgottenMaxMs = failuresMax * failureForgottenAfterMs;

/** Each failure takes its time to be forgotten, one after the other; what is too much already does not become more. */
function makeFailureCounts() {
  const allForgottenAtMs = makeRecentMap<number>(rememberedMax);
  const forgottenInMs = (key: string, nowMs: number) => Math.max(0, (allForgottenAtMs.get(key) ?? 0) - nowMs);
  return {
    forgottenInMs,
    /** Until there is room for one more. */
    waitMs: (key: string, nowMs: number) => Math.max(0, forgottenInMs(key, nowMs) - (failuresMax - 1) * failureForgottenAfterMs),
    add: (key: string, nowMs: number) =>
      allForgottenAtMs.set(key, nowMs + Math.min(forgottenInMs(key, nowMs) + failureForgottenAfterMs, allForgottenMaxMs)),
    forget: (key: string) => allForgottenAtMs.delete(key),
  };
}

function pairOf(name: string, network: string): string {
  return `${network} ${name}`;
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
