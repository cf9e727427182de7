import { randomUUID } from 'node:crypto';
import type { Keyring } from '../../platform/keyring.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import type { IssuedSecret } from '../partners/apply-outcome.ts';
import { digestOfToken, type LinkLanguage, makeLinkToken, openSealedLink, sealLink } from './handover-link.ts';
import { findRequestedLink, insertLink } from './handover-link-queries.ts';

/** A request of the console that issues a link: sent again, it must have the same content. */
export interface LinkRequest {
  requestId: string;
  requestDigest: string;
  username: string;
  hours: number;
  language: LinkLanguage;
}

export interface IssuedLink {
  linkId: string;
  /** null: it was opened or revoked, or has expired, so it cannot be shown again. */
  token: string | null;
  language: LinkLanguage;
  expiresAt: Date;
}

/** Seals the secrets, to be opened once with the token of the link. */
export async function issueLink(
  tx: Tx,
  keyring: Keyring,
  accountId: number,
  secrets: IssuedSecret[],
  { requestId, requestDigest, username, hours, language }: LinkRequest,
): Promise<IssuedLink> {
  const linkId = randomUUID();
  const token = makeLinkToken();
  const { sealed, keyId: masterKeyId } = sealLink(keyring, linkId, { token, secrets });
  const expiresAt = await insertLink(tx.forAccounts([accountId]), {
    accountId,
    linkId,
    tokenDigest: digestOfToken(token),
    requestId,
    requestDigest,
    sealed,
    masterKeyId,
    secrets: secrets.map(({ kind, owner }) => ({ kind, owner })),
    language,
    createdBy: username,
    hours,
  });
  return { linkId, token, language, expiresAt };
}

export type RepeatedRequest =
  | { kind: 'repeated'; accountNo: string; link: IssuedLink }
  /** Another request has used the id. */
  | { kind: 'other_request' };

/** What an earlier request with this id has made; null: there was none. */
export async function findRepeated(
  sql: Sql,
  keyring: Keyring,
  { requestId, requestDigest, username }: LinkRequest,
): Promise<RepeatedRequest | null> {
  const found = await findRequestedLink(sql, requestId);
  if (found === null) return null;
  if (found.requestDigest !== requestDigest || found.createdBy !== username) return { kind: 'other_request' };
  const { linkId, sealed, masterKeyId, language, expiresAt, accountNo } = found;
  const isWaiting = found.state === 'waiting' && sealed !== null && masterKeyId !== null;
  const token = isWaiting ? openSealedLink(keyring, { linkId, sealed, masterKeyId }).token : null;
  return { kind: 'repeated', accountNo, link: { linkId, token, language, expiresAt } };
}
