import { BlockList, isIP } from 'node:net';

/** Where we may connect to when somebody else names the place: public addresses, and what the operator allows besides. */
export interface AddressGuard {
  isAllowed(address: string): boolean;
  /** What can be said without asking the DNS, in words that follow the name of a field; null when nothing is plainly wrong. */
  whyPlainlyRefused(url: string): string | null;
}

export function makeAddressGuard(allowCidrs: string[]): AddressGuard {
  // One list per family: in a common list `::/0` would contain every IPv4 address as well.
  const allowed = {
    ipv4: listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 'ipv4')),
    ipv6: listOf(allowCidrs.filter((cidr) => familyOf(cidr) === 'ipv6')),
  };

  function isAllowed(address: string): boolean {
    if (isIP(address) === 0 || address.includes('%')) return false;
    const family = familyOf(address);
    // A list of IPv4 ranges judges a mapped address (::ffff:127.0.0.1) by the IPv4 address inside.
    if (family === 'ipv4' || mappedIpv4.check(address, family)) {
      return !notPublicIpv4.check(address, family) || allowed.ipv4.check(address, family);
    }
    return (globalUnicastIpv6.check(address, family) && !notPublicIpv6.check(address, family)) || allowed.ipv6.check(address, family);
  }

  return {
    isAllowed,
    whyPlainlyRefused(text) {
      const url = URL.parse(text);
      if (url?.protocol !== 'http:' && url?.protocol !== 'https:') return 'must be an http(s) URL';
      if (url.username !== '' || url.password !== '') return 'must not contain a user name or a password';
      if (url.port === '0') return 'must not use port 0';

      const host = hostOf(url);
      const isReachable = isLocalhost(host) ? isAllowed('127.0.0.1') || isAllowed('::1') : isIP(host) === 0 || isAllowed(host);
      return isReachable ? null : 'must not point to a private or reserved address';
    },
  };
}

/** The host as one looks it up or dials it: an IPv6 address without its brackets. The URL parser has unified all other spellings. */
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

/** After the IANA registry of special-purpose addresses. */
const notPublicIpv4 = listOf([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by customers of a carrier
  '127.0.0.0/8', // loopback
  '168.63.129.16/32', // Azure's host agent: public by number, reached by every machine there
  '169.254.0.0/16', // link-local, metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // relays of 6to4
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, broadcast
]);

const mappedIpv4 = listOf(['::ffff:0:0/96']);

/** Outside of it lie loopback, link-local, unique local, multicast, IPv4-compatible, NAT64 and segment routing. */
const globalUnicastIpv6 = listOf(['2000::/3']);
const notPublicIpv6 = listOf([
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which leads to the IPv4 address inside
  '3ffe::/16', // 6bone, given back
  '3fff::/20', // documentation
]);
