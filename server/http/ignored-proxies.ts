import { BlockList, isIPv6 } from 'node:net';
import { formatMessage } from '../../messages/format-message.ts';
import type { Message } from '../../messages/message.ts';
import { weakness } from '../../messages/weakness-texts.ts';
import type { SharedCounts } from '../platform/limits/shared-counts.ts';
import type { Log } from '../platform/log.ts';

/**
 * Addresses that send X-Forwarded-For although they are not trusted. One of them may be a proxy that the operator forgot
 * to list. Any caller can send the header, so only a few addresses are remembered, and each is logged once.
 */
export interface IgnoredProxies {
  /** To be called for each request with the header, with the address at the other end of its connection. */
  notice(address: string | undefined): void;
  /** The addresses of about the last hour. */
  list(): string[];
}

const rememberedMs = 3_600_000;
const rememberedMax = 8;
const trustedSeenMax = 64;

export function makeIgnoredProxies(
  trustedProxies: string[],
  { log, counts }: { log: Log; counts: SharedCounts },
  nowMs: () => number = () => performance.now(),
): IgnoredProxies {
  const trusted = blockListOf(trustedProxies);
  /** A look into the list takes longer than one into a set, and nearly all requests come from the same few proxies. */
  const trustedSeen = new Set<string>();
  const untilMs = new Map<string, number>();
  const reportToOthers = counts.additions('ignored proxies', remember, rememberedMs);

  function remember(address: string, milliseconds: number, ageMs: number): void {
    const now = nowMs();
    for (const [known, endsAtMs] of untilMs) if (endsAtMs <= now) untilMs.delete(known);
    if (untilMs.size < rememberedMax || untilMs.has(address)) untilMs.set(address, now + milliseconds - ageMs);
  }

  return {
    notice(given) {
      // The zone of a link-local address (fe80::1%eth0) is a name of this machine; no list of addresses has it.
      const address = given?.replace(/%.*$/, '');
      if (address === undefined || trustedSeen.has(address)) return;
      const leftMs = (untilMs.get(address) ?? 0) - nowMs();
      if (leftMs > rememberedMs / 2) return;
      if (trusted.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')) {
        if (trustedSeen.size < trustedSeenMax) trustedSeen.add(address);
        return;
      }
      const isNew = leftMs <= 0;
      remember(address, rememberedMs, 0);
      if (!untilMs.has(address)) return;
      reportToOthers(address, rememberedMs);
      if (isNew) log.warn(formatMessage(untrustedProxies([address])));
    },
    list: () => [...untilMs.keys()].filter((address) => untilMs.get(address)! > nowMs()).sort(),
  };
}

export function untrustedProxies(addresses: string[]): Message {
  const consequence = weakness('callers_share_an_address');
  return weakness('proxy_not_trusted', { addresses: addresses.join(', '), consequence });
}

function blockListOf(trustedProxies: string[]): BlockList {
  const list = new BlockList();
  for (const one of trustedProxies) {
    const [address, prefix] = one.split('/') as [string, string | undefined];
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return list;
}
