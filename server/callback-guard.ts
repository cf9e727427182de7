import type { Config } from './config.ts';
import { isOnlyAccount } from './domain/partners/partner-queries.ts';
import { type AddressGuard, makeAddressGuard } from './platform/outgoing/address-guard.ts';
import type { Database } from './platform/postgres/database.ts';
import { noAccounts } from './platform/postgres/sql.ts';

/** The account that the first start creates on an empty database. */
export const demoAccountNo = 'DEMO';

const loopback = ['127.0.0.0/8', '::1/128'];
const lookEveryMs = 1000;

type OwnDatabase = Pick<Config, 'databaseUrl' | 'callbackAllowCidrs'>;

/**
 * Somebody who tries the service on one machine has the receiver of callbacks there, too. Nobody else can name an
 * address while the demo account of an embedded database is the only one.
 */
export async function isDemoOnly(database: Database, { databaseUrl }: Pick<Config, 'databaseUrl'>): Promise<boolean> {
  return databaseUrl === null && (await database.read(noAccounts, (sql) => isOnlyAccount(sql, demoAccountNo)));
}

/** The guard of a command, which looks once. */
export async function callbackGuardNow(database: Database, config: OwnDatabase): Promise<AddressGuard> {
  const more = (await isDemoOnly(database, config)) ? loopback : [];
  return makeAddressGuard([...config.callbackAllowCidrs, ...more]);
}

/**
 * The guard of a running process. Once there is another account, addresses of this machine are forbidden, and stay so
 * until the next start. `onEnd` runs when that happens, unless the settings allow these addresses anyway.
 */
export function followCallbackGuard(
  database: Database,
  config: OwnDatabase,
  onEnd = () => {},
): { guard: AddressGuard; close(): void } {
  const strict = makeAddressGuard(config.callbackAllowCidrs);
  if (config.databaseUrl !== null) return { guard: strict, close: () => {} };
  const withLoopback = makeAddressGuard([...config.callbackAllowCidrs, ...loopback]);
  let current = strict;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    // A database that is away creates no account meanwhile.
    const isDemo = await isDemoOnly(database, config).catch(() => null);
    if (isDemo === false && current === withLoopback && !strict.isAllowed('127.0.0.1')) onEnd();
    if (isDemo !== null) current = isDemo ? withLoopback : strict;
    if (!isClosed && isDemo !== false) timer = setTimeout(() => void look(), lookEveryMs).unref();
  }
  void look();

  return {
    guard: {
      isAllowed: (address) => current.isAllowed(address),
      whyPlainlyRefused: (url) => current.whyPlainlyRefused(url),
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
