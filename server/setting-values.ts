import { BlockList, isIP } from 'node:net';
import { masterKeyBytes } from './platform/keyring.ts';

/** Path segments reserved for the service itself. */
const reservedSegments = ['api', 'docs', 'openapi.json', 'console', 'health', 'metrics', '.well-known'];

export function parseMasterKey(given: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+=*$/.test(given)) return undefined;
  const key = Buffer.from(given, 'base64');
  return key.length === masterKeyBytes ? key : undefined;
}

/** Normalizes the URL so that it needs no escaping between single or double quotes. */
export function parsePublicUrl(given: string): string | undefined {
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) return undefined;
  return url.href.replace(/\/+$/, '').replaceAll("'", '%27');
}

export const hostExpected = 'a host name or an address';

export function parseHost(given: string): string | undefined {
  return /^[A-Za-z0-9.:_-]+$/.test(given) ? given : undefined;
}

export function parseCidr(given: string): string | undefined {
  const [address, prefix, ...rest] = given.split('/');
  const family = isIP(address ?? '');
  if (family === 0 || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? '')) return undefined;
  try {
    new BlockList().addSubnet(address!, Number(prefix), family === 4 ? 'ipv4' : 'ipv6');
    return given;
  } catch {
    return undefined;
  }
}

/** Rejects a range of all addresses, because any client could then forge its address. */
export function parseAddressOrCidr(given: string): string | undefined {
  if (given.endsWith('/0')) return undefined;
  return isIP(given) === 0 ? parseCidr(given) : given;
}

/** Parses a whole number from 1 to `max`; 'off' is null. */
export function offOrWhole(max: number): (given: string) => number | null | undefined {
  return (given) => {
    if (given === 'off') return null;
    const value = /^\d{1,15}$/.test(given) ? Number(given) : 0;
    return value >= 1 && value <= max ? value : undefined;
  };
}

export function parseBasePath(given: string): string | undefined {
  return /^(\/[A-Za-z0-9._~-]+)+$/.test(given) && !reservedSegments.includes(given.split('/')[1]!) ? given : undefined;
}

export function parseSegment(given: string): string | undefined {
  return /^[A-Za-z0-9._~-]+$/.test(given) && !reservedSegments.includes(given) ? given : undefined;
}

export function parseList<T>(parse: (item: string) => T | undefined): (given: string) => T[] | undefined {
  return (given) => {
    const items = given.split(',').map((item) => parse(item.trim()));
    return items.includes(undefined) ? undefined : (items as T[]);
  };
}
