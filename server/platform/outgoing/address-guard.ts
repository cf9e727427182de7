import { BlockList, isIP } from 'node:net';

/** The codes of messages. */
export type AddressRule = 'url_not_http' | 'url_with_credentials' | 'url_port_zero' | 'url_private';

/**
 * Decides which addresses we may connect to if a partner names the host: public ones, and those that the operator
 * allows.
 */
export interface AddressGuard {
  isAllowed(address: string): boolean;
  /**
   * The rule by which a URL is rejected without resolving its name; null if there is none.
   */
  whyPlainlyRefused(url: string): AddressRule | null;
}

export function makeAddressGuard(allowCidrs: string[]): AddressGuard {
  // One list per family: in a common list, `::/0` would contain every IPv4 address as well.
  const allowed = {
    ipv4: listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 'ipv4')),
    ipv6: listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 'ipv6')),
  };

  function isAllowed(address: string): boolean {
    if (isIP(address) === 0 || address.includes('%')) return false;
    const family = familyOf(address);
    // A list of IPv4 ranges checks a mapped address (::ffff:127.0.0.1) by the IPv4 address that it contains.
    if (family === 'ipv4' || mappedIpv4.check(address, family)) {
      return !notPublicIpv4.check(address, family) || allowed.ipv4.check(address, family);
    }
    return (
      (globalUnicastIpv6.check(address, family) && !notPublicIpv6.check(address, family)) ||
      allowed.ipv6.check(address, family)
    );
  }

  return {
    isAllowed,
    whyPlainlyRefused(text) {
      const url = URL.parse(text);
      if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'url_not_http';
      if (url.username !== '' || url.password !== '') return 'url_with_credentials';
      if (url.port === '0') return 'url_port_zero';

      const host = hostOf(url);
      const isReachable = isLocalhost(host)
        ? isAllowed('127.0.0.1') || isAllowed('::1')
        : isIP(host) === 0 || isAllowed(host);
      return isReachable ? null : 'url_private';
    },
  };
}

/**
 * The host for name resolution and connections: an IPv6 address without brackets. The URL parser has normalized all
 * other notations.
 */
export function hostOf(url: URL): string {
  return url.hostname.startsWith('[') ? url.hostname.slice(1, -1) : url.hostname;
}

function isLocalhost(host: string): boolean {
  return /(^|\.)localhost\.*$/.test(host);
}

function familyOf(addressOrCidr: string): 'ipv4' | 'ipv6' {
  return addressOrCidr.includes(':') ? 'ipv6' : 'ipv4';
}

function listOf(cidrs: string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address, prefix] = cidr.split('/');
    list.addSubnet(address!, Number(prefix), familyOf(cidr));
  }
  return list;
}

/** From the IANA registry of special-purpose addresses. */
const notPublicIpv4 = listOf([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host agent: a public address that every machine in Azure can reach
  '169.254.0.0/16', // link-local, cloud metadata
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

const mappedIpv4 = listOf(['::ffff:0:0/96']);

/** Excludes loopback, link-local, unique local, multicast, IPv4-compatible, NAT64 and segment routing addresses. */
const globalUnicastIpv6 = listOf(['2000::/3']);
const notPublicIpv6 = listOf([
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which routes to the IPv4 address that it contains
  '3ffe::/16', // 6bone, returned
  '3fff::/20', // documentation
]);
