import { type Mistake, makeChecker } from '../../platform/json/schema.ts';
import type { Keyring } from '../../platform/keyring.ts';
import type { AddressGuard } from '../../platform/outgoing/address-guard.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import type { PartnerMistake } from '../partners/apply-outcome.ts';
import { applyProvisioning } from '../partners/apply-provisioning.ts';
import { listAccounts } from '../partners/partner-queries.ts';
import { Provisioning } from '../partners/provisioning.ts';
import type { SecretKind } from '../partners/secret.ts';
import { findRepeated, type IssuedLink, issueLink, type LinkRequest } from './issue-link.ts';

export type ConnectOutcome =
  | { kind: 'connected'; accountNo: string; link: IssuedLink }
  | { kind: 'refused'; mistakes: PartnerMistake[] }
  | { kind: 'malformed'; mistakes: Mistake[] }
  | { kind: 'other_request' };

interface ConnectOptions {
  accountNo: string;
  request: LinkRequest;
  actor: string;
  guard: AddressGuard;
  /** Secrets that are created but that the partner needs for nothing. */
  unusedSecrets: SecretKind[];
}

const check = makeChecker(Provisioning);

/**
 * Creates an account with everything that belongs to it, and a link to its secrets, in one transaction. All of it must
 * be new. A repeat of the same request returns what the first one made.
 */
export async function connectPartner(
  database: Database,
  keyring: Keyring,
  document: object,
  { accountNo, request, actor, guard, unusedSecrets }: ConnectOptions,
): Promise<ConnectOutcome> {
  const earlier = await findEarlier(database, keyring, request);
  if (earlier !== null) return earlier;
  const checked = check(document);
  if (checked.kind === 'mistakes') return { kind: 'malformed', mistakes: checked.mistakes };

  let link: IssuedLink | null = null;
  const outcome = await applyProvisioning(database, keyring, checked.value, {
    actor,
    expect: 'all_new',
    guard,
    async alsoWrite(tx, issued) {
      const [account] = await listAccounts(tx, accountNo);
      const used = issued.filter(({ kind }) => !unusedSecrets.includes(kind));
      link = await issueLink(tx, keyring, account!.accountId, used, request);
    },
  });
  if (outcome.kind === 'applied' && link !== null) return { kind: 'connected', accountNo, link };
  if (outcome.kind !== 'refused') throw new Error(`connecting ${accountNo} issued no link`);
  // The same request may have arrived twice at once; the first one has created the account by now.
  return (await findEarlier(database, keyring, request)) ?? { kind: 'refused', mistakes: outcome.mistakes };
}

async function findEarlier(database: Database, keyring: Keyring, request: LinkRequest): Promise<ConnectOutcome | null> {
  const repeated = await database.read(noAccounts, (sql) => findRepeated(sql, keyring, request));
  if (repeated?.kind !== 'repeated') return repeated;
  return { kind: 'connected', accountNo: repeated.accountNo, link: repeated.link };
}
