import { lookup, Resolver } from 'node:dns/promises';

const resolver = new Resolver({ timeout: 2000, tries: 2 });
const silence = new Set(['ETIMEOUT', 'ECANCELLED', 'ESERVFAIL']);

/**
 * Resolves all addresses of a name. The system resolver handles only two names at a time and cannot be cancelled: two
 * names whose servers do not respond would delay all others. Therefore the name servers are queried directly, and the
 * system resolver only for names that they do not know, such as names in /etc/hosts.
 */
export async function resolveName(hostname: string): Promise<string[]> {
  if (/(^|\.)localhost\.?$/i.test(hostname)) return await askSystem(hostname);
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  const silent = answers.find((answer) => answer.status === 'rejected' && silence.has(answer.reason.code));
  if (silent) throw (silent as PromiseRejectedResult).reason;
  return await askSystem(hostname);
}

async function askSystem(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
}
