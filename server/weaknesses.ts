import type { Message } from '../messages/message.ts';
import { weakness } from '../messages/weakness-texts.ts';
import type { Config } from './config.ts';
import { type IgnoredProxies, untrustedProxies } from './http/ignored-proxies.ts';
import type { Database } from './platform/postgres/database.ts';
import { weaknessOf } from './platform/postgres/roles.ts';
import { noAccounts } from './platform/postgres/sql.ts';

/** The weaknesses that are known before the first request. */
export function weaknessesOfSettings({
  publicUrl,
  trustedProxies,
}: Pick<Config, 'publicUrl' | 'trustedProxies'>): Message[] {
  if (!publicUrl.startsWith('https:') || trustedProxies.length > 0) return [];
  return [weakness('https_without_trusted_proxies', { consequence: weakness('callers_share_an_address') })];
}

/** All weaknesses of this installation, for the system page. */
export async function findWeaknesses(
  config: Config,
  database: Database,
  ignoredProxies: IgnoredProxies,
): Promise<Message[]> {
  const ofDatabase = await database.read(noAccounts, weaknessOf);
  const addresses = ignoredProxies.list();
  // The message with the address of the proxy makes the general one superfluous.
  const ofProxies = addresses.length > 0 ? [untrustedProxies(addresses)] : weaknessesOfSettings(config);
  return [...(ofDatabase === null ? [] : [ofDatabase]), ...ofProxies];
}
