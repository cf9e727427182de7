import { camelColumns } from '../../platform/postgres/camel-columns.ts';
import { accountsOf, perAccount } from '../../platform/postgres/per-account.ts';
import type { Sql, Tx } from '../../platform/postgres/sql.ts';
import { taipeiTime } from '../../platform/postgres/taipei-time.ts';
import type { IssuedSecret } from '../partners/apply-outcome.ts';
import type { LinkLanguage, LinkState } from './handover-link.ts';

export interface NewLink {
  accountId: number;
  linkId: string;
  tokenDigest: Buffer;
  requestId: string;
  requestDigest: string;
  sealed: Buffer;
  masterKeyId: string;
  secrets: Pick<IssuedSecret, 'kind' | 'owner'>[];
  language: LinkLanguage;
  createdBy: string;
  hours: number;
}

/** Returns when it expires. */
export async function insertLink(tx: Tx, link: NewLink): Promise<Date> {
  const { accountId, linkId, tokenDigest, requestId, requestDigest, sealed, masterKeyId } = link;
  const [row] = await tx<{ expires_at: Date }[]>`
    insert into handover_link (account_id, link_id, token_digest, request_id, request_digest, sealed, master_key_id, secrets, language,
      created_by, expires_at)
    values (${accountId}, ${linkId}, ${tokenDigest}, ${requestId}, ${requestDigest}, ${sealed}, ${masterKeyId}, ${tx.json(link.secrets)},
      ${link.language}, ${link.createdBy}, now() + ${link.hours} * interval '1 hour')
    returning expires_at`;
  return row!.expires_at;
}

const state = `case when opened_at is not null then 'opened' when revoked_at is not null then 'revoked'
  when expires_at <= now() then 'expired' else 'waiting' end`;

export interface RequestedLink {
  linkId: string;
  accountNo: string;
  requestDigest: string;
  createdBy: string;
  expiresAt: Date;
  language: LinkLanguage;
  state: LinkState;
  sealed: Buffer | null;
  masterKeyId: string | null;
}

/** The link that this request of the console has made. */
export async function findRequestedLink(sql: Sql, requestId: string): Promise<RequestedLink | null> {
  const [row] = await sql<RequestedLink[]>`
    select ${camelColumns('link_id, account_no, request_digest, created_by, expires_at, language, sealed, master_key_id')},
      ${sql.unsafe(state)} as state
    from handover_link join account using (account_id) where request_id = ${requestId}`;
  return row ?? null;
}

/** null: nobody has issued this token, or it was forgotten. */
export async function findLinkByToken(
  sql: Sql,
  tokenDigest: Buffer,
): Promise<{ accountId: number; linkId: string } | null> {
  const [row] = await sql<{ accountId: number; linkId: string }[]>`
    select ${camelColumns('account_id, link_id')} from handover_link where token_digest = ${tokenDigest}`;
  return row ?? null;
}

export interface LockedLink {
  accountNo: string;
  environment: 'uat' | 'production';
  createdBy: string;
  state: LinkState;
  sealed: Buffer | null;
  masterKeyId: string | null;
}

/** null: it was forgotten in the meantime. */
export async function lockLink(tx: Tx, accountId: number, linkId: string): Promise<LockedLink | null> {
  const [row] = await tx<Omit<LockedLink, 'accountNo' | 'environment'>[]>`
    select ${camelColumns('created_by, sealed, master_key_id')}, ${tx.unsafe(state)} as state
    from handover_link where account_id = ${accountId} and link_id = ${linkId} for update`;
  if (!row) return null;
  const [account] = await tx<Pick<LockedLink, 'accountNo' | 'environment'>[]>`
    select ${camelColumns('account_no, environment')} from account where account_id = ${accountId}`;
  return { ...row, ...account! };
}

/** Its secrets leave the database. */
export async function markOpened(tx: Tx, accountId: number, linkId: string, address: string): Promise<void> {
  await tx`
    update handover_link set opened_at = now(), opened_from = ${address}, sealed = null, master_key_id = null
    where account_id = ${accountId} and link_id = ${linkId}`;
}

export async function markRevoked(tx: Tx, accountId: number, linkId: string, username: string): Promise<void> {
  await tx`
    update handover_link set revoked_at = now(), revoked_by = ${username}, sealed = null, master_key_id = null
    where account_id = ${accountId} and link_id = ${linkId}`;
}

export interface ListedLink {
  link_id: string;
  state: LinkState;
  secrets: Pick<IssuedSecret, 'kind' | 'owner'>[];
  language: LinkLanguage;
  created_at: string;
  created_by: string;
  expires_at: string;
  opened_at: string | null;
  opened_from: string | null;
  revoked_at: string | null;
  revoked_by: string | null;
}

/** The newest first. */
export async function listLinks(sql: Sql, accountNo: string, limit: number): Promise<ListedLink[]> {
  return await sql<ListedLink[]>`
    select link_id, ${sql.unsafe(state)} as state, secrets, language, created_by, opened_from, revoked_by,
      ${sql.unsafe(taipeiTime('l.created_at', 'created_at'))}, ${sql.unsafe(taipeiTime('expires_at'))},
      ${sql.unsafe(taipeiTime('opened_at'))}, ${sql.unsafe(taipeiTime('revoked_at'))}
    from handover_link l join account using (account_id) where account_no = ${accountNo}
    order by l.created_at desc, link_id limit ${limit}`;
}

/** Removes the secrets of links that nobody opened in time, and forgets links that ended long ago. Returns how many. */
export async function forgetEndedLinks(tx: Tx, keptDays: number): Promise<number> {
  const rows = await tx<{ accountId: number; linkId: string; isOld: boolean }[]>`
    select ${camelColumns('account_id, link_id')}, expires_at < now() - ${keptDays} * interval '1 day' as "isOld" from handover_link
    where (sealed is not null and expires_at <= now()) or expires_at < now() - ${keptDays} * interval '1 day'
    order by account_id, link_id limit ${forgottenAtOnce}`;
  const own = tx.forAccounts(accountsOf(rows));
  await perAccount(rows, (accountId, ended) => {
    const idsOf = (isOld: boolean) => ended.filter((row) => row.isOld === isOld).map(({ linkId }) => linkId);
    return own`
      with forgotten as (
        delete from handover_link where account_id = ${accountId} and link_id = any(${idsOf(true)}::uuid[])
      )
      update handover_link set sealed = null, master_key_id = null
      where account_id = ${accountId} and link_id = any(${idsOf(false)}::uuid[]) and expires_at <= now()`;
  });
  return rows.length;
}

const forgottenAtOnce = 1000;
