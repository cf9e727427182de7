import type { Keyring } from '../../platform/keyring.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { noAccounts } from '../../platform/postgres/sql.ts';
import type { IssuedSecret } from '../partners/apply-outcome.ts';
import { digestOfToken, isLinkToken, type LinkState, openSealedLink } from './handover-link.ts';
import { findLinkByToken, type LockedLink, lockLink, markOpened, markRevoked } from './handover-link-queries.ts';

export type OpenOutcome =
  | {
      kind: 'opened';
      accountNo: string;
      environment: LockedLink['environment'];
      issuedBy: string;
      secrets: IssuedSecret[];
    }
  /** It was a link of ours, and cannot be opened any more. */
  | { kind: 'ended'; how: Exclude<LinkState, 'waiting'>; issuedBy: string }
  | { kind: 'unknown' };

/** Opens a link with its token. Of several attempts at once, exactly one gets the secrets. */
export async function openLink(
  database: Database,
  keyring: Keyring,
  { token, address }: { token: string; address: string },
): Promise<OpenOutcome> {
  if (!isLinkToken(token)) return { kind: 'unknown' };
  return await database.transaction(noAccounts, async (tx) => {
    const found = await findLinkByToken(tx, digestOfToken(token));
    if (found === null) return { kind: 'unknown' };
    const { accountId, linkId } = found;
    const own = tx.forAccounts([accountId]);
    const link = await lockLink(own, accountId, linkId);
    if (link === null) return { kind: 'unknown' };
    const { state, createdBy: issuedBy, sealed, masterKeyId, accountNo, environment } = link;
    if (state !== 'waiting') return { kind: 'ended', how: state, issuedBy };

    const { secrets } = openSealedLink(keyring, { linkId, sealed: sealed!, masterKeyId: masterKeyId! });
    await markOpened(own, accountId, linkId, address);
    return { kind: 'opened', accountNo, environment, issuedBy, secrets };
  });
}

export type RevokeOutcome = { kind: 'revoked' } | { kind: 'ended'; how: LinkState } | { kind: 'not_found' };

/** Makes a link useless that was not opened yet. */
export async function revokeLink(
  database: Database,
  { accountId, linkId, username }: { accountId: number; linkId: string; username: string },
): Promise<RevokeOutcome> {
  return await database.transaction([accountId], async (tx) => {
    const link = await lockLink(tx, accountId, linkId);
    if (link === null) return { kind: 'not_found' };
    if (link.state !== 'waiting') return { kind: 'ended', how: link.state };

    await markRevoked(tx, accountId, linkId, username);
    return { kind: 'revoked' };
  });
}
